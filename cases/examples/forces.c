/* forces.c: a paddle pushes a ball through a fluid, and passes another one, of a group that
 * does not collide. The paddle stops; what is left of the ball's speed takes it v / c further,
 * c being the rate of the drag.
 *
 *   cc forces.c $(pkg-config --cflags --libs scree) -lm */
#include <math.h>
#include <scree_forces.h>
#include <stdio.h>

static const double V = 1, DRAG = 2, RADIUS = 0.1;
enum { BALL, GHOST };

/* V for a second. */
static void push(void *context, int64_t id, double t, double dt,
                 double velocity[3], double angular_velocity[3]) {
    (void)context, (void)id, (void)dt, (void)angular_velocity;
    velocity[0] = t < 1 ? V : 0;
}

/* The largest force on the ball. */
static scree_status watch(void *context, const scree_world *world,
                          const scree_contact_view *contacts, int64_t n) {
    double *most = context, force[3];
    for (int64_t k = 0; k < n; k++) {
        scree_world_contact_force(world, &contacts[k], force);
        if (scree_world_time(world) > 0.9) *most = fmax(*most, fabs(force[0]));
    }
    return SCREE_OK;
}

static int build(scree_world *world) {
    const scree_material_def stone = scree_material_def_default();
    if (scree_world_add_material(world, &stone, NULL)) return 1;
    for (int k = 0; k < 2; k++) {
        scree_sphere_def ball = scree_sphere_def_default();
        ball.position[1] = 0.5 * k;
        ball.radius = RADIUS;
        if (scree_world_add_sphere(world, &ball, NULL)) return 1;
    }
    scree_shape_def plate = scree_shape_def_default();
    plate.size[0] = 0.02, plate.size[1] = 2, plate.size[2] = 0.5;
    scree_body_def paddle = scree_body_def_default();
    paddle.position[0] = -RADIUS - 0.01;
    int64_t id;
    if (scree_world_add_shape(world, &plate, &paddle.shape) ||
        scree_world_add_body(world, &paddle, &id) ||
        scree_world_set_kinematic(world, id, true, push, NULL) ||
        scree_world_set_group(world, GHOST, 2, 2))
        return 1;
    scree_force_def fluid = scree_force_def_default();
    fluid.drag.linear = DRAG;
    return scree_world_add_force(world, &fluid, NULL) != SCREE_OK;
}

int main(void) {
    scree_world_def def = scree_world_def_default();
    double most = 0, x[3][3] = {{0}};
    scree_world *world;
    def.gravity[2] = 0;
    if (scree_world_create(&def, &world)) return 1;
    int failed = build(world);
    scree_world_set_callbacks(
        world, &(scree_callbacks){.contacts = watch, .context = &most});
    while (!failed && scree_world_time(world) < 9)
        failed = scree_world_step(world);
    if (failed) fprintf(stderr, "%s\n", scree_world_error(world));
    scree_world_read_state(world, &(scree_state_view){.position = x[0]});
    scree_scalars s;
    scree_world_read_scalars(world, &s);
    printf("the paddle pushed with %.1f N and gave %.1f J\n", most,
           s.wall_work);
    printf("the fluid took %.1f J, scheme error %.0e J\n", s.dissipated_drag,
           s.scheme_error);
    printf("the ball is %.2f m ahead of where it was left\n",
           x[BALL][0] - V * 1);
    printf("the other one is at x = %.1f m\n", x[GHOST][0]);
    scree_world_destroy(world);
    return failed;
}
