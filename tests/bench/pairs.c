/* pairs: how many pairs a second each routine of contact/pairs.def handles.
 *
 *   bench_pairs [SECONDS [CSV]]
 *
 * Each row: two solids of about the same size in random poses near contact, the
 * gap spread evenly over -2 .. 2 % of their size, reach 1 %. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/solids.h"

enum { POSES = 512 };

static FILE *csv; /* or NULL */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double gap_of(const scree_placed *a, const scree_placed *b) {
    scree_touch t[SCREE_TOUCHES];
    const int n = scree_solids_touch(a, b, 10, t);
    double g = INFINITY;
    for (int k = 0; k < n; ++k) g = fmin(g, t[k].g);
    return g;
}

/* Moved along the line of centres until the gap is g. */
static void bring_near(scree_placed *a, const scree_placed *b, double g) {
    double lo = 0, hi = 3;
    const scree_vec3 d = sub(a->x, b->x);
    for (int k = 0; k < 40; ++k) {
        const double at = 0.5 * (lo + hi);
        a->x = add_scaled(b->x, at, d);
        if (gap_of(a, b) < g)
            lo = at;
        else
            hi = at;
    }
}

static bool in_plane(const made_solid *a) {
    return a->solid.core == SCREE_CORE_POLYGON;
}

/* Faces flush if asked: b below, both upright, turned about z. */
static void prepare(const made_solid *a, const made_solid *b, bool flush,
                    scree_placed (*poses)[2]) {
    scree_random rng = {1};
    for (int k = 0; k < POSES; ++k) {
        const bool planar = in_plane(a) || in_plane(b);
        scree_vec3 d = flush ? vec(0, 0, 1) : random_direction(&rng);
        if (planar) d.z = 0;
        scree_mat3 R[2];
        for (int i = 0; i < 2; ++i)
            R[i] =
                flush || planar ? random_planar_turn(&rng) : random_turn(&rng);
        poses[k][1] = placed(b, vec(0, 0, 0), R[1]);
        poses[k][0] =
            placed(a, scale(0.5 * (a->solid.bound + b->solid.bound), d), R[0]);
        bring_near(&poses[k][0], &poses[k][1],
                   0.02 * scree_random_range(&rng, -1, 1));
    }
}

static void measure(const char *name, const made_solid *a, const made_solid *b,
                    bool flush, double seconds) {
    static scree_placed poses[POSES][2];
    prepare(a, b, flush, poses);
    scree_touch t[SCREE_TOUCHES];
    long pairs = 0, touches = 0;
    const double start = now();
    double used = 0;
    while (used < seconds) {
        for (int k = 0; k < POSES; ++k)
            touches += scree_solids_touch(&poses[k][0], &poses[k][1], 0.01, t);
        pairs += POSES;
        used = now() - start;
    }
    printf("%-28s %10.3f %10.3f %10.2f\n", name, 1e-6 * (double)pairs / used,
           1e6 * used / (double)pairs, (double)touches / (double)pairs);
    if (csv)
        fprintf(csv, "\"%s\",%.6g,%.6g\n", name, (double)pairs / used,
                (double)touches / (double)pairs);
}

int main(int argc, char **argv) {
    const double seconds = argc > 1 ? atof(argv[1]) : 0.3;
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
    measure("point point", &point, &point, false, seconds);
    measure("point segment", &point, &segment, false, seconds);
    measure("segment segment", &segment, &segment, false, seconds);
    measure("point cylinder", &point, &cylinder, false, seconds);
    measure("point hull (box)", &point, &box, false, seconds);
    measure("segment hull (box)", &segment, &box, false, seconds);
    measure("box box", &box, &box, false, seconds);
    measure("box box, flush", &box, &box, true, seconds);
    measure("box box, rounded", &rounded, &rounded, false, seconds);
    measure("icosahedra", &ico, &ico, false, seconds);
    measure("12 vertices", &rock, &rock, false, seconds);
    measure("point polygon", &point, &polygon, false, seconds);
    measure("polygon polygon (6)", &polygon, &polygon, false, seconds);
    measure("segment cylinder", &segment, &cylinder, false, seconds);
    measure("cylinder box", &cylinder, &box, false, seconds);
    measure("cylinder box, flush", &cylinder, &box, true, seconds);
    measure("cylinder cylinder", &cylinder, &cylinder, false, seconds);
    return csv && fclose(csv) ? 1 : 0;
}
