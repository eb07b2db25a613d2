#!/usr/bin/env python3
"""Prints elementary_tables.h, the constants of elementary.c.

    engine/base/elementary/make_elementary.py > engine/base/elementary/elementary_tables.h

Everything follows from the definitions, in 500 digits (Debian: python3-mpmath) and then
rounded. A number in two parts is (hi, lo): hi is the double nearest to it, or the nearest
one with few bits so that its multiples are exact, and lo the double nearest to the rest.
"""
import subprocess
import mpmath as mp

mp.mp.dps = 500


def nearest(x):
    return float(x)  # mpmath rounds to the nearest double


def short(x, lsb):
    """x rounded to multiples of 2^lsb."""
    return float(mp.nint(mp.ldexp(x, -lsb))) * 2.0 ** lsb


def text(x):
    return float(x).hex()


def parts(x, first=nearest):
    hi = first(x)
    return "{%s, %s}" % (text(hi), text(nearest(x - mp.mpf(hi))))


def constant(name, x, note):
    return "static const pair %s = %s; /* %s */" % (name, parts(x), note)


def table(kind, name, rows, note):
    return "/* %s */\nstatic const %s %s[%d] = {%s};\n" % (
        note, kind, name, len(rows), ", ".join(rows))


def fitted(f, lo, hi, n):
    """The polynomial through f in n Chebyshev nodes of [lo, hi], coefficients rounded
    from the lowest on, each time with the rest fitted again."""
    nodes = [(lo + hi) / 2 + (hi - lo) / 2 * mp.cos(mp.pi * (2 * k + 1) / (2 * n))
             for k in range(n)]
    values = [f(z) for z in nodes]
    done = []
    for left in range(n, 0, -1):
        A = mp.matrix(left, left)
        for i in range(left):
            for j in range(left):
                A[i, j] = nodes[i] ** j
        c = nearest(mp.lu_solve(A, mp.matrix(values[:left]))[0])
        done.append(c)
        values = [(v - mp.mpf(c)) / z for v, z in zip(values, nodes)]
    return done


def sine(z):
    return (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z


def cosine(z):
    return (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z ** 2


def words_of_two_over_pi():
    bits = int(mp.floor(mp.ldexp(2 / mp.pi, 19 * 64)))
    return [0] + [(bits >> (64 * (18 - k))) & (2 ** 64 - 1) for k in range(19)]


def log_rows():
    """For m in [1 + j/128, 1 + (j+1)/128): c near 1/m with 9 bits, and -log(c), or
    -log(2 c) for m above sqrt(2), whose exponent counts one more."""
    rows = []
    for j in range(128):
        middle = 1 + (mp.mpf(j) + mp.mpf(1) / 2) / 128
        c = 1.0 if j == 0 else 0.5 if j == 127 else short(1 / middle, -9)
        at = -mp.log(c if j < 53 else 2 * mp.mpf(c))
        rows.append("{%s, %s}" % (text(c), parts(at, lambda x: short(x, -42))))
    return rows


def erfc_rows():
    return ["{%s, %s}" % (parts(mp.erfc(mp.mpf(i) / 16)),
                          text(nearest(2 / mp.sqrt(mp.pi) * mp.exp(-(mp.mpf(i) / 16) ** 2))))
            for i in range(42)]


def header():
    quarter = (mp.pi / 4) ** 2 * mp.mpf("1.0001")
    half_pi = [short(mp.pi / 2, -32)]
    half_pi.append(short(mp.pi / 2 - half_pi[0], -65))
    half_pi.append(nearest(mp.pi / 2 - half_pi[0] - half_pi[1]))
    return "\n".join([
        "/* elementary_tables.h: constants of elementary.c, printed by",
        " * make_elementary.py: edit that script, not this file. */",
        "#ifndef SCREE_BASE_ELEMENTARY_TABLES_H",
        "#define SCREE_BASE_ELEMENTARY_TABLES_H",
        "",
        constant("PI", mp.pi, "pi"),
        constant("HALF_PI", mp.pi / 2, "pi / 2"),
        constant("ROOT_PI", mp.sqrt(mp.pi), "sqrt(pi)"),
        constant("LN2", mp.log(2), "ln 2"),
        constant("LOG2_E", 1 / mp.log(2), "1 / ln 2"),
        "/* Parts whose multiples are exact: by integers below 2^11, below 2^17. */",
        "static const pair LN2_SHORT = %s;" % parts(mp.log(2), lambda x: short(x, -42)),
        "static const pair LN2_64TH = %s;" % parts(mp.log(2) / 64, lambda x: short(x, -42)),
        "",
        table("double", "HALF_PI_PARTS", [text(x) for x in half_pi],
              "pi / 2 in three parts, of which two have 33 bits."),
        table("double", "SINE", [text(x) for x in fitted(sine, mp.mpf(0), quarter, 6)],
              "(sin r / r - 1) / r^2 in powers of r^2, |r| <= pi / 4."),
        table("double", "COSINE", [text(x) for x in fitted(cosine, mp.mpf(0), quarter, 6)],
              "(cos r - 1 + r^2 / 2) / r^4 in powers of r^2, |r| <= pi / 4."),
        table("pair", "ARC", [parts(mp.atan(mp.mpf(i) / 64)) for i in range(66)],
              "atan(i / 64)"),
        table("pair", "ROOTS", [parts(mp.mpf(2) ** (mp.mpf(j) / 64)) for j in range(64)],
              "2^(j / 64)"),
        table("log_row", "LOGS", log_rows(),
              "c near 1 / m of few bits, and -log c (-log 2 c from j = 53 on)."),
        table("erfc_row", "ERFC", erfc_rows(),
              "erfc(a) and its slope's size 2 / sqrt(pi) exp(-a^2) at a = i / 16."),
        table("uint64_t", "TWO_OVER_PI",
              ["0x%016xu" % w for w in words_of_two_over_pi()],
              "The bits of 2 / pi after the point, behind 64 zeros."),
        "#endif", ""])


laid_out = subprocess.run(["clang-format-14", "--assume-filename", __file__ + ".h"],
                          input=header(), text=True, capture_output=True, check=True)
print(laid_out.stdout, end="")
