/* woodpecker.c: the woodpecker toy, 002 section 10.4 (Figs. 13 and 14, Table
 * VII) and 004 section 4: limit cycle, switching, solvers, orders. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cases/studies/study.h"
#include "engine/base/elementary/elementary.h"

enum { Y, PHI_M, PHI_S };
enum { N_ROW = 6, N_INCIDENT = 12 };

/* Table VII: row (N1 F1 N2 F2 N3 F3) and its new mode, 0: constraint. */
static const struct {
    int row, mode;
    const char *name;
} incidents[N_INCIDENT] = {
    {3, 0, "F2 sticks"}, {3, 1, "F2 slips"},  {2, 1, "N2 opens"},
    {4, 0, "N3 closes"}, {4, 1, "N3 opens"},  {0, 0, "N1 closes"},
    {0, 1, "N1 opens"},  {4, 0, "N3 closes"}, {4, 1, "N3 opens"},
    {2, 0, "N2 closes"}, {2, 1, "N2 opens"},  {2, 0, "N2 closes"},
};

static trial make_adaptive(study *st) {
    trial r = trial_make(st, "woodpecker", "moreau-adaptive", 5e-3);
    r.options.dt_min = 1e-7;
    r.options.order = 6;
    r.options.atol = 1e-6;
    return r;
}

/* ---- limit cycle --------------------------------------------------------- */

enum { WAIT = 20, CYCLES = 10 };

typedef struct range {
    double low, high;
} range;

static const range empty = {INFINITY, -INFINITY};

static void widen(range *r, double x) {
    r->low = fmin(r->low, x);
    r->high = fmax(r->high, x);
}

typedef struct cycles {
    int n;     /* begun: F2 sticked so many times */
    int next;  /* incident that is due */
    int wrong; /* changes of a mode that are not in the table */
    double t, y, start, when[N_INCIDENT];
    double period, descent; /* means of CYCLES */
    range phi_S, phi_M, omega_S;
} cycles;

static void begin_cycle(cycles *c, const scree_dense *s) {
    if (c->n >= WAIT && c->n < WAIT + CYCLES) {
        c->period += (s->t - c->t) / CYCLES;
        c->descent += (c->y - s->q[Y]) / CYCLES;
    }
    c->t = s->t, c->y = s->q[Y];
    ++c->n;
}

static void meet(cycles *c, const scree_dense *s, int row) {
    const int k = c->next;
    if (incidents[k].row != row || incidents[k].mode != s->mode[row]) {
        ++c->wrong;
        return;
    }
    if (k == 0) begin_cycle(c, s);
    c->when[k] = s->t - c->t;
    c->next = (k + 1) % N_INCIDENT;
}

static void look(cycles *c, const scree_dense *s, const int *last) {
    for (int row = 0; row < N_ROW; ++row)
        if (s->mode[row] != last[row]) meet(c, s, row);
    if (c->n <= WAIT) return;
    widen(&c->phi_S, s->q[PHI_S]);
    widen(&c->phi_M, s->q[PHI_M]);
    widen(&c->omega_S, s->u[PHI_S]);
}

/* The first step only starts the modes. When the transient is gone, smaller
 * steps show the extremes and draw smooth lines. */
static cycles simulate(trial *r, series *out) {
    cycles c = {.phi_S = empty, .phi_M = empty, .omega_S = empty};
    trial_step(r, 10);
    int last[N_ROW] = {0};
    if (r->s) memcpy(last, r->s->mode, sizeof last);
    while (c.n <= WAIT + CYCLES && trial_step(r, 10)) {
        const scree_dense *s = r->s;
        look(&c, s, last);
        if (c.n > WAIT) r->dt = 2e-4;
        memcpy(last, s->mode, sizeof last);
        series_add(r->st, out, s->t, s->q[Y], s->q[PHI_M], s->q[PHI_S], s->u[Y],
                   s->u[PHI_M], s->u[PHI_S], s->dt, s->order, s->mode[0],
                   s->mode[1], s->mode[2], s->mode[3], s->mode[4], s->mode[5]);
    }
    return c;
}

/* Half of the last digit that the references have, a little more for phi_M, which is
 * 0.10345; and for the velocity that jumps the effect of a step of dt_min. */
static void compare_ranges(study *st, const cycles *c) {
    study_near(st, c->phi_S.low, -0.5295, 5e-5, "phi_S, lowest [rad]");
    study_near(st, c->phi_S.high, 0.1200, 5e-5, "phi_S, highest [rad]");
    study_near(st, c->phi_M.low, -0.1035, 6e-5, "phi_M, lowest [rad]");
    study_near(st, c->phi_M.high, 0.1035, 6e-5, "phi_M, highest [rad]");
    study_near(st, c->omega_S.low, -10.504, 5e-4, "omega_S, lowest [rad/s]");
    study_near(st, c->omega_S.high, 17.603, 2e-3, "omega_S, highest [rad/s]");
}

static void compare_incidents(study *st, const cycles *c) {
    study_heading(
        "switching over one cycle, times since F2 sticks (Table VII)");
    for (int k = 0; k < N_INCIDENT; ++k)
        study_show(st, c->when[k], NAN, "%s [s]", incidents[k].name);
    study_at_most(st, c->wrong, 0, "changes out of this order, %d cycles",
                  c->n - 1);
}

static void study_cycle(study *st) {
    trial r = make_adaptive(st);
    series out = {0};
    const cycles c = simulate(&r, &out);
    study_heading("moreau-adaptive, dt = 1e-7 .. 5e-3 s, order <= 6, cycles %d "
                  "to %d",
                  WAIT + 1, WAIT + CYCLES);
    study_near(st, c.period, 0.14598, 1e-5, "period [s]");
    study_near(st, 1e3 * c.descent, 19.449, 0.01, "descent per cycle [mm]");
    compare_ranges(st, &c);
    compare_incidents(st, &c);
    trial_end(&r);
    series_write(st, &out, "adaptive.csv",
                 "t,y,phi_M,phi_S,v,omega_M,omega_S,dt,order,N1,F1,N2,F2,N3,"
                 "F3");
}

/* With a fixed step a contact may close for one step only: no table, but the
 * same cycle. phi_S passes its middle upwards once per cycle. */
static void study_fixed(study *st, double dt, double of_period,
                        double of_descent) {
    const double level = -0.45;
    trial r = trial_make(st, "woodpecker", "moreau", dt);
    double before = 0, t[2] = {0}, y[2] = {0};
    for (int n = 0; n <= WAIT + CYCLES && trial_step(&r, 10);) {
        const double phi = r.s->q[PHI_S];
        if (before < level && phi >= level) {
            const int k = n++ > WAIT; /* 0: until the measured cycles begin */
            t[k] = r.s->t, y[k] = r.s->q[Y];
        }
        before = phi;
    }
    study_heading("moreau, dt = %g s", dt);
    study_near(st, (t[1] - t[0]) / CYCLES, 0.14598, of_period * 0.14598,
               "period [s]");
    study_near(st, 1e3 * (y[0] - y[1]) / CYCLES, 19.449, of_descent * 19.449,
               "descent per cycle [mm]");
    trial_end(&r);
}

/* ---- solvers ------------------------------------------------------------- */

/* Largest difference of q and u while two solvers go the same way. */
static void study_solver(study *st, const char *solver, double dt,
                         double most_q, double most_u) {
    trial a = trial_make(st, "woodpecker", "moreau", dt);
    trial b = trial_make(st, "woodpecker", "moreau", dt);
    a.options.solver = "lemke";
    b.options.solver = solver;
    b.options.tolerance = 1e-13;
    b.options.iterations = 10000;
    double q = 0, u = 0;
    int others = 0; /* steps that another method solved in lemke's place */
    while (trial_step(&a, 0.3) && trial_step(&b, 0.3)) {
        others += a.s->fallback[0] != 0;
        for (int i = 0; i < 3; ++i) {
            q = fmax(q, fabs(a.s->q[i] - b.s->q[i]));
            u = fmax(u, fabs(a.s->u[i] - b.s->u[i]));
        }
    }
    study_at_most(st, others, 0, "steps that lemke did not solve itself");
    study_at_most(st, q, most_q, "%s and lemke: difference of q", solver);
    study_at_most(st, u, most_u, "%s and lemke: difference of u", solver);
    trial_end(&a);
    trial_end(&b);
}

static void study_solvers(study *st) {
    const double dt = 1e-5;
    study_heading("solvers, moreau with dt = %g s, 0.3 s", dt);
    study_solver(st, "prox", dt, 3e-12, 6e-10);
    study_solver(st, "newton", dt, 5e-15, 1e-12);
}

/* ---- orders -------------------------------------------------------------- */

/* phi_S at t = 0.14, after nearly one cycle with all its switching. */
static double phi_S_at_end(study *st, double dt_max, int p, double atol) {
    trial r = trial_make(st, "woodpecker", "moreau-adaptive", dt_max);
    r.options.dt_min = 1e-10;
    r.options.order = p;
    r.options.atol = atol;
    trial_run(&r, 0.14);
    const double phi = r.s ? r.s->q[PHI_S] : NAN;
    trial_end(&r);
    return phi;
}

/* dt_max falls by sqrt(2) from `largest`, while the error is above that of the
 * reference, 2e-9. */
static void study_order_of(study *st, int p, double largest, int n,
                           double reference, series *out) {
    const int even = p + p % 2;
    double dt[16], e[16];
    for (int i = 0; i < n; ++i) {
        dt[i] = largest * scree_exp2(-0.5 * i);
        e[i] = fabs(phi_S_at_end(st, dt[i], p, 0) - reference);
        series_add(st, out, p, dt[i], e[i]);
    }
    study_near(st, study_order(dt, e, n), even, p < 3 ? 0.25 : 0.5,
               "p = %d: slope, error %.1e .. %.1e", p, e[0], e[n - 1]);
}

static void study_orders(study *st) {
    const double reference = phi_S_at_end(st, 9e-4, 6, 1e-10);
    study_heading("orders in dt_max, dt_min = 1e-10 s, phi_S(0.14) (Fig. 14)");
    series out = {0};
    study_order_of(st, 1, 9e-4, 9, reference, &out);
    study_order_of(st, 2, 9e-4, 9, reference, &out);
    study_order_of(st, 3, 1.8e-3, 7, reference, &out);
    study_order_of(st, 4, 1.8e-3, 6, reference, &out);
    study_note("Studer et al. 2008: \"more or less straight lines with slope "
               "p\". Slopes are "
               "even: where no force depends on the");
    study_note("velocity the errors of Moreau's midpoint rule are even powers "
               "of the step, and events cost only 1e-10 s.");
    series_write(st, &out, "orders.csv", "p,dt,e");
}

static const char script[] =
    "set multiplot layout 2,3 title "
    "'Woodpecker toy, moreau-adaptive (Studer et al. 2008, Figs. 13 and 14; "
    "Glocker and Studer 2005)'\n"
    "f = 'adaptive.csv'\n"
    "set xlabel 't [s]'\n"
    "stats f using 't' nooutput\n"
    "set xrange [STATS_max-0.3:STATS_max]\n"
    "set key top left\n"
    "set title 'angles, limit cycle'\n"
    "set yrange [-0.6:0.35]\n"
    "set ylabel 'phi [rad]'\n"
    "plot f using 't':'phi_S' with lines linestyle 1 title 'woodpecker',\\\n"
    "     f using 't':'phi_M' with lines linestyle 2 title 'sleeve'\n"
    "set title 'angular velocities'\n"
    "set ylabel 'omega [rad/s]'\n"
    "set yrange [-15:45]\n"
    "plot f using 't':'omega_M' with lines linestyle 2 title 'sleeve',\\\n"
    "     f using 't':'omega_S' with lines linestyle 1 title 'woodpecker'\n"
    "set title 'laws in mode constraint (closed, stick)'\n"
    "set yrange [0:7]\n"
    "unset ylabel\n"
    "set ytics ('F3' 1, 'N3' 2, 'F2' 3, 'N2' 4, 'F1' 5, 'N1' 6)\n"
    "laws = 'F3 N3 F2 N2 F1 N1'\n"
    "plot for [k = 1:6] f using (column('t')):(column(word(laws, k)) == 0 ? k "
    ": NaN) with points pointtype 5 pointsize 0.4 linecolor rgb 'black' "
    "notitle\n"
    "set yrange [*:*]\n"
    "set ytics autofreq\n"
    "set title 'step size, start'\n"
    "set xrange [0:0.3]\n"
    "set ylabel 'dt [s]'\n"
    "set logscale y\n"
    "set format y '10^{%L}'\n"
    "plot f using 't':'dt' with lines linestyle 3 notitle\n"
    "unset logscale y\n"
    "set format y '%g'\n"
    "set xrange [*:*]\n"
    "set title 'phase portrait of the woodpecker, 10 cycles'\n"
    "set xlabel 'phi_S [rad]'\n"
    "set ylabel 'omega_S [rad/s]'\n"
    "plot f using (column('t') > STATS_max-1.46 ? column('phi_S') : NaN):"
    "(column('omega_S')) with lines linestyle 1 linewidth 0.5 "
    "notitle\n"
    "set title 'error of phi_S(0.14)'\n"
    "set logscale xy\n"
    "set format xy '10^{%L}'\n"
    "set xlabel 'dt_{max} [s]'\n"
    "set ylabel 'e_G [rad]'\n"
    "set key bottom right\n"
    "set xrange [4e-5:3e-3]\n"
    "set yrange [1e-12:1e-1]\n"
    "plot for [k = 1:4] 'orders.csv' using (column('p') == k ? column('dt') : "
    "NaN):(column('e')) with linespoints linestyle k title "
    "sprintf('p = %d', k),\\\n"
    "  for [k = 2:4] (k == 2 ? 6e3 : k == 3 ? 3e4 : 3e6) * x**k with lines "
    "linestyle 9 title k == 2 ? 'orders 2, 3, 4' : ''\n"
    "unset multiplot\n";

static void run(study *st) {
    study_cycle(st);
    study_fixed(st, 1e-4, 4e-3, 1e-2);
    study_solvers(st);
    study_orders(st);
    study_plot(st, "woodpecker", 1550, 900, script);
}

const scree_study_ops scree_study_woodpecker = {
    .name = "woodpecker",
    .about = "the woodpecker toy: limit cycle and switching (Studer et al. "
             "2008, 10.4; Glocker and Studer 2005)",
    .run = run,
};
