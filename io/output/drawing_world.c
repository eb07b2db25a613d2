#include "io/output/drawing_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/surface/chain.h"
#include "contact/surface/heightfield.h"
#include "contact/surface/mesh.h"
#include "contact/surface/revolved.h"
#include "engine/base/arena.h"
#include "engine/domain/rows.h"
#include "engine/world/view.h"

/* How fine round parts are: 16 chords a turn, 80 triangles a ball. */
enum { LEVEL = 1 };

scree_status scree_shape_surfaces_open(scree_shape_surfaces *s,
                                       const scree_world *world,
                                       scree_error *error) {
    const scree_solid unit = {
        .core = SCREE_CORE_POINT, .radius = 1, .bound = 1};
    *s = (scree_shape_surfaces){0};
    return scree_surface_make(
        &s->round, &unit, scree_world_view_of(world).def->planar, LEVEL, error);
}

void scree_shape_surfaces_free(scree_shape_surfaces *s) {
    scree_surface_free(&s->round);
    for (int i = 0; i < s->n_form; i++) scree_surface_free(&s->forms[i]);
    free(s->forms);
    *s = (scree_shape_surfaces){0};
}

/* ---- bodies -------------------------------------------------------------- */

/* Shapes may be added while the world runs. */
static scree_status make_forms(scree_shape_surfaces *s,
                               const scree_world_view *view) {
    TRY(scree_reserve(&s->forms, &s->form_room, view->n_form,
                      sizeof *s->forms));
    for (; s->n_form < view->n_form; s->n_form++) {
        const scree_form *form = &view->forms[s->n_form];
        if (form->n_ball == 0)
            TRY(scree_surface_make(&s->forms[s->n_form], &form->solid,
                                   view->def->planar, LEVEL, NULL));
    }
    return SCREE_OK;
}

/* Where the vertices x of a surface go: at + R (size x). */
typedef struct placement {
    double size;
    scree_vec3 at;
    scree_mat3 R;
} placement;

static scree_status draw_surface(scree_drawing *d, const scree_surface *surface,
                                 const placement *p, const scree_label *label) {
    const int64_t first = d->n_point;
    const int32_t *loop = surface->loop;
    TRY(scree_drawing_reserve(d, surface->n_vertex, surface->n_polygon,
                              loop[surface->n_polygon]));
    for (int i = 0; i < surface->n_vertex; i++)
        scree_drawing_point(
            d, add_scaled(p->at, p->size, mat3_mul(&p->R, surface->vertex[i])));
    for (int i = 0; i < surface->n_polygon; i++)
        scree_drawing_polygon(d, first, loop[i + 1] - loop[i],
                              surface->corner + loop[i], label);
    return SCREE_OK;
}

static scree_status draw_clump(scree_drawing *d, const scree_shape_surfaces *s,
                               const scree_form *form, const placement *body,
                               const scree_label *label) {
    for (int i = 0; i < form->n_ball; i++) {
        const scree_ball *ball = &form->balls[i];
        const placement p = {
            ball->r, add(body->at, mat3_mul(&body->R, ball->x)), body->R};
        TRY(draw_surface(d, &s->round, &p, label));
    }
    return SCREE_OK;
}

static scree_status draw_body(scree_drawing *d, const scree_shape_surfaces *s,
                              const scree_world_view *view,
                              const scree_body_row *b) {
    const int32_t shape = b->form;
    const bool round = shape < 0;
    if (round && !view->def->planar && !s->spheres) return SCREE_OK;
    const scree_label label = {b->id, norm(b->u.v), shape, b->material};
    const placement p = {round ? b->x.r : 1, b->x.x, quat_matrix(b->q)};
    if (!round && view->forms[shape].n_ball > 0)
        return draw_clump(d, s, &view->forms[shape], &p, &label);
    return draw_surface(d, round ? &s->round : &s->forms[shape], &p, &label);
}

static scree_status draw_all(scree_shape_surfaces *s, scree_drawing *d,
                             const scree_world *world) {
    const scree_world_view view = scree_world_view_of(world);
    TRY(make_forms(s, &view));
    for (int64_t k = 0; k < view.bodies->n; k++) {
        const scree_body_row row =
            scree_body_row_of(world, view.bodies->place[k]);
        TRY(draw_body(d, s, &view, &row));
    }
    return SCREE_OK;
}

/* The bodies of a block of ids, which are on any rank. */
static scree_status draw_block(scree_shape_surfaces *s, scree_drawing *d,
                               const scree_world *world) {
    const scree_world_view view = scree_world_view_of(world);
    const scree_comm *comm = scree_world_comm(world);
    const int64_t n = scree_world_block(world).n;
    scree_body_row *rows = malloc(((size_t)n + 1) * sizeof *rows);
    scree_status status = rows ? make_forms(s, &view) : SCREE_OUT_OF_MEMORY;
    status = scree_comm_agree(comm, status, NULL);
    if (status == SCREE_OK) status = scree_domain_body_rows(world, rows);
    for (int64_t k = 0; k < n && status == SCREE_OK; k++)
        status = draw_body(d, s, &view, &rows[k]);
    free(rows);
    return status;
}

scree_status scree_draw_bodies(scree_shape_surfaces *s, scree_drawing *d,
                               const scree_world *world) {
    return scree_world_view_of(world).spread ? draw_block(s, d, world)
                                             : draw_all(s, d, world);
}

/* ---- walls --------------------------------------------------------------- */

static scree_status draw_mesh(scree_drawing *d, const scree_plane *plane,
                              const scree_label *label) {
    const scree_mesh *mesh = plane->mesh;
    const int64_t first = d->n_point;
    TRY(scree_drawing_reserve(d, mesh->n_vertex, mesh->n_triangle,
                              3 * (int64_t)mesh->n_triangle));
    for (int32_t i = 0; i < mesh->n_vertex; i++)
        scree_drawing_point(
            d, add(plane->x, mat3_mul(&plane->R, mesh->vertex[i])));
    for (int32_t i = 0; i < mesh->n_triangle; i++)
        scree_drawing_polygon(d, first, 3, mesh->corner[i], label);
    return SCREE_OK;
}

/* The two triangles of contact/surface/heightfield.h for each cell. Terrain stays. */
static scree_status draw_terrain(scree_drawing *d, const scree_heightfield *f,
                                 const scree_label *label) {
    const int64_t first = d->n_point, nx = f->nx, ny = f->ny;
    const int64_t triangles = 2 * (nx - 1) * (ny - 1);
    TRY(scree_drawing_reserve(d, nx * ny, triangles, 3 * triangles));
    for (int64_t j = 0; j < ny; j++)
        for (int64_t i = 0; i < nx; i++)
            scree_drawing_point(d, vec(f->x0 + (double)i * f->cell,
                                       f->y0 + (double)j * f->cell,
                                       f->z[j * nx + i]));
    const int32_t right = 1, up = f->nx, both = f->nx + 1;
    for (int64_t j = 0; j + 1 < ny; j++)
        for (int64_t i = 0; i + 1 < nx; i++) {
            const int64_t corner = first + j * nx + i;
            scree_drawing_polygon(d, corner, 3,
                                  (const int32_t[]){0, right, both}, label);
            scree_drawing_polygon(d, corner, 3, (const int32_t[]){0, both, up},
                                  label);
        }
    return SCREE_OK;
}

/* Chords of the half turn round an end of a thick segment. */
enum { END = 8 };

/* A segment as thick as it is, round at its ends: neighbours overlap there. */
static void draw_thick(scree_drawing *d, const scree_plane *plane,
                       const scree_vec3 ends[2], scree_vec3 e,
                       const scree_label *label) {
    const int64_t first = d->n_point;
    int32_t corners[2 * (END + 1)];
    for (int k = 0; k < 2 * (END + 1); k++) {
        const bool to = k <= END;
        const double angle = SCREE_PI * (k - (to ? 0 : 1)) / END - SCREE_PI / 2;
        const double c = plane->chain->radius * scree_cos(angle);
        const double s = plane->chain->radius * scree_sin(angle);
        const scree_vec3 x =
            add(ends[to], vec(c * e.x - s * e.y, c * e.y + s * e.x, 0));
        scree_drawing_point(d, add(plane->x, mat3_mul(&plane->R, x)));
        corners[k] = k;
    }
    scree_drawing_polygon(d, first, 2 * (END + 1), corners, label);
}

static void draw_thin(scree_drawing *d, const scree_plane *plane,
                      const scree_vec3 ends[2], const scree_label *label) {
    const int64_t first = d->n_point;
    for (int k = 0; k < 2; k++)
        scree_drawing_point(d, add(plane->x, mat3_mul(&plane->R, ends[k])));
    scree_drawing_polygon(d, first, 2, (const int32_t[]){0, 1}, label);
}

static scree_status draw_segments(scree_drawing *d, const scree_plane *plane,
                                  const scree_label *label) {
    const scree_chain *chain = plane->chain;
    const int64_t points = chain->radius > 0 ? 2 * (END + 1) : 2;
    TRY(scree_drawing_reserve(d, points * chain->n_side, chain->n_side,
                              points * chain->n_side));
    for (int32_t i = 0; i < chain->n_side; i++) {
        const scree_vec3 ends[2] = {chain->vertex[i],
                                    chain->vertex[scree_chain_to(chain, i)]};
        if (chain->radius > 0)
            draw_thick(d, plane, ends, chain->e[i], label);
        else
            draw_thin(d, plane, ends, label);
    }
    return SCREE_OK;
}

/* Chords of a turn about the axis. */
enum { TURN = 64 };

static scree_status draw_revolved(scree_drawing *d, const scree_plane *plane,
                                  const scree_label *label) {
    const scree_revolved *w = plane->revolved;
    const int64_t first = d->n_point, sides = w->n_point - 1;
    TRY(scree_drawing_reserve(d, (int64_t)TURN * w->n_point, TURN * sides,
                              4 * TURN * sides));
    for (int k = 0; k < w->n_point; k++)
        for (int i = 0; i < TURN; i++) {
            const double angle = 2 * SCREE_PI * i / TURN;
            const scree_vec3 x = {w->r[k] * scree_cos(angle),
                                  w->r[k] * scree_sin(angle), w->z[k]};
            scree_drawing_point(d, add(plane->x, mat3_mul(&plane->R, x)));
        }
    for (int32_t k = 0; k < sides; k++)
        for (int32_t i = 0; i < TURN; i++) {
            const int32_t next = (i + 1) % TURN, up = (k + 1) * TURN;
            scree_drawing_polygon(d, first, 4,
                                  (const int32_t[]){k * TURN + i,
                                                    k * TURN + next, up + next,
                                                    up + i},
                                  label);
        }
    return SCREE_OK;
}

static bool draws_walls(const scree_world *world) {
    return scree_world_rank(world) == 0;
}

scree_status scree_draw_walls(scree_drawing *d, const scree_world *world) {
    if (!draws_walls(world)) return SCREE_OK;
    const scree_world_view view = scree_world_view_of(world);
    for (int i = 0; i < view.n_wall; i++) {
        const scree_plane plane = scree_world_wall_plane(world, i);
        const scree_label label = {.id = i,
                                   .material = view.walls[i].def.material};
        if (!plane.exists) continue;
        if (plane.mesh) TRY(draw_mesh(d, &plane, &label));
        if (plane.chain) TRY(draw_segments(d, &plane, &label));
        if (plane.field) TRY(draw_terrain(d, plane.field, &label));
        if (plane.revolved) TRY(draw_revolved(d, &plane, &label));
    }
    return SCREE_OK;
}

/* ---- planes -------------------------------------------------------------- */

typedef struct box {
    scree_vec3 lo, hi;
} box;

/* A convex polygon. A cut adds one corner at most; when there is no room for
 * another, the rest of the cuts is left out. */
enum { CORNERS = 64 };
typedef struct polygon {
    int n;
    scree_vec3 x[CORNERS];
} polygon;

static void include_ball(box *b, scree_vec3 x, double r) {
    b->lo = vec(fmin(b->lo.x, x.x - r), fmin(b->lo.y, x.y - r),
                fmin(b->lo.z, x.z - r));
    b->hi = vec(fmax(b->hi.x, x.x + r), fmax(b->hi.y, x.y + r),
                fmax(b->hi.z, x.z + r));
}

/* The box around those of all ranks. */
static void unite_boxes(box *b, const scree_comm *comm) {
    double ends[6] = {-b->lo.x, -b->lo.y, -b->lo.z, b->hi.x, b->hi.y, b->hi.z};
    scree_comm_max(comm, ends, 6);
    b->lo = vec(-ends[0], -ends[1], -ends[2]);
    b->hi = vec(ends[3], ends[4], ends[5]);
}

static box box_of_all(const scree_drawing *d, const scree_world *world) {
    box b = {vec(INFINITY, INFINITY, INFINITY),
             vec(-INFINITY, -INFINITY, -INFINITY)};
    const scree_world_view view = scree_world_view_of(world);
    for (int32_t i = 0; i < view.bodies->n; i++)
        include_ball(&b, view.bodies->x[i].x, view.bodies->x[i].r);
    for (int64_t i = 0; i < d->n_point; i++) include_ball(&b, d->points[i], 0);
    if (view.spread) unite_boxes(&b, scree_world_comm(world));
    const scree_vec3 size = sub(b.hi, b.lo);
    const double margin = 0.05 * fmax(size.x, fmax(size.y, size.z));
    b.lo = sub(b.lo, vec(margin, margin, margin));
    b.hi = add(b.hi, vec(margin, margin, margin));
    return b;
}

/* What of the polygon has n . x <= bound. */
static void cut_polygon(polygon *p, scree_vec3 n, double bound) {
    if (p->n == CORNERS) return;
    const polygon whole = *p;
    p->n = 0;
    for (int i = 0; i < whole.n; i++) {
        const scree_vec3 a = whole.x[i], b = whole.x[(i + 1) % whole.n];
        const double da = dot(n, a) - bound, db = dot(n, b) - bound;
        if (da <= 0) p->x[p->n++] = a;
        if ((da < 0 && db > 0) || (da > 0 && db < 0))
            p->x[p->n++] = add_scaled(a, da / (da - db), sub(b, a));
    }
}

/* A square on the plane that is larger than the box, cut by its six sides. */
static polygon plane_in_box(const scree_plane *plane, const box *b) {
    const scree_vec3 n = plane->n, middle = scale(0.5, add(b->lo, b->hi));
    const scree_vec3 at = add_scaled(middle, plane->d - dot(n, middle), n);
    const double size = 2 * norm(sub(b->hi, b->lo));
    const scree_vec3 s = scale(size, perpendicular(n)), t = cross(n, s);
    polygon p = {4,
                 {sub(sub(at, s), t), sub(add(at, s), t), add(add(at, s), t),
                  add(sub(at, s), t)}};
    cut_polygon(&p, vec(1, 0, 0), b->hi.x);
    cut_polygon(&p, vec(-1, 0, 0), -b->lo.x);
    cut_polygon(&p, vec(0, 1, 0), b->hi.y);
    cut_polygon(&p, vec(0, -1, 0), -b->lo.y);
    cut_polygon(&p, vec(0, 0, 1), b->hi.z);
    cut_polygon(&p, vec(0, 0, -1), -b->lo.z);
    return p;
}

/* Bodies are on the free side of every plane: so is what they see of one. */
static void cut_by_others(polygon *p, const scree_world *world, int wall) {
    const int n = scree_world_wall_count(world);
    for (int i = 0; i < n && p->n > 0; i++) {
        const scree_plane plane = scree_world_wall_plane(world, i);
        if (i != wall && plane.exists && !plane.mesh && !plane.field)
            cut_polygon(p, scale(-1, plane.n), -plane.d);
    }
}

static scree_status draw_plane(scree_drawing *d, const polygon *p,
                               const scree_label *label) {
    int32_t corners[CORNERS];
    const int64_t first = d->n_point;
    if (p->n < 3) return SCREE_OK;
    TRY(scree_drawing_reserve(d, p->n, 1, p->n));
    for (int i = 0; i < p->n; i++) {
        scree_drawing_point(d, p->x[i]);
        corners[i] = i;
    }
    scree_drawing_polygon(d, first, p->n, corners, label);
    return SCREE_OK;
}

scree_status scree_draw_planes(scree_drawing *d, const scree_world *world) {
    const box b = box_of_all(d, world);
    const scree_world_view view = scree_world_view_of(world);
    if (view.def->planar || !(b.lo.x <= b.hi.x) || !draws_walls(world))
        return SCREE_OK;
    for (int i = 0; i < view.n_wall; i++) {
        const scree_plane plane = scree_world_wall_plane(world, i);
        const scree_label label = {.id = i,
                                   .material = view.walls[i].def.material};
        if (!plane.exists || scree_plane_is_surface(&plane)) continue;
        polygon p = plane_in_box(&plane, &b);
        cut_by_others(&p, world, i);
        TRY(draw_plane(d, &p, &label));
    }
    return SCREE_OK;
}

int scree_list_planes(const scree_world *world, double (*rows)[6]) {
    int n = 0;
    for (int i = 0; i < scree_world_wall_count(world); i++) {
        const scree_plane plane = scree_world_wall_plane(world, i);
        if (!plane.exists || scree_plane_is_surface(&plane)) continue;
        const scree_vec3 foot = scale(plane.d, plane.n);
        memcpy(rows[n], &foot, sizeof foot);
        memcpy(rows[n++] + 3, &plane.n, sizeof plane.n);
    }
    return n;
}
