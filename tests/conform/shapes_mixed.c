/* Every shape with every other: pairs that fall into a pit; the same bits for any
 * number of threads; the same velocities from all solvers. */
#include <stdlib.h>

#include "engine/base/parallel.h"
#include "tests/analytic/shapes_fixture.h"

/* ---- pairs in a pit ----------------------------------------------------------- */

static const double SIZE = 0.1;

/* The address sanitizer sees every shape beside two or three others. */
#ifdef __SANITIZE_ADDRESS__
enum { EACH = 2 };
#else
enum { EACH = 1 };
#endif

typedef struct fall {
    double growth; /* of the energy over its least so far, recovery taken off,
                      in parts of the first */
    double penetration, speed; /* at the end */
    double defect; /* of the energy balance, in parts of the first */
} fall;

/* Four bodies, of two kinds in turn, one above the other. */
static fall drop(int kind_a, int kind_b, uint64_t seed) {
    scree_world_def def = firm_def(2e-3);
    def.solver.iterations = 200;
    def.solver.tolerance = 1e-8;
    def.solver.local = SCREE_LOCAL_EXACT;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    int shape[KINDS];
    add_kinds(world, shape);
    add_box(world, 0.25);
    scree_random rng = scree_random_stream(11, seed);
    for (int i = 0; i < 4; ++i)
        put_kind(world, SIZE,
                 (put){shape[i % 2 ? kind_b : kind_a],
                       .x = add(vec(0, 0, 0.2 + 0.36 * i),
                                scale(0.05, random_vec(&rng))),
                       .turn = random_vec(&rng)});
    fall f = {0};
    double m = 0, least = INFINITY;
    for (int i = 0; i < 4; ++i) m += read_body(world, i).m;
    const double first = read_scalars(world).potential;
    scree_scalars last;
    for (int k = 0; k < 750; ++k) {
        run(world, 1);
        last = read_scalars(world);
        const double energy =
            last.kinetic + last.potential - last.recovery_work;
        least = fmin(least, energy);
        f.growth = fmax(f.growth, (energy - least) / first);
    }
    f.penetration = last.penetration_max;
    f.defect = energy_defect(world) / first;
    f.speed = sqrt(2 * last.kinetic / m);
    for (int i = 0; i < 4; ++i) {
        const scree_vec3 x = read_body(world, i).x;
        assert_true(fabs(x.x) < 0.25 && fabs(x.y) < 0.25 && x.z > 0.2 * SIZE);
    }
    scree_world_destroy(world);
    return f;
}

/* Round bodies: nothing but the walls stops them when they roll. */
static bool rolls(int kind) {
    return kind != 1 && kind != 4;
}

/* Each pair in both orders of ids: the four bodies are a, b, a, b.
 * Where a body rolls or pivots, its arms turn within the step: Moreau's rule is of
 * first order there, and energy may grow by as much. */
static void pit__every_shape_on_every_shape__comes_to_rest(void **state) {
    (void)state;
    for (int a = 0; a < KINDS; ++a)
        for (int b = a; b < KINDS; b += EACH) {
            const fall f = drop(a, b, (uint64_t)(a * KINDS + b));
            print_message("%s, %s: growth %.2g, penetration %.2g, speed %.2g, "
                          "defect %.2g\n",
                          kind_name[a], kind_name[b], f.growth,
                          f.penetration / SIZE, f.speed, f.defect);
            assert_true(f.growth < 2e-5);
            assert_true(fabs(f.defect) < 1e-6);
            assert_true(f.penetration < 1e-3 * SIZE);
            assert_true(f.speed < (rolls(a) || rolls(b) ? 0.4 : 1e-6));
        }
}

/* ---- heaps ------------------------------------------------------------------------ */

static scree_world *heap(const scree_world_def *def, double mu,
                         const int *kinds, int n_kind, int n) {
    scree_world *world = make_world(def, (scree_contact_law){.friction = mu});
    int shape[KINDS];
    add_kinds(world, shape);
    const int row = n < 30 ? 2 : 4;
    add_box(world, 0.2 * row);
    scree_random rng = scree_random_stream(12, 0);
    for (int i = 0; i < n; ++i)
        put_kind(world, SIZE,
                 (put){shape[kinds[i % n_kind]],
                       .x = scale(0.32, vec(i % row - 0.5 * (row - 1),
                                            i / row % row - 0.5 * (row - 1),
                                            i / (row * row) + 0.6)),
                       .turn = random_vec(&rng), .v = {0, 0, -2}});
    return world;
}

static const int ALL[] = {0, 1, 2, 3, 4, 5};

static uint64_t hash_over_run(int threads) {
    scree_world_def def = firm_def(2e-3);
    def.threads = threads;
    def.solver.iterations = 20;
    scree_world *world = heap(&def, 0.4, ALL, KINDS, 150);
    uint64_t hash = 0;
    for (int step = 0; step < 200; ++step) {
        run(world, 1);
        hash = hash * 0x9E3779B97F4A7C15u ^ scree_world_hash(world);
    }
    print_message("%d threads: %d contacts\n", threads,
                  (int)scree_world_contact_count(world));
    scree_world_destroy(world);
    return hash;
}

static void same_bits__heap_of_all_shapes__any_thread_count(void **state) {
    (void)state;
    const int64_t worth = scree_worth_threads(1);
    const uint64_t hash = hash_over_run(1);
    assert_true(hash_over_run(3) == hash);
    scree_worth_threads(worth);
}

enum { FEW = 24 };

typedef struct few {
    double mu;
    const int *kinds;
    int n_kind;
} few;

static scree_world_def tight_def(const char *method) {
    scree_world_def def = firm_def(2e-3);
    def.solver.method = method;
    def.solver.iterations = 20000;
    def.solver.tolerance = 1e-10;
    return def;
}

/* The same bodies in a world of its own, with its own solver. */
static scree_world *copied(const scree_world *from, const few *f,
                           const char *method) {
    const scree_world_def def = tight_def(method);
    scree_world *world = heap(&def, f->mu, f->kinds, f->n_kind, 0);
    for (int i = 0; i < FEW; ++i) {
        const body b = read_body(from, i);
        const int shape = f->kinds[i % f->n_kind] - 1; /* as add_kinds has it */
        put_kind(world, SIZE,
                 (put){shape, b.x, rotation_vector(b.q), b.v, b.w});
    }
    return world;
}

/* Velocities after one step. Returns the residual that was reached. */
static double velocities_of(const scree_world *from, const few *f,
                            const char *method, double *v) {
    scree_world *world = copied(from, f, method);
    run(world, 1);
    const scree_scalars s = read_scalars(world);
    print_message("%s: %d contacts, %d sweeps, residual %.2g\n", method,
                  (int)s.contacts, s.solve.iterations, s.solve.residual);
    scree_world_read_state(world, &(scree_state_view){.velocity = v});
    scree_world_destroy(world);
    return s.solve.residual;
}

/* One step from a heap that has begun to settle. */
static void check_agreement(const few *f) {
    const char *const methods[] = {"pgs", "jacobi", "apgd", "newton", "auto"};
    double v[5][3 * FEW], reached[5];
    const scree_world_def def = firm_def(2e-3);
    scree_world *world = heap(&def, f->mu, f->kinds, f->n_kind, FEW);
    run(world, 200);
    for (int k = 0; k < 5; ++k)
        reached[k] = velocities_of(world, f, methods[k], v[k]);
    for (int k = 1; k < 5; ++k) {
        double most = 0;
        for (int i = 0; i < 3 * FEW; ++i)
            most = fmax(most, fabs(v[k][i] - v[0][i]));
        print_message("%s - pgs: %.2g m/s\n", methods[k], most);
        /* Speeds are about 1; both are off by what their residuals allow. */
        assert_true(most < 1e-7 + 100 * (reached[k] + reached[0]));
        assert_true(reached[k] < 1e-5);
    }
    scree_world_destroy(world);
}

/* Velocities are unique without friction; with friction they are not where a body
 * slides and spins on more than three points, since those share its weight as
 * they like and each pulls another way. */
static void solvers__small_heap__agree(void **state) {
    (void)state;
    const int three_points[] = {0, 2, 4, 5};
    check_agreement(&(few){0, ALL, KINDS});
    check_agreement(&(few){0.4, three_points, 4});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pit__every_shape_on_every_shape__comes_to_rest),
        cmocka_unit_test(same_bits__heap_of_all_shapes__any_thread_count),
        cmocka_unit_test(solvers__small_heap__agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
