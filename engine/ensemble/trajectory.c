/* trajectory.c: a rock from its release to its stop.
 *
 *     world of the scene's materials, forms and walls, with the rock alone
 *     until it rests, leaves, or its time is over:  step;  look;  trace
 *
 * It rests when  |v| + r |w| < rest_speed  in all steps of rest_for, r the radius of the
 * ball around it: no point of it is faster. */
#include "engine/ensemble/trajectory.h"

#include <math.h>
#include <string.h>

#include "contact/narrow/touch.h"
#include "contact/surface/heightfield.h"
#include "engine/ensemble/flight.h"
#include "engine/world/inertia.h"
#include "engine/world/view.h"
#include "engine/world/world.h"

/* ---- its world ------------------------------------------------------------- */

static scree_status make_world(const scree_ensemble *e, scree_world **world,
                               scree_error *error) {
    scree_world_def def = e->scene->def;
    def.threads = 1;
    def.capacity = 1;
    scree_status status = scree_world_create(&def, world);
    if (status == SCREE_OK) status = scree_world_borrow_scene(*world, e->scene);
    if (status == SCREE_OK) return SCREE_OK;
    scree_world_destroy(*world);
    return scree_fail(error, status, "no memory for the world of a trajectory");
}

static scree_status add_sphere(scree_world *world, const scree_launch *s,
                               double z) {
    scree_sphere_def def = scree_sphere_def_default();
    vec_to(vec(s->x, s->y, z), def.position);
    vec_to(s->v, def.velocity);
    vec_to(s->w, def.angular_velocity);
    def.radius = s->radius;
    def.material = s->material;
    return scree_world_add_sphere(world, &def, NULL);
}

static scree_status add_form(scree_world *world, const scree_launch *s,
                             double z) {
    scree_body_def def = scree_body_def_default();
    vec_to(vec(s->x, s->y, z), def.position);
    vec_to(s->v, def.velocity);
    vec_to(s->w, def.angular_velocity);
    memcpy(def.orientation, s->orientation, sizeof def.orientation);
    def.shape = s->shape;
    def.material = s->material;
    return scree_world_add_body(world, &def, NULL);
}

static scree_status add_rock(scree_world *world, const scree_launch *s,
                             double z, scree_error *error) {
    const scree_status status =
        s->shape < 0 ? add_sphere(world, s, z) : add_form(world, s, z);
    if (status == SCREE_OK) return SCREE_OK;
    return scree_fail(error, status, "%s", scree_world_error(world));
}

/* ---- its start ------------------------------------------------------------- */

static const scree_heightfield *ground_of(const scree_ensemble *e) {
    return e->scene->scene.walls[e->ground].field;
}

double scree_ensemble_ground(const scree_ensemble *e, double x, double y) {
    return scree_heightfield_height(ground_of(e), x, y);
}

static bool touches_wall(const scree_ensemble *e, const scree_launch *s,
                         scree_vec3 x, const scree_plane *wall) {
    const double *q = s->orientation;
    const double slack = -1e-9 * s->radius;
    const scree_ball ball = {x, s->radius};
    scree_touch touches[SCREE_TOUCHES];
    if (!wall->exists || !scree_wall_near(wall, &ball, slack)) return false;
    if (s->shape < 0) return true;
    const scree_form *form = &e->scene->scene.forms[s->shape];
    if (form->n_ball > 0)
        return true; /* of a clump the ball around it counts */
    const scree_placed rock = {
        &form->solid, x, quat_matrix((scree_quat){q[0], q[1], q[2], q[3]})};
    return scree_solid_wall(&rock, wall, slack, touches) > 0;
}

scree_status scree_trajectory_start(const scree_ensemble *e, int64_t k,
                                    scree_launch *s, scree_error *error) {
    scree_error why = {0};
    const scree_status status =
        scree_release_draw(e->releases, e->n_release, e->seed, k, s, &why);
    const double ground = scree_ensemble_ground(e, s->x, s->y);
    if (status != SCREE_OK)
        return scree_fail(error, status, "release %d: %s", s->release,
                          why.text);
    if (!isfinite(ground))
        return scree_fail(error, SCREE_NO_ROOM,
                          "release %d: trajectory %lld would start beside the "
                          "terrain",
                          s->release, (long long)k);
    const scree_vec3 x = vec(s->x, s->y, ground + s->height);
    for (int w = 0; w < e->scene->scene.n_wall; ++w)
        if (touches_wall(e, s, x, &e->scene->scene.planes[w]))
            return scree_fail(
                error, SCREE_NO_ROOM,
                "release %d: trajectory %lld would start in %s: "
                "the ball around its rock has a radius of %.3g m, "
                "and its centre of mass is %.3g m above the ground",
                s->release, (long long)k,
                w == e->ground ? "the ground" : "a wall", s->radius, s->height);
    return SCREE_OK;
}

/* ---- looking at it --------------------------------------------------------- */

static bool is_borne(const scree_world *world) {
    const scree_contacts *c = &world->state.contacts;
    for (int64_t i = 0; i < c->n; ++i)
        if (dot(c->list[i].n, c->list[i].P) > 0) return true;
    return false;
}

/* What laws keep of the rock; 0 in worlds without. */
static double kept_slippage(const scree_world *world) {
    const scree_state_fields f = scree_world_body_fields(world);
    for (int k = 0; k < f.n; ++k)
        if (!strcmp(f.list[k].name, "slippage"))
            return world->state.bodies.kept[0]
                .x[f.list[k].offset / sizeof(double)];
    return 0;
}

static scree_sample take_sample(const scree_ensemble *e,
                                const scree_world *world) {
    const scree_bodies *b = &world->state.bodies;
    const scree_vec3 x = b->x[0].x, v = b->u[0].v, w = b->u[0].w;
    const scree_sym3 Theta = scree_world_inertia(world, 0, b->q[0]);
    scree_sample s = {.t = world->state.t,
                      .translation = 0.5 * dot(v, v) / b->u[0].inv_m,
                      .rotation = 0.5 * dot(w, sym3_mul(&Theta, w)),
                      .height = x.z - scree_ensemble_ground(e, x.x, x.y),
                      .slippage = kept_slippage(world),
                      .touches = is_borne(world)};
    vec_to(x, s.x);
    vec_to(v, s.v);
    vec_to(w, s.w);
    return s;
}

static bool is_beside(const scree_sample *s) {
    return !isfinite(s->height);
}

/* ---- its books ------------------------------------------------------------- */

static void begin_books(const scree_launch *s, int64_t k,
                        const scree_world *world, const scree_sample *at,
                        scree_trajectory *it) {
    const double density = world->scene.materials[s->material].density;
    const double mass = 1 / world->state.bodies.u[0].inv_m;
    *it = (scree_trajectory){.k = k,
                             .release = s->release,
                             .shape = s->shape,
                             .mass = mass,
                             .volume = mass / density,
                             .start_kinetic = at->translation + at->rotation};
    memcpy(it->start, at->x, sizeof it->start);
}

static void note_largest(const scree_sample *at, scree_trajectory *it) {
    it->speed = fmax(it->speed, norm(vec_from(at->v)));
    it->spin = fmax(it->spin, norm(vec_from(at->w)));
    it->kinetic = fmax(it->kinetic, at->translation + at->rotation);
    if (!is_beside(at)) it->height = fmax(it->height, at->height);
}

static void note_solve(const scree_world *world, scree_trajectory *it) {
    const scree_report *report = &world->state.report;
    if (!report->converged) it->residual = fmax(it->residual, report->residual);
}

static void note_step(const scree_sample *before, const scree_sample *at,
                      scree_trajectory *it) {
    it->flying += at->touches == 0;
    it->way += norm(sub(vec_from(at->x), vec_from(before->x)));
    note_largest(at, it);
}

static void end_books(const scree_world *world, const scree_sample *at,
                      scree_trajectory *it) {
    scree_scalars sums;
    scree_world_read_scalars(world, &sums);
    const scree_vec3 way = sub(vec_from(at->x), vec_from(it->start));
    it->time = at->t;
    it->steps = world->state.steps;
    it->unconverged = world->accounts.cost.unconverged;
    it->stop_kinetic = at->translation + at->rotation;
    it->fall = it->mass * dot(world->state.gravity, way);
    it->dissipated_normal = sums.dissipated_normal;
    it->dissipated_friction = sums.dissipated_friction;
    it->dissipated_turning = sums.dissipated_turning;
    it->recovery_work = sums.recovery_work;
    it->scheme_error = sums.scheme_error;
    memcpy(it->stop, at->x, sizeof it->stop);
}

/* ---- its way --------------------------------------------------------------- */

const char *scree_end_name(scree_end end) {
    static const char *const names[SCREE_ENDS] = {[SCREE_END_REST] = "rest",
                                                  [SCREE_END_LEFT] = "left",
                                                  [SCREE_END_TIME] = "time",
                                                  [SCREE_END_LOST] = "lost"};
    return names[end];
}

static double fastest_point(const scree_world *world, const scree_sample *s) {
    return norm(vec_from(s->v)) +
           world->state.bodies.x[0].r * norm(vec_from(s->w));
}

typedef struct journey {
    const scree_ensemble *e;
    scree_world *world;
    scree_tracer *tracer;
    scree_track *track;
    scree_sample at;
    double slow_since; /* [s] */
    bool flies;        /* steps of flight.h are known to its world */
    int free;          /* whole steps without contacts, the last ones */
} journey;

/* SCREE_ENDS: it goes on. */
static scree_end end_of(journey *j) {
    const scree_ensemble *e = j->e;
    const double t = j->at.t, play = 1e-9 * e->scene->def.dt;
    if (is_beside(&j->at)) return SCREE_END_LEFT;
    if (!(fastest_point(j->world, &j->at) < e->rest_speed)) j->slow_since = t;
    if (t - j->slow_since >= e->rest_for - play && t > j->slow_since)
        return SCREE_END_REST;
    return t >= e->end - play ? SCREE_END_TIME : SCREE_ENDS;
}

/* Two whole steps forget what the contacts before them were. */
static scree_status step_rock(journey *j) {
    if (j->flies && j->free >= 2 &&
        scree_flight_is_clear(j->e, j->world, j->at.height))
        return scree_flight_step(j->world);
    const scree_status status = scree_world_step(j->world);
    j->free = j->world->state.contacts.n == 0 ? j->free + 1 : 0;
    return status;
}

/* Of what a step can fail by, want of memory alone ends the ensemble. */
static scree_status take_step(journey *j, scree_end *end, scree_error *error) {
    const scree_status status = step_rock(j);
    if (status == SCREE_OUT_OF_MEMORY)
        return scree_fail(error, status, "no memory for a step");
    if (status != SCREE_OK) {
        *end = SCREE_END_LOST;
        return SCREE_OK;
    }
    const scree_sample before = j->at;
    note_solve(j->world, &j->track->it);
    j->at = take_sample(j->e, j->world);
    note_step(&before, &j->at, &j->track->it);
    *end = end_of(j);
    return scree_trace_step(j->tracer, j->track, &before, &j->at);
}

static scree_status follow_rock(journey *j, scree_error *error) {
    scree_end end = SCREE_ENDS;
    TRY(scree_trace_begin(j->tracer, j->track, &j->at));
    scree_status status = SCREE_OK;
    while (status == SCREE_OK && end == SCREE_ENDS)
        status = take_step(j, &end, error);
    j->track->it.end = end;
    end_books(j->world, &j->at, &j->track->it);
    const scree_status ending = scree_trace_end(j->tracer, j->track, &j->at);
    return status == SCREE_OK ? ending : status;
}

scree_status scree_trajectory_run(const scree_ensemble *e, int64_t k,
                                  scree_tracer *tracer, scree_track *track,
                                  scree_error *error) {
    scree_launch start;
    journey j = {.e = e, .tracer = tracer, .track = track};
    TRY(scree_trajectory_start(e, k, &start, error));
    TRY(make_world(e, &j.world, error));
    const double z = scree_ensemble_ground(e, start.x, start.y) + start.height;
    scree_status status = add_rock(j.world, &start, z, error);
    if (status == SCREE_OK) {
        j.at = take_sample(e, j.world);
        j.flies = scree_flight_is_known(e, j.world);
        begin_books(&start, k, j.world, &j.at, &track->it);
        note_largest(&j.at, &track->it);
        status = follow_rock(&j, error);
    }
    scree_world_destroy(j.world);
    return status;
}
