/* Crowds and shots of boxes, rocks and polygons that go a good part of their size, or
 * many sizes, in a step: none passes another, none overlaps, by a witness that knows
 * their corners alone. At default settings of the solver. */
#include "contact/solid/rock.h"
#include "tests/analytic/crowds/crowd_witness.h"

static const double D = 0.02;
static const scree_vec3 zero = {0, 0, 0};

/* ---- solids ------------------------------------------------------------------ */

typedef enum kind { BOXES, ROCKS, POLYGONS, SPHERES, DISCS, CROWDS } kind;
static const char *const name_of[] = {"boxes", "rocks", "polygons", "spheres",
                                      "discs"};
enum { VARIANTS = 4 };
static solid solids[CROWDS][VARIANTS];

static bool is_planar(kind k) {
    return k == POLYGONS || k == DISCS;
}

static bool is_round(kind k) {
    return k == SPHERES || k == DISCS;
}

static void make_box(solid *s) {
    s->n = 8;
    for (int k = 0; k < 8; ++k)
        s->corner[k] = scale(
            D, vec(k & 1 ? .5 : -.5, k & 2 ? .4 : -.4, k & 4 ? .35 : -.35));
    finish_solid(s);
}

static void make_rock(solid *s, uint64_t seed) {
    scree_rock_def def = scree_rock_default();
    scree_hull hull = {0};
    scree_error error;
    def.diameter = D, def.n_points = 12, def.seed = seed;
    assert_ok(scree_rock_make(&def, &hull, &error));
    s->n = hull.n_vertex;
    memcpy(s->corner, hull.vertex, (size_t)s->n * sizeof *s->corner);
    scree_hull_free(&hull);
    finish_solid(s);
}

/* Corners of an ellipse; the middle of their hull becomes the origin. */
static void make_polygon(solid *s, int n) {
    scree_vec3 middle = zero;
    double area = 0;
    s->n = n;
    for (int k = 0; k < n; ++k) {
        const double a = 0.1 * n + 2 * SCREE_PI * k / n;
        s->corner[k] = vec(0.6 * D * cos(a), 0.45 * D * sin(a), 0);
    }
    for (int k = 0; k < n; ++k) {
        const scree_vec3 p = s->corner[k], q = s->corner[(k + 1) % n];
        const double w = p.x * q.y - p.y * q.x;
        area += w;
        middle = add_scaled(middle, w / 3, add(p, q));
    }
    for (int k = 0; k < n; ++k)
        s->corner[k] = add_scaled(s->corner[k], -1 / area, middle);
    finish_polygon(s);
}

static int make_solids(void **state) {
    (void)state;
    for (int i = 0; i < VARIANTS; ++i) {
        make_box(&solids[BOXES][i]);
        make_rock(&solids[ROCKS][i], (uint64_t)i + 1);
        make_polygon(&solids[POLYGONS][i], 3 + i);
    }
    return 0;
}

static void add_solids(scree_world *world, kind k, int shape[VARIANTS]) {
    double p[3 * CORNERS];
    for (int i = 0; i < VARIANTS && !is_round(k); ++i) {
        const solid *s = &solids[k][i];
        for (int c = 0; c < s->n; ++c) vec_to(s->corner[c], p + 3 * c);
        shape[i] = add_points_shape(
            world, k == POLYGONS ? SCREE_SHAPE_POLYGON : SCREE_SHAPE_POLYHEDRON,
            p, s->n, 0);
    }
}

/* ---- crowds ------------------------------------------------------------------ */

enum { CROWD = 96 };

/* A crowd on a loose lattice that falls at 3 m/s, `sizes` of D in a step, into a bin
 * that is as wide as the lattice. */
typedef struct fall {
    kind k;
    double sizes, e, time; /* [-], [-], [s] */
    bool reproducible;
} fall;

static scree_world *make_bin(const fall *f, double half) {
    scree_world_def def = scree_world_def_default();
    def.dt = f->sizes * D / 3;
    def.reproducible = f->reproducible;
    def.planar = is_planar(f->k);
    def.gravity[1] = is_planar(f->k) ? -G : 0;
    def.gravity[2] = is_planar(f->k) ? 0 : -G;
    scree_world *world =
        make_world(&def, (scree_contact_law){.friction = 0.5, .e_n = f->e});
    if (is_planar(f->k)) {
        add_plane(world, zero, vec(0, 1, 0));
        add_plane(world, vec(-half, 0, 0), vec(1, 0, 0));
        add_plane(world, vec(half, 0, 0), vec(-1, 0, 0));
    } else {
        add_box(world, half);
    }
    return world;
}

static scree_world *make_crowd(const fall *f) {
    const bool plane = is_planar(f->k);
    const double cell = is_round(f->k) ? 1.15 * D : 1.6 * D;
    const int side = plane ? 16 : 4;
    const double half = 0.5 * side * cell;
    scree_world *world = make_bin(f, half);
    scree_random rng = {1};
    int shape[VARIANTS] = {-1};
    add_solids(world, f->k, shape);
    for (int i = 0; i < CROWD; ++i) {
        const int row = i / side;
        const scree_vec3 up =
            vec((i % side + .5) * cell - half,
                plane ? (row + .6) * cell : (row % side + .5) * cell - half,
                plane ? 0 : (row / side + .6) * cell);
        scree_vec3 jitter = scale(0.025 * D, random_vec(&rng));
        scree_vec3 turn = scale(3, random_vec(&rng));
        if (plane) jitter.z = turn.x = turn.y = 0;
        put_kind(world, scree_random_range(&rng, 0.45, 0.55) * D,
                 (put){.shape = is_round(f->k) ? -1 : shape[i % VARIANTS],
                       .x = add(up, jitter),
                       .turn = turn,
                       .v = plane ? vec(0, -3, 0) : vec(0, 0, -3)});
    }
    return world;
}

static int by_x(const void *a, const void *b) {
    const double x = ((const placed_solid *)a)->x.x,
                 y = ((const placed_solid *)b)->x.x;
    return (x > y) - (x < y);
}

/* The deepest overlap of two bodies, over D. */
static double deepest_overlap(const scree_world *world, kind k) {
    static placed_solid p[CROWD];
    double x[3 * CROWD], q[4 * CROWD], r[CROWD], worst = 0;
    assert_ok(scree_world_read_state(
        world,
        &(scree_state_view){.position = x, .orientation = q, .radius = r}));
    for (int i = 0; i < CROWD; ++i) {
        const double *t = &q[4 * i];
        p[i] = place_solid(&solids[k][i % VARIANTS], vec_from(&x[3 * i]),
                           (scree_quat){t[0], t[1], t[2], t[3]}, r[i]);
    }
    qsort(p, CROWD, sizeof *p, by_x);
    for (int i = 0; i < CROWD; ++i)
        for (int j = i + 1; j < CROWD && p[j].x.x - p[i].x.x < 2 * D; ++j)
            worst = fmax(worst, overlap_of(&p[i], &p[j]));
    return worst / D;
}

/* Overlap at most, over the whole fall and over its last eighth. */
typedef struct outcome {
    double worst, last;
} outcome;

static outcome let_fall(const fall *f) {
    scree_world *world = make_crowd(f);
    const int steps = (int)ceil(f->time / (f->sizes * D / 3));
    outcome o = {0, 0};
    double most = 0;
    for (int k = 0; k < steps; ++k) {
        run(world, 1);
        const double now = deepest_overlap(world, f->k);
        o.worst = fmax(o.worst, now);
        if (8 * k >= 7 * steps) o.last = fmax(o.last, now);
        const scree_scalars s = read_scalars(world);
        most = fmax(most, s.kinetic + s.potential - s.recovery_work);
    }
    const scree_scalars s = read_scalars(world);
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    print_message("%s, %g sizes a step, e = %g: overlap %.4f at most, %.4f in "
                  "the end; %.1f rounds and %.0f sweeps a step, incomplete %d "
                  "of %d\n",
                  name_of[f->k], f->sizes, f->e, o.worst, o.last,
                  (double)cost.rounds / steps, (double)cost.iterations / steps,
                  (int)cost.incomplete, steps);
    assert_true(most <= s.inserted * (1 + 1e-3));
    assert_near(energy_defect(world) / s.inserted, 0, 1e-4);
    scree_world_destroy(world);
    return o;
}

static void moreau__crowds__do_not_overlap(void **state) {
    (void)state;
    const fall falls[] = {{.sizes = 0.2, .e = 0, .time = 0.12},
                          {.sizes = 0.5, .e = 0, .time = 0.25},
                          {.sizes = 1, .e = 0, .time = 0.4},
                          {.sizes = 1, .e = 0.5, .time = 0.5}};
    for (int k = 0; k < CROWDS; ++k)
        for (int i = 0; i < 4; ++i) {
            fall f = falls[i];
            f.k = (kind)k;
            const outcome o = let_fall(&f);
            assert_true(o.worst < 0.05);
            assert_true(o.last < 0.01);
        }
}

/* A reproducible world looks after bodies that turn as others do. */
static void moreau__reproducible_crowds__do_not_overlap(void **state) {
    (void)state;
    for (int k = BOXES; k <= POLYGONS; ++k) {
        const fall f = {.k = (kind)k,
                        .sizes = 1,
                        .e = k == ROCKS ? 0.5 : 0,
                        .time = 0.25,
                        .reproducible = true};
        const outcome o = let_fall(&f);
        assert_true(o.worst < 0.05);
    }
}

/* Far beyond what the step resolves: single pairs overlap more, in the steps whose rounds
 * come to their bound. How much is a matter of chance: 0.04 and 0.11 were seen of rocks
 * that differ by roundings. */
static void moreau__fast_crowds__do_not_overlap_much(void **state) {
    (void)state;
    for (int k = 0; k < CROWDS; ++k)
        for (int e = 0; e < 2; ++e) {
            const fall f = {(kind)k, e ? 10 : 3, 0.5 * e, e ? 0.7 : 0.4, false};
            const outcome o = let_fall(&f);
            assert_true(o.worst < 0.2);
        }
}

/* ---- shots ------------------------------------------------------------------- */

enum { SHOTS = 400 };

typedef struct shot {
    kind k;
    double sizes, e;
} shot;

static scree_world *shoot(const shot *s, scree_random *rng) {
    scree_world_def def = scree_world_def_default();
    int shape[VARIANTS];
    def.dt = 1e-3, def.gravity[2] = 0;
    const double v = s->sizes * D / def.dt;
    const double far = (1.6 + (3 + s->sizes) * scree_random_unit(rng)) * D;
    const double angle = scree_random_range(rng, 0, 2 * SCREE_PI);
    const double b = 0.7 * D * sqrt(scree_random_unit(rng));
    const double spin =
        0.5 * fmin(s->sizes, 2) * scree_random_unit(rng) / def.dt;
    scree_world *world =
        make_world(&def, (scree_contact_law){.friction = 0.5, .e_n = s->e});
    add_solids(world, s->k, shape);
    put_body(world, (put){.shape = shape[0],
                          .x = vec(b * cos(angle), b * sin(angle), far),
                          .turn = scale(3, random_vec(rng)),
                          .v = vec(0, 0, -v),
                          .w = scale(spin, random_vec(rng))});
    put_body(
        world,
        (put){.shape = shape[1], .x = zero, .turn = scale(3, random_vec(rng))});
    return world;
}

/* The distance of 0 from the way from a to b. */
static double passing_distance(scree_vec3 a, scree_vec3 b) {
    const scree_vec3 d = sub(b, a);
    const double dd = dot(d, d), t = dd > 0 ? -dot(a, d) / dd : 0;
    return norm(add_scaled(a, fmin(fmax(t, 0), 1), d));
}

/* Steps on; returns how near the centres come to each other on their way to the
 * midpoint and on. */
static double step_centres(scree_world *world) {
    const double half = 0.5 * 1e-3;
    const bool first = scree_world_steps(world) == 0; /* may begin late */
    body a = read_body(world, 0), b = read_body(world, 1);
    const scree_vec3 from = sub(a.x, b.x);
    run(world, 1);
    a = read_body(world, 0), b = read_body(world, 1);
    const scree_vec3 to = sub(a.x, b.x);
    const scree_vec3 middle = add_scaled(to, -half, sub(a.v, b.v));
    return fmin(first ? INFINITY : passing_distance(from, middle),
                passing_distance(middle, to));
}

static placed_solid read_solid(const scree_world *world, kind k, int i) {
    const body b = read_body(world, i);
    return place_solid(&solids[k][i], b.x, b.q, b.r);
}

/* In each body is a ball about its centre. If the centres come nearer than the radii
 * of these, one has passed through the other. Overlap may bring them
 * a little nearer. */
static double check_shot(const shot *s, scree_random *rng) {
    const double inner = solids[s->k][0].inner + solids[s->k][1].inner;
    scree_world *world = shoot(s, rng);
    const scree_scalars before = read_scalars(world);
    double worst = 0;
    for (int n = 0; n < 12 + 10 / s->sizes; ++n) {
        assert_true(step_centres(world) > 0.7 * inner);
        const placed_solid a = read_solid(world, s->k, 0),
                           b = read_solid(world, s->k, 1);
        worst = fmax(worst, overlap_of(&a, &b) / D);
    }
    const scree_scalars after = read_scalars(world);
    assert_true(after.kinetic <= before.kinetic * (1 + 1e-9));
    const double size = before.momentum[2] * D;
    for (int i = 0; i < 3; ++i)
        assert_near((after.angular_momentum[i] - before.angular_momentum[i]) /
                        size,
                    0, s->sizes <= 1 ? 1e-12 : 1e-4);
    scree_world_destroy(world);
    return worst;
}

static void moreau__shots__do_not_pass(void **state) {
    (void)state;
    const double sizes[] = {0.5, 1, 2, 10};
    scree_random rng = {3};
    for (int k = BOXES; k <= ROCKS; ++k)
        for (int i = 0; i < 4; ++i) {
            double worst = 0;
            for (int n = 0; n < SHOTS; ++n) {
                const shot s = {(kind)k, sizes[i], 0.5 * (n % 2)};
                worst = fmax(worst, check_shot(&s, &rng));
            }
            print_message("%s, %g sizes a step: overlap %.4f\n", name_of[k],
                          sizes[i], worst);
            if (sizes[i] <= 1) assert_true(worst < 0.05);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moreau__crowds__do_not_overlap),
        cmocka_unit_test(moreau__reproducible_crowds__do_not_overlap),
        cmocka_unit_test(moreau__fast_crowds__do_not_overlap_much),
        cmocka_unit_test(moreau__shots__do_not_pass),
    };
    return cmocka_run_group_tests(tests, make_solids, NULL);
}
