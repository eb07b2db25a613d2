/* Clumps that have nothing at their centre of mass: only their balls are felt.
 */
#include "tests/analytic/shapes_fixture.h"

static int add_balls(scree_world *world, const double (*balls)[4], int n) {
    scree_shape_def def = scree_shape_def_default();
    def.kind = SCREE_SHAPE_CLUMP;
    def.balls = balls[0], def.n_ball = n;
    return add_shape(world, &def);
}

/* Two balls, 0.6 apart along x. */
static int add_dumbbell(scree_world *world, double r) {
    const double balls[2][4] = {{-0.3, 0, 0, r}, {0.3, 0, 0, r}};
    return add_balls(world, balls, 2);
}

/* ---- a ridge between the balls ---------------------------------------------
 */

/* Along y, 0.2 wide at its foot and 0.08 high, on a flat floor. */
static void add_ridge(scree_world *world) {
    enum { NX = 21, NY = 3 };
    double z[NX * NY] = {0};
    for (int j = 0; j < NY; ++j) z[j * NX + NX / 2] = 0.08;
    scree_terrain_def def = scree_terrain_def_default();
    def.nx = NX, def.ny = NY, def.cell = 0.1;
    def.x0 = -1, def.y0 = -0.1;
    def.heights = z;
    assert_ok(scree_world_add_terrain(world, &def, NULL));
}

/* The same as a mesh: floor, two slopes, floor. */
static void add_ridge_mesh(scree_world *world) {
    const double x[] = {-1, -0.1, 0, 0.1, 1}, z[] = {0, 0, 0.08, 0, 0};
    double p[10][3];
    int32_t c[8][3];
    for (int k = 0; k < 10; ++k) {
        const double at[3] = {x[k / 2], k % 2 ? 1 : -1, z[k / 2]};
        memcpy(p[k], at, sizeof at);
    }
    for (int32_t k = 0; k < 4; ++k) {
        const int32_t a = 2 * k;
        const int32_t two[2][3] = {{a, a + 2, a + 3}, {a, a + 3, a + 1}};
        memcpy(c[2 * k], two, sizeof two);
    }
    scree_mesh_def def = scree_mesh_def_default();
    def.vertices = p[0], def.n_vertex = 10;
    def.corners = c[0], def.n_triangle = 8;
    assert_ok(scree_world_add_mesh(world, &def, NULL));
}

/* The crest is 0.02 below the centre of mass: a ball there would be lifted. */
static void rests_over_ridge(const char *stepper,
                             void (*ridge)(scree_world *)) {
    scree_world_def def = firm_def(2e-3);
    def.stepper = stepper;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    ridge(world);
    put_body(world, (put){add_dumbbell(world, 0.1), .x = vec(0, 0, 0.101)});
    run(world, 200);
    const body b = read_body(world, 0);
    assert_near(b.x.z, 0.1, 1e-5);
    assert_near(b.x.x, 0, 1e-5);
    assert_near(turned_by(b.q), 0, 1e-4);
    assert_int_equal(scree_world_total_contacts(world), 2);
    scree_world_destroy(world);
}

static void dumbbell__over_a_ridge__rests_on_its_balls(void **state) {
    (void)state;
    rests_over_ridge("moreau", add_ridge);
    rests_over_ridge("moreau", add_ridge_mesh);
    rests_over_ridge("rattle", add_ridge);
    rests_over_ridge("rattle", add_ridge_mesh);
}

/* ---- a post in a ring -------------------------------------------------------
 */

/* A square post along z, 2 half wide. */
static void add_post(scree_world *world, double half, bool two_sided) {
    double p[8][3];
    int32_t c[8][3];
    for (int k = 0; k < 8; ++k) {
        const int corner = k % 4;
        const double at[3] = {corner == 0 || corner == 3 ? -half : half,
                              corner < 2 ? -half : half, k < 4 ? -5 : 5};
        memcpy(p[k], at, sizeof at);
    }
    for (int32_t k = 0; k < 4; ++k) {
        const int32_t next = (k + 1) % 4;
        const int32_t two[2][3] = {{k, next, next + 4}, {k, next + 4, k + 4}};
        memcpy(c[2 * k], two, sizeof two);
    }
    scree_mesh_def def = scree_mesh_def_default();
    def.vertices = p[0], def.n_vertex = 8;
    def.corners = c[0], def.n_triangle = 8;
    def.two_sided = two_sided;
    assert_ok(scree_world_add_mesh(world, &def, NULL));
}

static int add_ring(scree_world *world, double radius, double r) {
    enum { BALLS = 12 };
    double balls[BALLS][4];
    for (int k = 0; k < BALLS; ++k) {
        const double phi = 2 * SCREE_PI * k / BALLS;
        const double ball[4] = {radius * cos(phi), radius * sin(phi), 0, r};
        memcpy(balls[k], ball, sizeof ball);
    }
    return add_balls(world, balls, BALLS);
}

/* At rest, spinning, and so fast along the post that it is looked after. */
static void ring__around_a_post__feels_nothing(void **state) {
    (void)state;
    const scree_vec3 v[] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 30}};
    const scree_vec3 w[] = {{0, 0, 0}, {0, 0, 5}, {0, 0, 0}};
    for (int k = 0; k < 6; ++k) {
        scree_world_def def = firm_def(2e-3);
        memset(def.gravity, 0, sizeof def.gravity);
        scree_world *world = make_world(&def, (scree_contact_law){0});
        add_post(world, 0.03, k % 2);
        put_body(world,
                 (put){add_ring(world, 0.3, 0.05), .x = vec(0.01, 0.005, -1),
                       .v = v[k / 2], .w = w[k / 2]});
        run(world, 40);
        const body b = read_body(world, 0);
        assert_near(norm(sub(b.v, v[k / 2])), 0, 1e-12);
        assert_near(norm(sub(b.w, w[k / 2])), 0, 1e-12);
        scree_world_destroy(world);
    }
}

/* ---- a ball that hits -------------------------------------------------------
 */

/* Height over the plate of the ball that hits it. */
static double ball_height(const body *b) {
    return b->x.z + quat_rotate(b->q, vec(0.3, 0, 0)).z;
}

/* A dumbbell flies at a plate that one of its balls meets, by up to twenty of
 * its radii in a step: that ball does not come through, and the body turns. */
static void dumbbell__one_ball_hits_a_plate__is_caught_by_it(void **state) {
    (void)state;
    const double p[4][3] = {{0.1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {0.1, 1, 0}};
    const int32_t c[2][3] = {{0, 1, 2}, {0, 2, 3}};
    for (int k = 1; k <= 20; ++k) {
        scree_world_def def = firm_def(1e-3);
        memset(def.gravity, 0, sizeof def.gravity);
        scree_world *world = make_world(&def, (scree_contact_law){0});
        scree_mesh_def plate = scree_mesh_def_default();
        plate.vertices = p[0], plate.n_vertex = 4;
        plate.corners = c[0], plate.n_triangle = 2;
        plate.two_sided = k % 2;
        assert_ok(scree_world_add_mesh(world, &plate, NULL));
        const double r = 0.05, speed = k * r / def.dt;
        put_body(world, (put){add_dumbbell(world, r), .x = vec(0, 0, 1.03),
                              .v = vec(0, 0, -speed)});
        for (int i = 0; i < 30 && read_body(world, 0).w.y == 0; ++i)
            run(world, 1);
        const body b = read_body(world, 0);
        assert_true(b.w.y < 0); /* the ball at +x is held back */
        assert_true(ball_height(&b) > 0);
        assert_true(read_scalars(world).dissipated >= 0);
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dumbbell__over_a_ridge__rests_on_its_balls),
        cmocka_unit_test(ring__around_a_post__feels_nothing),
        cmocka_unit_test(dumbbell__one_ball_hits_a_plate__is_caught_by_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
