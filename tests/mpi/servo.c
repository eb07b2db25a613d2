/* Walls that forces drive, over several ranks: each has a copy of them, and all copies
 * go alike (engine/walls/servo.h). */
#include <stdlib.h>
#include <string.h>

#include "tests/mpi/ranks.h"

enum { SIDE = 4, BODIES = SIDE * SIDE * SIDE, WALLS = 7 };

static scree_plane_def plate_of(int k, double size) {
    scree_plane_def def = scree_plane_def_default();
    def.normal[2] = 0;
    def.normal[k / 2] = k % 2 ? -1 : 1;
    def.point[k / 2] = k % 2 ? size : 0;
    def.servo.kind = SCREE_SERVO_PRESSURE;
    def.servo.target = 1e4;
    for (int i = 0; i < 2; ++i) {
        const int axis = (k / 2 + 1 + i) % 3;
        def.servo.across[2 * i] = 2 * axis;
        def.servo.across[2 * i + 1] = 2 * axis + 1;
    }
    return def;
}

/* A blade among the spheres that a torque turns. */
static void add_blade(scree_world *world, double size) {
    const double a = 0.3 * size, b = 0.7 * size, m = 0.5 * size;
    const double v[] = {a, m, a, b, m, a, b, m, b, a, m, b};
    const int32_t c[] = {0, 1, 2, 0, 2, 3};
    scree_mesh_def def = scree_mesh_def_default();
    def.vertices = v, def.n_vertex = 4;
    def.corners = c, def.n_triangle = 2;
    def.two_sided = true;
    def.servo.kind = SCREE_SERVO_TORQUE;
    def.servo.target = 1e-3;
    def.servo.mass = 1e-6;
    def.servo.speed = 20;
    for (int i = 0; i < 3; ++i) def.servo.origin[i] = m;
    CHECK_OK(scree_world_add_mesh(world, &def, NULL));
}

/* Between six plates, with a mean free path; none in the blade. */
static scree_world *make_cell(bool reproducible) {
    scree_world_def def = def_of("moreau", "pgs", 200, 1e-6);
    def.dt = 2e-4;
    def.gravity[2] = 0;
    def.reproducible = reproducible;
    scree_world *world = make_world(&def, 0.3, 0);
    scree_random rng = {5};
    const double pitch = 0.0115, size = SIDE * pitch;
    for (int k = 0; k < 6; ++k) {
        const scree_plane_def plate = plate_of(k, size);
        CHECK_OK(scree_world_add_plane(world, &plate, NULL));
    }
    add_blade(world, size);
    for (int k = 0; k < BODIES; ++k) {
        const scree_vec3 at =
            vec(k % SIDE + 0.5, k / SIDE % SIDE + 0.5, k / SIDE / SIDE + 0.5);
        add_sphere(world, scree_random_range(&rng, 0.004, 0.005),
                   scale(pitch, at), random_vec(&rng, 0.05));
    }
    return world;
}

typedef struct look {
    uint64_t hash;
    double work;
    scree_servo_view walls[WALLS];
    double force[WALLS][3];
} look;

static look look_at(const scree_world *world) {
    scree_scalars s;
    look l;
    memset(&l, 0, sizeof l); /* compared as it lies */
    scree_world_read_scalars(world, &s);
    l.hash = scree_world_hash(world);
    l.work = s.wall_work;
    for (int w = 0; w < WALLS; ++w) {
        scree_servo_view view;
        scree_world_read_servo(world, w, &view);
        l.walls[w].kind = view.kind;
        l.walls[w].way = view.way, l.walls[w].velocity = view.velocity;
        l.walls[w].target = view.target, l.walls[w].area = view.area;
        scree_world_read_wall_force(world, w, l.force[w]);
    }
    return l;
}

static look run(const scree_comm *comm, bool reproducible, int steps) {
    scree_world *world = make_cell(reproducible);
    scree_scalars s;
    if (comm) CHECK_OK(scree_world_distribute(world, comm));
    step(world, steps);
    if (comm) check_bodies(world);
    scree_world_read_scalars(world, &s);
    CHECK(s.contacts > 0);
    CHECK_NEAR(s.scheme_error, 0, 1e-13);
    const look l = look_at(world);
    scree_world_destroy(world);
    return l;
}

static void same_bits(const scree_comm *comm) {
    look alone;
    memset(&alone, 0, sizeof alone);
    if (comm->rank == 0) alone = run(NULL, true, 25);
    scree_comm_copy(comm, 0, &alone, sizeof alone);
    const look l = run(comm, true, 25);
    CHECK(!memcmp(&l, &alone, sizeof l));
}

/* The plates bear what they press with, and the same on all ranks. */
static void pressure(const scree_comm *comm) {
    const look l = run(comm, false, 150);
    look first = l;
    scree_comm_copy(comm, 0, &first, sizeof first);
    CHECK(!memcmp(&l, &first, sizeof l));
    for (int w = 0; w < 6; ++w) {
        const scree_vec3 F = vec_from(l.force[w]);
        CHECK_NEAR(norm(F) / l.walls[w].area, 1e4, 1000);
        CHECK(l.walls[w].way > 0.001);
    }
}

int main(int argc, char **argv) {
    const scree_trial trials[] = {{"same_bits", same_bits},
                                  {"pressure", pressure}};
    return scree_trials_run(argc, argv, trials, 2);
}
