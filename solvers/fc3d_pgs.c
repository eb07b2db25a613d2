/* fc3d_pgs.c: block Gauss-Seidel with momentum fused into the sweep.
 *
 * Before sweep k every contact moves on in the direction of its last change,
 *     r <- r + b (r - r_last),     b = min(b_max, (k - 1) / (k + 2)),
 * then the sweep corrects contact after contact with u from its row of W. The
 * friction coupling is not the gradient of anything, so b_max -> 1 diverges:
 * b_max follows the mean square update over windows of WINDOW sweeps. Growth
 * takes momentum away and starts k anew; steady decay gives it back. */
#include <math.h>
#include <string.h>

#include "solvers/fc3d.h"

enum { WINDOW = 50 };
static const double LEAST = 0.5, MOST = 0.98;

typedef struct state {
    scree_fc3d *p;
    const scree_fc3d_options *options;
    double *last; /* (3 nc) one sweep ago */
    int64_t k;    /* sweeps since the last restart */
    double b_max;
    double update, update_before; /* sums of squares over a window */
    int sweeps, decays;           /* in the window; windows in a row */
} state;

static void add_momentum(state *s) {
    const double b = fmin(s->b_max, (double)(s->k - 1) / (double)(s->k + 2));
    for (int i = 0; i < 3 * s->p->nc; i++) {
        const double r = s->p->r[i];
        s->p->r[i] = r + b * (r - s->last[i]);
        s->last[i] = r;
    }
}

/* u without the contact's own share, then the contact's own problem. */
static void solve_exact(const scree_fc3d *p, int i, double *r) {
    const double *W = &p->W[9 * p->row[i]];
    double b[3];
    scree_fc3d_row(p, i, b);
    for (int k = 0; k < 3; k++)
        b[k] -= W[3 * k] * r[0] + W[3 * k + 1] * r[1] + W[3 * k + 2] * r[2];
    scree_fc3d_contact(W, b, p->mu[i], r);
}

/* One step on r_N, then one on r_T with what the first did to u_T. The trace
 * bounds the eigenvalues of W_TT. */
static void solve_prox(const scree_fc3d *p, int i, double *r) {
    const double *W = &p->W[9 * p->row[i]];
    double u[3];
    scree_fc3d_row(p, i, u);
    const double r_n = W[0] > 0 ? fmax(0, r[0] - u[0] / W[0]) : 0;
    const double step = 0.5 * (W[4] + W[8]) + hypot(0.5 * (W[4] - W[8]), W[5]);
    const double rho = step > 0 ? 1 / step : 0;
    r[1] -= rho * (u[1] + W[3] * (r_n - r[0]));
    r[2] -= rho * (u[2] + W[6] * (r_n - r[0]));
    r[0] = r_n;
    const double length = hypot(r[1], r[2]), radius = p->mu[i] * r_n;
    if (length > radius) r[1] *= radius / length, r[2] *= radius / length;
}

static void sweep(state *s) {
    scree_fc3d *p = s->p;
    s->k++;
    add_momentum(s);
    for (int i = 0; i < p->nc; i++) {
        double *r = &p->r[3 * i];
        if (s->options->local == SCREE_LOCAL_EXACT) solve_exact(p, i, r);
        else solve_prox(p, i, r);
    }
    for (int i = 0; i < 3 * p->nc; i++) {
        const double change = p->r[i] - s->last[i];
        s->update += change * change;
    }
}

static void take_momentum(state *s) {
    s->b_max = fmax(LEAST, 1 - 1.5 * (1 - s->b_max));
    s->k = 0;
    s->decays = 0;
}

static void give_momentum(state *s) {
    if (++s->decays < 2) return;
    s->b_max = fmin(MOST, 1 - (1 - s->b_max) / 1.1);
    s->decays = 0;
}

static void adapt(state *s) {
    if (!s->options->adaptive || ++s->sweeps < WINDOW) return;
    if (s->update > s->update_before) take_momentum(s);
    else give_momentum(s);
    s->update_before = s->update;
    s->update = 0;
    s->sweeps = 0;
}

scree_status scree_fc3d_pgs(scree_fc3d *p, const scree_fc3d_options *options,
                            scree_arena *scratch, scree_fc3d_report *report) {
    const size_t mark = scree_arena_mark(scratch), n = 3 * (size_t)p->nc;
    state s = {.p = p,
               .options = options,
               .b_max = options->momentum,
               .update_before = INFINITY};
    s.last = scree_arena_push(scratch, (n + 1) * sizeof *s.last);
    scree_fc3d_progress g;
    scree_status status = s.last ? SCREE_OK : SCREE_OUT_OF_MEMORY;
    if (status == SCREE_OK)
        status = scree_fc3d_begin(&g, "pgs", p, options, scratch, report);
    if (status == SCREE_OK) {
        memcpy(s.last, p->r, n * sizeof *s.last);
        while (!scree_fc3d_advance(&g)) {
            sweep(&s);
            adapt(&s);
        }
        scree_fc3d_end(&g);
    }
    scree_arena_pop(scratch, mark);
    return status;
}
