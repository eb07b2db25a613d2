/* jacobi_blocks.c: all contacts at once with a step that cannot overshoot.
 *
 * With d_i = the greatest absolute row sum of block row i, the diagonal matrix
 * of the d_i minus W is positive semidefinite (Gershgorin), so the step
 * rho_i = 1 / d_i is safe (jacobi.h). */
#include <math.h>

#include "engine/base/elementary/elementary.h"
#include "solvers/methods/jacobi.h"
#include "solvers/problem/method.h"

static double row_sum(const scree_fc3d *p, int i) {
    double greatest = 0;
    for (int a = 0; a < 3; a++) {
        double sum = 0;
        for (int64_t k = p->row[i]; k < p->row[i + 1]; k++)
            for (int b = 0; b < 3; b++) sum += fabs(p->W[9 * k + 3 * a + b]);
        greatest = fmax(greatest, sum);
    }
    return greatest;
}

/* prox of the half line, then of the disc mu r_N. */
static void prox_contact(double rho, double mu, const double u[3],
                         double r[3]) {
    r[0] = rho > 0 ? fmax(0, r[0] - rho * u[0]) : 0;
    r[1] -= rho * u[1];
    r[2] -= rho * u[2];
    const double length = scree_hypot(r[1], r[2]), radius = mu * r[0];
    if (length > radius) r[1] *= radius / length, r[2] *= radius / length;
}

static void step_all(scree_fc3d *p, const double *rho, double stretch) {
    for (int i = 0; i < p->nc; i++) scree_fc3d_row(p, i, &p->u[3 * i]);
    for (int i = 0; i < p->nc; i++)
        prox_contact(stretch * rho[i], p->mu[i], &p->u[3 * i], &p->r[3 * i]);
}

static void run_steps(scree_fc3d *p, const double *rho, scree_loop *g) {
    double stretch = 1, before = INFINITY;
    for (;;) {
        const bool looks = scree_loop_is_due(g);
        if (scree_loop_advance(g)) break;
        if (looks) {
            stretch = scree_jacobi_stretch(stretch, g->last > before,
                                           SCREE_JACOBI_BOLD);
            before = g->last;
        }
        step_all(p, rho, stretch);
    }
    scree_loop_end(g);
}

scree_status scree_blocks_jacobi(scree_fc3d *p,
                                 const scree_solver_options *options,
                                 scree_arena *scratch, scree_report *report) {
    scree_loop g;
    double *rho;
    if (!SCREE_PUSH(scratch, rho, p->nc)) return SCREE_OUT_OF_MEMORY;
    TRY(scree_fc3d_begin(&g, "jacobi", p, options, scratch, report));
    for (int i = 0; i < p->nc; i++) {
        const double sum = row_sum(p, i);
        rho[i] = sum > 0 ? 1 / sum : 0;
    }
    run_steps(p, rho, &g);
    return SCREE_OK;
}
