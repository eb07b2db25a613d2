/* sliding_mass.c: 002 section 10.2, Fig. 11: a force turns the slip of a point mass round;
 * moreau-adaptive takes small steps of high order where the direction turns, and finds the
 * times at which the force ends (known) and the mass sticks (searched).
 *
 * The end point is the reference's; the turning points are those of the slip as an
 * ordinary differential equation. */
#include <math.h>

#include "cases/studies/study.h"
#include "engine/base/elementary/elementary.h"

static const double t_end = 4, radius = 2, dt_min = 1e-5, dt_max = 0.05;

typedef struct result {
    double t_turn, t_slowest, slowest, t_stick;
    double dt_least, dt_largest; /* between the start and t = 3 */
    double excess, lack;         /* of |lambda| beside a while it slips [N] */
    int order_at_turn;
} result;

static void watch_step(result *seen, const scree_dense *s,
                       const double *u_before) {
    const double speed = scree_hypot(s->u[0], s->u[1]);
    const double force = scree_hypot(s->P[0], s->P[1]) / s->dt;
    if (u_before[0] > 0 && s->u[0] <= 0)
        seen->t_turn =
            study_crossing(s->t - s->dt, -u_before[0], s->t, -s->u[0], 0);
    if (s->t < 2 && speed < seen->slowest)
        seen->slowest = speed, seen->t_slowest = s->t;
    if (s->mode[0] == 0 && seen->t_stick == 0 && s->t > 1) seen->t_stick = s->t;
    if (s->mode[0] != 0 && s->t > 0.01)
        seen->excess = fmax(seen->excess, force - radius);
    if (s->mode[0] != 0 && s->t > 1)
        seen->lack = fmax(seen->lack, radius - force);
    if (fabs(s->t - 0.4787) < 0.02) {
        seen->dt_least = fmin(seen->dt_least, s->dt);
        if (s->order > seen->order_at_turn) seen->order_at_turn = s->order;
    }
    if (s->t < 3) seen->dt_largest = fmax(seen->dt_largest, s->dt);
}

/* What an accuracy leaves, and the steps it takes while the slip turns. */
typedef struct accuracy {
    double atol, to_turn, to_end, step;
    const char *file;
} accuracy;

static void study_run(study *st, const accuracy *as) {
    trial r = trial_make(st, "sliding-mass", "moreau-adaptive", dt_max);
    series out = {0};
    result seen = {.slowest = INFINITY, .dt_least = INFINITY};
    double u[2] = {2, -0.2};
    r.options.dt_min = dt_min;
    r.options.order = 6;
    r.options.atol = as->atol;
    while (trial_step(&r, t_end)) {
        const scree_dense *s = r.s;
        watch_step(&seen, s, u);
        u[0] = s->u[0], u[1] = s->u[1];
        series_add(st, &out, s->t, s->q[0], s->q[1], u[0], u[1],
                   s->P[0] / s->dt, s->P[1] / s->dt, s->dt, s->order);
    }
    study_heading("moreau-adaptive, dt = 1e-5 .. 0.05 s, order <= 6, atol %g",
                  as->atol);
    study_near(st, seen.t_turn, 0.4596770, as->to_turn, "u_x = 0 at [s]");
    study_near(st, seen.t_stick, 3.6656500, 2 * dt_min, "sticks at t_C [s]");
    if (r.s)
        study_near(st, r.s->q[0], -1.7118790, as->to_end, "end point x [m]");
    if (r.s)
        study_near(st, r.s->q[1], -0.2987709, as->to_end, "end point y [m]");
    study_at_most(st, seen.excess, 2e-15, "|lambda| - a while it slips [N]");
    study_at_most(st, seen.lack, 7e-11, "a - |lambda| once it has turned [N]");
    study_at_least(st, seen.dt_largest, 0.999 * dt_max, "largest step [s]");
    study_at_most(st, seen.dt_least, as->step,
                  "least step while it turns [s] (Fig. 11d)");
    study_at_least(st, seen.order_at_turn, 5, "order there (Fig. 11c)");
    study_show(st, seen.t_slowest, 0.4787230, "slowest step end at [s]");
    if (r.s) study_show(st, (double)r.s->steps, NAN, "steps");
    trial_end(&r);
    series_write(st, &out, as->file, "t,x,y,u_x,u_y,f_x,f_y,dt,order");
}

static const char script[] =
    "set multiplot layout 2,3 title "
    "'Point mass sliding on a table, moreau-adaptive (Studer et al. 2008, Fig. "
    "11)'\n"
    "f = 'fine.csv'\n"
    "set title 'path'\n"
    "set xlabel 'x [m]'\n"
    "set ylabel 'y [m]'\n"
    "plot f using 'x':'y' with linespoints linestyle 1 pointsize 0.3 notitle\n"
    "set xlabel 't [s]'\n"
    "set title 'order'\n"
    "unset ylabel\n"
    "set yrange [0:7]\n"
    "plot f using 't':'order' with steps linestyle 3 notitle\n"
    "set yrange [*:*]\n"
    "set title 'step size'\n"
    "set ylabel 'dt [s]'\n"
    "set logscale y\n"
    "set format y '10^{%L}'\n"
    "set key bottom center\n"
    "plot f using 't':'dt' with lines linestyle 3 title 'atol 1e-9',\\\n"
    "  'coarse.csv' using 't':'dt' with lines linestyle 2 title 'atol 1e-6'\n"
    "unset logscale y\n"
    "set format y '%g'\n"
    "set key center right\n"
    "set title 'friction force'\n"
    "set ylabel 'lambda [N]'\n"
    "plot f using 't':'f_x' with lines linestyle 1 title 'x',\\\n"
    "  f using 't':'f_y' with lines linestyle 2 title 'y'\n"
    "set title 'speed'\n"
    "set ylabel '|u| [m/s]'\n"
    "plot f using (column('t')):(sqrt(column('u_x')**2 + column('u_y')**2)) "
    "with lines linestyle 1 notitle\n"
    "set title 'velocity while the slip turns'\n"
    "set xrange [0.3:0.7]\n"
    "set ylabel 'u [m/s]'\n"
    "plot f using 't':'u_x' with linespoints linestyle 1 pointsize 0.4 title "
    "'x',\\\n"
    "  f using 't':'u_y' with linespoints linestyle 2 pointsize 0.4 title 'y'\n"
    "unset multiplot\n";

static void run(study *st) {
    study_run(st, &(accuracy){1e-6, 2e-3, 1.5e-6, 0.026, "coarse.csv"});
    study_run(st, &(accuracy){1e-9, 6e-4, 1.5e-7, 0.0032, "fine.csv"});
    study_plot(st, "sliding-mass", 1500, 860, script);
}

const scree_study_ops scree_study_sliding_mass = {
    .name = "sliding-mass",
    .about = "adaptive steps while the slip direction turns (Studer et al. "
             "2008, 10.2)",
    .run = run,
};
