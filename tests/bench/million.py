"""tests/bench/million: a settling bed that fills the machine."""
import argparse

import rows

BYTES_PER_BODY = 2000


def main():
    parser = argparse.ArgumentParser(prog="tests/bench/million")
    parser.add_argument("--program", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--n", type=int, default=1_000_000)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--ranks", default="1,2")
    a = parser.parse_args()
    print(f"{a.n} spheres settle for {a.steps} steps of 4 ms, 50 sweeps each\n")
    print("  ranks  contacts   s per step  s of best   bytes per body  "
          "resident per body")
    missed = 0
    for ranks in map(int, a.ranks.split(",")):
        row = rows.run(a.program, ranks, 1, [
            "--n", str(a.n), "--stacked", "--settle", "0", "--steps",
            str(a.steps)])
        print(f"  {ranks:5d} {row['contacts']:9.0f} "
              f"{row['step_mean_ms'] / 1e3:12.3f} {row['step_ms'] / 1e3:10.3f} "
              f"{row['bytes_per_body']:16.0f} {row['resident_per_body']:18.0f}")
        missed += rows.bar(row["resident_per_body"] <= BYTES_PER_BODY,
                           "at most 2 kB of memory per body, all in all",
                           row["resident_per_body"])
    return missed > 0


if __name__ == "__main__":
    raise SystemExit(main())
