#include "contact/solid/surface.h"

#include <stdlib.h>

#include "contact/solid/shape.h"
#include "contact/solid/surface_build.h"
#include "engine/base/arena.h"

/* ---- the surface in the making ------------------------------------------- */

static bool make_room(scree_mesher *m, void *array, int64_t *capacity,
                      int64_t need, size_t size) {
    if (!m->no_memory)
        m->no_memory = scree_reserve(array, capacity, need, size) != SCREE_OK;
    return !m->no_memory;
}

int32_t scree_mesh_vertex(scree_mesher *m, scree_vec3 x) {
    scree_surface *s = m->out;
    if (!make_room(m, &s->vertex, &m->vertex_room, s->n_vertex + 1, sizeof x))
        return 0;
    s->vertex[s->n_vertex] = x;
    return s->n_vertex++;
}

void scree_mesh_corner(scree_mesher *m, int32_t vertex) {
    scree_surface *s = m->out;
    if (make_room(m, &s->corner, &m->corner_room, m->n_corner + 1,
                  sizeof vertex))
        s->corner[m->n_corner++] = vertex;
}

void scree_mesh_close(scree_mesher *m) {
    scree_surface *s = m->out;
    if (make_room(m, &s->loop, &m->loop_room, s->n_polygon + 2,
                  sizeof *s->loop))
        s->loop[++s->n_polygon] = m->n_corner;
}

void scree_mesh_polygon(scree_mesher *m, int n, const int32_t *vertices) {
    for (int i = 0; i < n; i++) scree_mesh_corner(m, vertices[i]);
    scree_mesh_close(m);
}

scree_vec3 scree_mesh_arc(scree_vec3 a, scree_vec3 b, int k, int m) {
    const double angle = scree_atan2(norm(cross(a, b)), dot(a, b)),
                 t = (double)k / m;
    return scale(1 / scree_sin(angle), add(scale(scree_sin((1 - t) * angle), a),
                                           scale(scree_sin(t * angle), b)));
}

/* ---- any solid ----------------------------------------------------------- */

scree_status scree_surface_make(scree_surface *surface,
                                const scree_solid *solid, bool planar,
                                int level, scree_error *error) {
    *surface = (scree_surface){0};
    if (level < 0 || level > SCREE_SURFACE_FINEST)
        return scree_fail(error, SCREE_BAD_ARGUMENT,
                          "a surface has a level from 0 to %d, not %d",
                          SCREE_SURFACE_FINEST, level);
    const bool disc = planar && solid->core == SCREE_CORE_POINT;
    const scree_solid_ops *ops = disc ? &scree_solid_disc : scree_ops_of(solid);
    scree_mesher m = {.out = surface};
    ops->surface(&m, solid, level);
    if (!m.no_memory) return SCREE_OK;
    scree_surface_free(surface);
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "no memory for a surface");
}

void scree_surface_free(scree_surface *s) {
    free(s->vertex);
    free(s->loop);
    free(s->corner);
    *s = (scree_surface){0};
}
