#include "tests/solids.h"

#include <stdlib.h>
#include <string.h>

/* ---- round ones ---------------------------------------------------------- */

void make_point(made_solid *m, double radius) {
    m->name = "point";
    m->solid = (scree_solid){
        .core = SCREE_CORE_POINT, .radius = radius, .bound = radius};
}

void make_segment(made_solid *m, double half, double radius) {
    m->name = "segment";
    m->solid = (scree_solid){.core = SCREE_CORE_SEGMENT,
                             .radius = radius,
                             .half = half,
                             .bound = half + radius};
}

void make_cylinder(made_solid *m, double disc, double half, double radius) {
    m->name = "cylinder";
    m->solid = (scree_solid){.core = SCREE_CORE_CYLINDER,
                             .radius = radius,
                             .half = half,
                             .disc = disc,
                             .bound = hypot(disc, half) + radius};
}

/* ---- hulls --------------------------------------------------------------- */

static void tie(made_solid *m, scree_core core, double radius) {
    double far = 0;
    for (int v = 0; v < m->hull.n_vertex; ++v)
        far = fmax(far, norm(m->vertex[v]));
    m->hull.vertex = m->vertex, m->hull.loop = m->loop;
    m->hull.corner = m->corner, m->hull.normal = m->normal;
    m->hull.offset = m->offset, m->hull.edge = m->edge;
    m->hull.ring = m->ring, m->hull.neighbour = m->neighbour;
    m->hull.side = m->side, m->hull.bend = m->bend;
    m->hull.vertex4 = m->vertex4, m->hull.plane4 = m->plane4;
    scree_hull_pack(&m->hull);
    m->solid = (scree_solid){.core = core,
                             .radius = radius,
                             .hull = &m->hull,
                             .bound = far + radius};
}

static void centre(made_solid *m, const scree_vec3 *points, int n) {
    scree_vec3 mean = vec(0, 0, 0);
    for (int v = 0; v < n; ++v) mean = add_scaled(mean, 1. / n, points[v]);
    for (int v = 0; v < n; ++v) m->vertex[v] = sub(points[v], mean);
    m->hull.n_vertex = n;
}

static bool is_known(const made_solid *m, scree_vec3 n) {
    for (int f = 0; f < m->hull.n_face; ++f)
        if (dot(m->normal[f], n) > 1 - 1e-9) return true;
    return false;
}

/* The corners of the face with normal n at height h, sorted by angle. */
static void add_face(made_solid *m, scree_vec3 n, double h, double hair) {
    const scree_vec3 e = perpendicular(n), t = cross(n, e);
    int on[MADE_VERTICES], count = 0;
    scree_vec3 middle = vec(0, 0, 0);
    for (int v = 0; v < m->hull.n_vertex; ++v)
        if (dot(n, m->vertex[v]) > h - hair) on[count++] = v;
    for (int k = 0; k < count; ++k)
        middle = add_scaled(middle, 1. / count, m->vertex[on[k]]);
    double angle[MADE_VERTICES];
    for (int k = 0; k < count; ++k) {
        const scree_vec3 d = sub(m->vertex[on[k]], middle);
        angle[k] = atan2(dot(d, t), dot(d, e));
        for (int i = k; i > 0 && angle[i] < angle[i - 1]; --i) {
            const double x = angle[i];
            const int v = on[i];
            angle[i] = angle[i - 1], angle[i - 1] = x;
            on[i] = on[i - 1], on[i - 1] = v;
        }
    }
    const int f = m->hull.n_face++;
    if (f >= MADE_FACES || m->loop[f] + count > MADE_CORNERS) abort();
    memcpy(m->corner + m->loop[f], on, (size_t)count * sizeof *on);
    m->loop[f + 1] = m->loop[f] + count;
    m->normal[f] = n;
    m->offset[f] = h;
}

static void add_edges(made_solid *m) {
    int face_of[MADE_VERTICES][MADE_VERTICES];
    for (int f = 0; f < m->hull.n_face; ++f)
        for (int c = m->loop[f]; c < m->loop[f + 1]; ++c) {
            const int next = c + 1 < m->loop[f + 1] ? c + 1 : m->loop[f];
            face_of[m->corner[c]][m->corner[next]] = f;
        }
    m->hull.n_edge = 0;
    for (int f = 0; f < m->hull.n_face; ++f)
        for (int c = m->loop[f]; c < m->loop[f + 1]; ++c) {
            const int next = c + 1 < m->loop[f + 1] ? c + 1 : m->loop[f];
            const int p = m->corner[c], q = m->corner[next];
            if (p < q)
                m->edge[m->hull.n_edge++] =
                    (scree_edge){{p, q}, {f, face_of[q][p]}};
        }
    int n = 0;
    for (int v = 0; v < m->hull.n_vertex; ++v) {
        m->ring[v] = n;
        for (int e = 0; e < m->hull.n_edge; ++e)
            for (int k = 0; k < 2; ++k)
                if (m->edge[e].v[k] == v) m->neighbour[n++] = m->edge[e].v[!k];
        m->ring[v + 1] = n;
    }
}

void make_hull(made_solid *m, const scree_vec3 *points, int n, double radius) {
    if (n > MADE_VERTICES) abort();
    m->name = "hull";
    m->hull = (scree_hull){.inside = INFINITY};
    m->loop[0] = 0;
    centre(m, points, n);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k) {
                const scree_vec3 o = m->vertex[i];
                const scree_vec3 normal =
                    cross(sub(m->vertex[j], o), sub(m->vertex[k], o));
                const double length = norm(normal);
                if (length <= 1e-12 * dot(o, o)) continue;
                const scree_vec3 unit = scale(1 / length, normal);
                const double h = dot(unit, o), hair = 1e-9 * norm(o);
                double most = -INFINITY;
                for (int v = 0; v < n; ++v)
                    most = fmax(most, dot(unit, m->vertex[v]));
                if (most > h + hair || is_known(m, unit)) continue;
                add_face(m, unit, h, hair);
                m->hull.inside = fmin(m->hull.inside, h);
            }
    add_edges(m);
    tie(m, SCREE_CORE_HULL, radius);
}

void make_box(made_solid *m, scree_vec3 half, double radius) {
    scree_vec3 p[8];
    for (int k = 0; k < 8; ++k)
        p[k] = vec(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y,
                   k & 4 ? half.z : -half.z);
    make_hull(m, p, 8, radius);
    m->name = "box";
}

void make_tetrahedron(made_solid *m, double size, double radius) {
    const scree_vec3 p[4] = {{size, size, size},
                             {size, -size, -size},
                             {-size, size, -size},
                             {-size, -size, size}};
    make_hull(m, p, 4, radius);
    m->name = "tetrahedron";
}

void make_prism(made_solid *m, int sides, double size, double half,
                double radius) {
    scree_vec3 p[MADE_VERTICES];
    for (int k = 0; k < sides; ++k) {
        const double angle = 2 * SCREE_PI * k / sides;
        p[k] = vec(size * cos(angle), size * sin(angle), half);
        p[sides + k] = vec(p[k].x, p[k].y, -half);
    }
    make_hull(m, p, 2 * sides, radius);
    m->name = "prism";
}

void make_icosahedron(made_solid *m, double size, double radius) {
    const double golden = 0.5 * (1 + sqrt(5)), s = size / hypot(1, golden);
    scree_vec3 p[12];
    for (int k = 0; k < 4; ++k) {
        const double u = k & 1 ? s : -s, v = k & 2 ? s * golden : -s * golden;
        p[3 * k] = vec(0, u, v);
        p[3 * k + 1] = vec(u, v, 0);
        p[3 * k + 2] = vec(v, 0, u);
    }
    make_hull(m, p, 12, radius);
    m->name = "icosahedron";
}

void make_random_hull(made_solid *m, int n, double size, double radius,
                      scree_random *rng) {
    scree_vec3 p[MADE_VERTICES];
    const scree_vec3 axes =
        vec(scree_random_range(rng, 0.5, 1), scree_random_range(rng, 0.5, 1),
            scree_random_range(rng, 0.5, 1));
    for (int k = 0; k < n; ++k) {
        const scree_vec3 d = random_direction(rng);
        p[k] =
            vec(size * axes.x * d.x, size * axes.y * d.y, size * axes.z * d.z);
    }
    make_hull(m, p, n, radius);
    m->hull.inside = fmax(m->hull.inside, 0);
    m->name = "random hull";
}

/* Side k of the outline, as contact/solid/hull.h lays it out. */
static void add_side(made_solid *m, int k) {
    const int n = m->hull.n_vertex, next = (k + 1) % n, last = (k + n - 1) % n;
    const scree_vec3 e = sub(m->vertex[next], m->vertex[k]);
    m->loop[k] = m->ring[k] = 2 * k;
    m->corner[2 * k] = k;
    m->corner[2 * k + 1] = m->neighbour[2 * k] = next;
    m->neighbour[2 * k + 1] = last;
    m->edge[k] = (scree_edge){{k, next}, {k, k}};
    m->normal[k] = scale(1 / norm(e), vec(e.y, -e.x, 0));
    m->offset[k] = dot(m->normal[k], m->vertex[k]);
    m->hull.inside = fmin(m->hull.inside, m->offset[k]);
}

void make_polygon(made_solid *m, int sides, scree_vec3 half, double radius) {
    m->name = "polygon";
    m->hull = (scree_hull){.n_vertex = sides,
                           .n_face = sides,
                           .n_edge = sides,
                           .inside = INFINITY};
    for (int k = 0; k < sides; ++k) {
        const double angle = 2 * SCREE_PI * (k + 0.5) / sides;
        m->vertex[k] = vec(half.x * cos(angle), half.y * sin(angle), 0);
    }
    for (int k = 0; k < sides; ++k) add_side(m, k);
    m->loop[sides] = m->ring[sides] = 2 * sides;
    tie(m, SCREE_CORE_POLYGON, radius);
}

/* ---- poses --------------------------------------------------------------- */

scree_mat3 turned(scree_quat q) {
    return (scree_mat3){quat_rotate(q, vec(1, 0, 0)),
                        quat_rotate(q, vec(0, 1, 0)),
                        quat_rotate(q, vec(0, 0, 1))};
}

scree_vec3 random_direction(scree_random *rng) {
    const scree_vec3 d = vec(scree_random_normal(rng), scree_random_normal(rng),
                             scree_random_normal(rng));
    return scale(1 / norm(d), d);
}

scree_mat3 random_turn(scree_random *rng) {
    return turned(quat_unit(
        (scree_quat){scree_random_normal(rng), scree_random_normal(rng),
                     scree_random_normal(rng), scree_random_normal(rng)}));
}

scree_mat3 random_planar_turn(scree_random *rng) {
    const double half = scree_random_range(rng, 0, SCREE_PI);
    return turned((scree_quat){cos(half), 0, 0, sin(half)});
}

scree_placed placed(const made_solid *m, scree_vec3 x, scree_mat3 R) {
    return (scree_placed){&m->solid, x, R};
}

double separation(const scree_placed *a, const scree_placed *b, scree_vec3 n) {
    uint32_t feature;
    const scree_vec3 low = scree_core_support(a, scale(-1, n), &feature);
    const scree_vec3 top = scree_core_support(b, n, &feature);
    return dot(n, sub(low, top));
}
