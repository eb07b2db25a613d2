/* slides.h: for tests of orders: errors of bodies that slide (cases/studies/slide_body.h)
 * and of a body that tumbles freely. */
#ifndef SCREE_TESTS_SLIDES_H
#define SCREE_TESTS_SLIDES_H

#include "cases/studies/slide_body.h"
#include "engine/world/inertia.h"
#include "tests/analytic/shapes_fixture.h"
#include "tests/trial.h"

enum { DTS = 4 };

typedef struct errors {
    double q[DTS], u[DTS], order_q, order_u;
} errors;

static inline double distance_of(const double *x, const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sqrt(sum);
}

/* After 0.1 s, with steps of `largest` and its halves. */
static inline errors find_errors(const slide_body *s, slide_ground kind,
                                 double largest) {
    const double time = 0.1;
    double exact[SLIDE_STATE], y[SLIDE_STATE], dt[DTS], least;
    errors e;
    assert_ok(slide_exactly(s, time, exact, &least, NULL));
    assert_true(least > 0.05);
    for (int k = 0; k < DTS; ++k) {
        dt[k] = largest / (1 << k);
        assert_ok(slide_in_world(s, kind, dt[k], time, y, NULL));
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

/* ---- a body that tumbles ----------------------------------------------------------- */

/* Of a world with one body, after its first step: context is the world. */
static inline void tumble_rates(const void *context, const double *y,
                                double *dy) {
    const scree_vec3 w = vec_from(y + 10);
    const scree_quat q = {y[3], y[4], y[5], y[6]};
    const scree_quat dq = quat_mul((scree_quat){0, w.x, w.y, w.z}, q);
    memcpy(dy, y + 7, 3 * sizeof *dy);
    dy[3] = 0.5 * dq.w, dy[4] = 0.5 * dq.x;
    dy[5] = 0.5 * dq.y, dy[6] = 0.5 * dq.z;
    vec_to(vec(0, 0, -G), dy + 7);
    vec_to(scree_world_gyroscopic(context, 0, quat_unit(q), w), dy + 10);
}

static inline void write_state(const body *b, double *y) {
    vec_to(b->x, y);
    y[3] = b->q.w, y[4] = b->q.x, y[5] = b->q.y, y[6] = b->q.z;
    vec_to(b->v, y + 7);
    vec_to(b->w, y + 10);
}

#endif
