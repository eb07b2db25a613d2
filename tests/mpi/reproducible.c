/* Reproducible worlds: one rank and one thread, and several of them, have the
 * same bits: state, scalars and forces of walls, over collisions, migration and
 * new cuts. Rank 0 runs each world alone first. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/parallel.h"
#include "engine/base/random.h"
#include "engine/domain/domain.h"
#include "engine/world/make.h"
#include "tests/setting_of.h"

static void fail(const char *what, int line) {
    char text[200];
    snprintf(text, sizeof text, "tests/mpi/reproducible.c:%d: %s", line, what);
    scree_comm_abort(scree_comm_all(), 1, text);
}
#define CHECK(condition) ((condition) ? (void)0 : fail(#condition, __LINE__))
#define CHECK_OK(status) CHECK((status) == SCREE_OK)

/* ---- worlds -------------------------------------------------------------- */

/* Where bodies are. */
typedef enum place_kind {
    BOX,     /* that shakes */
    RIMS,    /* a box at rest, cylinders for cubes */
    BOULDER, /* under one, on a floor */
    DRUM,    /* a prism that turns */
    GROUND,  /* terrain, and a mesh that turns above it */
    PLANE,   /* a plane world, in a box */
    DEEP,    /* a shaft: loads are found anew, with coarse corrections */
    OPEN,    /* a floor between periodic sides */
    SHEARED, /* a periodic cell, by Lees and Edwards */
    PRESSED  /* the same, and it holds a pressure */
} place_kind;

typedef struct trial {
    const char *name, *stepper, *solver;
    int spheres, cubes, steps;
    bool rolls; /* spheres resist rolling and drilling */
    place_kind kind;
} trial;

static const trial trials[] = {
    {"spheres", "moreau", "pgs", 200, 0, 100, false, BOX},
    {"mix", "moreau", "pgs", 40, 20, 60, true, BOX},
    {"jacobi", "moreau", "jacobi", 50, 10, 60, true, BOX},
    {"rattle", "rattle", "pgs", 100, 0, 60, false, BOX},
    {"rattle_mix", "rattle", "pgs", 30, 10, 40, true, BOX},
    {"rattle_rims", "rattle", "pgs", 10, 30, 100, true, RIMS},
    {"boulder", "moreau", "pgs", 300, 0, 12, false, BOULDER},
    {"drum", "moreau", "pgs", 60, 0, 60, false, DRUM},
    {"ground", "moreau", "pgs", 50, 20, 60, false, GROUND},
    {"plane", "moreau", "pgs", 60, 0, 80, false, PLANE},
    {"deep", "moreau", "pgs", 200, 20, 80, true, DEEP},
    {"deep_jacobi", "moreau", "jacobi", 150, 0, 60, false, DEEP},
    {"sides", "moreau", "pgs", 100, 30, 80, true, OPEN},
    {"sides_rattle", "rattle", "pgs", 60, 0, 40, false, OPEN},
    {"sheared", "moreau", "pgs", 150, 20, 80, false, SHEARED},
    {"pressed", "moreau", "pgs", 150, 20, 80, false, PRESSED},
};

static const double RADIUS = 0.02;

/* Half the width of the box. */
static double side_of(const trial *t) {
    return t->kind == BOULDER ? 0.3
           : t->kind == DEEP  ? 0.11
           : t->kind >= OPEN  ? 0.14
                              : 0.17;
}

static void add_materials(scree_world *world, bool rolls) {
    scree_material_def stone = scree_material_def_default();
    stone.law = (scree_contact_law){.friction = 0.5, .e_n = 0.1};
    CHECK_OK(scree_world_add_material(world, &stone, NULL));
    if (rolls) stone.law.rolling = 2e-3, stone.law.drilling = 1e-3;
    CHECK_OK(scree_world_add_material(world, &stone, NULL));
}

/* About the axis y. */
static void add_drum(scree_world *world, const trial *t) {
    enum { FACES = 10 };
    for (int k = 0; k < FACES + 2; ++k) {
        scree_plane_def plane = scree_plane_def_default();
        const double turn = 2 * 3.14159265358979 * k / FACES;
        double out[3] = {cos(turn), 0, sin(turn)};
        if (k >= FACES) out[0] = out[2] = 0, out[1] = k == FACES ? 1 : -1;
        for (int i = 0; i < 3; ++i) {
            plane.point[i] = side_of(t) * (k < FACES ? 1.3 : 1) * out[i];
            plane.normal[i] = -out[i];
        }
        plane.point[2] += side_of(t);
        plane.motion.origin[2] = side_of(t);
        plane.motion.axis[1] = 1, plane.motion.axis[2] = 0;
        plane.motion.rate = 8;
        CHECK_OK(scree_world_add_plane(world, &plane, NULL));
    }
}

static void add_ground(scree_world *world) {
    enum { N = 12 };
    double heights[N * N];
    scree_random rng = {3};
    for (int i = 0; i < N * N; ++i)
        heights[i] = RADIUS * (scree_random_unit(&rng) - 1);
    scree_terrain_def terrain = scree_terrain_def_default();
    terrain.nx = terrain.ny = N;
    terrain.x0 = terrain.y0 = -0.22, terrain.cell = 0.04;
    terrain.heights = heights;
    CHECK_OK(scree_world_add_terrain(world, &terrain, NULL));
    const double corners[] = {-0.2, 0, 0.02, 0.2, 0, 0.02, 0, 0.01, 0.1};
    const int32_t triangle[] = {0, 1, 2};
    scree_mesh_def mesh = scree_mesh_def_default();
    mesh.vertices = corners, mesh.n_vertex = 3;
    mesh.corners = triangle, mesh.n_triangle = 1;
    mesh.two_sided = true;
    mesh.motion.axis[2] = 1, mesh.motion.rate = 3;
    CHECK_OK(scree_world_add_mesh(world, &mesh, NULL));
}

static bool has_cell(const trial *t) {
    return t->kind >= OPEN;
}

/* So small that bodies are near their own images. */
static void set_cell(scree_world *world, const trial *t) {
    scree_cell_def cell = scree_cell_def_default();
    for (int k = 0; k < (t->kind == OPEN ? 2 : 3); ++k) {
        cell.low[k] = k < 2 ? -side_of(t) : 0;
        cell.high[k] = k < 2 ? side_of(t) : 0.58;
        cell.periodic[k] = true;
    }
    if (t->kind != OPEN) cell.shear_rate = 6;
    if (t->kind == PRESSED) cell.pressure[1] = 2e3, cell.pressure[2] = 1e3;
    CHECK_OK(scree_world_set_cell(world, &cell));
}

/* A box that shakes, or a floor. In the plane y is up. */
static void add_walls(scree_world *world, const trial *t) {
    const bool shakes = t->kind == BOX || t->kind == PLANE;
    const bool flat = t->kind == PLANE;
    for (int face = shakes ? 0 : 4; face < (flat ? 3 : 5); ++face) {
        scree_plane_def plane = scree_plane_def_default();
        const double side = face % 2 ? -1 : 1;
        plane.normal[2] = 0;
        plane.normal[face / 2] = side;
        plane.point[face / 2] = face < 4 ? -side * side_of(t) : 0;
        if (shakes) {
            plane.motion.amplitude[0] = 0.02;
            plane.motion.amplitude[flat ? 1 : 2] = 0.004;
            plane.motion.frequency = 8;
        }
        CHECK_OK(scree_world_add_plane(world, &plane, NULL));
    }
}

static void draw(scree_random *rng, double most, double x[3]) {
    for (int k = 0; k < 3; ++k) x[k] = scree_random_range(rng, -most, most);
}

/* Place k of a lattice in the box. */
static void place(const trial *t, int k, scree_random *rng, double x[3]) {
    const double pitch = 2.6 * RADIUS;
    const int across = (int)(2 * side_of(t) / pitch) - 1;
    draw(rng, 0.1 * RADIUS, x);
    x[0] += pitch * (k % across + 1) - side_of(t);
    if (t->kind == PLANE) {
        x[1] += pitch * (k / across + 1) - side_of(t);
        x[2] = 0;
        return;
    }
    x[1] += pitch * (k / across % across + 1) - side_of(t);
    const double rise = t->kind == DEEP ? 2.25 * RADIUS : pitch;
    x[2] += rise * (k / (across * across) + 0.5);
}

static void add_spheres(scree_world *world, const trial *t, int first,
                        scree_random *rng) {
    for (int k = 0; k < t->spheres; ++k) {
        scree_sphere_def sphere = scree_sphere_def_default();
        place(t, first + k, rng, sphere.position);
        if (t->kind != BOULDER && t->kind != DEEP) {
            draw(rng, 1, sphere.velocity);
            sphere.velocity[t->kind == PLANE ? 1 : 2] -= 1;
        }
        if (t->kind == PLANE) sphere.velocity[2] = 0;
        sphere.radius = RADIUS * scree_random_range(rng, 0.8, 1.1);
        sphere.material = 1;
        CHECK_OK(scree_world_add_sphere(world, &sphere, NULL));
    }
}

static void add_cubes(scree_world *world, const trial *t, scree_random *rng) {
    scree_shape_def shape = scree_shape_def_default();
    int cube;
    shape.kind = t->kind == RIMS ? SCREE_SHAPE_CYLINDER : SCREE_SHAPE_BOX;
    for (int k = 0; k < 3; ++k) shape.size[k] = RADIUS * (1 + 0.1 * k);
    shape.radius = 0.8 * RADIUS, shape.length = RADIUS;
    CHECK_OK(scree_world_add_shape(world, &shape, &cube));
    for (int k = 0; k < t->cubes; ++k) {
        scree_body_def body = scree_body_def_default();
        place(t, k, rng, body.position);
        draw(rng, 1, body.velocity);
        draw(rng, 20, body.angular_velocity);
        draw(rng, 1, &body.orientation[1]);
        body.shape = cube;
        CHECK_OK(scree_world_add_body(world, &body, NULL));
    }
}

/* Falls on the bed, so large that it is nearly flat there. */
static void add_boulder(scree_world *world, const trial *t) {
    scree_sphere_def sphere = scree_sphere_def_default();
    scree_random rng = {1};
    double top[3];
    place(t, t->spheres - 1, &rng, top);
    sphere.radius = 6;
    sphere.position[2] = top[2] + 1.2 * RADIUS + sphere.radius;
    sphere.velocity[2] = -2;
    CHECK_OK(scree_world_add_sphere(world, &sphere, NULL));
}

static scree_world *make(const trial *t, int threads, bool reproducible) {
    scree_world_def def = scree_world_def_default();
    scree_random rng = {7};
    scree_world *world;
    def.stepper = t->stepper;
    def.solver.method = t->solver;
    def.solver.iterations = t->kind == BOULDER ? 4 : t->kind == DEEP ? 100 : 12;
    def.solver.warm_start = t->kind != DEEP;
    def.planar = t->kind == PLANE;
    if (def.planar) def.gravity[1] = def.gravity[2], def.gravity[2] = 0;
    def.dt = 2e-3;
    def.threads = threads;
    def.reproducible = reproducible;
    if (t->kind > OPEN) def.gravity[2] = 0;
    CHECK_OK(scree_world_create(&def, &world));
    add_materials(world, t->rolls);
    if (has_cell(t)) set_cell(world, t);
    if (t->kind == DRUM)
        add_drum(world, t);
    else if (t->kind == GROUND)
        add_ground(world);
    else if (t->kind <= OPEN)
        add_walls(world, t);
    if (t->cubes) add_cubes(world, t, &rng);
    add_spheres(world, t, t->cubes, &rng);
    if (t->kind == BOULDER) add_boulder(world, t);
    return world;
}

/* ---- what must be the same ----------------------------------------------- */

enum { LOOKS = 4, WALLS = 12 };

typedef struct look {
    uint64_t hash;
    int64_t contacts;
    double energy[9], momentum[6], penetration[2];
    double residual;
    int64_t iterations;
    double force[WALLS][3];
} look;

static look look_at(const scree_world *world) {
    scree_scalars s;
    look l = {.hash = scree_world_hash(world)};
    scree_world_read_scalars(world, &s);
    l.contacts = s.contacts;
    const double energy[] = {s.kinetic,
                             s.potential,
                             s.dissipated_normal,
                             s.dissipated_friction,
                             s.dissipated_turning,
                             s.wall_work,
                             s.recovery_work,
                             s.inserted,
                             s.scheme_error};
    memcpy(l.energy, energy, sizeof energy);
    memcpy(l.momentum, s.momentum, sizeof s.momentum);
    memcpy(l.momentum + 3, s.angular_momentum, sizeof s.angular_momentum);
    l.penetration[0] = s.penetration_max;
    l.penetration[1] = s.penetration_mean;
    l.residual = s.solve.residual;
    l.iterations = s.solve.iterations;
    for (int w = 0; w < scree_world_wall_count(world); ++w)
        scree_world_read_wall_force(world, w, l.force[w]);
    return l;
}

/* New cuts at the next rebuild, whatever the load. */
static void cut_anew(scree_world *world) {
    if (world->ranks.domain) world->ranks.domain->best = 0;
}

/* Returns the most colours that a step had. */
static int run(scree_world *world, const trial *t, look looks[LOOKS]) {
    int colours = 0;
    for (int k = 0; k < t->steps; ++k) {
        if (k % 15 == 0) cut_anew(world);
        CHECK_OK(scree_world_step(world));
        const int now = world->state.problem.ordering.n_colour;
        colours = now > colours ? now : colours;
        if ((k + 1) % (t->steps / LOOKS) == 0)
            looks[k / (t->steps / LOOKS)] = look_at(world);
    }
    return colours;
}

/* Of the world alone; the boulder is there to need more colours than one layer.
 */
static void run_alone(const trial *t, int threads, look looks[LOOKS]) {
    scree_world *world = make(t, threads, true);
    const int colours = run(world, t, looks);
    CHECK(t->kind != BOULDER || colours > SCREE_COLOURS);
    scree_world_destroy(world);
}

/* Corrections are made: without them the bits are others. */
static void check_corrections(const trial *t, const look looks[LOOKS]) {
    look plain[LOOKS];
    scree_world *world = make(t, 1, true);
    setting_of(world)->solver.coarse = SCREE_COARSE_OFF;
    run(world, t, plain);
    CHECK(memcmp(&plain[LOOKS - 1], &looks[LOOKS - 1], sizeof *looks) != 0);
    scree_world_destroy(world);
}

static void run_together(const trial *t, const scree_comm *comm, int threads,
                         look looks[LOOKS]) {
    scree_world *world = make(t, threads, true);
    CHECK_OK(scree_world_distribute(world, comm));
    run(world, t, looks);
    if (comm->size > 1) {
        CHECK(scree_comm_any(comm, world->ranks.domain->copies > 0));
        CHECK(t->kind == BOULDER || world->ranks.domain->cuts > 1);
    }
    scree_world_destroy(world);
}

static void compare(const look *a, const look *b, const char *name) {
    for (int k = 0; k < LOOKS; ++k) {
        if (!memcmp(&a[k], &b[k], sizeof *a)) continue;
        fprintf(stderr, "%s, look %d: hashes %016llx, %016llx\n", name, k,
                (unsigned long long)a[k].hash, (unsigned long long)b[k].hash);
        CHECK(!memcmp(a[k].energy, b[k].energy, sizeof a->energy));
        CHECK(!memcmp(a[k].momentum, b[k].momentum, sizeof a->momentum));
        CHECK(!memcmp(a[k].force, b[k].force, sizeof a->force));
        CHECK(a[k].hash == b[k].hash);
        CHECK(!memcmp(&a[k], &b[k], sizeof *a));
    }
}

static void check_trial(const trial *t, const scree_comm *comm) {
    look alone[LOOKS], other[LOOKS];
    if (comm->rank == 0) {
        run_alone(t, 1, alone);
        if (comm->size == 1) run_alone(t, 2, other);
        if (comm->size == 1) compare(alone, other, t->name);
        CHECK(alone[LOOKS - 1].contacts >
              (t->spheres + t->cubes) / (t->kind == SHEARED ? 100
                                         : t->kind >= DEEP  ? 10
                                                            : 3));
        if (t->kind == DEEP && comm->size == 1) check_corrections(t, alone);
    }
    scree_comm_copy(comm, 0, alone, sizeof alone);
    const int most = comm->size <= 2 || t->kind == DRUM ? 2 : 1;
    for (int threads = 1; threads <= most; ++threads) {
        run_together(t, comm, threads, other);
        compare(alone, other, t->name);
    }
}

/* The order of contacts changes how a solve comes to its end, not the end.
 * Recovery, which ends after a few sweeps, is left out. */
static void check_solution(void) {
    const trial t = {"solution", "moreau", "pgs", 200, 0, 20, false, BOX};
    scree_world *worlds[2];
    double *x[2];
    for (int k = 0; k < 2; ++k) {
        worlds[k] = make(&t, 1, k);
        setting_of(worlds[k])->solver.tolerance = 1e-11;
        setting_of(worlds[k])->solver.iterations = 5000;
        setting_of(worlds[k])->recovery_velocity = 0;
        setting_of(worlds[k])->gap_control =
            false; /* hits are taken alike (meet.c) */
        for (int s = 0; s < t.steps; ++s) CHECK_OK(scree_world_step(worlds[k]));
        x[k] = malloc(3 * (size_t)t.spheres * sizeof *x[k]);
        const scree_state_view view = {.position = x[k]};
        CHECK_OK(scree_world_read_state(worlds[k], &view));
    }
    CHECK(worlds[0]->accounts.cost.contacts > 100);
    for (int i = 0; i < 3 * t.spheres; ++i)
        CHECK(fabs(x[0][i] - x[1][i]) < 1e-7 * RADIUS);
    for (int k = 0; k < 2; ++k) {
        scree_world_destroy(worlds[k]);
        free(x[k]);
    }
}

/* Layers of touching spheres between walls, each sphere in the hollow of four. */
static void add_lattice(scree_world *world, int across, int layers) {
    const double d = 2 * RADIUS;
    for (int k = 0; k < layers; ++k)
        for (int i = 0; i < (across - k % 2) * (across - k % 2); ++i) {
            const int n = across - k % 2;
            scree_sphere_def sphere = scree_sphere_def_default();
            sphere.radius = RADIUS;
            sphere.position[0] = d * (i % n - 0.5 * (n - 1));
            sphere.position[1] = d * (i / n - 0.5 * (n - 1));
            sphere.position[2] = RADIUS + k * d * sqrt(0.5);
            CHECK_OK(scree_world_add_sphere(world, &sphere, NULL));
        }
}

/* Kinetic energy that 50 sweeps leave of a fall of one step: it should be 0. */
static double energy_left(const scree_comm *comm, scree_coarse_mode coarse) {
    enum { ACROSS = 7, LAYERS = 40 };
    const double half = ACROSS * RADIUS;
    scree_world_def def = scree_world_def_default();
    scree_world *world;
    scree_scalars scalars;
    def.solver.iterations = 50;
    def.solver.tolerance = 0;
    def.solver.coarse = coarse;
    CHECK_OK(scree_world_create(&def, &world));
    add_materials(world, false);
    for (int face = 0; face < 5; ++face) {
        scree_plane_def plane = scree_plane_def_default();
        const double side = face % 2 ? 1 : -1;
        plane.normal[2] = face == 4;
        if (face < 4) plane.normal[face / 2] = -side;
        if (face < 4) plane.point[face / 2] = side * half;
        CHECK_OK(scree_world_add_plane(world, &plane, NULL));
    }
    add_lattice(world, ACROSS, LAYERS);
    CHECK_OK(scree_world_distribute(world, comm));
    CHECK_OK(scree_world_step(world));
    scree_world_read_scalars(world, &scalars);
    scree_world_destroy(world);
    return scalars.kinetic;
}

/* Shared bodies are split here: the corrections of all ranks together still come
 * nearer to the solution than the same sweeps without. */
static void check_split(const scree_comm *comm) {
    const double off = energy_left(comm, SCREE_COARSE_OFF);
    const double on = energy_left(comm, SCREE_COARSE_AUTO);
    CHECK(on < 0.05 * off);
}

static void check_refusal(void) {
    scree_world_def def = scree_world_def_default();
    scree_world *world;
    def.reproducible = true;
    def.solver.method = "apgd";
    CHECK(scree_world_create(&def, &world) == SCREE_BAD_ARGUMENT);
}

/* The trials that are named on the command line, or all. */
static bool is_wanted(int argc, char **argv, const char *name) {
    for (int a = 1; a < argc; ++a)
        if (!strcmp(argv[a], name)) return true;
    return argc < 2;
}

int main(int argc, char **argv) {
    const scree_comm *comm = scree_comm_begin(&argc, &argv);
    const int n = (int)(sizeof trials / sizeof *trials);
    scree_worth_threads(1);
    for (int k = 0; k < n; ++k)
        if (is_wanted(argc, argv, trials[k].name))
            check_trial(&trials[k], comm);
    if (is_wanted(argc, argv, "split")) check_split(comm);
    if (comm->rank == 0 && is_wanted(argc, argv, "solution")) {
        check_solution();
        check_refusal();
    }
    scree_comm_end();
    return 0;
}
