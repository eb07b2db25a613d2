/* elementary.h: elementary functions with the same bits on every machine.
 *
 * The C library's sin, exp, ... round differently with its version and with the
 * processor (glibc takes other code where there is FMA). Whatever touches the state
 * of a run calls these instead; they use IEEE operations alone, in a fixed order and
 * without contraction. sqrt, fabs, floor, fmin, ldexp and the like are exact or
 * correctly rounded everywhere, and stay the library's.
 *
 * Every result is less than one unit in the last place off (tests/unit/elementary.c
 * measures them against MPFR), for every argument, huge and subnormal ones included;
 * zeros, infinities and NaN are treated as in C's Annex F. They need the rounding to
 * nearest that every program starts with. errno and flags are not set. */
#ifndef SCREE_BASE_ELEMENTARY_H
#define SCREE_BASE_ELEMENTARY_H

double scree_sin(double x);
double scree_cos(double x);
double scree_atan(double x);
double scree_atan2(double y, double x); /* angle of (x, y), in [-pi, pi] */
double scree_acos(double x);

double scree_exp(double x);
double scree_exp2(double x);
double scree_log(double x);
double scree_log2(double x);
double scree_erfc(double x); /* 2 / sqrt(pi) int_x^inf exp(-t^2) dt */

double scree_cbrt(double x);
double scree_hypot(double x, double y); /* sqrt(x^2 + y^2) without overflow */

#endif
