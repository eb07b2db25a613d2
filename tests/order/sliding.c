/* Bodies that slide on one contact under RATTLE, without impacts: velocities and
 * positions converge with order 2, whatever the shape and whatever it slides on. The
 * reference is the constrained motion (cases/studies/slide_body.h); the table of one
 * tolerance is the study `sliding-bodies`. */
#include "tests/order/slides.h"

static const double LARGEST = 5e-3;

/* ---- orders ------------------------------------------------------------------------ */

/* What the solver leaves of gaps must not open contacts, nor roundings. */
static void check_order(slide_body s, slide_ground kind) {
    for (int k = 0; k < 4; ++k) {
        s.mu = 0.3 * (k % 2);
        s.tolerance = k < 2 ? 1e-12 : 1e-6;
        const errors e = find_errors(&s, kind, LARGEST);
        assert_near(e.order_u, 2, 0.1);
        assert_near(e.order_q, 2, 0.15);
    }
}

static void check_grounds(slide_body s) {
    for (slide_ground k = SLIDE_PLANE; k < SLIDE_GROUNDS; ++k)
        check_order(s, k);
}

static void rattle__square_slides__order_2(void **state) {
    (void)state;
    check_order(slide_square(), SLIDE_PLANE);
}

static void rattle__box_slides__order_2(void **state) {
    (void)state;
    check_grounds(slide_box());
}

static void rattle__capsule_slides__order_2(void **state) {
    (void)state;
    check_grounds(slide_capsule());
}

static void rattle__rock_slides__order_2(void **state) {
    (void)state;
    check_grounds(slide_rock());
}

static void rattle__sphere_over_ridge__order_2(void **state) {
    (void)state;
    for (slide_ground k = SLIDE_MESH; k < SLIDE_GROUNDS; ++k)
        check_order(slide_ball(), k);
}

static void rattle__box_on_moving_ground__order_2(void **state) {
    (void)state;
    slide_body s = slide_box();
    s.name = "box on the rise";
    s.drift = vec(0.2, -0.1, 0.7);
    check_order(s, SLIDE_PLANE);
    check_order(s, SLIDE_MESH);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rattle__square_slides__order_2),
        cmocka_unit_test(rattle__box_slides__order_2),
        cmocka_unit_test(rattle__capsule_slides__order_2),
        cmocka_unit_test(rattle__rock_slides__order_2),
        cmocka_unit_test(rattle__sphere_over_ridge__order_2),
        cmocka_unit_test(rattle__box_on_moving_ground__order_2),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
