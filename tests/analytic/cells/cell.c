/* Periodic cells (contact/narrow/period.h, engine/world/cell.h): contacts against those of a
 * world with all images as bodies, what is conserved, what does not depend on where bodies
 * are wrapped, checkpoints, and what is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/random.h"
#include "engine/step/step.h"
#include "engine/world/state.h"
#include "engine/world/view.h"
#include "engine/world/world.h"
#include "tests/in_memory.h"
#include "tests/support.h"

static const scree_vec3 zero = {0, 0, 0};

typedef struct trial {
    const char *stepper;
    bool planar, reproducible;
    int threads;
    scree_vec3 gravity;
    double dt, friction, restitution;
    const char *along;
    scree_vec3 edge;
    double shear_rate;
    scree_vec3 stretch;
} trial;

static scree_world *periodic_world(const trial *t) {
    scree_world_def def = scree_world_def_default();
    if (t->stepper) def.stepper = t->stepper;
    if (t->dt > 0) def.dt = t->dt;
    def.planar = t->planar;
    def.reproducible = t->reproducible;
    def.threads = t->threads ? t->threads : 1;
    vec_to(t->gravity, def.gravity);
    scree_world *world =
        make_world(&def, (scree_contact_law){.friction = t->friction,
                                             .e_n = t->restitution});
    if (!t->along) return world;
    scree_cell_def cell = scree_cell_def_default();
    vec_to(t->edge, cell.high);
    vec_to(t->stretch, cell.stretch);
    cell.shear_rate = t->shear_rate;
    for (int k = 0; k < 3; ++k)
        cell.periodic[k] = strchr(t->along, "xyz"[k]) != NULL;
    assert_ok(scree_world_set_cell(world, &cell));
    return world;
}

static scree_vec3 place_in(scree_random *rng, scree_vec3 edge) {
    const double x = scree_random_range(rng, 0, edge.x),
                 y = scree_random_range(rng, 0, edge.y),
                 z = scree_random_range(rng, 0, edge.z);
    return vec(x, y, z);
}

/* A place that many others are whole multiples of 2^-30 from. */
static scree_vec3 on_grid(scree_vec3 x) {
    return vec(ldexp(nearbyint(ldexp(x.x, 30)), -30),
               ldexp(nearbyint(ldexp(x.y, 30)), -30),
               ldexp(nearbyint(ldexp(x.z, 30)), -30));
}

/* ---- contacts against all images as bodies ------------------------------------ */

static int add_box_shape(scree_world *world) {
    scree_shape_def def = scree_shape_def_default();
    int shape;
    def.kind = SCREE_SHAPE_BOX;
    def.size[0] = 0.2, def.size[1] = 0.15, def.size[2] = 0.1;
    assert_ok(scree_world_add_shape(world, &def, &shape));
    return shape;
}

static int add_long_shape(scree_world *world, scree_shape_kind kind) {
    scree_shape_def def = scree_shape_def_default();
    int shape;
    def.kind = kind;
    def.radius = 0.05, def.length = 0.15;
    assert_ok(scree_world_add_shape(world, &def, &shape));
    return shape;
}

static int add_clump_shape(scree_world *world) {
    static const double balls[] = {0, 0, 0, 0.06, 0.07, 0, 0, 0.05};
    scree_shape_def def = scree_shape_def_default();
    int shape;
    def.kind = SCREE_SHAPE_CLUMP;
    def.balls = balls, def.n_ball = 2;
    assert_ok(scree_world_add_shape(world, &def, &shape));
    return shape;
}

static int add_hull_shape(scree_world *world) {
    static const double points[] = {0.1, 0,    0,    -0.08, 0,    0,
                                    0,   0.09, 0.02, -0.01, -0.1, 0,
                                    0,   0.02, 0.1,  0,     0,    -0.07};
    scree_shape_def def = scree_shape_def_default();
    int shape;
    def.kind = SCREE_SHAPE_POLYHEDRON;
    def.points = points, def.n_point = 6;
    assert_ok(scree_world_add_shape(world, &def, &shape));
    return shape;
}

static int add_polygon_shape(scree_world *world) {
    static const double points[] = {0.1,   0,    0, 0,    0.09, 0,
                                    -0.08, 0.01, 0, 0.01, -0.1, 0};
    scree_shape_def def = scree_shape_def_default();
    int shape;
    def.kind = SCREE_SHAPE_POLYGON;
    def.points = points, def.n_point = 4;
    assert_ok(scree_world_add_shape(world, &def, &shape));
    return shape;
}

static int add_shapes(scree_world *world, bool planar) {
    if (planar) {
        add_polygon_shape(world);
        return 1;
    }
    add_box_shape(world);
    add_long_shape(world, SCREE_SHAPE_CAPSULE);
    add_long_shape(world, SCREE_SHAPE_CYLINDER);
    add_clump_shape(world);
    add_hull_shape(world);
    return 5;
}

/* Body k, moved by `shift`: every sixth is a sphere. */
static void add_kind(scree_world *world, int shapes, int k, bool planar,
                     scree_vec3 edge, scree_vec3 shift) {
    scree_random rng = scree_random_stream(7, (uint64_t)k);
    const scree_vec3 x = add(on_grid(place_in(&rng, edge)), shift);
    const scree_vec3 v =
        vec(scree_random_range(&rng, -1, 1), scree_random_range(&rng, -1, 1),
            planar ? 0 : scree_random_range(&rng, -1, 1));
    if (k % (shapes + 1) == shapes) {
        add_sphere(world, 0.06, x, v, zero);
        return;
    }
    scree_body_def def = scree_body_def_default();
    def.shape = k % (shapes + 1);
    vec_to(x, def.position);
    vec_to(v, def.velocity);
    for (int i = 0; i < 4; ++i)
        def.orientation[i] =
            planar && (i == 1 || i == 2) ? 0 : scree_random_range(&rng, -1, 1);
    assert_ok(scree_world_add_body(world, &def, NULL));
}

typedef struct meeting {
    int64_t a, b;
    double g;
} meeting;

static int by_meeting(const void *p, const void *q) {
    const meeting *x = p, *y = q;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    if (x->b != y->b) return x->b < y->b ? -1 : 1;
    return (x->g > y->g) - (x->g < y->g);
}

static meeting meeting_of(int64_t a, int64_t b, double g) {
    return a < b ? (meeting){a, b, g} : (meeting){b, a, g};
}

enum { KINDS = 42 };

/* Those of a body of the cell itself, twice: each is seen from both of its bodies. */
static int64_t list_meetings(scree_world *world, meeting **list) {
    const scree_contacts *c = &world->state.contacts;
    const int64_t *id = world->state.bodies.id;
    int64_t n = 0;
    scree_world_detect(world, world->def.dt, true);
    *list = malloc((size_t)(2 * c->n + 1) * sizeof **list);
    assert_non_null(*list);
    for (int64_t k = 0; k < c->n; ++k) {
        const int64_t a = id[c->list[k].a], b = id[c->list[k].b];
        const int times = (a < KINDS) + (b < KINDS);
        for (int i = 0; i < times; ++i)
            (*list)[n++] = meeting_of(a % KINDS, b % KINDS, c->list[k].g);
    }
    qsort(*list, (size_t)n, sizeof **list, by_meeting);
    return n;
}

static void compare_with_images(bool planar, scree_vec3 edge,
                                const char *along) {
    const trial open = {.planar = planar, .dt = 1e-2};
    trial cell = open;
    cell.along = along, cell.edge = edge;
    scree_world *few = periodic_world(&cell), *many = periodic_world(&open);
    const int shapes = add_shapes(few, planar);
    add_shapes(many, planar);
    for (int k = 0; k < KINDS; ++k)
        add_kind(few, shapes, k, planar, edge, zero);
    for (int image = 0; image < 27; ++image) {
        const int s[3] = {(image + 1) % 3 - 1, (image / 3 + 1) % 3 - 1,
                          (image / 9 + 1) % 3 - 1};
        bool is_one = true;
        for (int e = 0; e < 3; ++e)
            is_one &= s[e] == 0 || strchr(along, "xyz"[e]) != NULL;
        if (!is_one) continue;
        for (int k = 0; k < KINDS; ++k)
            add_kind(many, shapes, k, planar, edge,
                     vec(s[0] * edge.x, s[1] * edge.y, s[2] * edge.z));
    }
    meeting *found, *expected;
    const int64_t n = list_meetings(few, &found);
    assert_true(n > KINDS);
    assert_int_equal(n, list_meetings(many, &expected));
    for (int64_t k = 0; k < n; ++k) {
        assert_int_equal(found[k].a, expected[k].a);
        assert_int_equal(found[k].b, expected[k].b);
        assert_near(found[k].g, expected[k].g, 1e-12);
    }
    free(found);
    free(expected);
    scree_world_destroy(few);
    scree_world_destroy(many);
}

static void contacts__all_shapes__those_of_a_world_with_images(void **state) {
    (void)state;
    compare_with_images(false, vec(0.75, 0.75, 0.75), "xyz");
    compare_with_images(false, vec(0.5, 1, 1), "xz");
    compare_with_images(false, vec(0.75, 0.75, 0.75), "y");
}

static void contacts__plane_world__those_of_a_world_with_images(void **state) {
    (void)state;
    compare_with_images(true, vec(1, 1.25, 0), "xy");
    compare_with_images(true, vec(0.75, 1.25, 0), "x");
}

/* ---- what is conserved ---------------------------------------------------------- */

static void fill_gas(scree_world *world, scree_vec3 edge, int row, double r) {
    scree_random rng = {3};
    const double gap = edge.x / row;
    for (int k = 0; k < row * row * row; ++k) {
        const scree_vec3 x =
            vec(gap * (k % row + 0.5), gap * (k / row % row + 0.5),
                gap * (k / row / row + 0.5));
        const scree_vec3 v = vec(scree_random_range(&rng, -1, 1),
                                 scree_random_range(&rng, -1, 1),
                                 scree_random_range(&rng, -1, 1));
        add_sphere(world, r, x, v, zero);
    }
}

static scree_vec3 momentum_of(const scree_world *world) {
    const scree_bodies *b = &world->state.bodies;
    scree_vec3 p = zero;
    for (int32_t i = 0; i < b->n; ++i)
        p = add_scaled(p, 1 / b->u[i].inv_m, b->u[i].v);
    return p;
}

static void keeps_momentum(const char *stepper) {
    const trial t = {.stepper = stepper,
                     .dt = 1e-3,
                     .friction = 0.3,
                     .restitution = 0.8,
                     .along = "xyz",
                     .edge = vec(1, 1, 1)};
    scree_world *world = periodic_world(&t);
    fill_gas(world, t.edge, 5, 0.08);
    const scree_vec3 before = momentum_of(world);
    const double mass = read_body(world, 0).m * 125;
    run(world, 300);
    const scree_vec3 after = momentum_of(world);
    assert_true(read_scalars(world).dissipated > 0);
    assert_near(norm(sub(after, before)), 0, 1e-13 * mass);
    assert_near(energy_defect(world), 0, 1e-9 * mass);
    for (int i = 0; i < 125; ++i) {
        const scree_vec3 x = read_body(world, i).x;
        assert_true(x.x >= 0 && x.x < 1 && x.y >= 0 && x.y < 1 && x.z >= 0 &&
                    x.z < 1);
    }
    scree_world_destroy(world);
}

static void gas__in_three_directions__keeps_momentum(void **state) {
    (void)state;
    keeps_momentum("moreau");
    keeps_momentum("rattle");
}

/* A body that flies on is where it would be without a cell. */
static void unwrapped__free_flight__straight_on(void **state) {
    (void)state;
    const trial t = {.dt = 1e-2, .along = "xyz", .edge = vec(1, 0.5, 0.75)};
    scree_world *world = periodic_world(&t);
    const scree_vec3 x = vec(0.9, 0.1, 0.3), v = vec(3, -2, 1);
    add_sphere(world, 0.1, x, v, zero);
    run(world, 500);
    const scree_vec3 end = scree_world_unwrapped(world, 0);
    assert_near(norm(sub(end, add_scaled(x, 5, v))), 0, 1e-11);
    const scree_vec3 in = read_body(world, 0).x;
    assert_true(in.x >= 0 && in.x < 1 && in.y >= 0 && in.y < 0.5);
    scree_world_destroy(world);
}

/* ---- what must not matter ----------------------------------------------------------- */

typedef struct bed {
    const char *stepper;
    scree_vec3 shift; /* of all bodies */
    int away;         /* every third is so many edges along x on */
    bool shapes, bare;
} bed;

static scree_world *make_bed(const bed *b, int threads, bool reproducible) {
    const trial t = {.stepper = b->stepper,
                     .dt = 1e-3,
                     .threads = threads,
                     .reproducible = reproducible,
                     .gravity = vec(2, 0, -9.81),
                     .friction = 0.4,
                     .restitution = 0.2,
                     .along = "xy",
                     .edge = vec(1, 0.75, 0)};
    scree_world *world = periodic_world(&t);
    const int shapes = b->shapes ? add_shapes(world, false) : 0;
    scree_random rng = {17};
    add_floor(world);
    if (b->bare) return world;
    for (int k = 0; k < 200; ++k) {
        const scree_vec3 jitter = {scree_random_range(&rng, 0, 0.03),
                                   scree_random_range(&rng, 0, 0.03), 0};
        scree_vec3 x = vec(0.2 * (k % 5) + 0.1, 0.25 * (k / 5 % 3) + 0.1,
                           0.2 * (k / 15) + 0.12);
        x = add(on_grid(add(x, jitter)), b->shift);
        if (k % 3 == 0) x.x += b->away;
        if (k % (shapes + 1) == shapes) {
            add_sphere(world, 0.08, x, vec(0, 0, -1), zero);
            continue;
        }
        scree_body_def def = scree_body_def_default();
        def.shape = k % (shapes + 1);
        vec_to(x, def.position);
        assert_ok(scree_world_add_body(world, &def, NULL));
    }
    return world;
}

static void same_but_shifted(const scree_world *x, const scree_world *y,
                             scree_vec3 shift, int away) {
    for (int32_t k = 0; k < x->state.bodies.n; ++k) {
        const int32_t i = scree_bodies_place(&x->state.bodies, k),
                      j = scree_bodies_place(&y->state.bodies, k);
        const scree_twist *u = &x->state.bodies.u[i],
                          *v = &y->state.bodies.u[j];
        assert_memory_equal(u, v, sizeof *u);
        assert_memory_equal(&x->state.bodies.q[i], &y->state.bodies.q[j],
                            sizeof(scree_quat));
        const scree_vec3 p = scree_world_unwrapped(x, i),
                         q = scree_world_unwrapped(y, j);
        const scree_vec3 d = sub(sub(q, p), shift);
        assert_true(d.x == (k % 3 == 0 ? away : 0) && d.y == 0 && d.z == 0);
    }
}

static void compare_shifted(const char *stepper, bool shapes, int steps) {
    bed b = {.stepper = stepper, .shapes = shapes};
    scree_world *x = make_bed(&b, 1, true);
    b.shift = vec(0.375, 0.3125, 0), b.away = 3;
    scree_world *y = make_bed(&b, 1, true);
    run(x, steps);
    run(y, steps);
    assert_true(scree_world_total_contacts(x) > 50);
    same_but_shifted(x, y, b.shift, b.away);
    scree_world_destroy(x);
    scree_world_destroy(y);
}

static void bed__shifted_copy__same_bits(void **state) {
    (void)state;
    compare_shifted("moreau", false, 400);
    compare_shifted("rattle", false, 300);
}

static void bed__shifted_copy_of_all_shapes__same_bits(void **state) {
    (void)state;
    compare_shifted("moreau", true, 300);
}

static void bed__threads__same_bits(void **state) {
    (void)state;
    const bed b = {.stepper = "moreau", .shapes = true};
    scree_world *x = make_bed(&b, 1, false), *y = make_bed(&b, 2, false);
    run(x, 200);
    run(y, 200);
    assert_true(scree_world_hash(x) == scree_world_hash(y));
    scree_world_destroy(x);
    scree_world_destroy(y);
}

/* ---- checkpoints ----------------------------------------------------------------------- */

static uint64_t restarted(const bed *b, in_memory *m, int steps) {
    bed bare = *b;
    bare.bare = true;
    scree_world *world = make_bed(&bare, 1, false);
    scree_error error = {0};
    scree_archive a = {
        .ops = &in_memory_ops, .self = m, .loads = true, .error = &error};
    const scree_status status = scree_world_archive(world, &a);
    if (status != SCREE_OK) print_error("%s\n", error.text);
    assert_ok(status);
    run(world, steps);
    const uint64_t hash = scree_world_hash(world);
    assert_true(scree_world_unwrapped(world, 0).x > 1.5);
    scree_world_destroy(world);
    return hash;
}

static void bed__checkpoint__goes_on_with_the_same_bits(void **state) {
    (void)state;
    const char *const steppers[] = {"moreau", "rattle"};
    for (int s = 0; s < 2; ++s)
        for (int shapes = 0; shapes < 2; ++shapes) {
            const bed b = {.stepper = steppers[s], .shapes = shapes, .away = 2};
            scree_world *world = make_bed(&b, 1, false);
            scree_error error = {0};
            in_memory m = {.n = 0};
            run(world, 130);
            scree_archive a = {
                .ops = &in_memory_ops, .self = &m, .error = &error};
            assert_ok(scree_world_archive(world, &a));
            run(world, 60);
            assert_true(scree_world_hash(world) == restarted(&b, &m, 60));
            scree_world_destroy(world);
            in_memory_clear(&m);
        }
}

/* ---- cells that move --------------------------------------------------------------------- */

/* Through the upper side a body comes in below, slower by the velocity of that image, and
 * as far to the side as it has gone. */
static void sheared__through_upper_side__slower_by_images(void **state) {
    (void)state;
    const trial t = {.dt = 1.0 / 1024,
                     .along = "xyz",
                     .edge = vec(2, 1, 1),
                     .shear_rate = 0.5};
    scree_world *world = periodic_world(&t);
    add_sphere(world, 0.1, vec(0.25, 0.75, 0.5), vec(0, 1, 0), zero);
    run(world, 1024);
    const body b = read_body(world, 0);
    assert_near(norm(sub(b.v, vec(-0.5, 1, 0))), 0, 1e-14);
    /* outside at t = 1/4, when images were 1/8 further along x */
    const double x = 0.25 - 0.125 - 0.5 * 0.75 + 2;
    assert_near(norm(sub(b.x, vec(x, 0.75, 0.5))), 0, 2e-3);
    scree_cell_view cell;
    assert_true(scree_world_read_cell(world, &cell));
    assert_near(cell.edge[1][0], 0.5, 1e-12);
    assert_near(cell.speed[1][0], 0.5, 1e-15);
    scree_world_destroy(world);
}

/* A gas that is sheared is heated by the cell: the balance of energy closes, and edges
 * that have slid by many lengths are as good as new. */
static void balances_energy(const trial *t, int steps) {
    scree_world *world = periodic_world(t);
    fill_gas(world, t->edge, 5, 0.08);
    run(world, steps);
    const scree_scalars s = read_scalars(world);
    assert_true(fabs(s.wall_work) > 0.1 * s.kinetic);
    assert_near(s.scheme_error, 0, 1e-9 * s.dissipated);
    scree_world_destroy(world);
}

static void sheared__gas__balance_of_energy_closes(void **state) {
    (void)state;
    trial t = {.dt = 1e-3,
               .friction = 0.3,
               .restitution = 0.8,
               .along = "xyz",
               .edge = vec(1, 1, 1),
               .shear_rate = 2};
    balances_energy(&t, 1200);
    t.stepper = "rattle";
    balances_energy(&t, 300);
}

static void stretched__gas__balance_of_energy_closes(void **state) {
    (void)state;
    const trial t = {.dt = 1e-3,
                     .restitution = 1,
                     .along = "xyz",
                     .edge = vec(1, 1, 1),
                     .stretch = vec(-0.1, 0.2, -0.3)};
    balances_energy(&t, 400);
}

static void stretched__too_small__stops_with_what_it_must_be(void **state) {
    (void)state;
    const trial t = {.dt = 1e-2,
                     .along = "x",
                     .edge = vec(1, 0, 0),
                     .stretch = vec(-1, 0, 0)};
    scree_world *world = periodic_world(&t);
    add_sphere(world, 0.4, zero, zero, zero);
    scree_status status = SCREE_OK;
    for (int k = 0; k < 100 && status == SCREE_OK; ++k)
        status = scree_world_step(world);
    assert_int_equal(status, SCREE_BAD_ARGUMENT);
    assert_non_null(strstr(scree_world_error(world), "below 0.808 m"));
    scree_world_destroy(world);
}

/* ---- what is refused ------------------------------------------------------------------------ */

static void refuses(scree_world *world, const scree_cell_def *def,
                    const char *why) {
    assert_int_equal(scree_world_set_cell(world, def), SCREE_BAD_ARGUMENT);
    if (!strstr(scree_world_error(world), why))
        print_error("%s\n", scree_world_error(world));
    assert_non_null(strstr(scree_world_error(world), why));
}

static scree_cell_def good_cell(void) {
    scree_cell_def def = scree_cell_def_default();
    for (int k = 0; k < 2; ++k) def.high[k] = 1, def.periodic[k] = true;
    return def;
}

static void cell__bad_definitions__are_refused(void **state) {
    (void)state;
    const trial t = {.dt = 1e-3};
    scree_world *world = periodic_world(&t);
    scree_cell_def def = good_cell();
    def.cookie = 0;
    refuses(world, &def, "scree_cell_def_default");
    def = good_cell(), def.periodic[0] = def.periodic[1] = false;
    refuses(world, &def, "periodic in no direction");
    def = good_cell(), def.high[1] = -1;
    refuses(world, &def, "no length along y: 0 m to -1 m");
    def = good_cell(), def.low[0] = NAN;
    refuses(world, &def, "no length along x");
    def = good_cell(), def.shear_rate = INFINITY;
    refuses(world, &def, "shear rate of the cell is not finite");
    def = good_cell(), def.shear_rate = 1, def.periodic[1] = false;
    refuses(world, &def, "must be periodic along x and y");
    def = good_cell(), def.shear_rate = 1, def.stretch[0] = 1;
    refuses(world, &def, "does not stretch along x or y");
    def = good_cell(), def.stretch[2] = 1;
    refuses(world, &def, "stretches along z, in which it is not periodic");
    add_floor(world);
    def = good_cell();
    refuses(world, &def, "before walls and bodies");
    scree_world_destroy(world);
}

static void cell__what_does_not_fit__is_refused(void **state) {
    (void)state;
    const trial t = {.along = "x", .edge = vec(0.5, 0, 0)};
    scree_world *world = periodic_world(&t);
    scree_sphere_def big = scree_sphere_def_default();
    big.radius = 0.3;
    assert_int_equal(scree_world_add_sphere(world, &big, NULL),
                     SCREE_BAD_ARGUMENT);
    assert_non_null(strstr(scree_world_error(world),
                           "edge along x is 0.5 m, and must be 0.606 m"));
    scree_plane_def plane = scree_plane_def_default();
    vec_to(vec(0.1, 0, 1), plane.normal);
    assert_int_equal(scree_world_add_plane(world, &plane, NULL),
                     SCREE_BAD_ARGUMENT);
    assert_non_null(strstr(scree_world_error(world), "stands across x"));
    scree_world_destroy(world);
    scree_world_def def = scree_world_def_default();
    def.stepper = "lobatto";
    world = make_world(&def, (scree_contact_law){.friction = 0});
    scree_cell_def cell = good_cell();
    refuses(world, &cell, "lobatto does not run in a periodic cell");
    scree_world_destroy(world);
    def = scree_world_def_default();
    def.planar = true, def.gravity[2] = 0;
    world = make_world(&def, (scree_contact_law){.friction = 0});
    cell.periodic[2] = true, cell.high[2] = 1;
    refuses(world, &cell, "a plane world is not periodic along z");
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts__all_shapes__those_of_a_world_with_images),
        cmocka_unit_test(contacts__plane_world__those_of_a_world_with_images),
        cmocka_unit_test(gas__in_three_directions__keeps_momentum),
        cmocka_unit_test(unwrapped__free_flight__straight_on),
        cmocka_unit_test(bed__shifted_copy__same_bits),
        cmocka_unit_test(bed__shifted_copy_of_all_shapes__same_bits),
        cmocka_unit_test(bed__threads__same_bits),
        cmocka_unit_test(bed__checkpoint__goes_on_with_the_same_bits),
        cmocka_unit_test(sheared__through_upper_side__slower_by_images),
        cmocka_unit_test(sheared__gas__balance_of_energy_closes),
        cmocka_unit_test(stretched__gas__balance_of_energy_closes),
        cmocka_unit_test(stretched__too_small__stops_with_what_it_must_be),
        cmocka_unit_test(cell__bad_definitions__are_refused),
        cmocka_unit_test(cell__what_does_not_fit__is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
