"""tests/bench/scaling: strong and weak scaling over ranks and threads."""
import argparse
import csv
import pathlib
import subprocess

import rows
import scaling_model

PHASES = ["broad", "narrow", "assemble", "solve", "integrate", "waiting"]


def parse():
    parser = argparse.ArgumentParser(
        prog="tests/bench/scaling",
        description="Times a settled bed of spheres on ranks x threads.")
    for name in ("--program", "--alone", "--folder"):
        parser.add_argument(name, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true",
                        help="10 000 spheres instead of 100 000, fewer steps")
    parser.add_argument("--grid", default="1x1,1x2,2x1,4x1",
                        help="ranks x threads to time (%(default)s)")
    parser.add_argument("--n", type=int, help="spheres of strong scaling")
    parser.add_argument("--each", type=int,
                        help="spheres per core of weak scaling")
    parser.add_argument("--rounds", type=int, default=3,
                        help="runs of each, in turn; the best counts")
    parser.add_argument("--strict", action="store_true",
                        help="exit code 1 if a bar is missed")
    a = parser.parse_args()
    a.n = a.n or (10_000 if a.quick else 100_000)
    a.each = a.each or (5_000 if a.quick else 50_000)
    a.grid = [tuple(map(int, one.split("x"))) for one in a.grid.split(",")]
    a.steps = ["--settle", "20", "--steps", "40" if a.quick else "20"]
    return a


def time_all(a, grid, size, *more):
    """The best row of each member of the grid, run in turn."""
    found = {one: [] for one in grid}
    for _ in range(a.rounds):
        for ranks, threads in grid:
            n = size(ranks * threads)
            found[ranks, threads].append(
                rows.run(a.program, ranks, threads,
                         ["--n", str(n), "--beds", a.folder, *a.steps, *more]))
    return {one: rows.best(of) for one, of in found.items()}


def add_efficiency(table, of):
    """Puts columns into the rows: times faster than the first, efficiency."""
    first = next(iter(table.values()))["step_ms"]
    for (ranks, threads), row in table.items():
        row["faster"] = first / row["step_ms"]
        row["efficiency"] = of(row["faster"], ranks * threads)


def show(title, table):
    print(f"\n{title}\n")
    print("  ranks x threads    bodies  step, ms  faster  efficiency  " +
          "  ".join(f"{p:>9}" for p in PHASES) +
          "   copies  messages     kB  load")
    for (ranks, threads), row in table.items():
        print(f"  {ranks:5d} x {threads:<7d} {row['bodies']:9.0f} "
              f"{row['step_ms']:9.2f} {row['faster']:7.2f} "
              f"{row['efficiency']:11.2f}  " +
              "  ".join(f"{row[p + '_ms']:9.2f}" for p in PHASES) +
              f"{row['copies']:9.0f} {row['messages']:9.0f} "
              f"{row['kilobytes']:6.0f} {row['imbalance']:5.2f}")
    print("  (phases: ms per step, mean over ranks and all steps, waiting for "
          "other ranks is part of them;\n   copies, messages and kB: of a rank, "
          "the latter sent per step)")


def alone_against_mpi(a):
    """MPI's cost on one rank: the build without it, and under mpirun, in turn."""
    options = ["--n", str(min(a.n, 10_000)), "--beds", a.folder, *a.steps]
    found = {"alone": [], "mpi": []}
    for _ in range(a.rounds + 2):
        found["alone"].append(rows.run(a.alone, 0, 1, options))
        found["mpi"].append(rows.run(a.program, 1, 1, options))
    return (rows.best(found["mpi"])["step_ms"] /
            rows.best(found["alone"])["step_ms"])


def show_price(table, plain):
    """What the same bits on any number of ranks cost."""
    print("\nreproducible: true, time of a step over that without\n")
    for one, row in table.items():
        ranks, threads = one
        print(f"  {ranks:5d} x {threads:<7d} {row['step_ms']:9.2f} ms "
              f"{row['step_ms'] / plain[one]['step_ms']:7.2f} times")


def write_csv(path, tables):
    with open(path, "w", newline="") as file:
        names = ["kind", *next(iter(tables[0][1].values()))]
        out = csv.DictWriter(file, names)
        out.writeheader()
        for kind, table in tables:
            for row in table.values():
                out.writerow({"kind": kind, **row})


def plot(path, tables):
    """Speed-up and efficiency over cores, beside the ideal."""
    blocks, parts = [], []
    for k, (kind, table) in enumerate(tables):
        first = next(iter(table.values()))["step_ms"]
        lines = [f"{r * t} {first / row['step_ms'] * (r * t if kind == 'weak' else 1)} "
                 f"{r}x{t}" for (r, t), row in table.items()]
        blocks.append(f"$d{k} << END\n" + "\n".join(lines) + "\nEND\n")
        parts.append(f"$d{k} using 1:2 with points pt {5 + 2 * k} ps 1.5 "
                     f"title '{kind}', $d{k} using 1:2:3 with labels offset 3,0.5 "
                     "notitle")
    most = max(r * t for _, table in tables for r, t in table)
    script = ("set terminal pngcairo size 800,600\n"
              f"set output '{path}'\nset key left top\n"
              "set xlabel 'cores asked for (ranks x threads)'\n"
              "set ylabel 'times the work of one'\n"
              f"set xrange [0.5:{most + 1}]\nset yrange [0:{most + 1}]\n" +
              "".join(blocks) + "plot x with lines dt 2 title 'ideal', " +
              ", ".join(parts) + "\n")
    subprocess.run(["gnuplot"], input=script, text=True, check=True)


def main():
    a = parse()
    strong = time_all(a, a.grid, lambda cores: a.n)
    add_efficiency(strong, lambda faster, cores: faster / cores)
    show(f"Strong scaling: {a.n} settled spheres, 50 sweeps", strong)
    weak = time_all(a, a.grid, lambda cores: a.each * cores)
    add_efficiency(weak, lambda faster, cores: faster)
    show(f"Weak scaling: {a.each} settled spheres for each core", weak)
    same = time_all(a, [one for one in a.grid if one[1] == 1 and one[0] < 3],
                    lambda cores: a.n, "--reproducible")
    if same:
        add_efficiency(same, lambda faster, cores: faster / cores)
        show_price(same, strong)
    ratio = alone_against_mpi(a)
    print()
    missed = 0
    if (2, 1) in strong and (1, 1) in strong:
        two = strong[1, 1]["step_ms"] / strong[2, 1]["step_ms"]
        missed += rows.bar(two >= 1.7, "two ranks are at least 1.7 times one",
                           two)
    missed += rows.bar(ratio <= 1.03,
                       "MPI on one rank costs at most 3 % (ratio of steps)",
                       ratio)
    if (2, 1) in strong and (1, 1) in strong:
        scaling_model.show(scaling_model.Figures(strong[1, 1], strong[2, 1]),
                           scaling_model.Machine())
    folder = pathlib.Path(a.folder)
    tables = [("strong", strong), ("weak", weak)]
    write_csv(folder / "scaling.csv", [*tables, ("reproducible", same)])
    plot(folder / "scaling.png", tables)
    print(f"\nThe figures are in {folder}/scaling.csv and scaling.png")
    return a.strict and missed > 0


if __name__ == "__main__":
    raise SystemExit(main())
