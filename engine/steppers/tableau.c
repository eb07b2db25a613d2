#include "engine/steppers/tableau.h"

#include <math.h>

#include "engine/base/elementary/elementary.h"

/* Legendre polynomial P_n and its first two derivatives at x in (-1, 1): the
 * three-term recurrence and Legendre's equation. */
typedef struct legendre {
    double P, P1, P2;
} legendre;

static legendre legendre_at(int n, double x) {
    double below = 1, P = x;
    for (int k = 2; k <= n; ++k) {
        const double next = ((2 * k - 1) * x * P - (k - 1) * below) / k;
        below = P, P = next;
    }
    const double P1 = n * (below - x * P) / (1 - x * x);
    return (legendre){P, P1, (2 * x * P1 - n * (n + 1) * P) / (1 - x * x)};
}

/* Inner node i of n + 1 on [-1, 1]. Newton on P'_n from the Chebyshev extremum,
 * which lies nearer to its root than to any other. */
static double inner_node(int n, int i) {
    double x = -scree_cos(3.141592653589793 * i / n);
    for (int k = 0; k < 20; ++k) {
        const legendre p = legendre_at(n, x);
        x -= p.P1 / p.P2;
    }
    return x;
}

/* Nodes in pairs, so that c_i + c_{s+1-i} = 1, and weights
 * b = 1 / (n (n + 1) P_n(x)^2), n = s - 1, on [0, 1]. */
static void fill_quadrature(scree_tableau *t) {
    const int n = t->s - 1;
    for (int i = 0; 2 * i <= n; ++i) {
        double x = -1, P = 1;
        if (i) x = 2 * i == n ? 0 : inner_node(n, i);
        if (i) P = legendre_at(n, x).P;
        t->c[i] = 0.5 * (1 + x), t->c[n - i] = 0.5 * (1 - x);
        t->b[i] = t->b[n - i] = 1 / (n * (n + 1) * P * P);
    }
}

/* Lagrange polynomial l_j of the nodes. */
static double lagrange_at(const scree_tableau *t, int j, double c) {
    double l = 1;
    for (int k = 0; k < t->s; ++k)
        if (k != j) l *= (c - t->c[k]) / (t->c[j] - t->c[k]);
    return l;
}

/* The rule (b, c) itself integrates l_j, of degree s - 1 <= 2 s - 3, exactly.
 */
static double integral_of(const scree_tableau *t, int j, double end) {
    double sum = 0;
    for (int k = 0; k < t->s; ++k)
        sum += t->b[k] * lagrange_at(t, j, end * t->c[k]);
    return end * sum;
}

bool scree_tableau_lobatto(int s, scree_tableau *t) {
    if (s < SCREE_TABLEAU_LEAST || s > SCREE_TABLEAU_MOST) return false;
    *t = (scree_tableau){.s = s};
    fill_quadrature(t);
    for (int i = 0; i < s; ++i)
        for (int j = 0; j < s; ++j) t->a[i][j] = integral_of(t, j, t->c[i]);
    for (int i = 0; i < s; ++i)
        for (int j = 0; j < s; ++j)
            t->a_hat[i][j] = t->b[j] * (1 - t->a[j][i] / t->b[i]);
    return true;
}
