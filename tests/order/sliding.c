/* Bodies that slide on one contact under RATTLE, without impacts: velocities and
 * positions converge with order 2, whatever the shape and whatever it slides on. The
 * reference is the constrained motion (cases/studies/slide_body.h); the table of one
 * tolerance is the study `sliding-bodies`. */
#include "cases/studies/slide_body.h"
#include "tests/trial.h"

enum { DTS = 4 };
static const double LARGEST = 5e-3, TIME = 0.1;

static void find_reference(const slide_body *s, double *y) {
    double least;
    assert_ok(slide_exactly(s, TIME, y, &least, NULL));
    assert_true(least > 0.05);
}

/* ---- errors ------------------------------------------------------------------------ */

typedef struct errors {
    double q[DTS], u[DTS], order_q, order_u;
} errors;

static double distance_of(const double *x, const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sqrt(sum);
}

static errors find_errors(const slide_body *s, slide_ground kind) {
    double exact[SLIDE_STATE], y[SLIDE_STATE], dt[DTS];
    errors e;
    find_reference(s, exact);
    for (int k = 0; k < DTS; ++k) {
        dt[k] = LARGEST / (1 << k);
        const int steps = (int)lround(TIME / dt[k]);
        assert_ok(slide_in_world(s, kind, dt[k], steps, y, NULL));
        e.q[k] = distance_of(y, exact, SLIDE_POSITIONS);
        e.u[k] = distance_of(y + SLIDE_POSITIONS, exact + SLIDE_POSITIONS,
                             SLIDE_STATE - SLIDE_POSITIONS);
    }
    e.order_q = order_of(dt, e.q, DTS), e.order_u = order_of(dt, e.u, DTS);
    print_message(
        "%s, %s, mu = %g, tolerance %g: u %.2e %.2e %.2e %.2e order %.2f, "
        "q %.2e ... %.2e order %.2f\n",
        s->name, slide_ground_names[kind], s->mu, s->tolerance, e.u[0], e.u[1],
        e.u[2], e.u[3], e.order_u, e.q[0], e.q[3], e.order_q);
    return e;
}

/* ---- orders ------------------------------------------------------------------------ */

/* What the solver leaves of gaps must not open contacts, nor roundings. */
static void check_order(slide_body s, slide_ground kind) {
    for (int k = 0; k < 4; ++k) {
        s.mu = 0.3 * (k % 2);
        s.tolerance = k < 2 ? 1e-12 : 1e-6;
        const errors e = find_errors(&s, kind);
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
