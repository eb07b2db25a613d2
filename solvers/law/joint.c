#include "solvers/law/joint.h"

const scree_row_law scree_row_law_joint = {
    .name = "joint",
    .about = "joints, motors, springs and cables: bars of force and moment",
    .general = true,
};

/* Pivots below this share of the diagonal are rounding: the bar is held by others. */
static const double SINGULAR = 1e-12;

/* ---- A = L D L^T ---------------------------------------------------------------- */

static void write_matrix(scree_bars *s,
                         const scree_bar_response response[SCREE_BARS],
                         double inv_mass) {
    for (int k = 0; k < s->n; ++k) {
        scree_bar *b = &s->bar[k];
        for (int i = 0; i < s->n; ++i)
            s->A[i][k] = bar_of(&s->bar[i], response[k].xi, response[k].omega);
        b->G = s->A[k][k];
        b->A = s->A[k][k] += b->soft;
        b->length = b->turns && b->G > 0 ? sqrt(inv_mass / b->G) : 1;
    }
}

/* A pivot of zero stands for a bar that moves nothing. */
static void eliminate_bar(scree_bars *s, int k) {
    double *pivot = &s->A[k][k];
    if (!(*pivot > SINGULAR * s->bar[k].A)) *pivot = 0;
    for (int i = k + 1; i < s->n; ++i) {
        const double l = *pivot > 0 ? s->A[i][k] / *pivot : 0;
        for (int j = k + 1; j <= i; ++j) s->A[i][j] -= l * s->A[j][k];
        /* A[j][k] of later rows is still unscaled when row i reads it */
    }
    for (int i = k + 1; i < s->n; ++i)
        s->A[i][k] = *pivot > 0 ? s->A[i][k] / *pivot : 0;
}

void scree_bars_factor(scree_bars *s,
                       const scree_bar_response response[SCREE_BARS],
                       double inv_mass) {
    write_matrix(s, response, inv_mass);
    for (int k = 0; k < s->fixed; ++k) eliminate_bar(s, k);
    for (int i = s->fixed; i < s->n; ++i)
        for (int j = s->fixed; j < i; ++j) s->A[j][i] = s->A[i][j];
}

/* ---- the row's own problem --------------------------------------------------------- */

enum { LOCAL_SWEEPS = 30 };
static const double LOCAL_TOLERANCE = 1e-13;

/* Bars with bounds, the others following them: dp for xi. */
static void sweep_bounded(const scree_bars *s, const double *p,
                          const double *xi, double *dp) {
    const int rounds = s->n - s->fixed > 1 ? LOCAL_SWEEPS : 1;
    for (int k = s->fixed; k < s->n; ++k) dp[k] = 0;
    for (int round = 0; round < rounds; ++round) {
        double moved = 0, size = 0;
        for (int k = s->fixed; k < s->n; ++k) {
            if (!(s->A[k][k] > SINGULAR * s->bar[k].A)) continue;
            double at = xi[k];
            for (int j = s->fixed; j < s->n; ++j) at += s->A[k][j] * dp[j];
            const double to =
                bar_clip(&s->bar[k], p[k] + dp[k] - at / s->A[k][k]);
            moved = fmax(moved, fabs(to - p[k] - dp[k]));
            size = fmax(size, fabs(to));
            dp[k] = to - p[k];
        }
        if (moved <= LOCAL_TOLERANCE * size) break;
    }
}

/* dp such that xi + A dp = 0 on bilateral bars, and the law holds on the others. */
static void solve_bars(const scree_bars *s, const double *p, double *xi,
                       double *dp) {
    for (int k = 0; k < s->fixed; ++k)
        for (int i = k + 1; i < s->n; ++i) xi[i] -= s->A[i][k] * xi[k];
    sweep_bounded(s, p, xi, dp);
    for (int k = s->fixed - 1; k >= 0; --k) {
        dp[k] = s->A[k][k] > 0 ? -xi[k] / s->A[k][k] : 0;
        for (int i = k + 1; i < s->n; ++i) dp[k] -= s->A[i][k] * dp[i];
        if (!(s->A[k][k] > 0)) dp[k] = 0;
    }
}

row_step scree_bars_step(const scree_bars *s, scree_vec3 P, scree_vec3 M,
                         scree_vec3 xi, scree_vec3 omega, double omega_r) {
    double x[SCREE_BARS], p[SCREE_BARS], dp[SCREE_BARS];
    row_step to = {0};
    bars_xi(s, P, M, xi, omega, x);
    for (int k = 0; k < s->n; ++k) p[k] = bar_of(&s->bar[k], P, M);
    solve_bars(s, p, x, dp);
    for (int k = 0; k < s->n; ++k) {
        const scree_bar *b = &s->bar[k];
        const double q = bar_clip(b, p[k] + omega_r * dp[k]);
        if (b->turns)
            to.M = add_scaled(to.M, q, b->d);
        else
            to.P_t = add_scaled(to.P_t, q, b->d);
    }
    return to; /* P_n = 0: all in P_t, until the row splits it */
}

/* ---- the residual -------------------------------------------------------------------- */

bars_map scree_bars_measure(const scree_bars *s, scree_vec3 P, scree_vec3 M,
                            scree_vec3 xi, scree_vec3 omega) {
    bars_map m = {0};
    double x[SCREE_BARS];
    bars_xi(s, P, M, xi, omega, x);
    for (int k = 0; k < s->n; ++k) {
        const scree_bar *b = &s->bar[k];
        if (!(b->A > 0)) continue;
        const double p = bar_of(b, P, M), by = b->G * b->length;
        const double dp = p - bar_clip(b, p - x[k] / b->A);
        const double F = by * dp, size = by * x[k] / b->A;
        m.F2 += F * F;
        m.P2 += by * p * by * p;
        m.xi2 += size * size;
        m.power += fabs(p * b->G * dp);
        m.normal = fmax(m.normal, fabs(F));
        m.cone = fmax(m.cone, fmax(b->lo - p, p - b->hi));
        if (isnan(F)) m.normal = F;
    }
    return m;
}
