/* sliding_bodies.c: nonsmooth RATTLE of Breuling et al. 2024 on bodies: second order while
 * a contact slides, for squares, boxes, capsules, rocks and spheres on planes, meshes and
 * terrain, against the motion with the contact as a constraint (slide_body.h). Moreau's
 * midpoint rule beside it. */
#include <math.h>
#include <stdio.h>

#include "cases/studies/slide_body.h"
#include "cases/studies/study.h"

enum { N_DT = 4 };
static const double largest = 5e-3, time_span = 0.1;

typedef struct errors {
    double dt[N_DT], q[N_DT], u[N_DT];
} errors;

static double distance_of(const double *x, const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sqrt(sum);
}

static errors find_errors(study *st, const slide_body *s, slide_ground ground,
                          const double *exact) {
    const int n = SLIDE_POSITIONS;
    errors e = {0};
    for (int k = 0; k < N_DT && st->error.status == SCREE_OK; ++k) {
        double y[SLIDE_STATE];
        e.dt[k] = largest / (1 << k);
        slide_in_world(s, ground, e.dt[k], time_span, y, &st->error);
        e.q[k] = distance_of(y, exact, n);
        e.u[k] = distance_of(y + n, exact + n, SLIDE_STATE - n);
    }
    return e;
}

static void compare_orders(study *st, const slide_body *s, slide_ground ground,
                           const errors *e) {
    study_near(st, study_order(e->dt, e->u, N_DT), 2, 0.05,
               "%s, mu = %g: u, %.1e .. %.1e", slide_ground_names[ground],
               s->mu, e->u[0], e->u[N_DT - 1]);
    study_near(st, study_order(e->dt, e->q, N_DT), 2, s->ridge ? 0.15 : 0.05,
               "  its position and orientation");
}

/* Moreau's rule has one inclusion per step, and what it leaves of slip. */
static errors beside(study *st, slide_body s, slide_ground ground,
                     const double *exact) {
    s.stepper = "moreau";
    const errors e = find_errors(st, &s, ground, exact);
    study_show(st, study_order(e.dt, e.u, N_DT), NAN,
               "  moreau beside it: u, %.1e .. %.1e", e.u[0], e.u[N_DT - 1]);
    return e;
}

/* The ground that all but discs can have is the mesh: that is drawn. */
static void study_body(study *st, slide_body s, const char *file) {
    const slide_ground first = s.ridge ? SLIDE_MESH : SLIDE_PLANE;
    const slide_ground end = s.planar ? SLIDE_MESH : SLIDE_GROUNDS;
    const slide_ground drawn = s.planar ? SLIDE_PLANE : SLIDE_MESH;
    series out = {0};
    study_heading("%s: orders of rattle, dt = 5e-3 .. 6.25e-4 s", s.name);
    for (int k = 0; k < 2; ++k) {
        double exact[SLIDE_STATE], least = 0;
        s.mu = 0.3 * k;
        if (st->error.status == SCREE_OK)
            slide_exactly(&s, time_span, exact, &least, &st->error);
        study_show(st, least, NAN,
                   "mu = %g: least normal force over the weight", s.mu);
        for (slide_ground g = first; g < end; ++g) {
            const errors e = find_errors(st, &s, g, exact);
            compare_orders(st, &s, g, &e);
            if (g != drawn || k == 0) continue;
            const errors m = beside(st, s, g, exact);
            for (int i = 0; i < N_DT; ++i)
                series_add(st, &out, e.dt[i], e.u[i], e.q[i], m.u[i], m.q[i]);
        }
    }
    series_write(st, &out, file, "dt,u,q,moreau_u,moreau_q");
}

static const char script[] =
    "set multiplot layout 1,2 title "
    "'Bodies that slide with mu = 0.3, rattle (Breuling et al. 2024) and "
    "moreau'\n"
    "names = 'square box capsule rock ball'\n"
    "set logscale xy\n"
    "set format xy '10^{%L}'\n"
    "set xlabel 'dt [s]'\n"
    "set key bottom right\n"
    "set xrange [5e-4:6e-3]\n"
    "do for [k in 'u q'] {\n"
    "  set title k eq 'u' ? 'error of velocities and spins' : 'error of "
    "positions and orientations'\n"
    "  set ylabel 'error at 0.1 s'\n"
    "  plot for [i = 1:5] word(names, i).'.csv' using 'dt':k with linespoints "
    "linestyle i title word(names, i),\\\n"
    "    for [i = 1:5] word(names, i).'.csv' using 'dt':(column('moreau_'.k)) "
    "with lines linestyle i dashtype 2 notitle,\\\n"
    "    (k eq 'u' ? 30 : 1) * x**2 with lines linestyle 9 title 'order 2',\\\n"
    "    NaN with lines linestyle 1 dashtype 2 title 'moreau'\n"
    "}\n"
    "unset multiplot\n";

static void run(study *st) {
    study_body(st, slide_square(), "square.csv");
    study_body(st, slide_box(), "box.csv");
    study_body(st, slide_capsule(), "capsule.csv");
    study_body(st, slide_rock(), "rock.csv");
    study_body(st, slide_ball(), "ball.csv");
    study_plot(st, "sliding-bodies", 1300, 520, script);
}

const scree_study_ops scree_study_sliding_bodies = {
    .name = "sliding-bodies",
    .about = "orders of rattle on sliding bodies (Breuling et al. 2024)",
    .run = run,
};
