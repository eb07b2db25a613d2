/* Every pair of cores: the gap is the signed distance, whatever the order, the
 * place and the moment. */
#include "tests/solids.h"
#include "tests/support.h"

enum { SOLIDS = 16, POSES = 200 };

static made_solid solids[SOLIDS];

static int make_solids(void **state) {
    (void)state;
    scree_random rng = {7};
    make_point(&solids[0], 0.3);
    make_segment(&solids[1], 0.6, 0.2);
    make_cylinder(&solids[2], 0.5, 0.4, 0);
    make_cylinder(&solids[3], 0.3, 0.7, 0.1);
    make_box(&solids[4], vec(0.5, 0.4, 0.3), 0);
    make_box(&solids[5], vec(0.5, 0.5, 0.5), 0.1);
    make_tetrahedron(&solids[6], 0.5, 0);
    make_prism(&solids[7], 5, 0.6, 0.3, 0);
    make_icosahedron(&solids[8], 0.7, 0);
    make_random_hull(&solids[9], 12, 0.8, 0, &rng);
    make_random_hull(&solids[10], 60, 0.8, 0.05, &rng);
    make_polygon(&solids[11], 4, vec(0.7, 0.5, 0), 0);
    make_polygon(&solids[12], 7, vec(0.6, 0.6, 0), 0.1);
    make_point(&solids[13], 0.01);
    make_box(&solids[14], vec(1e-3, 2e-3, 1e-3), 0);
    make_box(&solids[15], vec(50, 60, 70), 0);
    return 0;
}

/* ---- poses --------------------------------------------------------------- */

static bool is_polygon(const made_solid *m) {
    return m->solid.core == SCREE_CORE_POLYGON;
}
static bool is_planar(const made_solid *a, const made_solid *b) {
    return (is_polygon(a) || a->solid.core == SCREE_CORE_POINT) &&
           (is_polygon(b) || b->solid.core == SCREE_CORE_POINT) &&
           (is_polygon(a) || is_polygon(b));
}

typedef struct couple {
    scree_placed a, b;
    bool planar;
    double size;
} couple;

static couple random_couple(const made_solid *a, const made_solid *b,
                            double scaled, scree_random *rng) {
    couple c = {.planar = is_planar(a, b)};
    c.size = fmin(a->solid.bound, b->solid.bound);
    const double far = (a->solid.bound + b->solid.bound) * scaled;
    scree_vec3 d = random_direction(rng);
    if (c.planar) d.z = 0;
    const scree_vec3 x = scale(scree_random_range(rng, 0.2, 1) * far, d);
    const scree_vec3 o = c.planar ? vec(1, 2, 0) : vec(1, 2, 3);
    c.a = placed(a, add(o, x),
                 c.planar ? random_planar_turn(rng) : random_turn(rng));
    c.b = placed(b, o, c.planar ? random_planar_turn(rng) : random_turn(rng));
    return c;
}

static double bias_of(const couple *c, double g) {
    const double s = g + c->a.solid->radius + c->b.solid->radius;
    return scree_face_bias(&c->a, &c->b, s);
}

typedef void check(const couple *c, scree_random *rng);

static bool meet(const made_solid *a, const made_solid *b) {
    return scree_pair_routine(a->solid.core, b->solid.core).find != NULL;
}

static void for_all_pairs(check *f) {
    scree_random rng = {1};
    for (int i = 0; i < SOLIDS; ++i)
        for (int j = 0; j < SOLIDS; ++j)
            for (int k = 0; k < POSES && meet(&solids[i], &solids[j]); ++k) {
                const couple c =
                    random_couple(&solids[i], &solids[j], 0.9, &rng);
                f(&c, &rng);
            }
}

/* Axes along axes, centres on a lattice: everything parallel that can be. */
static scree_mat3 aligned_turn(bool planar, scree_random *rng) {
    const scree_vec3 e[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int k = planar ? 2 : (int)(scree_random_next(rng) % 3);
    const double up = planar || scree_random_next(rng) % 2 ? 1 : -1;
    const scree_vec3 z = scale(up, e[k]);
    const scree_vec3 x = e[(k + 1 + (int)(scree_random_next(rng) % 2)) % 3];
    return (scree_mat3){x, cross(z, x), z};
}

static couple aligned_couple(const made_solid *a, const made_solid *b,
                             scree_random *rng) {
    couple c = random_couple(a, b, 1, rng);
    const double pitch = 0.1 * c.size;
    c.a.R = aligned_turn(c.planar, rng);
    c.b.R = aligned_turn(c.planar, rng);
    const scree_vec3 d = sub(c.a.x, c.b.x);
    c.a.x =
        add(c.b.x, vec(pitch * round(d.x / pitch), pitch * round(d.y / pitch),
                       pitch * round(d.z / pitch)));
    return c;
}

static void for_all_aligned(check *f) {
    scree_random rng = {9};
    for (int i = 0; i < SOLIDS; ++i)
        for (int j = 0; j < SOLIDS; ++j)
            for (int k = 0; k < POSES && meet(&solids[i], &solids[j]); ++k) {
                const couple c = aligned_couple(&solids[i], &solids[j], &rng);
                f(&c, &rng);
            }
}

static const double reach = 0.1, everywhere = 1000;

static double gap_within(const couple *c, double within) {
    scree_touch t[SCREE_TOUCHES];
    const int n = scree_solids_touch(&c->a, &c->b, within, t);
    double g = INFINITY;
    for (int k = 0; k < n; ++k) g = fmin(g, t[k].g);
    return g;
}

static double gap_of(const couple *c) {
    return gap_within(c, reach);
}

static const char *name_of(const scree_placed *p) {
    for (int i = 0; i < SOLIDS; ++i)
        if (&solids[i].solid == p->solid) return solids[i].name;
    return "?";
}

#define assert_pair(holds, c, ...)                                             \
    do {                                                                       \
        if (!(holds)) {                                                        \
            print_error(__VA_ARGS__);                                          \
            fail_msg(": %s and %s", name_of(&(c)->a), name_of(&(c)->b));       \
        }                                                                      \
    } while (0)

/* ---- form ---------------------------------------------------------------- */

static void form_holds(const couple *c, scree_random *rng) {
    (void)rng;
    scree_touch t[SCREE_TOUCHES];
    const int n = scree_solids_touch(&c->a, &c->b, reach, t);
    assert_pair(n >= 0 && n <= (c->planar ? 2 : 4), c, "%d touches", n);
    for (int k = 0; k < n; ++k) {
        assert_pair(fabs(norm(t[k].n) - 1) < 1e-12, c, "not a unit normal");
        assert_pair(t[k].g <= reach, c, "gap %g", t[k].g);
        assert_pair(isfinite(norm(t[k].x)), c, "no place");
        assert_pair(!c->planar || (t[k].n.z == 0 && t[k].x.z == 0), c,
                    "out of plane");
        const scree_vec3 from_a = sub(t[k].x, c->a.x);
        assert_pair(norm(from_a) < c->a.solid->bound + fabs(t[k].g) + 1e-3, c,
                    "touch %g from a", norm(from_a));
        for (int i = 0; i < k; ++i)
            assert_pair(t[i].key != t[k].key, c, "same key %x", t[k].key);
    }
}

static void pairs__random_poses__well_formed(void **state) {
    (void)state;
    for_all_pairs(form_holds);
}

static void pairs__aligned_poses__well_formed(void **state) {
    (void)state;
    for_all_aligned(form_holds);
}

/* ---- signed distance: no direction separates better ---------------------- */

/* A direction close to n, or anywhere. */
static scree_vec3 trial_direction(const couple *c, scree_vec3 n, int k,
                                  scree_random *rng) {
    scree_vec3 d = random_direction(rng);
    d = add_scaled(n, pow(10, -(k % 6)), d);
    if (c->planar) d.z = 0;
    return scale(1 / norm(d), d);
}

static void gap_is_distance(const couple *c, scree_random *rng) {
    scree_touch t[SCREE_TOUCHES];
    const double g = gap_of(c), far = gap_within(c, everywhere);
    const double r = c->a.solid->radius + c->b.solid->radius;
    const double tolerance = 3 * bias_of(c, far) + 1e-7;
    if (g == INFINITY)
        assert_pair(far > reach - tolerance, c, "gap %g is no touch", far);
    else
        assert_pair(fabs(far - g) < tolerance, c, "gap %g, or %g", g, far);
    assert_true(scree_solids_touch(&c->a, &c->b, everywhere, t) > 0);
    const double along = separation(&c->a, &c->b, t[0].n) - r;
    assert_pair(fabs(along - far) < tolerance, c, "gap %g, along n %g", far,
                along);
    for (int k = 0; k < 300; ++k) {
        const scree_vec3 d = trial_direction(c, t[0].n, k, rng);
        const double s = separation(&c->a, &c->b, d) - r;
        assert_pair(s <= far + tolerance, c, "gap %g, but %g", far, s);
    }
}

static void pairs__any_direction__separates_no_better(void **state) {
    (void)state;
    for_all_pairs(gap_is_distance);
}

static void pairs__aligned_poses__no_direction_separates_better(void **state) {
    (void)state;
    for_all_aligned(gap_is_distance);
}

/* ---- exchange ------------------------------------------------------------ */

static void exchange_holds(const couple *c, scree_random *rng) {
    (void)rng;
    scree_touch t[SCREE_TOUCHES], u[SCREE_TOUCHES];
    const int n = scree_solids_touch(&c->a, &c->b, reach, t);
    const int m = scree_solids_touch(&c->b, &c->a, reach, u);
    assert_pair(n == m, c, "%d touches, exchanged %d", n, m);
    for (int k = 0; k < n; ++k) {
        int i = 0;
        while (i < m && u[i].key != scree_key_swapped(t[k].key)) ++i;
        assert_pair(i < m, c, "key %x has no partner, but %x", t[k].key,
                    u[0].key);
        assert_pair(norm(add(t[k].n, u[i].n)) < 1e-3, c, "normals %g apart",
                    norm(add(t[k].n, u[i].n)));
        assert_pair(fabs(t[k].g - u[i].g) < 1e-6, c, "gap %g, %g", t[k].g,
                    u[i].g);
        assert_pair(norm(sub(t[k].x, u[i].x)) < 1e-6, c, "place off by %g",
                    norm(sub(t[k].x, u[i].x)));
    }
}

static void pairs__exchanged__same_touches(void **state) {
    (void)state;
    for_all_pairs(exchange_holds);
}

/* Where several directions separate equally, either may be named. */
static void exchange_keeps_gap(const couple *c, scree_random *rng) {
    (void)rng;
    couple d = *c;
    d.a = c->b, d.b = c->a;
    const double g = gap_of(c), h = gap_of(&d);
    if (fmin(g, h) > reach - 1e-6) return;
    assert_pair(fabs(g - h) < 1e-6, c, "gap %g, exchanged %g", g, h);
}

static void pairs__aligned_and_exchanged__same_gap(void **state) {
    (void)state;
    for_all_aligned(exchange_keeps_gap);
}

/* ---- motion -------------------------------------------------------------- */

static scree_placed moved(const scree_placed *p, scree_quat q, scree_vec3 x) {
    return (scree_placed){p->solid,
                          add(quat_rotate(q, p->x), x),
                          {quat_rotate(q, p->R.x), quat_rotate(q, p->R.y),
                           quat_rotate(q, p->R.z)}};
}

static scree_vec3 normal_of(const couple *c) {
    scree_touch t[SCREE_TOUCHES];
    const int n = scree_solids_touch(&c->a, &c->b, reach, t);
    int deepest = 0;
    for (int k = 1; k < n; ++k)
        if (t[k].g < t[deepest].g) deepest = k;
    return t[deepest].n;
}

static struct { int pairs, turned; } motion;

static void rigid_motion_holds(const couple *c, scree_random *rng) {
    scree_quat q = {scree_random_normal(rng), 0, 0, scree_random_normal(rng)};
    if (!c->planar)
        q.x = scree_random_normal(rng), q.y = scree_random_normal(rng);
    q = quat_unit(q);
    const scree_vec3 x = vec(5, -3, c->planar ? 0 : 2);
    couple d = *c;
    d.a = moved(&c->a, q, x);
    d.b = moved(&c->b, q, x);
    const double g = gap_of(c), h = gap_of(&d);
    if (fmin(g, h) > reach - 1e-6) return;
    assert_pair(fabs(g - h) < 2 * bias_of(c, g), c, "gap %g, moved %g", g, h);
    const scree_vec3 n = quat_rotate(q, normal_of(c)), m = normal_of(&d);
    ++motion.pairs;
    motion.turned += norm(sub(n, m)) > 1e-3;
    /* Another normal is one that separates as well. */
    const double r = c->a.solid->radius + c->b.solid->radius;
    const double along = separation(&d.a, &d.b, n) - r;
    assert_pair(fabs(along - h) < 3 * bias_of(c, g) + 1e-7, c,
                "gap %g, along the normal moved with it %g", h, along);
}

static void pairs__moved_together__same_gap_and_normal(void **state) {
    (void)state;
    for_all_pairs(rigid_motion_holds);
    print_message("%d of %d pairs have another normal when moved\n",
                  motion.turned, motion.pairs);
    assert_true(motion.turned <= 0.001 * motion.pairs);
}

/* A small motion of a changes the gap by no more than it moves any point. */
static void continuity_holds(const couple *c, scree_random *rng) {
    const double step = 1e-4 * c->size;
    couple d = *c;
    scree_vec3 phi = scale(step, random_direction(rng));
    scree_vec3 x = scale(step, random_direction(rng));
    if (c->planar) phi.x = phi.y = x.z = 0;
    const scree_placed at_home = {c->a.solid, vec(0, 0, 0), c->a.R};
    d.a = moved(&at_home, quat_from_vector(phi), add(c->a.x, x));
    const double g = gap_of(c), h = gap_of(&d);
    const double near = fmin(g, h), far = fmax(g, h);
    if (near == INFINITY) return;
    /* A touch comes and goes at the edge of reach. */
    const double most = step * (1 + c->a.solid->bound) + 3 * bias_of(c, near);
    assert_pair(fmin(far, reach) - near <= most, c, "gap jumps from %g to %g",
                g, h);
}

static void pairs__small_motion__small_change_of_gap(void **state) {
    (void)state;
    for_all_pairs(continuity_holds);
}

static void pairs__aligned_poses__small_change_of_gap(void **state) {
    (void)state;
    for_all_aligned(continuity_holds);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs__random_poses__well_formed),
        cmocka_unit_test(pairs__any_direction__separates_no_better),
        cmocka_unit_test(pairs__exchanged__same_touches),
        cmocka_unit_test(pairs__moved_together__same_gap_and_normal),
        cmocka_unit_test(pairs__small_motion__small_change_of_gap),
        cmocka_unit_test(pairs__aligned_poses__well_formed),
        cmocka_unit_test(pairs__aligned_and_exchanged__same_gap),
        cmocka_unit_test(pairs__aligned_poses__no_direction_separates_better),
        cmocka_unit_test(pairs__aligned_poses__small_change_of_gap),
    };
    return cmocka_run_group_tests(tests, make_solids, NULL);
}
