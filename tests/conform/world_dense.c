/* A small world as a dense system is the world: the same Delassus matrix, the same step
 * by Moreau's rule, and steppers that worlds do not have run on it. */
#include "engine/system/world_dense.h"

#include <string.h>

#include "engine/step/step.h"
#include "engine/system/dense_system.h"
#include "tests/support.h"

enum { MOST = 64 };

static scree_world *small_world(bool planar, double e_n) {
    scree_world_def def = scree_world_def_default();
    def.threads = 1;
    def.planar = planar;
    def.gap_control = false; /* Moreau to the letter, as models are run */
    def.solver.method = "newton";
    def.solver.tolerance = 1e-14;
    def.solver.warm_start = false;
    vec_to(planar ? vec(0, -9.81, 0) : vec(0, 0, -9.81), def.gravity);
    return make_world(&def, (scree_contact_law){.friction = 0.4, .e_n = e_n});
}

/* A pyramid of four balls that are pressed into each other and into a wall that moves,
 * with velocities that make some stick, some slide and some part. */
static scree_world *four_balls(double e_n) {
    scree_world *world = small_world(false, e_n);
    scree_plane_def floor = scree_plane_def_default();
    vec_to(vec(0, 0, 1), floor.normal);
    vec_to(vec(0.3, 0.1, 0), floor.motion.velocity);
    assert_ok(scree_world_add_plane(world, &floor, NULL));
    const double r = 0.1, d = 0.1995;
    add_sphere(world, r, vec(0, 0, 0.0999), vec(0.5, 0, -1), vec(3, 1, 0));
    add_sphere(world, r, vec(d, 0, 0.0999), vec(-0.2, 0.1, -1), vec(0, 2, 1));
    add_sphere(world, r, vec(0.5 * d, 0.866 * d, 0.0999), vec(0, -0.4, -1),
               vec(0, 0, 5));
    add_sphere(world, r, vec(0.5 * d, 0.289 * d, 0.0999 + 0.816 * d),
               vec(0.1, 0.2, -2), vec(1, 1, 1));
    return world;
}

static void add_cube(scree_world *world, int shape, scree_vec3 x,
                     const double q[4]) {
    scree_body_def def = scree_body_def_default();
    def.shape = shape;
    vec_to(x, def.position);
    memcpy(def.orientation, q, 4 * sizeof *q);
    assert_ok(scree_world_add_body(world, &def, NULL));
}

/* Two bricks on each other, the upper one turned, a ball beside them. */
static scree_world *two_bricks(void) {
    scree_world *world = small_world(false, 0);
    scree_shape_def brick = scree_shape_def_default();
    int32_t shape;
    brick.kind = SCREE_SHAPE_BOX;
    vec_to(vec(0.4, 0.2, 0.1), brick.size);
    assert_ok(scree_world_add_shape(world, &brick, &shape));
    add_floor(world);
    add_cube(world, shape, vec(0, 0, 0.0499), (double[]){1, 0, 0, 0});
    add_cube(world, shape, vec(0.02, 0.01, 0.1497),
             (double[]){0.9689124217, 0, 0, 0.2474039593});
    add_sphere(world, 0.05, vec(0.2498, 0, 0.0499), vec(0, 0, 0), vec(0, 0, 0));
    return world;
}

static scree_world_dense *dense_of(scree_world *world, double reach) {
    scree_world_dense *dense;
    scree_error error = {0};
    assert_ok(scree_world_dense_create(world, reach, &dense, &error));
    return dense;
}

/* ---- the Delassus matrix --------------------------------------------------- */

static scree_law_entry enter_all(const void *context,
                                 const scree_law_state *law) {
    (void)context, (void)law;
    return (scree_law_entry){.acts = true};
}

/* G = W^T M^-1 W, column by column, from the pushes of the world's own problem. */
static void world_delassus(scree_world *world, const scree_dense *s, double *G,
                           int n) {
    scree_problem *p = &world->state.problem;
    assert_ok(scree_world_enter(world, enter_all, NULL, SCREE_START_COLD));
    assert_int_equal(p->n_contact, s->ops->n_law);
    for (int j = 0; j < n; ++j) {
        const int law = j / 3, row = j % 3;
        const scree_vec3 normal = scree_problem_row(p, law).n,
                         along = perpendicular(normal);
        const scree_vec3 d[] = {normal, along, cross(normal, along)};
        for (int i = 0; i < p->n_body; ++i)
            p->u[i].v = p->u[i].w = vec(0, 0, 0);
        scree_problem_push(p, law, d[row]);
        for (int i = 0; i < n; ++i) {
            const scree_row at = scree_problem_row(p, i / 3);
            const scree_vec3 t = perpendicular(at.n);
            const scree_vec3 e[] = {at.n, t, cross(at.n, t)};
            G[i * n + j] = dot(e[i % 3], sub(scree_problem_xi(p, i / 3), at.c));
        }
    }
}

static void dense_delassus(scree_dense *s, double *G, int n) {
    const int n_u = s->ops->n_u;
    const size_t mark = scree_arena_mark(&s->scratch);
    scree_frame frame;
    assert_ok(scree_dense_frame(s, s->t, s->q, &frame));
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            double sum = 0;
            for (int k = 0; k < n_u; ++k)
                sum += frame.Wt[i * n_u + k] * frame.X[j * n_u + k];
            G[i * n + j] = sum;
        }
    scree_arena_pop(&s->scratch, mark);
}

static void compare_delassus(scree_world *world, int least) {
    static double mine[MOST * MOST], theirs[MOST * MOST];
    scree_world_dense *dense = dense_of(world, 1e-3);
    scree_dense *s = scree_world_dense_system(dense);
    const int n = s->ops->n_row;
    assert_true(s->ops->n_law >= least && n == 3 * s->ops->n_law && n <= MOST);
    dense_delassus(s, mine, n);
    world_delassus(world, s, theirs, n);
    double most = 0;
    for (int i = 0; i < n * n; ++i) most = fmax(most, fabs(theirs[i]));
    for (int i = 0; i < n * n; ++i)
        assert_true(fabs(mine[i] - theirs[i]) <= 1e-12 * most);
    scree_world_dense_destroy(dense);
    scree_world_destroy(world);
}

static void delassus__balls__that_of_the_world(void **state) {
    (void)state;
    compare_delassus(four_balls(0), 9);
}

static void delassus__bricks__that_of_the_world(void **state) {
    (void)state;
    compare_delassus(two_bricks(), 8);
}

/* ---- a step ------------------------------------------------------------------ */

static scree_dense_options tight_options(double dt) {
    scree_dense_options options = scree_dense_options_default();
    options.dt = dt;
    options.tolerance = 1e-14;
    return options;
}

static void compare_step(scree_world *alone, scree_world *seen, double reach,
                         double moved) {
    scree_world_dense *dense = dense_of(seen, reach);
    scree_error error = {0};
    const scree_dense_options options = tight_options(1e-3);
    const double v = read_body(seen, 0).v.x;
    assert_ok(scree_world_step(alone));
    assert_ok(scree_dense_step(scree_world_dense_system(dense), "moreau",
                               &options, &error));
    scree_world_dense_store(dense);
    for (int64_t i = 0; i < scree_world_body_count(alone); ++i) {
        const body a = read_body(alone, i), b = read_body(seen, i);
        assert_true(norm(sub(a.x, b.x)) < 1e-12);
        assert_true(norm(sub(a.v, b.v)) < 1e-12 * (1 + norm(a.v)));
        assert_true(norm(sub(a.w, b.w)) < 1e-12 * (1 + norm(a.w)));
    }
    assert_true(fabs(read_body(alone, 0).v.x - v) > moved); /* pushed */
    assert_true(scree_world_time(seen) == scree_world_time(alone));
    scree_world_dense_destroy(dense);
    scree_world_destroy(alone);
    scree_world_destroy(seen);
}

static void moreau__balls__that_of_the_world(void **state) {
    (void)state;
    compare_step(four_balls(0), four_balls(0), 0.01, 0.01);
}

static void moreau__restitution__that_of_the_world(void **state) {
    (void)state;
    compare_step(four_balls(0.5), four_balls(0.5), 0.01, 0.01);
}

static scree_world *two_discs(void) {
    scree_world *world = small_world(true, 0.3);
    add_plane(world, vec(0, 0, 0), vec(0, 1, 0));
    add_sphere(world, 0.1, vec(0, 0.0998, 0), vec(0.6, -1, 0), vec(0, 0, 2));
    add_sphere(world, 0.1, vec(0.1, 0.27, 0), vec(-0.1, -2, 0), vec(0, 0, 1));
    return world;
}

static void moreau__in_the_plane__that_of_the_world(void **state) {
    (void)state;
    compare_step(two_discs(), two_discs(), 0.01, 0.01);
}

/* ---- steppers that worlds do not have ------------------------------------------ */

/* A ball thrown up falls on a parabola, which Lobatto meets exactly; its energy, with a
 * brick's that turns freely beside it, is kept to the order of the method. */
static void lobatto__free_bodies__exact(void **state) {
    (void)state;
    scree_world *world = small_world(false, 0);
    scree_shape_def brick = scree_shape_def_default();
    scree_body_def body_def = scree_body_def_default();
    int32_t shape;
    brick.kind = SCREE_SHAPE_BOX;
    vec_to(vec(0.4, 0.2, 0.1), brick.size);
    assert_ok(scree_world_add_shape(world, &brick, &shape));
    body_def.shape = shape;
    vec_to(vec(5, 0, 0), body_def.position);
    vec_to(vec(1, 2, 3), body_def.angular_velocity);
    add_sphere(world, 0.1, vec(0, 0, 1), vec(1, 0, 2), vec(0, 0, 0));
    assert_ok(scree_world_add_body(world, &body_def, NULL));
    scree_world_dense *dense = dense_of(world, 0.01);
    scree_dense *s = scree_world_dense_system(dense);
    scree_dense_options options = tight_options(0.01);
    scree_error error = {0};
    options.tolerance = 1e-11;
    options.stages = 3;
    const double energy = s->ops->energy(s->p, s->t, s->q, s->u);
    for (int k = 0; k < 20; ++k)
        assert_ok(scree_dense_step(s, "lobatto", &options, &error));
    assert_true(fabs(s->ops->energy(s->p, s->t, s->q, s->u) - energy) <
                1e-7 * energy);
    scree_world_dense_store(dense);
    const body ball = read_body(world, 0);
    const double t = 0.2;
    assert_true(norm(sub(ball.x, vec(t, 0, 1 + 2 * t - 0.5 * 9.81 * t * t))) <
                1e-12);
    scree_world_dense_destroy(dense);
    scree_world_destroy(world);
}

/* One brick, thrown along the floor from a height. */
static scree_world *thrown_brick(double height, double e_n) {
    scree_world *world = small_world(false, e_n);
    scree_shape_def brick = scree_shape_def_default();
    scree_body_def def = scree_body_def_default();
    int32_t shape;
    brick.kind = SCREE_SHAPE_BOX;
    vec_to(vec(0.4, 0.2, 0.1), brick.size);
    assert_ok(scree_world_add_shape(world, &brick, &shape));
    add_floor(world);
    def.shape = shape;
    vec_to(vec(0, 0, 0.05 + height), def.position);
    vec_to(vec(4, 3, 0), def.velocity);
    assert_ok(scree_world_add_body(world, &def, NULL));
    return world;
}

/* Steps the world until t, and gives it back as a body. */
static body run_alpha(scree_world *world, double dt, double t) {
    scree_world_dense *dense = dense_of(world, 0.06);
    scree_dense *s = scree_world_dense_system(dense);
    scree_dense_options options = tight_options(dt);
    scree_error error = {0};
    options.tolerance = 1e-11;
    assert_int_equal(s->ops->n_law, 4);
    while (s->t < t - 0.5 * dt) {
        assert_ok(scree_dense_step(s, "generalized-alpha", &options, &error));
        for (int k = 0; k < 4; ++k) assert_true(s->g[k] > -1e-10);
    }
    assert_int_equal(s->unconverged, 0);
    scree_world_dense_store(dense);
    scree_world_dense_destroy(dense);
    const body end = read_body(world, 0);
    scree_world_destroy(world);
    return end;
}

/* Four corners on the floor: mu g against the slip, however they share the weight. */
static void generalized_alpha__brick_slides__closed_form(void **state) {
    (void)state;
    const body end = run_alpha(thrown_brick(0, 0), 0.01, 0.5);
    const double v = 5 - 0.4 * 9.81 * 0.5, way = 2.5 - 0.2 * 9.81 * 0.25;
    assert_true(norm(sub(end.v, vec(0.8 * v, 0.6 * v, 0))) < 1e-9);
    assert_true(norm(sub(end.x, vec(0.8 * way, 0.6 * way, 0.05))) < 1e-9);
    assert_true(norm(end.w) < 1e-8);
}

/* Falls on all four at once, a whole number of steps later. */
static void generalized_alpha__brick_falls__newtons_law(void **state) {
    (void)state;
    const double t = 0.1005, dt = 1e-3, v = 9.81 * 0.101;
    scree_world *world = thrown_brick(0.5 * 9.81 * t * t, 0.5);
    const body end = run_alpha(world, dt, 0.101);
    /* What turns it back is the velocity with which the step began. */
    assert_true(fabs(end.v.z - 0.5 * (v - 9.81 * dt)) < 1e-9);
    assert_true(fabs(end.x.z - 0.05) < 1e-9);
}

/* ---- what it does not know -------------------------------------------------- */

static void create__rolling__refused_by_name(void **state) {
    (void)state;
    const scree_world_def def = scree_world_def_default();
    scree_world *world =
        make_world(&def, (scree_contact_law){.friction = 0.4, .rolling = 0.01});
    scree_world_dense *dense;
    scree_error error = {0};
    add_sphere(world, 0.1, vec(0, 0, 1), vec(0, 0, 0), vec(0, 0, 0));
    assert_int_equal(scree_world_dense_create(world, 0.01, &dense, &error),
                     SCREE_UNSUPPORTED);
    assert_null(dense);
    assert_non_null(strstr(error.text, "rolling"));
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delassus__balls__that_of_the_world),
        cmocka_unit_test(delassus__bricks__that_of_the_world),
        cmocka_unit_test(moreau__balls__that_of_the_world),
        cmocka_unit_test(moreau__restitution__that_of_the_world),
        cmocka_unit_test(moreau__in_the_plane__that_of_the_world),
        cmocka_unit_test(lobatto__free_bodies__exact),
        cmocka_unit_test(generalized_alpha__brick_slides__closed_form),
        cmocka_unit_test(generalized_alpha__brick_falls__newtons_law),
        cmocka_unit_test(create__rolling__refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
