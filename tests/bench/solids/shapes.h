/* shapes.h: the parts of bench_shapes, settled beds of bodies that are not
 * spheres.
 *
 * Scenes: boxes with edges of 0.06 to 0.1 m; rocks, polyhedra with 12 vertices
 * and the volume of a sphere of 0.1 m; discs of radius 0.04 to 0.06 m in the
 * plane. Density 2500, mu = 0.5, e = 0, on a floor between walls. They fall from
 * a lattice in random orientations; a trial restarts from the bed that is left,
 * lets it settle for some steps and times the next ones.
 *
 *   shapes_forms.c    the forms of the bodies, with principal axes
 *   shapes_bed.c      scenes; makes, keeps and reads settled beds; worlds
 *   shapes_measure.c  one trial of Scree or Bullet; the state of a bed
 *   shapes_report.c   tables, bars, CSV
 *   shapes_clock.c    the clock that phases are timed with
 *   bullet_shapes.cpp the same trial in Bullet
 *   shapes.c          options, and the order of it all
 */
#ifndef SCREE_BENCH_SHAPES_H
#define SCREE_BENCH_SHAPES_H

#include "tests/bench/bench.h"

/* ---- beds ---------------------------------------------------------------- */

typedef enum shapes_kind {
    SHAPES_BOXES,
    SHAPES_ROCKS,
    SHAPES_DISCS
} shapes_kind;

const char *shapes_kind_name(shapes_kind kind);

enum { SHAPES_FORMS = 16, SHAPES_POINTS = 12 };

/* About the centre of mass, along the principal axes. */
typedef struct shapes_form {
    bool box;
    double half[3];                   /* of a box [m] */
    int n_point;                      /* of a polyhedron */
    double points[3 * SHAPES_POINTS]; /* (n_point x 3) [m] */
    double volume;                    /* [m^3] */
    double J[3];                      /* moments of inertia over mass [m^2] */
} shapes_form;

void shapes_make_forms(shapes_kind kind, shapes_form forms[SHAPES_FORMS]);

typedef struct shapes_body {
    int form; /* -1: a disc */
    double r; /* of a disc [m] */
    double x[3], q[4];
    double v[3], w[3];
} shapes_body;

typedef struct shapes_bed {
    shapes_kind kind;
    int64_t n;
    double side; /* of the square floor, centred at the origin [m] */
    int n_form;
    shapes_form forms[SHAPES_FORMS];
    shapes_body *bodies; /* (n) */
    char path[PATH_MAX];
} shapes_bed;

/* The bed kept in `folder`, else a new one, which is then kept there. */
shapes_bed shapes_bed_open(shapes_kind kind, int64_t n, const char *folder);
void shapes_bed_free(shapes_bed *bed);
/* A bed as it is in a file that a peer has left: of the same bodies. */
shapes_bed shapes_bed_read(const shapes_bed *like, const char *path);

scree_world_def shapes_world_def(const shapes_bed *bed, int iterations,
                                 int threads);
scree_world *shapes_world(const shapes_bed *bed, const scree_world_def *def);
void shapes_read_world(const scree_world *world, shapes_bed *bed);

/* ---- trials -------------------------------------------------------------- */

/* What a bed looks like to Scree's narrow phase, whoever has moved it. */
typedef struct shapes_state {
    double points; /* that touch, within Scree's slack */
    double penetration_mean, penetration_max; /* [m] */
    double kinetic;                           /* of all bodies [J] */
} shapes_state;

shapes_state shapes_state_of(const shapes_bed *bed);

typedef struct shapes_figures {
    bench_figures f;
    shapes_state state; /* after the last step */
    int threads;
} shapes_figures;

shapes_figures shapes_measure(const shapes_bed *bed,
                              const bench_options *options);
shapes_figures shapes_bullet(const char *program, const char *code,
                             const shapes_bed *bed,
                             const bench_options *options);

/* Phases of Scree are timed by the CPU time of the thread, which does not count
 * what other programs take; with several threads it must be wall time. */
void shapes_time_by_cpu(bool by_cpu);

/* ---- report -------------------------------------------------------------- */

/* The first row is Scree on one thread. Returns the number of bars missed. */
int shapes_print(const shapes_bed *bed, const bench_options *options,
                 const shapes_figures *rows, int n);
void shapes_csv(FILE *csv, const shapes_bed *bed, const bench_options *options,
                const shapes_figures *row);

#endif
