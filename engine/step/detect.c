/* detect.c: from positions to contacts: walls move to the time of the step, the
 * Verlet list is rebuilt if it must, the narrow phase measures the pairs. */
#include "engine/domain/domain.h"
#include "engine/step/ahead.h"
#include "engine/step/step.h"
#include "engine/step/timer.h"

/* Share of the mean radius by which the list reaches further than it must. */
static const double SKIN = 0.1;

static void move_walls(scree_world *world) {
    for (int w = 0; w < world->n_wall; ++w)
        scree_wall_move(&world->walls[w], &world->planes[w], world->t);
}

static void see_bodies(const scree_world *world, scree_scene *scene) {
    if (scene->also) scene->also = world->bodies.u_b;
    scene->n = world->bodies.n;
    scene->x = world->bodies.x;
    scene->u = world->bodies.u;
    scene->q = world->bodies.q;
    scene->form = world->bodies.form;
    if (world->def.reproducible) scene->id = world->bodies.id;
}

static scree_scene scene_of(const scree_world *world, double dt,
                            const scree_reach *reach) {
    const double g = norm(world->gravity);
    scree_scene scene = {
        .forms = world->forms,
        .general = world->general,
        .n_wall = world->n_wall,
        .walls = world->planes,
        .dt = dt,
        .slack = reach->slack,
        .fall = g * dt * dt,
        .ahead = reach->ahead,
        .foresee = reach->foresee,
        .keep_loaded = reach->keep_loaded,
        .states = scree_world_keeps_states(world),
        .odd = scree_world_odd_states(),
        .threads = world->def.threads,
    };
    see_bodies(world, &scene);
    if (reach->by_both) scene.also = world->bodies.u_b;
    return scene;
}

static scree_status rebuild(scree_world *world, scree_scene *scene) {
    TRY(scree_world_check_finite(world)); /* the grid needs real numbers */
    scree_arena *scratch = &world->scratch;
    const double skin = SKIN * scree_world_mean_radius(world);
    const size_t mark = scree_arena_mark(scratch);
    scree_claim claim;
    if (world->domain) {
        TRY(scree_domain_renew(world, scene, skin));
        see_bodies(world, scene);
    }
    scree_key *order =
        scree_arena_push(scratch, (size_t)scene->n * sizeof *order);
    if (!order) return SCREE_OUT_OF_MEMORY;
    TRY(scree_broad_order(&world->broad, scene, skin, order, scratch));
    TRY(scree_bodies_permute(&world->bodies, order, scene->threads, scratch));
    if (world->domain) {
        TRY(scree_domain_share(world, scene, skin));
        claim = scree_domain_claim(world);
        scene->claim = &claim;
    }
    TRY(scree_broad_build(&world->broad, scene, skin, order, scratch));
    scene->claim = NULL;
    world->bodies.u[world->bodies.n] = (scree_twist){0}; /* all walls */
    scree_arena_pop(scratch, mark);
    ++world->cost.rebuilds;
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
    TRY(scree_broad_keep(&world->broad, world->contacts.list,
                         scene.states ? world->contacts.states : NULL,
                         world->contacts.colours, world->contacts.n,
                         scene.threads));
    scene.dt = (1 + reach->further) * dt;
    const bool stale =
        scree_world_any(world, scree_broad_stale(&world->broad, &scene));
    if (stale) TRY(rebuild(world, &scene));
    if (reach->by_both)
        TRY(scree_world_round_of(world, &foreseen, stale, &scene.last));
    scene.dt = dt;
    const double listed = scree_clock();
    world->cost.seconds[SCREE_PHASE_BROAD] += listed - start;

    TRY(scree_narrow(&world->broad, &scene, &world->contacts));
    scree_arena_pop(&world->scratch, mark);
    world->cost.seconds[SCREE_PHASE_NARROW] += scree_clock() - listed;
    return SCREE_OK;
}

scree_status scree_world_detect(void *self, double dt, bool foresee) {
    scree_world *world = self;
    const scree_reach reach = {.slack = foresee ? SCREE_SLACK * world->r_min
                                                : SCREE_CLOSED * world->r_max,
                               .foresee = foresee};
    return scree_world_find_contacts(world, dt, &reach);
}

static scree_reach reach_of_pushed(const scree_world *world, double ahead) {
    return (scree_reach){.slack = SCREE_SLACK * world->r_min,
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
    return !scree_world_any(world, scree_broad_stale(&world->broad, &scene));
}

void scree_world_drop_new(scree_world *world) {
    scree_contacts *contacts = &world->contacts;
    int64_t n = 0;
    for (int64_t i = 0; i < contacts->n; ++i) {
        const scree_contact *c = &contacts->list[i];
        if (!scree_broad_knows(&world->broad, c->pair, c->key)) continue;
        if (n < i) scree_contacts_move(contacts, i, n);
        ++n;
    }
    contacts->n = n;
    world->refound = true;
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
    const scree_scene scene = scene_of(world, dt, &reach);
    *closing = 0;
    *lost = scree_broad_stale(&world->broad, &scene);
    if (!*lost)
        TRY(scree_narrow_misses(&world->broad, &scene, &world->contacts,
                                look->marked, look->depth, closing,
                                &world->scratch));
    world->cost.seconds[SCREE_PHASE_NARROW] += scree_clock() - start;
    return SCREE_OK;
}
