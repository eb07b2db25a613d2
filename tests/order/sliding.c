/* Bodies that slide on one contact under RATTLE, without impacts: velocities and
 * positions converge with order 2, whatever the shape and whatever it slides on. */
#include "tests/order/slides.h"

/* ---- orders ------------------------------------------------------------------------ */

/* What the solver leaves of gaps must not open contacts, nor roundings. */
static void check_order(slide s, ground kind) {
    for (int k = 0; k < 4; ++k) {
        s.mu = 0.3 * (k % 2);
        s.tolerance = k < 2 ? 1e-12 : 1e-6;
        const errors e = find_errors(&s, kind);
        assert_near(e.order_u, 2, 0.1);
        assert_near(e.order_q, 2, 0.15);
    }
}

static void check_grounds(slide s) {
    for (ground k = PLANE; k < GROUNDS; ++k) check_order(s, k);
}

static void rattle__square_slides__order_2(void **state) {
    (void)state;
    check_order(make_square(), PLANE);
}

static void rattle__box_slides__order_2(void **state) {
    (void)state;
    check_grounds(make_brick());
}

static void rattle__capsule_slides__order_2(void **state) {
    (void)state;
    check_grounds(make_capsule());
}

static void rattle__rock_slides__order_2(void **state) {
    (void)state;
    check_grounds(make_rock());
}

static void rattle__sphere_over_ridge__order_2(void **state) {
    (void)state;
    for (ground k = MESH; k < GROUNDS; ++k) check_order(make_ball(), k);
}

static void rattle__box_on_moving_ground__order_2(void **state) {
    (void)state;
    slide s = make_brick();
    s.name = "box on the rise";
    s.drift = vec(0.2, -0.1, 0.7);
    check_order(s, PLANE);
    check_order(s, MESH);
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
