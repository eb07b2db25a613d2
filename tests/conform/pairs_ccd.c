/* Overlap of any two cores as libccd sees it: its own GJK and EPA, and MPR for
 * whether they overlap at all. */
#include <ccd/ccd.h>
#include <ccd/quat.h>

#include "tests/solids.h"
#include "tests/support.h"

enum { SOLIDS = 7, POSES = 300 };

static made_solid solids[SOLIDS];

static int make_solids(void **state) {
    (void)state;
    scree_random rng = {13};
    make_segment(&solids[0], 0.8, 0.01);
    make_cylinder(&solids[1], 0.5, 0.6, 0);
    make_box(&solids[2], vec(0.5, 0.4, 0.3), 0);
    make_tetrahedron(&solids[3], 0.6, 0);
    make_prism(&solids[4], 5, 0.6, 0.4, 0);
    make_icosahedron(&solids[5], 0.7, 0);
    make_random_hull(&solids[6], 12, 0.8, 0, &rng);
    return 0;
}

/* The cores' supports, written anew. */
static void support(const void *object, const ccd_vec3_t *direction,
                    ccd_vec3_t *out) {
    const scree_placed *p = object;
    const scree_solid *s = p->solid;
    const scree_vec3 d =
        mat3_mul_back(&p->R, vec(ccdVec3X(direction), ccdVec3Y(direction),
                                 ccdVec3Z(direction)));
    scree_vec3 v = vec(0, 0, d.z > 0 ? s->half : -s->half);
    if (s->core == SCREE_CORE_CYLINDER && hypot(d.x, d.y) > 0) {
        v.x = s->disc * d.x / hypot(d.x, d.y);
        v.y = s->disc * d.y / hypot(d.x, d.y);
    }
    for (int k = 0; s->hull && k < s->hull->n_vertex; ++k)
        if (k == 0 || dot(s->hull->vertex[k], d) > dot(v, d))
            v = s->hull->vertex[k];
    v = scree_placed_point(p, v);
    ccdVec3Set(out, v.x, v.y, v.z);
}

static void centre(const void *object, ccd_vec3_t *out) {
    const scree_placed *p = object;
    ccdVec3Set(out, p->x.x, p->x.y, p->x.z);
}

static ccd_t options(void) {
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = support;
    ccd.center1 = ccd.center2 = centre;
    ccd.max_iterations = 1000;
    ccd.epa_tolerance = 1e-6;
    return ccd;
}

typedef struct tally {
    int overlaps, compared, same_normal;
} tally;

static void compare(const made_solid *m, const made_solid *n, tally *sum,
                    scree_random *rng) {
    scree_touch t[SCREE_TOUCHES];
    const double far = 0.8 * (m->solid.bound + n->solid.bound);
    const scree_placed a = placed(
        m, scale(scree_random_range(rng, 0.3, 1) * far, random_direction(rng)),
        random_turn(rng));
    const scree_placed b = placed(n, vec(0, 0, 0), random_turn(rng));
    const int count = scree_solids_touch(&a, &b, 100, t);
    double g = INFINITY;
    for (int k = 0; k < count; ++k) g = fmin(g, t[k].g);
    const double s = g + m->solid.radius + n->solid.radius;

    const ccd_t ccd = options();
    ccd_real_t depth;
    ccd_vec3_t way, place;
    if (fabs(s) > 1e-4) assert_int_equal(ccdMPRIntersect(&a, &b, &ccd), s < 0);
    if (s > -1e-4 || ccdGJKPenetration(&a, &b, &ccd, &depth, &way, &place) != 0)
        return;
    /* It moves b along `way` to separate the cores. Sometimes that would not
     * do: its polytope stopped growing too soon. */
    const scree_vec3 n_ccd =
        vec(-ccdVec3X(&way), -ccdVec3Y(&way), -ccdVec3Z(&way));
    const double tolerance = 1e-4 + 1e-3 * depth;
    ++sum->overlaps;
    if (fabs(separation(&a, &b, n_ccd) + depth) > tolerance) return;
    assert_near(-s, depth, 2 * (tolerance + scree_face_bias(&a, &b, s)));
    ++sum->compared;
    sum->same_normal += dot(n_ccd, t[0].n) > 0.999;
}

/* Where two directions separate equally well, the normals may differ. */
static void pairs__overlapping__as_libccd_finds(void **state) {
    (void)state;
    scree_random rng = {4};
    tally sum = {0};
    for (int i = 0; i < SOLIDS; ++i)
        for (int j = 0; j < SOLIDS; ++j)
            for (int k = 0; (i || j) && k < POSES; ++k)
                compare(&solids[i], &solids[j], &sum, &rng);
    print_message("%d overlaps, %d that libccd separates, %d of them with the "
                  "same normal\n",
                  sum.overlaps, sum.compared, sum.same_normal);
    assert_true(sum.compared > 5000);
    assert_true(sum.compared > 0.8 * sum.overlaps);
    assert_true(sum.same_normal > 0.98 * sum.compared);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs__overlapping__as_libccd_finds),
    };
    return cmocka_run_group_tests(tests, make_solids, NULL);
}
