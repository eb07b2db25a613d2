/* Every pair of shapes as bodies of a world, against a search over directions
 * that knows the shapes from their definitions alone: depth, distance and
 * normal.
 *
 * The signed distance of convex A and B is the most that any direction
 * separates them, max over n of n . (x_A - x_B) - h_A(-n) - h_B(n), with the
 * heights h of their supports. So a gap is right if the normal that comes with
 * it separates by as much, and if no other direction is found to separate by
 * more. A clump is nearest with one of its balls. */
#include <string.h>

#include "engine/step/contact_rows.h"
#include "engine/world/world.h"
#include "tests/analytic/shapes_fixture.h"

enum { CORNERS = 20, PARTS = 4, POSES = 20 };

/* Hull of discs about z and balls around its corners. */
typedef struct part {
    int n;
    scree_vec3 corner[CORNERS];
    double disc, round;
} part;

typedef struct form {
    const char *name;
    scree_shape_def def;
    bool ball; /* a sphere, or a disc, of parts[0].round */
    int n_part;
    part parts[PARTS];
    double bound;
    double numbers[3 * CORNERS]; /* that def points to */
} form;

/* ---- forms ------------------------------------------------------------------
 */

static void finish(form *f) {
    f->bound = 0;
    for (int p = 0; p < f->n_part; ++p)
        for (int k = 0; k < f->parts[p].n; ++k)
            f->bound = fmax(f->bound, norm(f->parts[p].corner[k]) +
                                          f->parts[p].disc + f->parts[p].round);
}

static form round_form(const char *name, scree_shape_kind kind, double radius,
                       double length, double rounding) {
    form f = {.name = name, .def = scree_shape_def_default(), .n_part = 1};
    f.def.kind = kind;
    f.def.radius = radius, f.def.length = length, f.def.rounding = rounding;
    const bool capsule = kind == SCREE_SHAPE_CAPSULE;
    f.parts[0] = (part){.n = 2,
                        .corner = {{0, 0, length / 2}, {0, 0, -length / 2}},
                        .disc = capsule ? 0 : radius,
                        .round = capsule ? radius : rounding};
    finish(&f);
    return f;
}

static form ball_form(double radius) {
    form f = {.name = "sphere", .ball = true, .n_part = 1};
    f.parts[0] = (part){.n = 1, .round = radius};
    finish(&f);
    return f;
}

static form box_form(const char *name, scree_vec3 size, double rounding) {
    form f = {.name = name, .def = scree_shape_def_default(), .n_part = 1};
    vec_to(size, f.def.size);
    f.def.rounding = rounding;
    f.parts[0] = (part){.n = 8, .round = rounding};
    for (int k = 0; k < 8; ++k)
        f.parts[0].corner[k] =
            scale(0.5, vec(k & 1 ? size.x : -size.x, k & 2 ? size.y : -size.y,
                           k & 4 ? size.z : -size.z));
    finish(&f);
    return f;
}

/* Points and their images in the origin: the middle is the centre of mass. */
static void points_form(form *f, const char *name, scree_shape_kind kind, int n,
                        double rounding, scree_random *rng) {
    *f = (form){.name = name, .def = scree_shape_def_default(), .n_part = 1};
    f->parts[0].n = n, f->parts[0].round = rounding;
    for (int k = 0; k < n / 2; ++k) {
        scree_vec3 d = random_vec(rng);
        if (kind == SCREE_SHAPE_POLYGON)
            d = vec(1.3 * cos(SCREE_PI * (k + 0.3 * d.x) / (n / 2)),
                    sin(SCREE_PI * (k + 0.3 * d.x) / (n / 2)), 0);
        d = scale(kind == SCREE_SHAPE_POLYGON ? 0.5 : 0.5 / norm(d), d);
        f->parts[0].corner[k] = d;
        f->parts[0].corner[k + n / 2] = scale(-1, d);
    }
    for (int k = 0; k < n; ++k)
        vec_to(f->parts[0].corner[k], f->numbers + 3 * k);
    f->def.kind = kind;
    f->def.points = f->numbers, f->def.n_point = n;
    f->def.rounding = rounding;
    finish(f);
}

/* Four equal balls at the corners of a tetrahedron, about its middle. */
static void clump_form(form *f) {
    *f = (form){.name = "clump", .def = scree_shape_def_default(), .n_part = 4};
    const double s = 0.2, r = 0.25;
    const scree_vec3 at[4] = {{s, s, s}, {s, -s, -s}, {-s, s, -s}, {-s, -s, s}};
    for (int k = 0; k < 4; ++k) {
        f->parts[k] = (part){.n = 1, .corner = {at[k]}, .round = r};
        vec_to(at[k], f->numbers + 4 * k);
        f->numbers[4 * k + 3] = r;
    }
    f->def.kind = SCREE_SHAPE_CLUMP;
    f->def.balls = f->numbers, f->def.n_ball = 4;
    finish(f);
}

/* ---- the search
 * ---------------------------------------------------------------- */

typedef struct pose {
    scree_vec3 x;
    scree_quat q;
    scree_mat3 R;
} pose;

static double height(const part *p, const pose *at, scree_vec3 n) {
    const scree_vec3 d = mat3_mul_back(&at->R, n);
    double most = -INFINITY;
    for (int k = 0; k < p->n; ++k) most = fmax(most, dot(p->corner[k], d));
    return dot(n, at->x) + most + p->disc * hypot(d.x, d.y) +
           p->round * norm(d);
}

typedef struct couple {
    const part *a, *b;
    pose at_a, at_b;
    bool planar;
} couple;

static double separated(const couple *c, scree_vec3 n) {
    return -height(c->a, &c->at_a, scale(-1, n)) - height(c->b, &c->at_b, n);
}

static scree_vec3 some_direction(const couple *c, scree_random *rng) {
    scree_vec3 d = {scree_random_normal(rng), scree_random_normal(rng),
                    scree_random_normal(rng)};
    if (c->planar) d.z = 0;
    return scale(1 / norm(d), d);
}

/* Random steps from n: larger ones where they gain, smaller ones where they
 * fail, slowly, since on a ridge few of them gain. */
static double climb(const couple *c, scree_vec3 *n, scree_random *rng) {
    double best = separated(c, *n);
    for (double step = 0.1; step > 1e-7;) {
        const scree_vec3 d = add_scaled(*n, step, some_direction(c, rng));
        const scree_vec3 m = scale(1 / norm(d), d);
        const double s = separated(c, m);
        if (s > best)
            best = s, *n = m, step *= 2;
        else
            step *= 0.98;
    }
    return best;
}

typedef struct found {
    double g;
    scree_vec3 n;
} found;

/* The best of many directions, and of those climbed from the best few. */
static found search(const couple *c, scree_random *rng) {
    enum { TRIES = 500, FEW = 3 };
    found few[FEW];
    for (int i = 0; i < FEW; ++i) few[i] = (found){.g = -INFINITY};
    for (int k = 0; k < TRIES; ++k) {
        found f = {0, some_direction(c, rng)};
        f.g = separated(c, f.n);
        for (int i = 0; i < FEW; ++i)
            if (f.g > few[i].g) {
                const found worse = few[i];
                few[i] = f, f = worse;
            }
    }
    found best = {.g = -INFINITY};
    for (int i = 0; i < FEW; ++i) {
        few[i].g = climb(c, &few[i].n, rng);
        if (few[i].g > best.g) best = few[i];
    }
    return best;
}

/* The nearest of all parts. */
static found nearest(const form *a, const form *b, couple c,
                     scree_random *rng) {
    found least = {.g = INFINITY};
    for (int i = 0; i < a->n_part; ++i)
        for (int j = 0; j < b->n_part; ++j) {
            c.a = &a->parts[i], c.b = &b->parts[j];
            const found f = search(&c, rng);
            if (f.g < least.g) least = f;
        }
    return least;
}

/* How far off the gap is from what its normal separates, of the parts that fit.
 */
static double unlike(const form *a, const form *b, couple c, found t) {
    double least = INFINITY;
    for (int i = 0; i < a->n_part; ++i)
        for (int j = 0; j < b->n_part; ++j) {
            c.a = &a->parts[i], c.b = &b->parts[j];
            least = fmin(least, fabs(separated(&c, t.n) - t.g));
        }
    return least;
}

/* ---- the world
 * ------------------------------------------------------------------- */

static const double REACH = 0.1, STEP = 1e-3;

static void put_form(scree_world *world, const form *f, const pose *at,
                     scree_vec3 v) {
    if (f->ball) {
        add_sphere(world, f->parts[0].round, at->x, v, vec(0, 0, 0));
        return;
    }
    put_body(world, (put){add_shape(world, &f->def), .x = at->x,
                          .turn = rotation_vector(at->q), .v = v});
}

/* The deepest contact of the two bodies, as the middle of a step sees it. They
 * come at each other, fast enough that the step looks REACH ahead. */
static int deepest(const form *a, const form *b, const couple *c, found *f) {
    scree_world_def def = c->planar ? plane_def(STEP) : firm_def(STEP);
    memset(def.gravity, 0, sizeof def.gravity);
    scree_world *world = make_world(&def, (scree_contact_law){0});
    const scree_vec3 apart = sub(c->at_a.x, c->at_b.x);
    const scree_vec3 v = scale(-2 * REACH / STEP / norm(apart), apart);
    pose begin = c->at_a;
    begin.x = add_scaled(begin.x, -STEP / 2, v);
    put_form(world, b, &c->at_b, vec(0, 0, 0));
    put_form(world, a, &begin, v);
    world->state.fresh =
        SCREE_NO_BODY; /* the middle is to be where the poses are */
    run(world, 1);
    const int n = (int)world->state.contacts.n;
    *f = (found){INFINITY, vec(0, 0, 0)};
    for (int k = 0; k < n; ++k) {
        const scree_contact *t = &world->state.contacts.list[k];
        const double sign = world->state.bodies.id[t->a] == 1 ? 1 : -1;
        if (t->g < f->g && !scree_world_is_ahead(world, t))
            *f = (found){t->g, scale(sign, t->n)};
    }
    scree_world_destroy(world);
    return n;
}

/* ---- the comparison
 * ---------------------------------------------------------------- */

typedef struct tally {
    int touches, overlaps, same_normal;
    double worst; /* by which a gap is off, or another direction is better */
} tally;

static pose random_pose(bool planar, scree_vec3 x, scree_random *rng) {
    const double half = scree_random_range(rng, 0, SCREE_PI);
    pose p = {.x = x, .q = {cos(half), 0, 0, sin(half)}};
    if (!planar)
        p.q = quat_unit(
            (scree_quat){scree_random_normal(rng), scree_random_normal(rng),
                         scree_random_normal(rng), scree_random_normal(rng)});
    p.R = quat_matrix(p.q);
    return p;
}

/* Faces are preferred to edges that separate by a little more. */
static const double TOLERANCE = 1e-3;

static void compare(const form *a, const form *b, bool planar, tally *sum,
                    scree_random *rng) {
    couple c = {.planar = planar};
    const double far = 0.85 * (a->bound + b->bound);
    const scree_vec3 x =
        scale(far * scree_random_range(rng, 0.3, 1), some_direction(&c, rng));
    c.at_a = random_pose(planar, x, rng);
    c.at_b = random_pose(planar, vec(0, 0, 0), rng);
    const found f = nearest(a, b, c, rng);
    found t;
    if (deepest(a, b, &c, &t) == 0) {
        if (f.g < 0.5 * REACH)
            fail_msg("%s, %s: gap %g, and no contact", a->name, b->name, f.g);
        return;
    }
    ++sum->touches;
    sum->overlaps += f.g < 0;
    sum->same_normal += dot(t.n, f.n) > 0.9999;
    const double off = unlike(a, b, c, t);
    sum->worst = fmax(sum->worst, fmax(off, f.g - t.g));
    if (off > TOLERANCE)
        fail_msg("%s, %s: gap %g, along its normal off by %g", a->name, b->name,
                 t.g, off);
    if (f.g > t.g + TOLERANCE)
        fail_msg("%s, %s: gap %g, but %g", a->name, b->name, t.g, f.g);
}

static void compare_all(const form *forms, int n, bool planar) {
    scree_random rng = {5};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) {
            tally sum = {0};
            for (int k = 0; k < POSES; ++k)
                compare(&forms[i], &forms[j], planar, &sum, &rng);
            print_message(
                "%s, %s: %d touches, %d of them overlaps, %d with the "
                "normal that was found, gaps off by %.2g\n",
                forms[i].name, forms[j].name, sum.touches, sum.overlaps,
                sum.same_normal, sum.worst);
            assert_true(sum.touches > 0.6 * POSES);
            assert_true(sum.same_normal > 0.8 * sum.touches);
        }
}

static void oracle__every_pair_in_space__same_gap_and_normal(void **state) {
    (void)state;
    enum { FORMS = 9 };
    static form forms[FORMS];
    scree_random rng = {3};
    forms[0] = ball_form(0.4);
    forms[1] = box_form("box", vec(1, 0.8, 0.6), 0);
    forms[2] = round_form("capsule", SCREE_SHAPE_CAPSULE, 0.25, 0.8, 0);
    forms[3] = round_form("cylinder", SCREE_SHAPE_CYLINDER, 0.4, 0.8, 0);
    points_form(&forms[4], "polyhedron", SCREE_SHAPE_POLYHEDRON, 12, 0, &rng);
    clump_form(&forms[5]);
    forms[6] = box_form("rounded box", vec(0.7, 0.5, 0.4), 0.1);
    forms[7] =
        round_form("rounded cylinder", SCREE_SHAPE_CYLINDER, 0.3, 0.5, 0.1);
    points_form(&forms[8], "rounded polyhedron", SCREE_SHAPE_POLYHEDRON, 10,
                0.1, &rng);
    compare_all(forms, FORMS, false);
}

static void oracle__every_pair_in_the_plane__same_gap_and_normal(void **state) {
    (void)state;
    enum { FORMS = 4 };
    static form forms[FORMS];
    scree_random rng = {4};
    forms[0] = ball_form(0.4);
    forms[0].name = "disc";
    points_form(&forms[1], "square", SCREE_SHAPE_POLYGON, 4, 0, &rng);
    points_form(&forms[2], "polygon", SCREE_SHAPE_POLYGON, 8, 0, &rng);
    points_form(&forms[3], "rounded polygon", SCREE_SHAPE_POLYGON, 6, 0.1,
                &rng);
    compare_all(forms, FORMS, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oracle__every_pair_in_space__same_gap_and_normal),
        cmocka_unit_test(oracle__every_pair_in_the_plane__same_gap_and_normal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
