/* woodpecker_lcp.c: Glocker and Studer 2005, Figs. 4 to 6: the woodpecker toy by Moreau's
 * midpoint rule, whose inequality problems are solved as LCPs by Lemke's method: history
 * and all three phase portraits of the limit cycle. */
#include <math.h>
#include <string.h>

#include "cases/studies/study.h"

enum { Y, PHI_M, PHI_S, WAIT = 12, CYCLES = 5 };

static const double dt = 1e-5,
                    level = -0.45; /* of phi_S, passed once a cycle */

typedef struct range {
    double low, high;
} range;

typedef struct cycles {
    int n, others, most_closed; /* passes; not by lemke; contacts in an LCP */
    double t[2], y[2];          /* of the first and the last measured pass */
    range q[3], u[3];
} cycles;

static void widen(range *r, double x) {
    r->low = fmin(r->low, x), r->high = fmax(r->high, x);
}

static void watch_step(cycles *c, const scree_dense *s, double phi_before) {
    int closed = 0;
    c->others += s->fallback[0] != 0;
    for (int k = 0; k < 3; ++k) closed += s->P[2 * k] > 0;
    if (closed > c->most_closed) c->most_closed = closed;
    if (phi_before < level && s->q[PHI_S] >= level) {
        const int last = c->n++ > WAIT;
        c->t[last] = s->t, c->y[last] = s->q[Y];
    }
    for (int i = 0; i < 3 && c->n > WAIT; ++i)
        widen(&c->q[i], s->q[i]), widen(&c->u[i], s->u[i]);
}

static cycles run_toy(study *st, series *out) {
    trial r = trial_make(st, "woodpecker", "moreau", dt);
    cycles c = {0};
    double before = 0;
    r.options.solver = "lemke";
    for (int i = 0; i < 3; ++i) c.q[i] = c.u[i] = (range){INFINITY, -INFINITY};
    for (int64_t n = 0; c.n <= WAIT + CYCLES && trial_step(&r, 10); ++n) {
        const scree_dense *s = r.s;
        watch_step(&c, s, before);
        before = s->q[PHI_S];
        if (c.n > WAIT && n % 10 == 0)
            series_add(st, out, s->t, s->q[Y], s->q[PHI_M], s->q[PHI_S],
                       s->u[Y], s->u[PHI_M], s->u[PHI_S]);
    }
    trial_end(&r);
    return c;
}

/* What the step leaves: one to five times what is seen. */
static void compare_cycles(study *st, const cycles *c) {
    study_heading("moreau with lemke, dt = 1e-5 s, cycles %d to %d", WAIT + 1,
                  WAIT + CYCLES);
    study_at_most(st, c->others, 0, "steps that lemke did not solve itself");
    study_show(st, c->most_closed, 2, "contacts in an LCP, at most");
    study_near(st, (c->t[1] - c->t[0]) / CYCLES, 0.14598, 4e-5, "period [s]");
    study_near(st, 1e3 * (c->y[0] - c->y[1]) / CYCLES, 19.449, 0.02,
               "descent per cycle [mm]");
    study_heading("limit cycle (Fig. 6)");
    study_near(st, c->q[PHI_S].low, -0.5295, 1e-3, "phi_S, lowest [rad]");
    study_near(st, c->q[PHI_S].high, 0.1200, 5e-4, "phi_S, highest [rad]");
    study_near(st, c->u[PHI_S].low, -10.504, 5e-3, "omega_S, lowest [rad/s]");
    study_near(st, c->u[PHI_S].high, 17.603, 0.05, "omega_S, highest [rad/s]");
    study_near(st, c->q[PHI_M].low, -0.1035, 5e-4, "phi_M, lowest [rad]");
    study_near(st, c->q[PHI_M].high, 0.1035, 5e-4, "phi_M, highest [rad]");
    study_show(st, c->u[PHI_M].low, NAN, "omega_M, lowest [rad/s]");
    study_show(st, c->u[PHI_M].high, NAN, "omega_M, highest [rad/s]");
    study_show(st, c->u[Y].low, NAN, "v, lowest [m/s]");
    study_show(st, c->u[Y].high, NAN, "v, highest [m/s]");
}

static const char script[] =
    "set multiplot layout 2,4 title "
    "'Woodpecker toy by LCP, moreau with Lemke, dt = 1e-5 s (Glocker and "
    "Studer 2005, Figs. 4 to 6)'\n"
    "f = 'cycle.csv'\n"
    "stats f using 't' nooutput\n"
    "t0 = STATS_min\n"
    "set xrange [0:0.3]\n"
    "set xtics 0.1\n"
    "set xlabel 't [s]'\n"
    "do for [k in 'S M'] {\n"
    "  set title k eq 'S' ? 'woodpecker' : 'sleeve'\n"
    "  set ylabel 'phi_'.k.' [rad]'\n"
    "  plot f using (column('t') - t0):(column('phi_'.k)) with lines linestyle "
    "1 notitle\n"
    "  set ylabel 'omega_'.k.' [rad/s]'\n"
    "  plot f using (column('t') - t0):(column('omega_'.k)) with lines "
    "linestyle 2 notitle\n"
    "}\n"
    "set xrange [*:*]\n"
    "set xtics autofreq\n"
    "set title 'limit cycle of the woodpecker'\n"
    "set xlabel 'phi_S [rad]'\n"
    "set ylabel 'omega_S [rad/s]'\n"
    "plot f using 'phi_S':'omega_S' with lines linestyle 1 linewidth 0.5 "
    "notitle\n"
    "set title 'limit cycle of the sleeve'\n"
    "set xlabel 'phi_M [rad]'\n"
    "set ylabel 'omega_M [rad/s]'\n"
    "set xtics 0.1\n"
    "plot f using 'phi_M':'omega_M' with lines linestyle 1 linewidth 0.5 "
    "notitle\n"
    "set title 'limit cycle of the descent'\n"
    "set xlabel 'phi_S [rad]'\n"
    "set ylabel 'v [m/s]'\n"
    "set xtics 0.2\n"
    "plot f using 'phi_S':'v' with lines linestyle 1 linewidth 0.5 notitle\n"
    "set title 'descent'\n"
    "set xlabel 't [s]'\n"
    "set ylabel 'y [mm]'\n"
    "set xrange [0:0.3]\n"
    "set xtics 0.1\n"
    "plot f using (column('t') - t0):(1e3*column('y')) with lines linestyle 3 "
    "notitle\n"
    "unset multiplot\n";

static void run(study *st) {
    series out = {0};
    const cycles c = run_toy(st, &out);
    compare_cycles(st, &c);
    series_write(st, &out, "cycle.csv", "t,y,phi_M,phi_S,v,omega_M,omega_S");
    study_plot(st, "woodpecker-lcp", 1700, 820, script);
}

const scree_study_ops scree_study_woodpecker_lcp = {
    .name = "woodpecker-lcp",
    .about = "the woodpecker toy by LCP: history and phase portraits (Glocker "
             "and Studer 2005)",
    .run = run,
};
