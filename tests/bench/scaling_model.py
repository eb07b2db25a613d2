"""What weak scaling to expect on a large machine, from figures of a small one.

A rank has a cube of n bodies, 6 faces, 26 neighbours. Measured on one rank: the time
t_1 of a step per body. Measured on two ranks, which share one face of A = N^(2/3)
bodies: copies per body of a face, k; messages per neighbour and step, m; bytes sent
per copy and step, b. Then a step on P ranks takes

    compute      n t_1 + t_c 6 k n^(2/3)          copies are work too, t_c = t_1
    messages     m (alpha + 26 o)                 rounds, each to all neighbours
    bytes        6 k n^(2/3) b / beta
    sums         c 2 alpha log2 P                 residuals, c of them in a step

with the latency alpha, the cost o of starting a message, and the bandwidth beta of one
rank. Messages and bytes travel while contacts without shared bodies are worked on:
the pessimistic column takes none of that into account.
"""
import math

FACES, NEIGHBOURS = 6, 26


class Machine:
    def __init__(self, alpha=2e-6, o=0.3e-6, beta=0.4e9):
        self.alpha, self.o, self.beta = alpha, o, beta


class Figures:
    """From rows of bench_ranks on one rank and on two, of the same bed."""

    def __init__(self, one, two, sums=30):
        self.t_1 = 1e-3 * one["step_ms"] / one["bodies"]
        self.k = two["copies"] / two["bodies"] ** (2 / 3)
        self.m = two["messages"]
        self.b = 1e3 * two["kilobytes"] / two["copies"]
        self.sums = sums


def step(f, machine, n, ranks):
    """(compute, talk): seconds of a step."""
    if ranks == 1:
        return n * f.t_1, 0
    copies = FACES * f.k * n ** (2 / 3)
    talk = (f.m * (machine.alpha + NEIGHBOURS * machine.o) +
            copies * f.b / machine.beta +
            f.sums * 2 * machine.alpha * math.log2(ranks))
    return (n + copies) * f.t_1, talk


def efficiency(f, machine, n, ranks):
    """(all talk is waited for, all but the sums is hidden)."""
    alone, _ = step(f, machine, n, 1)
    compute, talk = step(f, machine, n, ranks)
    sums = f.sums * 2 * machine.alpha * math.log2(ranks)
    return alone / (compute + talk), alone / (max(compute, talk) + sums)


def show(f, machine):
    print("\nModel of weak scaling: efficiency if nothing is hidden ... if all but "
          "the sums is\n")
    print(f"  t_1 {1e6 * f.t_1:.2f} us per body and step; copies {f.k:.2f} per body "
          f"of a face; {f.m:.0f} messages per\n  neighbour and step; {f.b:.0f} bytes "
          f"per copy and step; latency {1e6 * machine.alpha:.1f} us, start of a "
          f"message\n  {1e6 * machine.o:.1f} us, {machine.beta / 1e9:.1f} GB/s per "
          "rank\n")
    sizes = [5_000, 21_800, 100_000, 500_000]
    print("  bodies per rank   " + "".join(f"{n:>16,}" for n in sizes))
    for ranks in (1_000, 10_000, 100_000, 458_752):
        cells = [efficiency(f, machine, n, ranks) for n in sizes]
        print(f"  {ranks:>9,} ranks   " +
              "".join(f"{a:9.2f} ... {b:.2f}" for a, b in cells))
    print("  (10^10 bodies on 458 752 cores, Preclik and Ruede 2015, are 21 800 on "
          "each)")
