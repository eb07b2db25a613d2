/* pairs: how many pairs a second each routine of contact/pairs.def handles, and
 * clumps. Meshes and height fields: terrain.c.
 *
 *   bench_pairs [SECONDS [CSV]]
 *
 * Each row: two solids of about the same size, or one and a wall, in random
 * poses near contact, the gap spread evenly over -2 .. 2 % of their size, reach
 * 1 %. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "contact/narrow/touch.h"
#include "contact/solid/shape.h"
#include "contact/surface/chain.h"
#include "tests/solids.h"

enum { POSES = 512 };

static FILE *csv; /* or NULL */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- who meets whom ------------------------------------------------------ */

/* A solid and another, or a wall, or two clumps, or a clump and a wall. */
typedef struct meeting {
    const made_solid *a, *b;
    const scree_form *clump;
    const scree_plane *wall;
    bool planar;
    bool flush; /* b below, both upright, turned about z */
} meeting;

static int touch_clumps(const meeting *m, const scree_placed at[2],
                        double reach, scree_touch *t) {
    const int32_t form[2] = {0, 0};
    const double r = m->clump->solid.bound;
    const scree_ball x[2] = {{at[0].x, r}, {at[1].x, r}};
    const scree_stance stances[2] = {{.R = at[0].R}, {.R = at[1].R}};
    const scree_scene scene = {.n = 2,
                               .x = x,
                               .stances = stances,
                               .form = form,
                               .forms = m->clump,
                               .general = true,
                               .n_wall = 1,
                               .walls = m->wall};
    const scree_pair pair = {.a = 0, .b = m->wall ? -1 : 1};
    return scree_pair_touch(&scene, &pair, reach, NULL, t);
}

static int touch(const meeting *m, const scree_placed at[2], double reach,
                 scree_touch *t) {
    if (m->clump) return touch_clumps(m, at, reach, t);
    return m->wall ? scree_solid_wall(&at[0], m->wall, reach, t)
                   : scree_solids_touch(&at[0], &at[1], reach, t);
}

/* ---- poses --------------------------------------------------------------- */

static double gap_of(const meeting *m, const scree_placed at[2]) {
    scree_touch t[SCREE_TOUCHES];
    const int n = touch(m, at, 10, t);
    double g = INFINITY;
    for (int k = 0; k < n; ++k) g = fmin(g, t[k].g);
    return g;
}

/* Moved along the line of centres until the gap is g. */
static void bring_near(const meeting *m, scree_placed at[2], double g) {
    double lo = 0, hi = 3;
    const scree_vec3 d = sub(at[0].x, at[1].x);
    for (int k = 0; k < 40; ++k) {
        const double middle = 0.5 * (lo + hi);
        at[0].x = add_scaled(at[1].x, middle, d);
        if (gap_of(m, at) < g)
            lo = middle;
        else
            hi = middle;
    }
}

static scree_vec3 direction(const meeting *m, scree_random *rng) {
    if (m->wall) return m->planar ? vec(0, 1, 0) : vec(0, 0, 1);
    scree_vec3 d = m->flush ? vec(0, 0, 1) : random_direction(rng);
    if (m->planar) d.z = 0;
    return d;
}

/* A wall is met over a place of its own, segments along all of their length. */
static void prepare(const meeting *m, scree_placed (*poses)[2]) {
    scree_random rng = {1};
    const scree_solid *a = m->clump ? &m->clump->solid : &m->a->solid;
    const scree_solid *b = m->b ? &m->b->solid : a;
    for (int k = 0; k < POSES; ++k) {
        const scree_vec3 d = direction(m, &rng);
        const scree_vec3 x =
            vec(m->wall ? scree_random_range(&rng, -5, 5) : 0, 0, 0);
        const scree_solid *solids[2] = {a, b};
        for (int i = 0; i < 2; ++i)
            poses[k][i] =
                (scree_placed){solids[i], x,
                               m->flush || m->planar ? random_planar_turn(&rng)
                                                     : random_turn(&rng)};
        poses[k][0].x = add_scaled(x, 0.5 * (a->bound + b->bound), d);
        bring_near(m, poses[k], 0.02 * scree_random_range(&rng, -1, 1));
    }
}

/* ---- the clock ----------------------------------------------------------- */

static double seconds = 0.3;

static void measure(const char *name, meeting m) {
    static scree_placed poses[POSES][2];
    m.planar = m.planar || (m.a && m.a->solid.core == SCREE_CORE_POLYGON) ||
               (m.b && m.b->solid.core == SCREE_CORE_POLYGON);
    prepare(&m, poses);
    scree_touch t[SCREE_TOUCHES];
    long pairs = 0, touches = 0;
    const double start = now();
    double used = 0;
    while (used < seconds) {
        for (int k = 0; k < POSES; ++k) touches += touch(&m, poses[k], 0.01, t);
        pairs += POSES;
        used = now() - start;
    }
    printf("%-28s %10.3f %10.3f %10.2f\n", name, 1e-6 * (double)pairs / used,
           1e6 * used / (double)pairs, (double)touches / (double)pairs);
    if (csv)
        fprintf(csv, "\"%s\",%.6g,%.6g\n", name, (double)pairs / used,
                (double)touches / (double)pairs);
}

static void measure_pair(const char *name, const made_solid *a,
                         const made_solid *b) {
    measure(name, (meeting){.a = a, .b = b});
}

static void measure_flush(const char *name, const made_solid *a,
                          const made_solid *b) {
    measure(name, (meeting){.a = a, .b = b, .flush = true});
}

static void measure_on(const char *name, const made_solid *a,
                       const scree_plane *wall) {
    const bool planar = wall->n.y > 0;
    measure(name, (meeting){.a = a, .wall = wall, .planar = planar});
}

/* ---- clumps and segments ------------------------------------------------- */

static int measure_clumps(const scree_plane *plane) {
    const double balls[] = {0.3, 0,   0, 0.3, -0.3, 0, 0,    0.3,
                            0,   0.3, 0, 0.3, 0,    0, 0.35, 0.25};
    scree_form clump = {0};
    const scree_shape_sizes sizes = {.balls = balls, .n_ball = 4};
    if (scree_shape_clump.make(&clump, &sizes, NULL) != SCREE_OK) return 1;
    measure("clumps of 4", (meeting){.clump = &clump});
    measure("clump of 4, plane", (meeting){.clump = &clump, .wall = plane});
    scree_form_free(&clump);
    return 0;
}

/* A zigzag of 200 segments. */
static int measure_segments(const made_solid *disc, const made_solid *polygon) {
    scree_vec3 p[201];
    scree_random rng = {2};
    for (int k = 0; k < 201; ++k)
        p[k] = vec(-10 + 0.1 * k, scree_random_range(&rng, -0.02, 0.02), 0);
    scree_chain chain;
    if (scree_chain_make(&chain, p, 201, false, 0.01, NULL) != SCREE_OK)
        return 1;
    const scree_plane wall = {.chain = &chain,
                              .n = vec(0, 1, 0),
                              .R = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    measure_on("disc, segments", disc, &wall);
    measure_on("polygon (6), segments", polygon, &wall);
    scree_chain_free(&chain);
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1) seconds = atof(argv[1]);
    csv = argc > 2 ? fopen(argv[2], "w") : NULL;
    if (argc > 2 && !csv) {
        perror(argv[2]);
        return 1;
    }
    if (csv) fprintf(csv, "pair,pairs_per_s,touches\n");
    static made_solid point, segment, cylinder, box, rounded, ico, rock,
        polygon;
    scree_random rng = {3};
    make_point(&point, 0.5);
    make_segment(&segment, 0.4, 0.3);
    make_cylinder(&cylinder, 0.5, 0.5, 0);
    make_box(&box, vec(0.5, 0.5, 0.5), 0);
    make_box(&rounded, vec(0.45, 0.45, 0.45), 0.05);
    make_icosahedron(&ico, 0.7, 0);
    make_random_hull(&rock, 12, 0.8, 0, &rng);
    make_polygon(&polygon, 6, vec(0.6, 0.5, 0), 0);

    printf("%-28s %10s %10s %10s\n", "pair", "million/s", "us", "touches");
    measure_pair("point point", &point, &point);
    measure_pair("point segment", &point, &segment);
    measure_pair("segment segment", &segment, &segment);
    measure_pair("point cylinder", &point, &cylinder);
    measure_pair("point hull (box)", &point, &box);
    measure_pair("segment hull (box)", &segment, &box);
    measure_pair("box box", &box, &box);
    measure_flush("box box, flush", &box, &box);
    measure_pair("box box, rounded", &rounded, &rounded);
    measure_pair("icosahedra", &ico, &ico);
    measure_pair("12 vertices", &rock, &rock);
    measure_pair("point polygon", &point, &polygon);
    measure_pair("polygon polygon (6)", &polygon, &polygon);
    measure_pair("segment cylinder", &segment, &cylinder);
    measure_pair("cylinder box", &cylinder, &box);
    measure_flush("cylinder box, flush", &cylinder, &box);
    measure_pair("cylinder cylinder", &cylinder, &cylinder);
    measure_flush("cylinder cylinder, flush", &cylinder, &cylinder);
    const scree_plane floor = {.n = vec(0, 0, 1)}, line = {.n = vec(0, 1, 0)};
    measure_on("point, plane", &point, &floor);
    measure_on("segment, plane", &segment, &floor);
    measure_on("cylinder, plane", &cylinder, &floor);
    measure_on("box, plane", &box, &floor);
    measure_on("12 vertices, plane", &rock, &floor);
    measure_on("polygon (6), plane", &polygon, &line);
    const int failed =
        measure_segments(&point, &polygon) + measure_clumps(&floor);
    return failed || (csv && fclose(csv)) ? 1 : 0;
}
