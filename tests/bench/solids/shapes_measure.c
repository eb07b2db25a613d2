/* shapes_measure.c: one trial of Scree or Bullet, and the state of a bed. */
#include <string.h>

#include "shapes.h"

/* A step of no length, without gravity, of bodies at rest: it measures where
 * they are. */
static void look(const shapes_bed *bed, shapes_state *state) {
    scree_world_def def = shapes_world_def(bed, 1, 1);
    memset(def.gravity, 0, sizeof def.gravity);
    def.dt = 1e-9;
    scree_world *world = shapes_world(bed, &def);
    scree_scalars scalars;
    scree_world_read_scalars(world, &scalars);
    state->kinetic = scalars.kinetic;
    bench_step(world);
    scree_world_read_scalars(world, &scalars);
    state->points = (double)scalars.contacts;
    state->penetration_mean = scalars.penetration_mean;
    state->penetration_max = scalars.penetration_max;
    scree_world_destroy(world);
}

shapes_state shapes_state_of(const shapes_bed *bed) {
    shapes_state state;
    look(bed, &state);
    return state;
}

static shapes_state state_in(const shapes_bed *like, const char *path) {
    shapes_bed bed = shapes_bed_read(like, path);
    const shapes_state state = shapes_state_of(&bed);
    shapes_bed_free(&bed);
    return state;
}

shapes_figures shapes_measure(const shapes_bed *bed,
                              const bench_options *options) {
    const scree_world_def def =
        shapes_world_def(bed, options->iterations, options->threads);
    scree_world *world = shapes_world(bed, &def);
    shapes_bed end = shapes_bed_read(bed, bed->path);
    shapes_figures row = {.threads = options->threads};
    shapes_time_by_cpu(options->threads == 1);
    row.f = bench_measure_world(world, options);
    shapes_time_by_cpu(false);
    shapes_read_world(world, &end);
    scree_world_destroy(world);
    row.state = shapes_state_of(&end);
    shapes_bed_free(&end);
    return row;
}

/* The peer leaves its bed beside the one that it got. */
shapes_figures shapes_bullet(const char *program, const char *code,
                             const shapes_bed *bed,
                             const bench_options *options) {
    bench_bed from = {.n = bed->n};
    memcpy(from.path, bed->path, sizeof from.path);
    shapes_figures row = {.threads = 1};
    row.f = bench_peer(program, code, &from, options);
    char path[PATH_MAX + 32];
    snprintf(path, sizeof path, "%s.%s", bed->path, code);
    row.state = state_in(bed, path);
    remove(path);
    return row;
}
