/* audit_mesh.c: normals of one-sided meshes against where the bodies are.
 *
 * A body more than half way through a one-sided mesh is not touched, and nothing
 * would ever say so. Rays tell: a body whose ray meets the back of a triangle first
 * is behind the mesh.
 *
 *     closed mesh   one ray is enough: all bodies are asked, and those behind are
 *                   inside what the mesh encloses, or outside of what it contains
 *     open mesh     it may have bodies on both sides. Some bodies are asked in six
 *                   directions, and the nearest triangle counts; if all see its
 *                   back, the normals are likely the wrong way round. They surely
 *                   are if it is around all bodies: backs in four directions or
 *                   more, as in a drum, and fronts in none
 *
 * Where pours will let bodies in counts as a body. Cost: a ray is O(log triangles). */
#include <math.h>
#include <stdlib.h>

#include "contact/surface/mesh.h"
#include "engine/audit/audit_parts.h"
#include "engine/base/parallel.h"
#include "engine/generate/place.h"
#include "engine/world/view.h"

enum { SAMPLES = 1000 }; /* bodies of a rank that an open mesh is asked about */

/* ---- rays ------------------------------------------------------------------ */

typedef struct ray {
    const scree_mesh *mesh;
    scree_vec3 x, d;
    double t;  /* of the nearest crossing so far, 1: none */
    bool back; /* it is a triangle's back */
} ray;

/* Moeller and Trumbore (1997), both sides. */
static double cross_triangle(void *context, int32_t i) {
    ray *r = context;
    const int32_t *c = r->mesh->corner[i];
    const scree_vec3 *v = r->mesh->vertex;
    const scree_vec3 e1 = sub(v[c[1]], v[c[0]]), e2 = sub(v[c[2]], v[c[0]]);
    const scree_vec3 p = cross(r->d, e2), s = sub(r->x, v[c[0]]);
    const double det = dot(e1, p);
    if (det == 0) return r->t;
    const scree_vec3 q = cross(s, e1);
    const double a = dot(s, p) / det, b = dot(r->d, q) / det,
                 t = dot(e2, q) / det;
    if (a < 0 || b < 0 || a + b > 1 || t < 0 || t >= r->t) return r->t;
    r->t = t;
    r->back = dot(r->d, r->mesh->normal[i]) > 0;
    return t;
}

static ray cast_ray(const scree_mesh *mesh, scree_vec3 x, scree_vec3 d) {
    ray r = {.mesh = mesh, .x = x, .d = d, .t = 1};
    scree_bvh_sweep(&mesh->bvh, (scree_ball){x, 0}, d, cross_triangle, &r);
    return r;
}

/* Longer than any way from x to a point of the mesh. */
static double ray_length(const scree_mesh *mesh, scree_vec3 x) {
    const scree_vec3 middle = scale(0.5, add(mesh->box.lo, mesh->box.hi));
    return 2 * (norm(sub(x, middle)) + norm(sub(mesh->box.hi, mesh->box.lo)));
}

/* ---- sides ----------------------------------------------------------------- */

typedef enum side { UNSEEN, FRONT, BACK, AROUND, SIDES } side;
enum { BACKS_AROUND = 4 };

static side side_of_open(const scree_mesh *mesh, scree_vec3 x) {
    const double l = ray_length(mesh, x);
    const scree_vec3 ways[] = {vec(l, 0, 0),  vec(-l, 0, 0), vec(0, l, 0),
                               vec(0, -l, 0), vec(0, 0, l),  vec(0, 0, -l)};
    ray nearest = {.t = 1};
    int backs = 0, fronts = 0;
    for (int k = 0; k < 6; ++k) {
        const ray r = cast_ray(mesh, x, ways[k]);
        backs += r.t < 1 && r.back;
        fronts += r.t < 1 && !r.back;
        if (r.t < nearest.t) nearest = r;
    }
    if (nearest.t >= 1) return UNSEEN;
    if (!nearest.back) return FRONT;
    return backs >= BACKS_AROUND && fronts == 0 ? AROUND : BACK;
}

static bool is_closed(const scree_mesh *mesh) {
    for (int32_t i = 0; i < mesh->n_triangle; ++i)
        for (int k = 0; k < 3; ++k)
            if (mesh->across[i][k] < 0) return false;
    return true;
}

/* Six times the volume that it encloses: < 0, if its normals look inward. */
static double enclosed_volume(const scree_mesh *mesh) {
    const scree_vec3 *v = mesh->vertex, o = mesh->box.lo;
    double volume = 0;
    for (int32_t i = 0; i < mesh->n_triangle; ++i) {
        const int32_t *c = mesh->corner[i];
        volume += dot(sub(v[c[0]], o), cross(sub(v[c[1]], o), sub(v[c[2]], o)));
    }
    return volume;
}

static bool box_has(const scree_box *b, scree_vec3 x) {
    return x.x >= b->lo.x && x.x <= b->hi.x && x.y >= b->lo.y &&
           x.y <= b->hi.y && x.z >= b->lo.z && x.z <= b->hi.z;
}

/* The direction is along no edge that a user would draw. */
static side side_of_closed(const scree_mesh *mesh, double volume,
                           scree_vec3 x) {
    if (box_has(&mesh->box, x)) {
        const ray r = cast_ray(
            mesh, x, scale(ray_length(mesh, x), vec(0.617, 0.331, 0.714)));
        if (r.t < 1) return r.back ? BACK : FRONT;
    }
    return volume > 0 ? FRONT : BACK;
}

/* ---- counting -------------------------------------------------------------- */

typedef struct mesh_view {
    const scree_world *world;
    const scree_plane *wall;
    bool closed;
    double volume;
    uint8_t *sides; /* (n) of bodies */
    int64_t stride; /* each so many bodies one is asked */
} mesh_view;

static side side_of(const mesh_view *m, scree_vec3 x) {
    const scree_vec3 own = mat3_mul_back(&m->wall->R, sub(x, m->wall->x));
    return m->closed ? side_of_closed(m->wall->mesh, m->volume, own)
                     : side_of_open(m->wall->mesh, own);
}

static void look_chunk(void *context, int64_t first, int64_t last) {
    const mesh_view *m = context;
    for (int64_t i = first; i < last; ++i)
        if (i % m->stride == 0)
            m->sides[i] = (uint8_t)side_of(m, m->world->state.bodies.x[i].x);
}

/* How many bodies see it so; those behind it as the worst ones too. */
static scree_worst count_sides(const mesh_view *m, int64_t seen[SIDES]) {
    const scree_bodies *b = &m->world->state.bodies;
    scree_worst back = {0};
    for (int32_t i = 0; i < b->n; ++i) {
        if (!scree_world_owns(m->world, i)) continue;
        ++seen[m->sides[i]];
        if (m->sides[i] >= BACK)
            scree_worst_add(&back,
                            &(scree_worst){.n = 1, .a = b->id[i], .b = -1});
    }
    return back;
}

static void count_pours(const scree_auditor *by, const mesh_view *m,
                        int64_t seen[SIDES]) {
    for (int k = 0; k < by->scene->n_pour; ++k) {
        double lo[3], hi[3];
        scree_region_bounds(&by->scene->pours[k]->region, lo, hi);
        ++seen[side_of(m, scale(0.5, add(vec_from(lo), vec_from(hi))))];
    }
}

/* ---- telling --------------------------------------------------------------- */

static void tell_inside(const scree_auditor *by, const mesh_view *m,
                        const char *name, const scree_worst *t) {
    if (t->n == 0) return;
    const bool solid = m->volume > 0;
    scree_audit_add(
        by->audit, SCREE_ERROR, SCREE_FINDING_INSIDE,
        "%lld of %lld bodies %s %s mesh %s, body %lld first, where nothing "
        "touches them: its normals look %s; move the bodies, turn the "
        "triangles "
        "round, or set two_sided: on",
        (long long)t->n, (long long)by->world->ranks.n_body,
        t->n == 1 ? "is" : "are",
        solid ? "inside the solid" : "outside the hollow", name,
        (long long)t->a, solid ? "outward" : "inward");
}

static void tell_back(const scree_auditor *by, const char *name,
                      const int64_t seen[SIDES]) {
    if (seen[FRONT] > 0 || seen[BACK] + seen[AROUND] == 0) return;
    scree_audit_add(
        by->audit, seen[BACK] == 0 ? SCREE_ERROR : SCREE_WARNING,
        SCREE_FINDING_NORMALS,
        "mesh %s shows its back to all bodies, so that nothing touches it: its "
        "normals look away from them; turn the triangles round (corners "
        "counter-clockwise, seen from the bodies), or set two_sided: on",
        name);
}

static scree_status look_at_mesh(const scree_auditor *by, mesh_view *m,
                                 int wall) {
    const scree_wall_label name = scree_audit_wall(by, wall);
    int64_t seen[SIDES] = {0};
    scree_parallel_for(by->world->state.bodies.n, by->world->def.threads,
                       look_chunk, m);
    scree_worst back = count_sides(m, seen);
    TRY(scree_worst_join(by->comm, &back));
    scree_comm_sum_counts(by->comm, seen, SIDES);
    count_pours(by, m, seen);
    if (m->closed && back.n > 0)
        tell_inside(by, m, name.text, &back);
    else
        tell_back(by, name.text, seen);
    return SCREE_OK;
}

static mesh_view view_of(const scree_auditor *by, int wall, uint8_t *sides) {
    const scree_plane *p = &by->world->scene.planes[wall];
    const bool closed = is_closed(p->mesh);
    return (mesh_view){
        .world = by->world,
        .wall = p,
        .closed = closed,
        .volume = closed ? enclosed_volume(p->mesh) : 0,
        .sides = sides,
        .stride = closed ? 1 : 1 + by->world->state.bodies.n / SAMPLES};
}

static bool is_one_sided(const scree_plane *p) {
    return p->mesh && p->exists && !p->mesh->two_sided;
}

scree_status scree_audit_meshes(const scree_auditor *by) {
    for (int w = 0; w < by->world->scene.n_wall; ++w) {
        if (!is_one_sided(&by->world->scene.planes[w])) continue;
        uint8_t *sides = calloc((size_t)by->world->state.bodies.n + 1, 1);
        TRY(scree_comm_agree(by->comm, sides ? SCREE_OK : SCREE_OUT_OF_MEMORY,
                             NULL));
        mesh_view m = view_of(by, w, sides);
        const scree_status status = look_at_mesh(by, &m, w);
        free(sides);
        TRY(status);
    }
    return SCREE_OK;
}
