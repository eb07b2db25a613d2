#include "engine/ensemble/flight.h"

#include <math.h>
#include <string.h>

#include "contact/surface/heightfield.h"
#include "engine/step/step.h"
#include "engine/world/state.h"

/* A rock must be this much further off than it goes in a step: [-], and in radii. */
static const double FURTHER = 2, APART = 0.01;

/* Of the two triangles of a cell, squared. */
static double rise_in_cell(const double *z, int nx, double cell) {
    const double a = z[1] - z[0], b = z[nx + 1] - z[1];
    const double c = z[nx + 1] - z[nx], d = z[nx] - z[0];
    return fmax(a * a + b * b, c * c + d * d) / (cell * cell);
}

double scree_ensemble_steepness(const scree_ensemble *e) {
    const scree_heightfield *h = e->scene->scene.walls[e->ground].field;
    double most = 1e-6;
    for (int j = 0; j + 1 < h->ny; ++j)
        for (int i = 0; i + 1 < h->nx; ++i)
            most = fmax(most, rise_in_cell(h->z + (size_t)j * (size_t)h->nx + i,
                                           h->nx, h->cell));
    return sqrt(most);
}

static bool is_still_plane(const scree_wall *wall, const scree_plane *plane) {
    return !scree_plane_is_surface(plane) && !scree_plane_moves(plane) &&
           isinf(wall->def.from) && isinf(wall->def.until);
}

bool scree_flight_is_known(const scree_ensemble *e, const scree_world *world) {
    bool known = strcmp(world->def.stepper, "moreau") == 0 &&
                 world->def.motion == 0 && !world->accounts.books &&
                 e->steepness > 0;
    for (int w = 0; w < world->scene.n_wall && known; ++w)
        known = w == e->ground ||
                is_still_plane(&world->scene.walls[w], &world->scene.planes[w]);
    return known;
}

/* Between the ball around the rock and what is nearest to it, or less [m]. */
static double room_of(const scree_ensemble *e, const scree_world *world,
                      double height) {
    const scree_ball ball = world->state.bodies.x[0];
    double room = height / sqrt(1 + e->steepness * e->steepness);
    for (int w = 0; w < world->scene.n_wall; ++w) {
        const scree_plane *plane = &world->scene.planes[w];
        if (w != e->ground) room = fmin(room, dot(plane->n, ball.x) - plane->d);
    }
    return room - ball.r;
}

bool scree_flight_is_clear(const scree_ensemble *e, const scree_world *world,
                           double height) {
    const scree_twist *u = &world->state.bodies.u[0];
    const double dt = world->state.dt, r = world->state.bodies.x[0].r;
    const double way =
        dt * (norm(u->v) + r * norm(u->w) + dt * norm(world->state.gravity));
    return world->state.bodies.kept[0].borne == 0 &&
           room_of(e, world, height) > FURTHER * way + APART * r;
}

static void go_half(scree_world *world) {
    const double half = 0.5 * world->state.dt;
    const scree_bodies *b = &world->state.bodies;
    b->x[0].x = add_scaled(b->x[0].x, half, b->u[0].v);
    scree_world_turn(world, 0, half);
}

scree_status scree_flight_step(scree_world *world) {
    scree_twist *u = &world->state.bodies.u[0];
    go_half(world);
    world->state.bodies.u_b[0] = (scree_velocity){u->v, u->w};
    u->v = add_scaled(u->v, world->state.dt, world->state.gravity);
    go_half(world);
    scree_world_advance_states(world);
    scree_world_count_step(world);
    return scree_world_check_finite(world);
}
