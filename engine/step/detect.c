/* detect.c: from positions to contacts: walls move to the time of the step, the
 * Verlet list is rebuilt if it must, the narrow phase measures the pairs. */
#include "engine/domain/domain.h"
#include "engine/forces/forces.h"
#include "engine/laws/cohesion.h"
#include "engine/step/ahead.h"
#include "engine/step/step.h"
#include "engine/step/timer.h"

/* Share of the mean radius by which the list reaches further than it must. */
static const double SKIN = 0.1;

static void move_walls(scree_world *world) {
    scree_servo_bound(world);
    for (int w = 0; w < world->scene.n_wall; ++w)
        scree_wall_move(&world->scene.walls[w], &world->scene.planes[w],
                        world->state.t);
    scree_world_place_cell(world);
}

static void see_bodies(const scree_world *world, scree_scene *scene) {
    if (scene->also) scene->also = world->state.bodies.u_b;
    scene->n = world->state.bodies.n;
    scene->x = world->state.bodies.x;
    scene->u = world->state.bodies.u;
    scene->q = world->state.bodies.q;
    scene->form = world->state.bodies.form;
    if (world->def.reproducible) scene->id = world->state.bodies.id;
}

static scree_scene scene_of(const scree_world *world, double dt,
                            const scree_reach *reach) {
    const double g = norm(scree_world_weight(world));
    scree_scene scene = {
        .forms = world->scene.forms,
        .general = world->scene.general,
        .n_wall = world->scene.n_wall,
        .walls = world->scene.planes,
        .cell = world->scene.cell,
        .dt = dt,
        .slack = fmax(reach->slack, scree_world_cohesion_reach(world)),
        .fall = g * dt * dt,
        .ahead = reach->ahead,
        .foresee = reach->foresee,
        .keep_loaded = reach->keep_loaded,
        .states = scree_world_keeps_states(world),
        .odd = scree_world_odd_states(),
        .threads = world->def.threads,
    };
    see_bodies(world, &scene);
    if (reach->by_both) scene.also = world->state.bodies.u_b;
    return scene;
}

static scree_status rebuild_list(scree_world *world, scree_scene *scene) {
    TRY(scree_world_check_finite(world)); /* the grid needs real numbers */
    scree_arena *scratch = &world->scratch;
    const double skin = SKIN * scree_world_mean_radius(world);
    const size_t mark = scree_arena_mark(scratch);
    scree_claim claim;
    scree_passages passages;
    scree_servo_read(world);
    if (world->ranks.domain) {
        TRY(scree_domain_renew(world, scene, skin));
        see_bodies(world, scene);
    }
    scree_key *order =
        scree_arena_push(scratch, (size_t)scene->n * sizeof *order);
    if (!order) return SCREE_OUT_OF_MEMORY;
    TRY(scree_broad_order(&world->state.broad, scene, skin, order, scratch));
    TRY(scree_bodies_permute(&world->state.bodies, order, scene->threads,
                             scratch));
    if (world->ranks.domain) {
        TRY(scree_domain_share(world, scene, skin));
        claim = scree_domain_claim(world);
        scene->claim = &claim;
    }
    scene->passing =
        scree_world_passing(world, &world->state.bodies, &passages);
    TRY(scree_broad_build(&world->state.broad, scene, skin, order, scratch));
    scene->claim = NULL, scene->passing = NULL;
    world->state.bodies.u[scree_world_static(world)] =
        (scree_twist){0}; /* all walls */
    scree_servo_write(world);
    scree_servo_list(world, scene->dt);
    scree_arena_pop(scratch, mark);
    ++world->accounts.cost.rebuilds;
    return SCREE_OK;
}

scree_status scree_world_find_contacts(scree_world *world, double dt,
                                       const scree_reach *reach) {
    const double start = scree_clock();
    const size_t mark = scree_arena_mark(&world->scratch);
    move_walls(world);
    scree_scene scene = scene_of(world, dt, reach);
    scree_foresight foreseen = {0};
    if (reach->by_both) TRY(scree_world_take_foresight(world, &foreseen));
    TRY(scree_broad_keep(&world->state.broad, world->state.contacts.list,
                         scene.states ? world->state.contacts.states : NULL,
                         world->state.contacts.colours, world->state.contacts.n,
                         scene.threads));
    scene.dt = (1 + reach->further) * dt;
    const bool stale =
        scree_world_any(world, scree_broad_stale(&world->state.broad, &scene) ||
                                   scree_servo_is_late(world, scene.dt));
    if (stale) TRY(rebuild_list(world, &scene));
    if (reach->by_both)
        TRY(scree_world_round_of(world, &foreseen, stale, &scene.last));
    scene.dt = dt;
    const double listed = start + scree_phase_charge(&world->accounts.cost,
                                                     SCREE_PHASE_BROAD, start);

    TRY(scree_narrow(&world->state.broad, &scene, &world->state.contacts));
    scree_arena_pop(&world->scratch, mark);
    scree_phase_charge(&world->accounts.cost, SCREE_PHASE_NARROW, listed);
    return SCREE_OK;
}

scree_status scree_world_detect(void *self, double dt, bool foresee) {
    scree_world *world = self;
    const bool wide = foresee || world->adaptive; /* laws.h: a band of gaps */
    const scree_reach reach = {.slack = wide
                                            ? SCREE_SLACK * world->scene.r_min
                                            : SCREE_CLOSED * world->scene.r_max,
                               .foresee = foresee};
    return scree_world_find_contacts(world, dt, &reach);
}

static scree_reach reach_of_pushed(const scree_world *world, double ahead) {
    return (scree_reach){.slack = SCREE_SLACK * world->scene.r_min,
                         .foresee = true,
                         .keep_loaded = true,
                         .by_both = true,
                         .ahead = ahead};
}

scree_status scree_world_find_pushed(scree_world *world, double dt,
                                     double ahead) {
    const scree_reach reach = reach_of_pushed(world, ahead);
    return scree_world_find_contacts(world, dt, &reach);
}

bool scree_world_list_reaches(scree_world *world, double dt) {
    const scree_reach reach = reach_of_pushed(world, 0);
    const scree_scene scene = scene_of(world, dt, &reach);
    return !scree_world_any(world,
                            scree_broad_stale(&world->state.broad, &scene) ||
                                scree_servo_is_late(world, dt));
}

void scree_world_drop_new(scree_world *world) {
    scree_contacts *contacts = &world->state.contacts;
    int64_t n = 0;
    for (int64_t i = 0; i < contacts->n; ++i) {
        const scree_contact *c = &contacts->list[i];
        if (!scree_broad_knows(&world->state.broad, c->pair, c->key)) continue;
        if (n < i) scree_contacts_move(contacts, i, n);
        ++n;
    }
    contacts->n = n;
    world->step.refound = true;
}

scree_status scree_world_find_solved(scree_world *world, double dt) {
    TRY(scree_world_find_pushed(world, dt, 0));
    scree_world_drop_new(world);
    return SCREE_OK;
}

scree_status scree_world_look_again(scree_world *world, double dt,
                                    const scree_look *look, double *closing,
                                    bool *lost) {
    const double start = scree_clock();
    const scree_reach reach = reach_of_pushed(world, look->ahead);
    if (world->scene.n_driven) move_walls(world);
    const scree_scene scene = scene_of(world, dt, &reach);
    *closing = 0;
    *lost = scree_broad_stale(&world->state.broad, &scene) ||
            scree_servo_is_late(world, dt);
    if (!*lost)
        TRY(scree_narrow_misses(&world->state.broad, &scene,
                                &world->state.contacts, look->marked,
                                look->depth, closing, &world->scratch));
    scree_phase_charge(&world->accounts.cost, SCREE_PHASE_NARROW, start);
    return SCREE_OK;
}
