/* Shear by Lees and Edwards against shear between rough walls: discs in the plane flow at the
 * same pressure and the same rate of shear, once by images that slide (the cell holds the
 * pressure that the walls bore), once by teeth that pull them. Both give the same shear
 * stress over pressure; teeth slip, so the rate is that in the middle of the flow. */
#include "engine/base/random.h"
#include "tests/support.h"

static const double RADIUS = 0.01, PITCH = 0.0208, TOOTH = 0.02, RATE = 20;
enum { ALONG = 10, ACROSS = 22, SETTLE = 4000, MEASURE = 7000 };

static scree_world *make_flow(bool walls, double rate, double pressure) {
    scree_world_def def = scree_world_def_default();
    scree_cell_def cell = scree_cell_def_default();
    scree_material_def rock = scree_material_def_default();
    scree_random rng = {11};
    scree_world *world;
    def.dt = 2e-4;
    def.planar = true;
    def.threads = 1;
    def.gravity[2] = 0;
    assert_ok(scree_world_create(&def, &world));
    rock.law = (scree_contact_law){.friction = 0.5, .e_n = 0.3};
    assert_ok(scree_world_add_material(world, &rock, NULL));
    cell.periodic[0] = true, cell.periodic[1] = !walls;
    cell.high[0] = ALONG * PITCH, cell.high[1] = ACROSS * PITCH;
    cell.shear_rate = walls ? 0 : rate;
    cell.pressure[1] = pressure;
    assert_ok(scree_world_set_cell(world, &cell));
    for (int k = 0; k < ALONG * ACROSS; ++k) {
        const double y = PITCH * (k / ALONG + 0.5);
        const double r = RADIUS * scree_random_range(&rng, 0.96, 1.035);
        add_sphere(world, r, vec(PITCH * (k % ALONG + 0.5), y, 0),
                   vec(rate * (y - 0.5 * cell.high[1]) +
                           scree_random_range(&rng, -0.1, 0.1),
                       scree_random_range(&rng, -0.1, 0.1), 0),
                   vec(0, 0, 0));
    }
    return world;
}

/* Teeth below the flow or above it, so many that they are everywhere in the cell as long
 * as they move; bodies are to the left of the way along them. */
static void add_teeth(scree_world *world, bool above, double speed) {
    enum { TEETH = 700 };
    double points[3 * (2 * TEETH + 1)];
    const double length = ALONG * PITCH, side = above ? -1 : 1;
    for (int k = 0; k <= 2 * TEETH; ++k) {
        const double x = 0.5 * TOOTH * (k - TEETH);
        points[3 * k] = 0.5 * length + side * x;
        points[3 * k + 1] =
            (above ? ACROSS * PITCH : 0) - side * (k % 2 ? 0 : 0.5 * TOOTH);
        points[3 * k + 2] = 0;
    }
    scree_segments_def def = scree_segments_def_default();
    def.points = points, def.n_point = 2 * TEETH + 1;
    def.motion.velocity[0] = speed;
    assert_ok(scree_world_add_segments(world, &def, NULL));
}

typedef struct flow {
    double rate, pressure, shear; /* [1/s], [N/m] */
} flow;

/* Slope of v_x over y in the middle. */
static double rate_in_middle(scree_world *world) {
    double n = 0, y1 = 0, y2 = 0, v1 = 0, yv = 0;
    for (int k = 0; k < ALONG * ACROSS; ++k) {
        const body b = read_body(world, k);
        const double y = b.x.y / (ACROSS * PITCH) - 0.5;
        if (fabs(y) > 0.3) continue;
        n += 1, y1 += y, y2 += y * y, v1 += b.v.x, yv += y * b.v.x;
    }
    return (n * yv - y1 * v1) / (n * y2 - y1 * y1) / (ACROSS * PITCH);
}

static flow between_walls(void) {
    scree_world *world = make_flow(true, RATE, 0);
    const double speed = 0.5 * RATE * ACROSS * PITCH, area = ALONG * PITCH;
    flow mean = {0, 0, 0};
    add_teeth(world, false, -speed);
    add_teeth(world, true, speed);
    run(world, SETTLE);
    for (int k = 0; k < MEASURE; ++k) {
        run(world, 1);
        mean.rate += rate_in_middle(world) / MEASURE;
        for (int w = 0; w < 2; ++w) {
            const double side = w ? -1 : 1;
            double force[3];
            scree_world_read_wall_force(world, w, force);
            mean.pressure -= 0.5 * side * force[1] / area / MEASURE;
            mean.shear += 0.5 * side * force[0] / area / MEASURE;
        }
    }
    scree_world_destroy(world);
    return mean;
}

static flow by_images(const flow *asked) {
    scree_world *world = make_flow(false, asked->rate, asked->pressure);
    flow mean = {.rate = asked->rate};
    run(world, SETTLE);
    for (int k = 0; k < MEASURE; ++k) {
        scree_cell_view cell;
        run(world, 1);
        assert_true(scree_world_read_cell(world, &cell));
        mean.pressure += cell.stress[1][1] / MEASURE;
        mean.shear -= cell.stress[0][1] / MEASURE;
    }
    scree_world_destroy(world);
    return mean;
}

static void shear__rough_walls_and_images__same_stress(void **state) {
    (void)state;
    const flow walls = between_walls(), images = by_images(&walls);
    assert_near(images.pressure / walls.pressure, 1, 0.05);
    assert_near((images.shear / images.pressure) /
                    (walls.shear / walls.pressure),
                1, 0.05);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shear__rough_walls_and_images__same_stress)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
