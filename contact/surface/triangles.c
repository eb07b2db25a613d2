/* triangles.c: is this surface one that contact and mass can be computed with?
 * Linear in the triangles, but for sorting the vertices. */
#include "contact/surface/triangles.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/solid/mass.h"
#include "engine/base/sort.h"

/* Below this height over its longest edge, in parts of it, a facet has no area.
 */
static const double least_height = 1e-9;

void scree_triangles_free(scree_triangles *t) {
    free(t->vertex);
    free(t->corner);
    free(t->line);
    *t = (scree_triangles){0};
}

/* "source:line: ..." or "source: facet number: ...". */
__attribute__((format(printf, 5, 6))) static scree_status
blame(scree_error *error, const char *source, const scree_triangles *t,
      int facet, const char *format, ...) {
    char text[700];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (t->line)
        return scree_fail(error, SCREE_BAD_INPUT, "%s:%d: %s", source,
                          t->line[facet], text);
    return scree_fail(error, SCREE_BAD_INPUT, "%s: facet %d: %s", source,
                      facet + 1, text);
}

/* How another facet is called within a sentence. */
typedef struct place {
    char text[32];
} place;

static place place_of(const scree_triangles *t, int facet) {
    place p;
    if (t->line)
        snprintf(p.text, sizeof p.text, "the facet of line %d", t->line[facet]);
    else
        snprintf(p.text, sizeof p.text, "facet %d", facet + 1);
    return p;
}

static scree_status no_memory(scree_error *error) {
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "no memory for a surface");
}

/* ---- equal vertices ------------------------------------------------------ */

typedef struct numbered {
    scree_vec3 x;
    int32_t i;
} numbered;

static int compare_numbers(double a, double b) {
    return a < b ? -1 : a > b;
}

static int by_place(const void *p, const void *q) {
    const numbered *a = p, *b = q;
    int order = compare_numbers(a->x.x, b->x.x);
    if (!order) order = compare_numbers(a->x.y, b->x.y);
    if (!order) order = compare_numbers(a->x.z, b->x.z);
    return order ? order : (a->i > b->i) - (a->i < b->i);
}

static bool same_point(scree_vec3 a, scree_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* first[i]: the first vertex that equals vertex i; then: its new number. */
static void merge_with(scree_triangles *t, numbered *list, int32_t *first) {
    const int n = t->n_vertex;
    for (int i = 0; i < n; i++) list[i] = (numbered){t->vertex[i], i};
    qsort(list, (size_t)n, sizeof *list, by_place);
    for (int k = 0; k < n; k++)
        first[list[k].i] = k > 0 && same_point(list[k].x, list[k - 1].x)
                               ? first[list[k - 1].i]
                               : list[k].i;
    int32_t next = 0;
    for (int i = 0; i < n; i++) {
        if (first[i] < i) {
            first[i] = first[first[i]];
            continue;
        }
        t->vertex[next] = t->vertex[i];
        first[i] = next++;
    }
    t->n_vertex = next;
    for (int f = 0; f < t->n_triangle; f++)
        for (int k = 0; k < 3; k++) t->corner[f][k] = first[t->corner[f][k]];
}

scree_status scree_triangles_merge(scree_triangles *t, scree_error *error) {
    if (t->n_vertex == 0) return SCREE_OK;
    numbered *list = malloc((size_t)t->n_vertex * sizeof *list);
    int32_t *first = malloc((size_t)t->n_vertex * sizeof *first);
    scree_status status = SCREE_OK;
    if (list && first)
        merge_with(t, list, first);
    else
        status = no_memory(error);
    free(list);
    free(first);
    return status;
}

/* ---- facets -------------------------------------------------------------- */

static scree_vec3 corner_of(const scree_triangles *t, int f, int k) {
    return t->vertex[t->corner[f][k % 3]];
}

static scree_vec3 area_vector(const scree_triangles *t, int f) {
    const scree_vec3 o = corner_of(t, f, 0);
    return scale(0.5,
                 cross(sub(corner_of(t, f, 1), o), sub(corner_of(t, f, 2), o)));
}

static double longest_edge(const scree_triangles *t, int f) {
    double longest = 0;
    for (int k = 0; k < 3; k++)
        longest = fmax(longest,
                       norm(sub(corner_of(t, f, k + 1), corner_of(t, f, k))));
    return longest;
}

static scree_status check_facet(const scree_triangles *t, int f,
                                const char *source, scree_error *error) {
    for (int k = 0; k < 3; k++) {
        const scree_vec3 x = corner_of(t, f, k);
        if (!isfinite(x.x) || !isfinite(x.y) || !isfinite(x.z))
            return blame(error, source, t, f,
                         "a vertex is not finite: (%g, %g, %g)", x.x, x.y, x.z);
    }
    const double edge = longest_edge(t, f);
    if (!isfinite(edge * edge))
        return blame(error, source, t, f, "a vertex is too far away");
    if (2 * norm(area_vector(t, f)) <= least_height * edge * edge)
        return blame(error, source, t, f,
                     "the facet has no area (its longest edge is %g m)", edge);
    return SCREE_OK;
}

/* ---- edges --------------------------------------------------------------- */

/* Side s = 3 facet + k runs from corner k to the next. */
static int32_t side_from(const scree_triangles *t, int32_t s) {
    return t->corner[s / 3][s % 3];
}
static int32_t side_to(const scree_triangles *t, int32_t s) {
    return t->corner[s / 3][(s % 3 + 1) % 3];
}

/* Sides in the order of their edges: neighbours stand side by side. */
static scree_key *sorted_sides(const scree_triangles *t) {
    const int64_t n = 3 * (int64_t)t->n_triangle;
    scree_key *side = malloc(2 * (size_t)n * sizeof *side);
    if (!side) return NULL;
    for (int32_t s = 0; s < n; s++) {
        const uint32_t a = (uint32_t)side_from(t, s),
                       b = (uint32_t)side_to(t, s);
        const uint64_t lo = a < b ? a : b, hi = a < b ? b : a;
        side[s] = (scree_key){lo << 32 | hi, s};
    }
    scree_sort_keys(side, side + n, n, 1);
    return side;
}

static scree_status check_edge(const scree_triangles *t, const scree_key *side,
                               int64_t sides, bool closed, const char *source,
                               scree_error *error) {
    const int f = side[0].item / 3;
    if (sides > 2)
        return blame(error, source, t, f,
                     "%lld facets meet at one of its edges (the others begin "
                     "with %s); at most two may",
                     (long long)sides, place_of(t, side[1].item / 3).text);
    if (sides == 2 && side_from(t, side[0].item) == side_from(t, side[1].item))
        return blame(error, source, t, f,
                     "it and its neighbour, %s, are turned opposite ways: list "
                     "the corners of all facets counter-clockwise seen from "
                     "outside",
                     place_of(t, side[1].item / 3).text);
    if (sides == 1 && closed)
        return blame(error, source, t, f,
                     "it has an edge without a neighbour: the surface is open, "
                     "and a body needs a closed one");
    return SCREE_OK;
}

/* `open` tells whether the surface has a border. */
static scree_status check_edges(const scree_triangles *t, const scree_key *side,
                                bool closed, bool *open, const char *source,
                                scree_error *error) {
    const int64_t n = 3 * (int64_t)t->n_triangle;
    int64_t next;
    for (int64_t k = 0; k < n; k = next) {
        for (next = k; next < n && side[next].key == side[k].key;) next++;
        *open = *open || next - k == 1;
        TRY(check_edge(t, side + k, next - k, closed, source, error));
    }
    return SCREE_OK;
}

/* ---- vertices ------------------------------------------------------------ */

static int32_t next_side(int32_t s) {
    return s - s % 3 + (s % 3 + 1) % 3;
}

static int32_t root_of(int32_t *fan, int32_t s) {
    while (fan[s] != s) s = fan[s] = fan[fan[s]];
    return s;
}

static void unite_fans(int32_t *fan, int32_t s, int32_t r) {
    const int32_t a = root_of(fan, s), b = root_of(fan, r);
    fan[a > b ? a : b] = a > b ? b : a;
}

/* Side s stands for the corner that it leaves. Two sides of one edge run
 * against each other: at either end the corners of their facets are of one fan.
 */
static void join_fans(const scree_key *side, int64_t n, int32_t *fan) {
    for (int32_t s = 0; s < n; s++) fan[s] = s;
    for (int64_t k = 0; k + 1 < n; k++) {
        if (side[k].key != side[k + 1].key) continue;
        const int32_t a = side[k].item, b = side[k + 1].item;
        unite_fans(fan, a, next_side(b));
        unite_fans(fan, b, next_side(a));
    }
}

/* The facets about a vertex are one fan, closed or open: two that meet in this
 * point alone are two surfaces. */
static scree_status check_vertices(const scree_triangles *t,
                                   const scree_key *side, int32_t *fan,
                                   int32_t *first, const char *source,
                                   scree_error *error) {
    const int32_t n = 3 * t->n_triangle;
    join_fans(side, n, fan);
    for (int v = 0; v < t->n_vertex; v++) first[v] = -1;
    for (int32_t s = 0; s < n; s++) {
        int32_t *known = &first[side_from(t, s)];
        const int32_t of = root_of(fan, s);
        if (*known < 0) *known = of;
        if (*known == of) continue;
        const scree_vec3 x = t->vertex[side_from(t, s)];
        return blame(error, source, t, s / 3,
                     "it and %s meet in the point (%g, %g, %g) alone: part the "
                     "surfaces, or give them a mesh each",
                     place_of(t, *known / 3).text, x.x, x.y, x.z);
    }
    return SCREE_OK;
}

/* ---- the whole ----------------------------------------------------------- */

static double size_of(const scree_triangles *t) {
    double size = 0;
    for (int i = 1; i < t->n_vertex; i++)
        size = fmax(size, norm(sub(t->vertex[i], t->vertex[0])));
    return size;
}

/* A wall may look inward: a drum is solid outside. */
static scree_status check_volume(const scree_triangles *t, bool body,
                                 const char *source, scree_error *error) {
    const double size = size_of(t), volume = scree_mass_triangles(t).volume;
    if (fabs(volume) <= 1e-12 * size * size * size)
        return blame(error, source, t, 0,
                     "the closed surface encloses no volume");
    if (volume < 0 && body)
        return blame(error, source, t, 0,
                     "it and all others look inward (the volume is %g m^3): "
                     "turn them round",
                     volume);
    return SCREE_OK;
}

/* Edges first: fans are told apart by sides that meet in pairs. */
static scree_status check_joints(const scree_triangles *t, bool closed,
                                 bool *open, const char *source,
                                 scree_error *error) {
    const size_t n = 3 * (size_t)t->n_triangle;
    scree_key *side = sorted_sides(t);
    int32_t *fan = malloc(n * sizeof *fan);
    int32_t *first = malloc((size_t)t->n_vertex * sizeof *first);
    scree_status status = side && fan && first ? SCREE_OK : no_memory(error);
    if (status == SCREE_OK)
        status = check_edges(t, side, closed, open, source, error);
    if (status == SCREE_OK)
        status = check_vertices(t, side, fan, first, source, error);
    free(side);
    free(fan);
    free(first);
    return status;
}

scree_status scree_triangles_check(const scree_triangles *t, bool closed,
                                   const char *source, scree_error *error) {
    if (t->n_triangle == 0)
        return scree_fail(error, SCREE_BAD_INPUT, "%s: no facets", source);
    if (t->n_triangle > INT32_MAX / 3)
        return scree_fail(error, SCREE_BAD_INPUT,
                          "%s: %d facets are more than Scree can count", source,
                          t->n_triangle);
    for (int f = 0; f < t->n_triangle; f++)
        TRY(check_facet(t, f, source, error));
    bool open = false;
    TRY(check_joints(t, closed, &open, source, error));
    return open ? SCREE_OK : check_volume(t, closed, source, error);
}

/* ---- convex surfaces ----------------------------------------------------- */

static const char remedy[] =
    "use it as a wall mesh, or split it into convex parts or a clump";

/* How far the corner of the facet of side s that is not on this edge stands
 * over the plane of facet f. */
static double height_over(const scree_triangles *t, int f, int32_t s) {
    const scree_vec3 n = area_vector(t, f), x = corner_of(t, s / 3, s % 3 + 2);
    return dot(n, sub(x, corner_of(t, f, 0))) / norm(n);
}

/* A closed surface is convex if it bends inward at no edge and is one piece
 * that winds round once; the volume of the hull tells the latter. */
static scree_status check_bends(const scree_triangles *t, double flat,
                                const char *source, scree_error *error) {
    scree_key *side = sorted_sides(t);
    if (!side) return no_memory(error);
    scree_status status = SCREE_OK;
    for (int64_t k = 0; k < 3 * (int64_t)t->n_triangle; k += 2) {
        const int32_t a = side[k].item, b = side[k + 1].item;
        if (height_over(t, a / 3, b) <= flat ||
            height_over(t, b / 3, a) <= flat)
            continue;
        status = blame(error, source, t, a / 3,
                       "the surface is not convex: %s stands over the plane of "
                       "this one; %s",
                       place_of(t, b / 3).text, remedy);
        break;
    }
    free(side);
    return status;
}

scree_status scree_triangles_to_hull(const scree_triangles *t,
                                     const char *source, scree_hull *hull,
                                     scree_error *error) {
    *hull = (scree_hull){0};
    TRY(scree_triangles_check(t, true, source, error));
    TRY(check_bends(t, SCREE_HULL_FLAT * size_of(t), source, error));
    scree_error reason = {0};
    const scree_status status =
        scree_hull_from_points(hull, t->vertex, t->n_vertex, &reason);
    if (status != SCREE_OK)
        return scree_fail(error, status, "%s: %s", source, reason.text);
    const double volume = scree_mass_hull(hull, 0).volume;
    if (fabs(volume - scree_mass_triangles(t).volume) <= 1e-4 * volume)
        return SCREE_OK;
    scree_hull_free(hull);
    return blame(error, source, t, 0,
                 "the surface is not one convex piece: its hull has the volume "
                 "%g m^3, the surface %g m^3; %s",
                 volume, scree_mass_triangles(t).volume, remedy);
}
