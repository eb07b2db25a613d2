/* case_check_ensemble.c: parts of terrain, and what an ensemble can be with. Keys that mean nothing for rocks
 * that fall alone are refused by name. */
#include "io/case/case_check.h"
#include "io/case/case_reader.h"
#include "io/case/yaml/case_message.h"
#include "io/gdal/gdal.h"

#include <stdio.h>
#include <string.h>

/* ---- places ----------------------------------------------------------------- */

static scree_status keep_places(scree_reader *r, const scree_places *from,
                                scree_release *to) {
    const size_t n = 3 * (size_t)from->n_point,
                 parts = (size_t)from->n_part + 1;
    double *points = scree_pool_take(r->pool, n, sizeof *points);
    int *begin = scree_pool_take(r->pool, parts, sizeof *begin);
    if (!points || !begin) return SCREE_OUT_OF_MEMORY;
    memcpy(points, from->points, n * sizeof *points);
    memcpy(begin, from->begin, parts * sizeof *begin);
    to->kind = from->kind == SCREE_PLACES_POINTS  ? SCREE_RELEASE_POINTS
               : from->kind == SCREE_PLACES_LINES ? SCREE_RELEASE_LINE
                                                  : SCREE_RELEASE_POLYGON;
    to->points = points, to->n_point = from->n_point;
    to->begin = begin, to->n_part = from->n_part;
    return SCREE_OK;
}

static scree_status load_places(scree_reader *r, const scree_node *map,
                                scree_case_release *release) {
    scree_places places;
    scree_error why = {0};
    scree_status status = scree_gdal_read_places(release->file, &places, &why);
    if (status == SCREE_OK) status = keep_places(r, &places, &release->it);
    scree_places_free(&places);
    if (status == SCREE_OUT_OF_MEMORY) return scree_reader_no_memory(r);
    return status == SCREE_OK ? SCREE_OK
                              : scree_reader_bad_file(r, map, "file", &why);
}

scree_status scree_check_release(scree_reader *r, const scree_node *map,
                                 void *entry) {
    static const char *const keys[] = {[SCREE_CASE_POINTS] = "points",
                                       [SCREE_CASE_LINE] = "line",
                                       [SCREE_CASE_POLYGON] = "polygon",
                                       [SCREE_CASE_PLACES] = "file"};
    scree_case_release *release = entry;
    if (release->place == SCREE_CASE_PLACES)
        TRY(load_places(r, map, release));
    else
        release->it.kind = (scree_release_kind)release->place;
    const char *fault = scree_release_fault(&release->it);
    if (!fault) return SCREE_OK;
    scree_reader_refuse(r, map, keys[release->place], "%s", fault);
    scree_hint(r->error, "allowed: list of [x, y] [m]");
    return SCREE_BAD_INPUT;
}

/* ---- terrain ---------------------------------------------------------------- */

scree_status scree_check_crop(scree_reader *r, const scree_node *map,
                              void *entry) {
    scree_case_crop *crop = entry;
    crop->given = true;
    for (int i = 0; i < 2; i++)
        if (!(crop->low[i] < crop->high[i]))
            return scree_reader_refuse(
                r, map, "max", "%c is not above that of 'min'", "xyz"[i]);
    return SCREE_OK;
}

/* ---- releases and others -------------------------------------------------- */

/* The message names the entry. */
static scree_status refuse_body(scree_reader *r, const scree_node *map, int i,
                                const char *key, const char *why,
                                const char *remedy) {
    const scree_node *list = scree_node_value(map, "bodies");
    scree_reader_enter(r, "bodies");
    scree_reader_enter_item(r, i);
    scree_reader_refuse(r, list->items[i], key, "%s", why);
    scree_hint(r->error, "remedy: %s", remedy);
    return SCREE_BAD_INPUT;
}

static const char *kind_of(const scree_case_body *body) {
    static const char *const keys[] = {
        [SCREE_CASE_SPHERE] = "sphere",  [SCREE_CASE_LATTICE] = "lattice",
        [SCREE_CASE_FILL] = "fill",      [SCREE_CASE_POUR] = "pour",
        [SCREE_CASE_SINGLE] = "body",    [SCREE_CASE_PYRAMID] = "pyramid",
        [SCREE_CASE_RELEASE] = "release"};
    return keys[body->kind];
}

static scree_status check_bodies(scree_reader *r, const scree_node *map,
                                 const scree_case *c) {
    const bool ensemble = c->ensemble.trajectories > 0;
    for (int i = 0; i < c->n_body; i++) {
        const bool release = c->bodies[i].kind == SCREE_CASE_RELEASE;
        if (release == ensemble) continue;
        return refuse_body(
            r, map, i, kind_of(&c->bodies[i]),
            release ? "rocks of a release fall alone, in an ensemble"
                    : "rocks of an ensemble fall alone, from releases",
            release ? "add ensemble: {trajectories: N}, or use 'fill'"
                    : "use 'release', or leave 'ensemble' out");
    }
    return SCREE_OK;
}

/* ---- walls ---------------------------------------------------------------- */

static scree_status check_walls(scree_reader *r, const scree_node *map) {
    const scree_draft *draft = &r->draft;
    int terrains = 0;
    for (int i = 0; i < draft->n_wall; i++) {
        const scree_wall_kind kind = draft->walls[i].kind;
        terrains += kind == SCREE_WALL_TERRAIN;
        if (kind >= SCREE_WALL_SEGMENTS) {
            scree_reader_refuse(r, map, "walls",
                                "'%s' cannot be a wall of an ensemble",
                                scree_quote(draft->walls[i].name).text);
            scree_hint(r->error, "allowed: one terrain, and planes, boxes, "
                                 "prisms and meshes");
            return SCREE_BAD_INPUT;
        }
    }
    if (terrains == 1) return SCREE_OK;
    scree_reader_refuse(r, map,
                        scree_node_value(map, "walls") ? "walls" : "ensemble",
                        "an ensemble has one terrain, not %d", terrains);
    scree_hint(r->error, "remedy: walls: [{terrain: {file: hill.asc}}]");
    return SCREE_BAD_INPUT;
}

static scree_status check_motions(scree_reader *r, const scree_node *map) {
    const scree_draft *draft = &r->draft;
    for (int i = 0; i < draft->n_wall; i++) {
        const scree_motion *m = &draft->walls[i].plane.motion;
        const bool driven = draft->walls[i].servo.goal >= 0;
        if (m->rate == 0 && !driven) continue;
        scree_reader_refuse(r, map, "walls",
                            "'%s' %s, which no wall of an ensemble does",
                            scree_quote(draft->walls[i].name).text,
                            driven ? "is driven" : "turns");
        return SCREE_BAD_INPUT;
    }
    return SCREE_OK;
}

/* ---- materials ------------------------------------------------------------- */

/* A rock alone meets walls: pairs that pass each other and attraction are for crowds. */
static scree_status check_pairs(scree_reader *r, const scree_node *map,
                                const scree_case *c) {
    if (scree_case_attracts(c))
        return scree_reader_refuse(r, map, "materials",
                                   "cohesion and bonds cannot be with "
                                   "'ensemble'");
    for (int i = 0; i < c->n_pair; i++)
        if (!c->pairs[i].collide)
            return scree_reader_refuse(r, map, "pairs",
                                       "'collide: off' cannot be with "
                                       "'ensemble'");
    return SCREE_OK;
}

/* ---- keys ----------------------------------------------------------------- */

static scree_status refuse_key(scree_reader *r, const scree_node *map,
                               const char *key, const char *remedy) {
    if (!scree_node_value(map, key)) return SCREE_OK;
    scree_reader_refuse(r, map, key, "cannot be with 'ensemble'");
    scree_hint(r->error, "remedy: %s", remedy);
    return SCREE_BAD_INPUT;
}

/* Lists that are there but empty are as good as none, as a printed case has them. */
static scree_status refuse_list(scree_reader *r, const scree_node *map,
                                const char *key, int n, const char *remedy) {
    return n > 0 ? refuse_key(r, map, key, remedy) : SCREE_OK;
}

static scree_status refuse_within(scree_reader *r, const scree_node *map,
                                  const char *section, const char *key,
                                  const char *remedy) {
    const scree_node *inner = scree_node_value(map, section);
    scree_reader_enter(r, section);
    return refuse_key(r, inner, key, remedy);
}

static scree_status check_keys(scree_reader *r, const scree_node *map,
                               const scree_case *c) {
    TRY(refuse_list(r, map, "joints", c->n_joint, "leave them out"));
    TRY(refuse_list(r, map, "nets", c->n_net, "leave them out"));
    TRY(refuse_list(r, map, "forces", c->n_force, "leave them out"));
    TRY(refuse_list(
        r, map, "outlets", c->n_outlet,
        "leave them out: a rock that leaves the terrain ends there"));
    TRY(refuse_key(r, map, "domain",
                   "leave it out: a rock that leaves the terrain ends there"));
    TRY(refuse_key(r, map, "cell", "leave it out"));
    if (c->stop.kinetic > 0 || c->stop.speed > 0 || c->stop.all_removed)
        return refuse_key(r, map, "stop",
                          "ensemble.rest_speed and ensemble.rest_for");
    TRY(refuse_list(r, map, "outputs", r->draft.n_output,
                    "ensemble.every writes trajectories, ensemble.maps maps; "
                    "deposits.csv is always written"));
    if (c->world.planar)
        return refuse_key(r, map, "planar",
                          "leave it out: rocks fall in space");
    if (c->report)
        return refuse_key(r, map, "report",
                          "leave it out: it tells of one world");
    if (c->ensemble.format != SCREE_MAPS_ASC && !scree_gdal_version()) {
        scree_reader_enter(r, "ensemble");
        scree_reader_refuse(r, scree_node_value(map, "ensemble"), "format",
                            "this program was built without GDAL");
        scree_hint(r->error, "remedy: format: asc, or install libgdal-dev and "
                             "build with -DSCREE_GDAL=on");
        return SCREE_BAD_INPUT;
    }
    if (c->checkpoint.every > 0)
        return refuse_within(
            r, map, "checkpoint", "every",
            "every_wall: trajectories have times of their own");
    if (c->world.solver.dump != SCREE_DUMP_NONE)
        return refuse_within(r, map, "solver", "dump",
                             "run the case of one rock without 'ensemble'");
    if (c->world.solver.unconverged == SCREE_UNCONVERGED_STOP)
        return refuse_within(r, map, "solver", "unconverged",
                             "leave it out: steps that did not converge are "
                             "counted");
    return SCREE_OK;
}

scree_status scree_check_ensemble(scree_reader *r, const scree_node *map,
                                  void *entry) {
    const scree_case *c = &((const scree_draft *)entry)->c;
    TRY(check_bodies(r, map, c));
    if (c->ensemble.trajectories == 0) return SCREE_OK;
    TRY(check_keys(r, map, c));
    TRY(check_pairs(r, map, c));
    TRY(check_walls(r, map));
    return check_motions(r, map);
}
