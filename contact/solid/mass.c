/* mass.c: exact mass properties of what planes bound.
 *
 * Polyhedra: the divergence theorem, as signed tetrahedra over the triangles of
 * the surface. A polyhedron grown by r is the core and, by Steiner's
 * decomposition,
 *     faces     prisms of height r,
 *     edges     cylinder sectors between the normals of two faces,
 *     vertices  wedges of the ball, whose directions are the spherical polygon
 *               S spanned by the normals of the faces that meet there.
 * A wedge needs |S|, int_S u and int_S u u^T. |S| = 2 pi - sum of the faces'
 * angles at the vertex (the polygon is polar to the corner). With the tangent
 * fields b - (b.u) u and (a.u)(b - (b.u) u) the divergence theorem on the
 * sphere turns the others into sums over the arcs of S: an arc from n to n' of
 * the angle t, whose plane has the unit normal k = n x n' / |n x n'|, gives
 *     int_S u     :  t k / 2
 *     int_S u u^T :  tan(t / 2) (n + n') k^T / 3, and |S| I / 3 once.
 * Everything is linear in these, so faces and edges add their parts without
 * ever walking around a vertex. The planar case is the same one lower. */
#include "contact/solid/mass.h"

#include "contact/solid/mass_moments.h"

/* ---- polyhedra ----------------------------------------------------------- */

static scree_vec3 local_point(const scree_hull *h, int32_t c) {
    return sub(h->vertex[h->corner[c]], h->vertex[0]);
}

static void add_core(const scree_hull *h, scree_moments *sum) {
    for (int f = 0; f < h->n_face; f++)
        for (int32_t c = h->loop[f] + 1; c + 1 < h->loop[f + 1]; c++)
            scree_moments_add(sum, 1,
                              scree_moments_tetrahedron(
                                  local_point(h, h->loop[f]), local_point(h, c),
                                  local_point(h, c + 1)),
                              vec(0, 0, 0));
}

scree_mass scree_mass_triangles(const scree_triangles *t) {
    const scree_vec3 o = t->vertex[0];
    scree_moments sum = {0};
    for (int i = 0; i < t->n_triangle; i++) {
        const int32_t *c = t->corner[i];
        scree_moments_add(&sum, 1,
                          scree_moments_tetrahedron(sub(t->vertex[c[0]], o),
                                                    sub(t->vertex[c[1]], o),
                                                    sub(t->vertex[c[2]], o)),
                          vec(0, 0, 0));
    }
    return scree_mass_from_moments(sum, o);
}

/* A part of the wedge at a vertex x: `solid` of |S|, `mean` of int_S u,
 * `spread` of int_S u u^T without its |S| I / 3. */
static void add_wedge(scree_vec3 x, double r, double solid, scree_vec3 mean,
                      scree_sym3 spread, scree_moments *sum) {
    const double r2 = r * r, r3 = r2 * r;
    scree_moments part = {.v = r3 / 3 * solid, .m = scale(r2 * r2 / 4, mean)};
    sym_add_scaled(&part.s, r3 * r2 / 5, spread);
    sym_add_unit(&part.s, r3 * r2 / 15 * solid);
    scree_moments_add(sum, 1, part, x);
}

static double angle_between(scree_vec3 a, scree_vec3 b) {
    return scree_atan2(norm(cross(a, b)), dot(a, b));
}

static void add_prism(const scree_hull *h, int f, double r,
                      scree_moments *sum) {
    const scree_vec3 o = local_point(h, h->loop[f]);
    const scree_moments height =
        scree_moments_segment(vec(0, 0, 0), scale(r, h->normal[f]));
    for (int32_t c = h->loop[f] + 1; c + 1 < h->loop[f + 1]; c++) {
        const scree_moments sheet = scree_moments_sheet(
            sub(local_point(h, c), o), sub(local_point(h, c + 1), o));
        scree_moments_add(sum, 1, scree_moments_swept(sheet, height), o);
    }
}

static void add_face_angles(const scree_hull *h, int f, double r,
                            scree_moments *sum) {
    for (int32_t c = h->loop[f]; c < h->loop[f + 1]; c++) {
        const scree_vec3 x = local_point(h, c);
        const double angle =
            angle_between(sub(local_point(h, scree_hull_next(h, f, c)), x),
                          sub(local_point(h, scree_hull_previous(h, f, c)), x));
        add_wedge(x, r, -angle, vec(0, 0, 0), (scree_sym3){0}, sum);
    }
}

/* Seen from outside along v0 -> v1 face f0 is on the left, so that around v1
 * the normals run from f0 to f1, and around v0 from f1 to f0. */
static void add_edge(const scree_hull *h, const scree_edge *e, double r,
                     scree_moments *sum) {
    const scree_vec3 p = sub(h->vertex[e->v[0]], h->vertex[0]);
    const scree_vec3 q = sub(h->vertex[e->v[1]], h->vertex[0]);
    const scree_vec3 a = h->normal[e->f[0]], b = h->normal[e->f[1]];
    const double angle = angle_between(a, b);
    const scree_vec3 k = scale(1 / norm(cross(a, b)), cross(a, b));
    const scree_vec3 middle = scale(1 / norm(add(a, b)), add(a, b));
    const scree_moments section =
        scree_moments_sector(r, angle, middle, cross(k, middle));
    scree_moments_add(sum, 1,
                      scree_moments_swept(scree_moments_segment(p, q), section),
                      vec(0, 0, 0));
    const scree_vec3 mean = scale(0.5 * angle, k);
    scree_sym3 spread = {0}, minus = {0};
    sym_add(&spread, norm(sub(a, b)) / 3, middle, k); /* tan(t/2) |a + b| */
    sym_add_scaled(&minus, -1, spread);
    add_wedge(q, r, 0, mean, spread, sum);
    add_wedge(p, r, 0, scale(-1, mean), minus, sum);
}

static void add_shell(const scree_hull *h, double r, scree_moments *sum) {
    for (int f = 0; f < h->n_face; f++) {
        add_prism(h, f, r, sum);
        add_face_angles(h, f, r, sum);
    }
    for (int e = 0; e < h->n_edge; e++) add_edge(h, &h->edge[e], r, sum);
    for (int v = 0; v < h->n_vertex; v++)
        add_wedge(sub(h->vertex[v], h->vertex[0]), r, 2 * SCREE_PI,
                  vec(0, 0, 0), (scree_sym3){0}, sum);
}

scree_mass scree_mass_hull(const scree_hull *hull, double radius) {
    scree_moments sum = {0};
    add_core(hull, &sum);
    if (radius > 0) add_shell(hull, radius, &sum);
    return scree_mass_from_moments(sum, hull->vertex[0]);
}

/* ---- polygons ------------------------------------------------------------ */

static void add_rim(const scree_hull *h, int i, double r, scree_moments *sum) {
    const scree_edge *e = &h->edge[i];
    const scree_vec3 p = sub(h->vertex[e->v[0]], h->vertex[0]);
    const scree_vec3 q = sub(h->vertex[e->v[1]], h->vertex[0]);
    const scree_vec3 a = h->normal[i], b = h->normal[e->v[1]];
    const scree_vec3 middle = scale(1 / norm(add(a, b)), add(a, b));
    const scree_moments strip =
        scree_moments_swept(scree_moments_segment(p, q),
                            scree_moments_segment(vec(0, 0, 0), scale(r, a)));
    const scree_moments sector = scree_moments_sector(
        r, angle_between(a, b), middle, vec(-middle.y, middle.x, 0));
    scree_moments_add(sum, 1, strip, vec(0, 0, 0));
    scree_moments_add(sum, 1, sector, q);
}

scree_mass scree_mass_polygon(const scree_hull *polygon, double radius) {
    const scree_vec3 *x = polygon->vertex;
    scree_moments sum = {0};
    for (int i = 1; i + 1 < polygon->n_vertex; i++)
        scree_moments_add(
            &sum, 1,
            scree_moments_triangle(sub(x[i], x[0]), sub(x[i + 1], x[0])),
            vec(0, 0, 0));
    if (radius > 0)
        for (int i = 0; i < polygon->n_edge; i++)
            add_rim(polygon, i, radius, &sum);
    return scree_mass_from_moments(sum, x[0]);
}
