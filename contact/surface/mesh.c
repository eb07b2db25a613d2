#include "contact/surface/mesh.h"

#include "contact/surface/triangle_touch.h"

scree_facet scree_mesh_facet(const scree_mesh *mesh, int32_t i) {
    scree_facet f = {.n = mesh->normal[i], .patch = (uint32_t)mesh->patch[i]};
    for (int k = 0; k < 3; ++k) {
        const int32_t v = mesh->corner[i][k];
        f.p[k] = mesh->vertex[v];
        f.vertex[k] = (uint32_t)v;
        f.edge[k] = (uint32_t)mesh->edge[i][k];
        f.peak[k] = mesh->peak[v] & 1;
        f.fold[k] = (scree_fold)mesh->fold[i][k];
    }
    for (int k = 0; k < 3; ++k) {
        if (mesh->across[i][k] >= 0) {
            f.beyond[k] = mesh->normal[mesh->across[i][k]];
        } else {
            const scree_vec3 e = sub(f.p[scree_next(k)], f.p[k]);
            f.beyond[k] = scale(1 / norm(e), cross(e, f.n));
        }
    }
    return f;
}

/* ---- touches ------------------------------------------------------------ */

static bool in_cone(const void *surface, uint32_t v, scree_vec3 d,
                    double slope) {
    const scree_mesh *mesh = surface;
    const double size = slope * norm(d);
    for (int32_t i = mesh->ring[v]; i < mesh->ring[v + 1]; ++i) {
        const scree_vec3 e =
            sub(mesh->vertex[mesh->neighbour[i]], mesh->vertex[v]);
        if (dot(e, d) > size * norm(e)) return false;
    }
    return true;
}

static scree_facet back_of(const scree_mesh *mesh, const scree_facet *f) {
    scree_facet b = scree_facet_back(f);
    for (int k = 0; k < 3; ++k) b.peak[k] = mesh->peak[b.vertex[k]] & 2;
    return b;
}

/* Works on the side of triangle i on which the body is. */
static void meet_triangle(scree_probe *probe, int32_t i,
                          void (*work)(scree_probe *, const scree_facet *)) {
    const scree_mesh *mesh = probe->surface;
    scree_vec3 p[3], n = mesh->normal[i];
    for (int k = 0; k < 3; ++k) p[k] = mesh->vertex[mesh->corner[i][k]];
    const bool back = mesh->two_sided && dot(n, sub(probe->body->x, p[0])) < 0;
    if (!back && scree_probe_skips(probe, p, n)) return;
    scree_facet f = scree_mesh_facet(mesh, i);
    if (back) f = back_of(mesh, &f);
    work(probe, &f);
}

static void touch_triangle(void *context, int32_t i) {
    meet_triangle(context, i, scree_probe_facet);
}

static void rescue_from(void *context, int32_t i) {
    meet_triangle(context, i, scree_probe_rescue);
}

int scree_mesh_touch(const scree_mesh *mesh, const scree_placed *a,
                     double reach, scree_touch *touches) {
    scree_probe probe;
    scree_probe_begin(&probe, a, reach, mesh, in_cone);
    const scree_box box = scree_probe_box(&probe);
    scree_bvh_query(&mesh->bvh, &box, touch_triangle, &probe);
    if (scree_probe_lost(&probe))
        scree_bvh_query(&mesh->bvh, &box, rescue_from, &probe);
    return scree_probe_end(&probe, touches);
}

/* ---- sweeps ------------------------------------------------------------- */

typedef struct sweep {
    const scree_mesh *mesh;
    scree_ball ball;
    scree_vec3 d;
    scree_hit hit;
    bool found;
} sweep;

static double sweep_triangle(void *context, int32_t i) {
    sweep *s = context;
    const int32_t *c = s->mesh->corner[i];
    const scree_vec3 *x = s->mesh->vertex;
    const scree_vec3 p[3] = {x[c[0]], x[c[1]], x[c[2]]};
    scree_vec3 n = s->mesh->normal[i];
    if (s->mesh->two_sided && dot(n, sub(s->ball.x, p[0])) < 0) {
        const scree_vec3 q[3] = {p[0], p[2], p[1]};
        n = scale(-1, n);
        s->found |= scree_triangle_sweep(q, n, s->ball, s->d, &s->hit);
    } else {
        s->found |= scree_triangle_sweep(p, n, s->ball, s->d, &s->hit);
    }
    return s->hit.t;
}

bool scree_mesh_sweep(const scree_mesh *mesh, scree_ball ball, scree_vec3 d,
                      scree_hit *hit) {
    sweep s = {mesh, ball, d, scree_no_hit(), false};
    scree_bvh_sweep(&mesh->bvh, ball, d, sweep_triangle, &s);
    if (s.found) *hit = s.hit;
    return s.found;
}
