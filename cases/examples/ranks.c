/* ranks.c: a world over several processes. A box is filled, and the balls fall; the hash
 * of the state is the same for any number of ranks.
 *
 *   cc ranks.c $(pkg-config --cflags --libs scree) && mpirun -np 2 ./a.out */
#include <inttypes.h>
#include <scree_generate.h>
#include <scree_ranks.h>
#include <stdio.h>

static const double walls[5][6] = {/* point, normal */
                                   {0, 0, 0, 0, 0, 1},
                                   {-0.5, 0, 0, 1, 0, 0},
                                   {0.5, 0, 0, -1, 0, 0},
                                   {0, -0.5, 0, 0, 1, 0},
                                   {0, 0.5, 0, 0, -1, 0}};

static int add_box(scree_world *world) {
    for (int w = 0; w < 5; w++) {
        scree_plane_def plane = scree_plane_def_default();
        for (int k = 0; k < 3; k++)
            plane.point[k] = walls[w][k], plane.normal[k] = walls[w][3 + k];
        if (scree_world_add_plane(world, &plane, NULL)) return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    const scree_comm *comm = scree_comm_begin(&argc, &argv);
    const scree_material_def stone = scree_material_def_default();
    const scree_fill fill = {
        .region = {.min = {-0.5, -0.5, 0}, .max = {0.5, 0.5, 1}},
        .count = 300,
        .grain = {.radius = {
                      .kind = SCREE_RADIUS_UNIFORM, .min = 0.03, .max = 0.05}}};
    scree_world_def def = scree_world_def_default();
    def.reproducible = true;
    scree_world *world;
    scree_error error = {0};
    if (scree_world_create(&def, &world)) return 1;
    int failed =
        scree_world_add_material(world, &stone, NULL) || add_box(world) ||
        scree_world_distribute(world, comm) ||
        scree_fill_make(&fill, scree_random_begin(1, 0), world, &error);
    while (!failed && scree_world_time(world) < 0.3)
        failed = scree_world_step(world);
    const uint64_t hash = scree_world_hash(world); /* collective */
    if (failed) fprintf(stderr, "%s%s\n", error.text, scree_world_error(world));
    if (comm->rank == 0)
        printf("%" PRId64 " balls on %d ranks: %016" PRIx64 "\n",
               scree_world_body_count(world), comm->size, hash);
    scree_world_destroy(world);
    scree_comm_end();
    return failed;
}
