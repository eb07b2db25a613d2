/* slides.h: bodies that slide on one contact without impacts, and their motion by
 * Runge-Kutta with the contact as a constraint.
 *
 * The contact point has the arm R c - rho n, with c fixed in the body: a corner (rho = 0), the
 * end of a capsule, a rounded corner. With n constant the acceleration of the gap,
 *
 *     n . (a + alpha x R c + omega x (omega x R c)) = 0,
 *
 * gives the normal force; friction is mu times that, against the slip. */
#ifndef SCREE_TESTS_SLIDES_H
#define SCREE_TESTS_SLIDES_H

#include "engine/world/inertia.h"
#include "engine/world/world.h"
#include "tests/analytic/shapes_fixture.h"
#include "tests/trial.h"

typedef enum ground { PLANE, MESH, TERRAIN, GROUNDS } ground;
static const char *const ground_name[] = {"plane", "mesh", "terrain"};

/* A body on its corner c, which is its lowest. */
typedef struct slide {
    const char *name;
    scree_shape_def shape;
    scree_vec3 c;
    double rho, mu;
    bool planar;
    scree_vec3 drift; /* of the ground [m/s] */
    double tolerance; /* of the solver */
    scree_friction_law friction;
    const char *stepper, *method;
    int order, stages; /* of moreau-adaptive, of lobatto */
    double largest;    /* of the steps that are compared [s] */
    scree_world *(*make)(const struct slide *s, ground kind, double dt);
    derivative *rates;
} slide;

enum { DTS = 4 };
static const double TIME = 0.1;

/* ---- the world ------------------------------------------------------------------- */

enum { SIDE = 23 };
static const double CELL = 0.09;

static void add_mesh(scree_world *world, const scree_motion *motion) {
    double p[3 * SIDE * SIDE];
    for (int k = 0; k < SIDE * SIDE; ++k) {
        p[3 * k] = CELL * (k % SIDE - SIDE / 2) + 0.013;
        p[3 * k + 1] = CELL * (k / SIDE - SIDE / 2) + 0.027;
        p[3 * k + 2] = 0;
    }
    add_mesh_grid(world, p, SIDE, false, motion);
}

static void add_heights(scree_world *world, const double *heights, double x0,
                        double y0) {
    scree_terrain_def def = scree_terrain_def_default();
    def.nx = def.ny = SIDE;
    def.cell = CELL;
    def.x0 = x0, def.y0 = y0;
    def.heights = heights;
    assert_ok(scree_world_add_terrain(world, &def, NULL));
}

static void add_terrain(scree_world *world) {
    static const double flat[SIDE * SIDE];
    const double corner = -CELL * (SIDE / 2) + 0.017;
    add_heights(world, flat, corner, corner);
}

static scree_vec3 up_of(const slide *s) {
    return s->planar ? vec(0, 1, 0) : vec(0, 0, 1);
}

static void add_moving_plane(scree_world *world, scree_vec3 normal,
                             const scree_motion *motion) {
    scree_plane_def def = scree_plane_def_default();
    vec_to(normal, def.normal);
    def.motion = *motion;
    assert_ok(scree_world_add_plane(world, &def, NULL));
}

static void add_ground(scree_world *world, const slide *s, ground kind) {
    scree_motion motion = {0};
    vec_to(s->drift, motion.velocity);
    if (kind == PLANE)
        add_moving_plane(world, up_of(s), &motion);
    else if (kind == MESH)
        add_mesh(world, &motion);
    else
        add_terrain(world);
}

/* Turns c down, not quite. */
static scree_vec3 begin_turn(const slide *s) {
    if (s->planar) return vec(0, 0, 0.5);
    return s->rho > 0 && s->c.y == 0 ? vec(0.1, 0.5, 0.2) : vec(0.5, 0.7, 0.2);
}

static scree_world *make_empty(const slide *s, double dt) {
    scree_world_def def = s->planar ? plane_def(dt) : firm_def(dt);
    def.stepper = s->stepper;
    def.friction = s->friction;
    def.order = s->order, def.stages = s->stages;
    def.dt_min = ldexp(dt, -10);
    def.solver.method = s->method;
    def.threads = 1;
    def.solver.tolerance = s->tolerance;
    def.solver.iterations = 5000;
    return make_world(&def, (scree_contact_law){.friction = s->mu});
}

static scree_world *make_slide(const slide *s, ground kind, double dt) {
    scree_world *world = make_empty(s, dt);
    add_ground(world, s, kind);
    const scree_vec3 up = up_of(s), turn = begin_turn(s);
    const scree_vec3 arm =
        add_scaled(quat_rotate(quat_from_vector(turn), s->c), -s->rho, up);
    const scree_vec3 w = s->planar ? vec(0, 0, 1) : vec(1, -1.5, 0.7);
    scree_vec3 v = s->planar ? vec(1.5, 0, 0) : vec(1.3, 0.6, 0);
    v = add_scaled(v, -dot(up, cross(w, arm)), up);
    put_body(world, (put){.shape = add_shape(world, &s->shape),
                          .x = scale(-dot(up, arm), up),
                          .turn = turn,
                          .v = add(v, s->drift),
                          .w = w});
    return world;
}

/* ---- the reference --------------------------------------------------------------- */

typedef struct motion {
    const slide *s;
    const scree_world *world;
    double m, *least;
} motion;

static scree_quat quat_at(const double *y) {
    return (scree_quat){y[3], y[4], y[5], y[6]};
}

static void turn_rates(const double *y, scree_vec3 w, double *dy) {
    const scree_quat dq = quat_mul((scree_quat){0, w.x, w.y, w.z}, quat_at(y));
    dy[3] = 0.5 * dq.w, dy[4] = 0.5 * dq.x;
    dy[5] = 0.5 * dq.y, dy[6] = 0.5 * dq.z;
}

/* Of a normal force of 1. */
static scree_vec3 push_against(scree_vec3 n, scree_vec3 slip, double mu) {
    const scree_vec3 t = add_scaled(slip, -dot(n, slip), n);
    return add_scaled(n, -mu / norm(t), t);
}

static void slide_rates(const void *context, const double *y, double *dy) {
    const motion *of = context;
    const slide *s = of->s;
    const scree_quat q = quat_unit(quat_at(y));
    const scree_vec3 v = vec_from(y + 7), w = vec_from(y + 10);
    const scree_vec3 n = up_of(s), g = scale(-G, n);
    const scree_sym3 inv_I = scree_world_inv_inertia(of->world, 0, q);
    const scree_vec3 c = quat_rotate(q, s->c), arm = add_scaled(c, -s->rho, n);
    const scree_vec3 slip = sub(add(v, cross(w, arm)), s->drift);
    const scree_vec3 push = push_against(n, slip, s->mu);
    const scree_vec3 turn = sym3_mul(&inv_I, cross(arm, push));
    const scree_vec3 free_turn = scree_world_gyroscopic(of->world, 0, q, w);
    const double open =
        dot(n, add(g, add(cross(free_turn, c), cross(w, cross(w, c)))));
    const double force =
        -open / dot(n, add(scale(1 / of->m, push), cross(turn, c)));
    *of->least = fmin(*of->least, force);
    vec_to(v, dy);
    turn_rates(y, w, dy);
    vec_to(add_scaled(g, force / of->m, push), dy + 7);
    vec_to(add_scaled(free_turn, force, turn), dy + 10);
}

/* Of a body that flies. */
static inline void tumble_rates(const void *context, const double *y,
                                double *dy) {
    const motion *of = context;
    const scree_vec3 w = vec_from(y + 10);
    memcpy(dy, y + 7, 3 * sizeof *dy);
    turn_rates(y, w, dy);
    vec_to(vec(0, 0, -G), dy + 7);
    vec_to(scree_world_gyroscopic(of->world, 0, quat_unit(quat_at(y)), w),
           dy + 10);
}

static void write_state(const body *b, double *y) {
    vec_to(b->x, y);
    y[3] = b->q.w, y[4] = b->q.x, y[5] = b->q.y, y[6] = b->q.z;
    vec_to(b->v, y + 7);
    vec_to(b->w, y + 10);
}

static void find_reference(const slide *s, double *y) {
    scree_world *world = s->make(s, s->planar ? PLANE : MESH, 1e-3);
    const body b = read_body(world, 0);
    double least = INFINITY;
    write_state(&b, y);
    run(world, 1);
    rk4(s->rates, &(motion){s, world, b.m, &least}, 13, TIME, 1e-4, y);
    assert_true(least > 0.05 * b.m * G);
    scree_world_destroy(world);
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

static inline errors find_errors(const slide *s, ground kind) {
    double exact[13], y[13], dt[DTS];
    errors e;
    find_reference(s, exact);
    for (int k = 0; k < DTS; ++k) {
        dt[k] = s->largest / (1 << k);
        scree_world *world = s->make(s, kind, dt[k]);
        while (scree_world_time(world) < TIME - 1e-9) run(world, 1);
        const body b = read_body(world, 0);
        write_state(&b, y);
        e.q[k] = distance_of(y, exact, 7);
        e.u[k] = distance_of(y + 7, exact + 7, 6);
        scree_world_destroy(world);
    }
    e.order_q = order_of(dt, e.q, DTS), e.order_u = order_of(dt, e.u, DTS);
    print_message(
        "%s, %s, mu = %g, tolerance %g: u %.2e %.2e %.2e %.2e order %.2f, "
        "q %.2e ... %.2e order %.2f\n",
        s->name, ground_name[kind], s->mu, s->tolerance, e.u[0], e.u[1], e.u[2],
        e.u[3], e.order_u, e.q[0], e.q[3], e.order_q);
    return e;
}

/* ---- a sphere over a ridge ------------------------------------------------------- */

/* Slopes of 45 degrees fall off to both sides of the line x = z = 0, on which the sphere
 * slides: an inverted pendulum, |(x, z)| = r. */
static const double BALL = 0.1;

static void add_ridge(scree_world *world, ground kind) {
    double p[3 * SIDE * SIDE], heights[SIDE * SIDE];
    for (int k = 0; k < SIDE * SIDE; ++k) {
        p[3 * k] = CELL * (k % SIDE - SIDE / 2);
        p[3 * k + 1] = CELL * (k / SIDE - SIDE / 2) + 0.027;
        p[3 * k + 2] = heights[k] = -fabs(p[3 * k]);
    }
    if (kind == MESH)
        add_mesh_grid(world, p, SIDE, false, NULL);
    else
        add_heights(world, heights, p[0], p[1]);
}

static scree_world *make_ridge(const slide *s, ground kind, double dt) {
    scree_world *world = make_empty(s, dt);
    const double angle = 0.1, rate = 2;
    const scree_vec3 n = vec(sin(angle), 0, cos(angle));
    const scree_vec3 t = vec(cos(angle), 0, -sin(angle));
    add_ridge(world, kind);
    add_sphere(world, BALL, scale(BALL, n),
               add(scale(BALL * rate, t), vec(0, 0.5, 0)), vec(-3, -8, 5));
    return world;
}

static void ridge_rates(const void *context, const double *y, double *dy) {
    const motion *of = context;
    const scree_vec3 v = vec_from(y + 7), w = vec_from(y + 10);
    const scree_vec3 n = scale(1 / hypot(y[0], y[2]), vec(y[0], 0, y[2]));
    const scree_vec3 g = vec(0, 0, -G), arm = scale(-BALL, n);
    const double force = -of->m * (dot(n, g) + (v.x * v.x + v.z * v.z) / BALL);
    const scree_vec3 push = push_against(n, add(v, cross(w, arm)), of->s->mu);
    *of->least = fmin(*of->least, force);
    vec_to(v, dy);
    turn_rates(y, w, dy);
    vec_to(add_scaled(g, force / of->m, push), dy + 7);
    vec_to(scale(force / (0.4 * of->m * BALL * BALL), cross(arm, push)),
           dy + 10);
}

/* ---- shapes ------------------------------------------------------------------------ */

static inline slide make_solid(const char *name, scree_shape_kind kind) {
    slide s = {.name = name,
               .shape = scree_shape_def_default(),
               .friction = SCREE_FRICTION_MIDSLIP,
               .make = make_slide,
               .stepper = "rattle",
               .method = "pgs",
               .order = 2,
               .stages = 2,
               .largest = 5e-3,
               .rates = slide_rates};
    s.shape.kind = kind;
    return s;
}

/* In the plane slip does not turn: the published friction law has order 2 too. */
static inline slide make_square(void) {
    static const double p[] = {-0.1, -0.1, 0, 0.1,  -0.1, 0,
                               0.1,  0.1,  0, -0.1, 0.1,  0};
    slide s = make_solid("square", SCREE_SHAPE_POLYGON);
    s.c = vec(-0.1, -0.1, 0), s.planar = true;
    s.shape.points = p, s.shape.n_point = 4;
    s.friction = SCREE_FRICTION_TOTAL;
    return s;
}

static inline slide make_brick(void) {
    slide s = make_solid("box", SCREE_SHAPE_BOX);
    s.c = vec(0.1, -0.075, -0.05);
    s.shape.size[0] = 0.2, s.shape.size[1] = 0.15, s.shape.size[2] = 0.1;
    return s;
}

static inline slide make_capsule(void) {
    slide s = make_solid("capsule", SCREE_SHAPE_CAPSULE);
    s.c = vec(0, 0, -0.1), s.rho = 0.05;
    s.shape.radius = 0.05, s.shape.length = 0.2;
    return s;
}

/* A tetrahedron with rounded corners. */
static inline slide make_rock(void) {
    static const double p[] = {0.09,  0.09, 0.09,  -0.09, -0.09, 0.09,
                               -0.09, 0.09, -0.09, 0.09,  -0.09, -0.09};
    slide s = make_solid("rock", SCREE_SHAPE_POLYHEDRON);
    s.c = vec(0.09, -0.09, -0.09), s.rho = 0.02;
    s.shape.points = p, s.shape.n_point = 4;
    s.shape.rounding = s.rho;
    return s;
}

static inline slide make_ball(void) {
    return (slide){.name = "sphere over a ridge",
                   .friction = SCREE_FRICTION_MIDSLIP,
                   .make = make_ridge,
                   .stepper = "rattle",
                   .method = "pgs",
                   .order = 2,
                   .stages = 2,
                   .largest = 5e-3,
                   .rates = ridge_rates};
}

#endif
