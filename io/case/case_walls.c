/* case_walls.c: boxes and prisms as the planes they are made of.
 *
 * All planes of a compound share its material, motion and times, so they move
 * as one rigid body. */
#include "io/case/case_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Planes have no end: each is looked at for each body. io/case/README.md, `Limits`. */
enum { MOST_PLANES = 20000 };

static const double two_pi = 6.283185307179586;

static int count_planes(const scree_wall_entry *wall) {
    if (wall->kind == SCREE_WALL_PRISM) return wall->prism.sides + 2;
    if (wall->kind != SCREE_WALL_BOX) return 1;
    int n = SCREE_FACES;
    for (int i = 0; i < SCREE_FACES; i++) n -= wall->box.open >> i & 1;
    return n;
}

/* Adds the plane through center + distance * d that faces against d. */
static scree_status add_plane(scree_reader *r, const scree_wall_entry *wall,
                              const char *part, const double center[3],
                              double distance, const double d[3]) {
    scree_case *c = &r->draft.c;
    scree_case_wall *to = &c->walls[c->n_wall++];
    to->def = wall->plane;
    to->servo = wall->servo;
    for (int i = 0; i < 3; i++) {
        to->def.point[i] = center[i] + distance * d[i];
        to->def.normal[i] = 0 - d[i]; /* no negative zeros */
    }
    const size_t size = strlen(wall->name) + strlen(part) + 2;
    to->name = scree_pool_take(r->pool, size, 1);
    if (!to->name) return scree_reader_no_memory(r);
    snprintf(to->name, size, "%s.%s", wall->name, part);
    return SCREE_OK;
}

/* In the plane a box has the faces left, right, bottom and top, and y is up. */
static scree_status add_box(scree_reader *r, const scree_wall_entry *wall) {
    const bool planar = r->draft.c.world.planar;
    const double *min = wall->box.min, *max = wall->box.max;
    double center[3];
    for (int i = 0; i < 3; i++) center[i] = min[i] + (max[i] - min[i]) / 2;
    for (int face = 0; face < SCREE_FACES; face++) {
        if (wall->box.open >> face & 1) continue;
        if (planar && face / 2 == 1) continue;
        const int axis = planar && face / 2 == 2 ? 1 : face / 2;
        const bool upper = face % 2 == 1;
        double d[3] = {0};
        d[axis] = upper ? 1 : -1;
        TRY(add_plane(r, wall, scree_face_name(face, NULL), center, 0, d));
        /* The face lies exactly where the file says. */
        scree_case_wall *to = &r->draft.c.walls[r->draft.c.n_wall - 1];
        to->def.point[axis] = upper ? max[axis] : min[axis];
        scree_servo_of_face(&to->servo, wall, face);
    }
    return SCREE_OK;
}

static void normalize_vector(double v[3]) {
    const double length = scree_hypot(scree_hypot(v[0], v[1]), v[2]);
    for (int i = 0; i < 3; i++) v[i] /= length;
}

/* Right-handed unit vectors e, f, axis; e is as near as can be to the
 * coordinate axis that is most across. */
static void frame_round(double axis[3], double e[3], double f[3]) {
    normalize_vector(axis);
    int across = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(axis[i]) < fabs(axis[across])) across = i;
    for (int i = 0; i < 3; i++)
        e[i] = (i == across ? 1 : 0) - axis[across] * axis[i];
    normalize_vector(e);
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        f[i] = axis[j] * e[k] - axis[k] * e[j];
    }
}

static scree_status add_prism(scree_reader *r, const scree_wall_entry *wall) {
    double axis[3], e[3], f[3];
    memcpy(axis, wall->prism.axis, sizeof axis);
    frame_round(axis, e, f);
    char part[32];
    for (int k = 0; k < wall->prism.sides; k++) {
        const double angle = two_pi * k / wall->prism.sides;
        double d[3];
        for (int i = 0; i < 3; i++)
            d[i] = scree_cos(angle) * e[i] + scree_sin(angle) * f[i];
        snprintf(part, sizeof part, "side-%d", k);
        TRY(add_plane(r, wall, part, wall->prism.center, wall->prism.radius,
                      d));
    }
    const double back[3] = {-axis[0], -axis[1], -axis[2]};
    const double half = wall->prism.length / 2;
    TRY(add_plane(r, wall, "end-0", wall->prism.center, half, back));
    return add_plane(r, wall, "end-1", wall->prism.center, half, axis);
}

static scree_status add_wall(scree_reader *r, const scree_wall_entry *wall) {
    if (wall->kind == SCREE_WALL_BOX) return add_box(r, wall);
    if (wall->kind == SCREE_WALL_PRISM) return add_prism(r, wall);
    static const scree_case_wall_kind kinds[] = {
        [SCREE_WALL_MESH] = SCREE_CASE_MESH,
        [SCREE_WALL_TERRAIN] = SCREE_CASE_TERRAIN,
        [SCREE_WALL_SEGMENTS] = SCREE_CASE_SEGMENTS,
        [SCREE_WALL_CYLINDER] = SCREE_CASE_REVOLVED,
        [SCREE_WALL_CONE] = SCREE_CASE_REVOLVED,
        [SCREE_WALL_PROFILE] = SCREE_CASE_REVOLVED};
    r->draft.c.walls[r->draft.c.n_wall++] = (scree_case_wall){
        wall->name, wall->plane, wall->servo, kinds[wall->kind], wall->surface};
    return SCREE_OK;
}

scree_status scree_reader_resolve_walls(scree_reader *r) {
    const scree_draft *draft = &r->draft;
    size_t n = 0;
    for (int i = 0; i < draft->n_wall; i++)
        n += (size_t)count_planes(&draft->walls[i]);
    if (n > MOST_PLANES)
        return scree_fail(
            r->error, SCREE_BAD_INPUT,
            "%.500s: walls: %zu planes, boxes and prisms written out, are more "
            "than %d\n  remedy: a mesh or a terrain",
            draft->c.path, n, MOST_PLANES);
    r->draft.c.walls = scree_pool_take(r->pool, n, sizeof *draft->c.walls);
    if (!r->draft.c.walls) return scree_reader_no_memory(r);
    for (int i = 0; i < draft->n_wall; i++) TRY(add_wall(r, &draft->walls[i]));
    return scree_reader_resolve_servos(r);
}
