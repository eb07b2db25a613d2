#include "tests/mpi/ranks.h"
#include "engine/step/step.h"
#include "engine/world/make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- checks -------------------------------------------------------------- */

void scree_check_failed(const char *file, int line, const char *what) {
    const scree_comm *comm = scree_comm_all();
    char why[600];
    snprintf(why, sizeof why, "rank %d of %d, %s:%d: %s", comm->rank,
             comm->size, file, line, what);
    scree_comm_abort(comm, 1, why);
}

void scree_check_near(double value, double expected, double tolerance,
                      const char *file, int line, const char *what) {
    char text[400];
    if (fabs(value - expected) <= tolerance) return;
    snprintf(text, sizeof text, "%s = %.15g, expected %.15g +- %g", what, value,
             expected, tolerance);
    scree_check_failed(file, line, text);
}

static bool is_wanted(const char *name, int argc, char **argv) {
    for (int i = 1; i < argc; ++i)
        if (strncmp(argv[i], name, strlen(argv[i])) == 0) return true;
    return argc < 2;
}

/* Leaks: these are there with the address sanitizer only. What MPI takes while
 * it begins is not looked at, and its end is too late: by then it has forgotten
 * more, and unloaded the libraries whose names tests/mpi/leaks.supp gives. */
extern void __lsan_disable(void) __attribute__((weak));
extern void __lsan_enable(void) __attribute__((weak));
extern int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

static const scree_comm *begin(int *argc, char ***argv) {
    if (__lsan_disable) __lsan_disable();
    const scree_comm *comm = scree_comm_begin(argc, argv);
    if (__lsan_enable) __lsan_enable();
    return comm;
}

static void check_nothing_leaked(void) {
    if (__lsan_do_recoverable_leak_check)
        CHECK(__lsan_do_recoverable_leak_check() == 0);
}

int scree_trials_run(int argc, char **argv, const scree_trial *trials, int n) {
    const scree_comm *comm = begin(&argc, &argv);
    int done = 0;
    for (int i = 0; i < n; ++i) {
        if (!is_wanted(trials[i].name, argc, argv)) continue;
        trials[i].run(comm);
        scree_comm_wait(comm);
        if (comm->rank == 0) printf("ok %s\n", trials[i].name);
        ++done;
    }
    CHECK(done > 0);
    check_nothing_leaked();
    scree_comm_end();
    return 0;
}

/* ---- worlds -------------------------------------------------------------- */

scree_world_def def_of(const char *stepper, const char *solver, int iterations,
                       double tolerance) {
    scree_world_def def = scree_world_def_default();
    def.stepper = stepper;
    def.solver.method = solver;
    def.solver.iterations = iterations;
    def.solver.tolerance = tolerance;
    def.threads = 1;
    return def;
}

scree_world *make_world(const scree_world_def *def, double mu, double e_n) {
    scree_world *world;
    CHECK_OK(scree_world_create(def, &world));
    scree_material_def material = scree_material_def_default();
    material.law = (scree_contact_law){.friction = mu, .e_n = e_n};
    CHECK_OK(scree_world_add_material(world, &material, NULL));
    return world;
}

void add_plane(scree_world *world, scree_vec3 point, scree_vec3 normal) {
    scree_plane_def def = scree_plane_def_default();
    vec_to(point, def.point);
    vec_to(normal, def.normal);
    CHECK_OK(scree_world_add_plane(world, &def, NULL));
}

void add_box(scree_world *world, double half) {
    add_plane(world, vec(0, 0, 0), vec(0, 0, 1));
    add_plane(world, vec(-half, 0, 0), vec(1, 0, 0));
    add_plane(world, vec(half, 0, 0), vec(-1, 0, 0));
    add_plane(world, vec(0, -half, 0), vec(0, 1, 0));
    add_plane(world, vec(0, half, 0), vec(0, -1, 0));
}

void add_drum(scree_world *world, double radius, double half, double rate) {
    enum { SIDES = 12 };
    for (int k = 0; k < SIDES; ++k) {
        const double turn = 2 * 3.14159265358979 * k / SIDES;
        const scree_vec3 out = {cos(turn), 0, sin(turn)};
        scree_plane_def def = scree_plane_def_default();
        vec_to(scale(radius, out), def.point);
        vec_to(scale(-1, out), def.normal);
        vec_to(vec(0, 1, 0), def.motion.axis);
        def.motion.rate = rate;
        CHECK_OK(scree_world_add_plane(world, &def, NULL));
    }
    add_plane(world, vec(0, -half, 0), vec(0, 1, 0));
    add_plane(world, vec(0, half, 0), vec(0, -1, 0));
}

void add_sphere(scree_world *world, double r, scree_vec3 x, scree_vec3 v) {
    scree_sphere_def def = scree_sphere_def_default();
    def.radius = r;
    vec_to(x, def.position);
    vec_to(v, def.velocity);
    CHECK_OK(scree_world_add_sphere(world, &def, NULL));
}

int add_cube(scree_world *world, double edge) {
    scree_shape_def def = scree_shape_def_default();
    int shape;
    def.kind = SCREE_SHAPE_BOX;
    def.size[0] = def.size[1] = def.size[2] = edge;
    CHECK_OK(scree_world_add_shape(world, &def, &shape));
    return shape;
}

scree_vec3 random_vec(scree_random *rng, double most) {
    const double x = scree_random_range(rng, -most, most);
    const double y = scree_random_range(rng, -most, most);
    return vec(x, y, scree_random_range(rng, -most, most));
}

void add_body(scree_world *world, int shape, scree_vec3 x, scree_random *rng) {
    scree_body_def def = scree_body_def_default();
    def.shape = shape;
    vec_to(x, def.position);
    const bool planar = world->def.planar;
    const scree_quat q =
        quat_from_vector(planar ? vec(0, 0, scree_random_range(rng, -3, 3))
                                : random_vec(rng, 3));
    def.orientation[0] = q.w, def.orientation[1] = q.x;
    def.orientation[2] = q.y, def.orientation[3] = q.z;
    CHECK_OK(scree_world_add_body(world, &def, NULL));
}

void add_cloud(scree_world *world, int n, double half, double z, double lo,
               double hi, double speed, uint64_t seed) {
    scree_random rng = scree_random_stream(seed, 0);
    const int row = (int)(2 * half / (2.1 * hi));
    const double cell = 2 * half / row;
    for (int i = 0; i < n; ++i) {
        const double r = scree_random_range(&rng, lo, hi);
        const scree_vec3 at = {-half + (i % row + 0.5) * cell,
                               -half + (i / row % row + 0.5) * cell,
                               z + cell * (i / (row * row) + 0.5)};
        const scree_vec3 x = add(at, random_vec(&rng, 0.5 * cell - hi));
        add_sphere(world, r, x, random_vec(&rng, speed));
    }
}

void step(scree_world *world, int steps) {
    for (int k = 0; k < steps; ++k) CHECK_OK(scree_world_step(world));
}

/* ---- all of a world ------------------------------------------------------ */

static const scree_comm *comm_of(const scree_world *world) {
    return world->ranks.domain ? world->ranks.domain->comm : scree_comm_alone();
}

/* Words of x, q and u: a sum over ranks in which one has a part and the others
 * 0 leaves the bits as they are. */
enum { WORDS = sizeof(scree_body_row) / sizeof(int64_t) };
_Static_assert(sizeof(scree_body_row) % sizeof(int64_t) == 0, "whole words");

static scree_body_row row_of(const scree_world *world, int32_t i) {
    scree_body_row row;
    memset(&row, 0, sizeof row);
    const scree_bodies *b = &world->state.bodies;
    row.id = b->id[i], row.x = b->x[i], row.q = b->q[i];
    row.u = b->u[i], row.material = b->material[i], row.form = b->form[i];
    return row;
}

/* *owners[id]: how many ranks say that they own it. */
static scree_body_row *gather(const scree_world *world, int64_t *owners) {
    const int64_t n = world->ranks.n_body;
    scree_body_row *all = calloc((size_t)n + 1, sizeof *all);
    CHECK(all);
    for (int32_t i = 0; i < world->state.bodies.n; ++i) {
        const int64_t id = world->state.bodies.id[i];
        CHECK(id >= 0 && id < n);
        if (!scree_world_owns(world, i)) continue;
        all[id] = row_of(world, i);
        ++owners[id];
    }
    scree_comm_sum_counts(comm_of(world), owners, (int)n);
    scree_comm_sum_counts(comm_of(world), (int64_t *)all, (int)n * WORDS);
    return all;
}

scree_body_row *all_bodies(const scree_world *world) {
    int64_t *owners = calloc((size_t)world->ranks.n_body + 1, sizeof *owners);
    CHECK(owners);
    scree_body_row *all = gather(world, owners);
    for (int64_t id = 0; id < world->ranks.n_body; ++id) CHECK(owners[id] == 1);
    free(owners);
    return all;
}

void check_bodies(const scree_world *world) {
    scree_body_row *all = all_bodies(world);
    bool *here = calloc((size_t)world->ranks.n_body + 1, sizeof *here);
    CHECK(here);
    for (int32_t i = 0; i < world->state.bodies.n; ++i) {
        const scree_body_row row = row_of(world, i);
        CHECK(!here[row.id]);
        here[row.id] = true;
        CHECK(memcmp(&row, &all[row.id], sizeof row) == 0);
    }
    free(here);
    free(all);
}

static int by_pair(const void *p, const void *q) {
    const scree_contact_view *x = p, *y = q;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    if (x->b != y->b) return x->b < y->b ? -1 : 1;
    for (int i = 0; i < 3; ++i)
        if (fabs(x->point[i] - y->point[i]) > 1e-9)
            return x->point[i] < y->point[i] ? -1 : 1;
    return 0;
}

scree_contact_view *all_contacts(const scree_world *world, int64_t *n) {
    const scree_comm *comm = comm_of(world);
    const int64_t mine = world->state.contacts.n;
    const int64_t before = scree_comm_before(comm, mine);
    *n = mine;
    scree_comm_sum_counts(comm, n, 1);
    scree_contact_view *all = calloc((size_t)*n + 1, sizeof *all);
    CHECK(all);
    scree_world_read_contacts(world, all + before);
    scree_comm_sum_counts(comm, (int64_t *)all,
                          (int)((size_t)*n * sizeof *all / sizeof(int64_t)));
    qsort(all, (size_t)*n, sizeof *all, by_pair);
    return all;
}

void compare_bodies(const scree_world *alone, const scree_world *spread) {
    CHECK(alone->ranks.n_body == spread->ranks.n_body);
    check_bodies(spread);
    scree_body_row *x = all_bodies(alone), *y = all_bodies(spread);
    for (int64_t i = 0; i < alone->ranks.n_body; ++i)
        CHECK(memcmp(&x[i], &y[i], sizeof x[i]) == 0);
    free(x);
    free(y);
    CHECK(alone->scene.r_sum == spread->scene.r_sum &&
          alone->scene.r_max == spread->scene.r_max);
    CHECK(scree_world_hash(alone) == scree_world_hash(spread));
    CHECK_NEAR(scalars_of(spread).inserted, scalars_of(alone).inserted,
               1e-12 * fabs(scalars_of(alone).inserted));
}

void check_no_overlap(const scree_world *world) {
    scree_body_row *all = all_bodies(world);
    for (int64_t i = 0; i < world->ranks.n_body; ++i)
        for (int64_t k = 0; k < i; ++k) {
            const double reach = all[i].x.r + all[k].x.r;
            const scree_vec3 d = sub(all[i].x.x, all[k].x.x);
            CHECK(norm(d) >= (1 - 1e-8) * reach);
        }
    free(all);
}

double far_apart(const scree_world *a, const scree_world *b) {
    scree_body_row *x = all_bodies(a), *y = all_bodies(b);
    double most = 0;
    for (int64_t i = 0; i < a->ranks.n_body; ++i)
        most = fmax(most, norm(sub(x[i].x.x, y[i].x.x)));
    free(x);
    free(y);
    return most;
}

double fast_apart(const scree_world *a, const scree_world *b) {
    scree_body_row *x = all_bodies(a), *y = all_bodies(b);
    double most = 0;
    for (int64_t i = 0; i < a->ranks.n_body; ++i) {
        const scree_vec3 spin = sub(x[i].u.w, y[i].u.w);
        most = fmax(most, norm(sub(x[i].u.v, y[i].u.v)));
        most = fmax(most, x[i].x.r * norm(spin));
    }
    free(x);
    free(y);
    return most;
}

scree_scalars scalars_of(const scree_world *world) {
    scree_scalars s;
    scree_world_read_scalars(world, &s);
    return s;
}

double energy_defect(const scree_world *world) {
    return scalars_of(world).scheme_error;
}

int64_t sweeps_of(const scree_world *world) {
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    return cost.iterations;
}

void cut_between(scree_world *world, double d) {
    enum { POINTS = 40 };
    static const double x[] = {-5, -0.55, -0.45, 5}; /* over d */
    scree_domain *domain = world->ranks.domain;
    scree_ball points[POINTS];
    float weights[POINTS];
    if (!domain) return;
    for (int k = 0; k < POINTS; ++k) {
        points[k] = (scree_ball){vec(d * x[k % 4], 1e-3 * d * k, 0), d};
        weights[k] = 1;
    }
    CHECK_OK(scree_partition_cut(domain->partition,
                                 domain->comm->rank ? 0 : POINTS, points,
                                 weights, NULL));
    domain->since_cut = -1000000;
    domain->best = 1e9;
    world->state.broad.valid = false;
}

void cut_at_random(scree_world *world, scree_random *rng) {
    scree_domain *d = world->ranks.domain;
    if (!d) return;
    scree_body_row *all = all_bodies(world);
    const int32_t n = (int32_t)world->ranks.n_body;
    scree_ball *points = calloc((size_t)n + 1, sizeof *points);
    float *weights = calloc((size_t)n + 1, sizeof *weights);
    CHECK(points && weights);
    int32_t mine = 0;
    for (int32_t i = 0; i < n; ++i) {
        const double u = scree_random_unit(rng);
        if (i % d->comm->size != d->comm->rank) continue;
        points[mine] = all[i].x;
        weights[mine++] = (float)(u * u * u);
    }
    CHECK_OK(scree_partition_cut(d->partition, mine, points, weights, NULL));
    d->since_cut = -1000000; /* not to be judged, nor to be made again */
    d->best = 1e9;
    world->state.broad.valid = false;
    free(points);
    free(weights);
    free(all);
}

/* ---- as on one rank ------------------------------------------------------ */

void compare_contacts(const scree_world *alone, const scree_world *spread,
                      double to) {
    int64_t n, m;
    scree_contact_view *expected = all_contacts(alone, &n);
    scree_contact_view *found = all_contacts(spread, &m);
    CHECK(n > 200);
    /* About a curved surface a gap off by eps leaves sqrt(eps / r) of the
     * normal. */
    const double turn = to < 1e-12 ? 1e-9 : 20 * sqrt(to / 0.05);
    CHECK(m == n);
    for (int64_t i = 0; i < n; ++i) {
        CHECK(found[i].a == expected[i].a && found[i].b == expected[i].b);
        CHECK_NEAR(found[i].gap, expected[i].gap, to);
        for (int k = 0; k < 3; ++k)
            CHECK_NEAR(found[i].normal[k], expected[i].normal[k], turn);
    }
    free(expected);
    free(found);
}

void try_scene(const scree_comm *comm, make_scene *make, bool planar,
               double to) {
    scree_random rng = scree_random_stream(77, 0);
    for (uint64_t seed = 0; seed < 2; ++seed) {
        scree_world_def def = def_of("moreau", "pgs", 10, 1e-4);
        def.planar = planar;
        if (planar) def.gravity[2] = 0, def.gravity[1] = -9.81;
        scree_world *alone = make_world(&def, 0.5, 0);
        scree_world *spread = make_world(&def, 0.5, 0);
        make(alone, seed);
        make(spread, seed);
        CHECK_OK(scree_world_distribute(spread, comm));
        CHECK_OK(scree_world_detect(alone, def.dt, true));
        for (int k = 0; k < 6; ++k) {
            if (k > 0) cut_at_random(spread, &rng);
            CHECK_OK(scree_world_detect(spread, def.dt, true));
            check_bodies(spread);
            compare_contacts(alone, spread, to);
            CHECK(scree_world_hash(spread) == scree_world_hash(alone));
        }
        step(spread, 4);
        check_bodies(spread);
        scree_world_destroy(alone);
        scree_world_destroy(spread);
    }
}

/* ---- balances ------------------------------------------------------------ */

double mass_of(const scree_world *world) {
    double m = 0;
    for (int32_t i = 0; i < world->state.bodies.n; ++i)
        if (scree_world_owns(world, i)) m += 1 / world->state.bodies.u[i].inv_m;
    return scree_world_total(world, m);
}

void step_in_balance(scree_world *world) {
    const double mass = mass_of(world), dt = world->def.dt;
    const scree_scalars before = scalars_of(world);
    step(world, 1);
    const scree_scalars after = scalars_of(world);
    scree_vec3 expected = add_scaled(vec_from(before.momentum), mass * dt,
                                     vec_from(world->def.gravity));
    for (int w = 0; w < world->scene.n_wall; ++w) {
        double force[3];
        scree_world_read_wall_force(world, w, force);
        expected = add_scaled(expected, -dt, vec_from(force));
    }
    const double off = norm(sub(vec_from(after.momentum), expected));
    CHECK_NEAR(off, 0, 1e-11 * mass);
    CHECK_NEAR(energy_defect(world), 0, 1e-10 * (1 + fabs(after.inserted)));
    CHECK_NEAR(mass_of(world), mass, 1e-12 * mass);
    check_bodies(world);
}

void check_balance(scree_world *world, int steps) {
    for (int k = 0; k < steps; ++k) step_in_balance(world);
}
