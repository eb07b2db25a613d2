#include "engine/ensemble/release.h"

#include <math.h>
#include <string.h>

#include "engine/generate/generate.h"
#include "engine/generate/place.h"

/* Draws of a place in a polygon, among those in the box around it. */
enum { MOST_DRAWS = 100000 };

/* Streams of a trajectory. */
enum { PLACE, FORM, TURN, VELOCITY, SPIN };

/* Keeps them apart from those of bodies and rocks. */
static const uint64_t OF_ENSEMBLE = UINT64_C(0x7261) << 48;

static scree_random stream_of(uint64_t seed, int64_t k, uint64_t which) {
    const scree_random own =
        scree_random_stream(seed ^ OF_ENSEMBLE, (uint64_t)k);
    return scree_random_stream(own.state, which);
}

/* ---- whose it is ---------------------------------------------------------- */

int64_t scree_release_round(const scree_release *list, int n) {
    int64_t all = 0;
    for (int i = 0; i < n; ++i) all += list[i].count;
    return all;
}

/* The release of k, and how many of its trajectories come before. */
static int release_of(const scree_release *list, int n, int64_t k,
                      int64_t *before) {
    const int64_t all = scree_release_round(list, n);
    int64_t place = k % all;
    int i = 0;
    for (; i < n - 1 && place >= list[i].count; ++i) place -= list[i].count;
    *before = k / all * list[i].count + place;
    return i;
}

/* ---- places --------------------------------------------------------------- */

/* A walk over the edges of all parts; those of polygons go round. */
typedef struct edge {
    int part, i;
    const double *a, *b;
} edge;

static int begin_of(const scree_release *r, int part) {
    return r->begin ? r->begin[part] : part * r->n_point;
}

static bool next_edge(const scree_release *r, edge *e) {
    const int parts = r->begin ? r->n_part : 1;
    const bool round = r->kind == SCREE_RELEASE_POLYGON;
    for (; e->part < parts; ++e->part, e->i = 0) {
        const int first = begin_of(r, e->part),
                  n = begin_of(r, e->part + 1) - first;
        if (e->i >= (round ? n : n - 1)) continue;
        e->a = &r->points[3 * (first + e->i)];
        e->b = &r->points[3 * (first + (e->i + 1) % n)];
        ++e->i;
        return true;
    }
    return false;
}

static double length_of(const edge *e) {
    return scree_hypot(e->b[0] - e->a[0], e->b[1] - e->a[1]);
}

static double whole_length(const scree_release *r) {
    double length = 0;
    for (edge e = {0}; next_edge(r, &e);) length += length_of(&e);
    return length;
}

/* Twice the area, positive if the corners go round against the clock. Holes go round the
 * other way, as files have them. */
static double double_area(const scree_release *r) {
    const double *o = r->points;
    double area = 0;
    for (edge e = {0}; next_edge(r, &e);)
        area += (e.a[0] - o[0]) * (e.b[1] - o[1]) -
                (e.b[0] - o[0]) * (e.a[1] - o[1]);
    return area;
}

static void place_on_line(const scree_release *r, scree_random *rng,
                          scree_launch *start) {
    double way = scree_random_unit(rng) * whole_length(r);
    for (edge e = {0}; next_edge(r, &e); way -= length_of(&e)) {
        const double length = length_of(&e);
        const double share = length > 0 ? fmin(1, way / length) : 0;
        start->x = e.a[0] + share * (e.b[0] - e.a[0]);
        start->y = e.a[1] + share * (e.b[1] - e.a[1]);
        if (way <= length) return;
    }
}

/* Does a ray to the right cross the outline an odd number of times? */
static bool is_inside(const scree_release *r, double x, double y) {
    bool inside = false;
    for (edge e = {0}; next_edge(r, &e);) {
        if ((e.a[1] > y) == (e.b[1] > y)) continue;
        const double share = (y - e.a[1]) / (e.b[1] - e.a[1]);
        inside ^= x < e.a[0] + share * (e.b[0] - e.a[0]);
    }
    return inside;
}

static void box_around(const scree_release *r, double low[2], double high[2]) {
    for (int c = 0; c < 2; ++c) {
        low[c] = high[c] = r->points[c];
        for (int i = 1; i < r->n_point; ++i) {
            low[c] = fmin(low[c], r->points[3 * i + c]);
            high[c] = fmax(high[c], r->points[3 * i + c]);
        }
    }
}

static scree_status place_in_polygon(const scree_release *r, scree_random *rng,
                                     scree_launch *start, scree_error *error) {
    double low[2], high[2];
    box_around(r, low, high);
    for (int i = 0; i < MOST_DRAWS; ++i) {
        start->x = scree_random_range(rng, low[0], high[0]);
        start->y = scree_random_range(rng, low[1], high[1]);
        if (is_inside(r, start->x, start->y)) return SCREE_OK;
    }
    return scree_fail(error, SCREE_NO_ROOM,
                      "the polygon is so thin that no place in it is found; "
                      "use a line");
}

static scree_status draw_place(const scree_release *r, int64_t before,
                               scree_random *rng, scree_launch *start,
                               scree_error *error) {
    const double *point = &r->points[3 * (before % r->n_point)];
    switch (r->kind) {
    case SCREE_RELEASE_LINE:
        place_on_line(r, rng, start);
        return SCREE_OK;
    case SCREE_RELEASE_POLYGON:
        return place_in_polygon(r, rng, start, error);
    case SCREE_RELEASE_POINTS:
        break;
    }
    start->x = point[0], start->y = point[1];
    return SCREE_OK;
}

const char *scree_release_fault(const scree_release *r) {
    double low[2], high[2];
    if (r->kind == SCREE_RELEASE_POINTS) return NULL;
    if (r->kind == SCREE_RELEASE_LINE)
        return r->n_point < 2 || !(whole_length(r) > 0)
                   ? "a line has two corners or more that are apart"
                   : NULL;
    box_around(r, low, high);
    const double box = (high[0] - low[0]) * (high[1] - low[1]);
    return r->n_point < 3 || !(fabs(double_area(r)) > 2e-3 * box)
               ? "a polygon has three corners or more and an area"
               : NULL;
}

/* ---- all of it ------------------------------------------------------------ */

static scree_vec3 draw_vector(const double mean[3], const double deviation[3],
                              scree_random rng) {
    double x[3];
    for (int i = 0; i < 3; ++i)
        x[i] = mean[i] + deviation[i] * scree_random_normal(&rng);
    return vec_from(x);
}

static void draw_turn(const scree_grain *grain, scree_random rng, double q[4]) {
    const double aligned[4] = {1, 0, 0, 0};
    memcpy(q, aligned, sizeof aligned);
    if (grain->turn == SCREE_TURN_RANDOM) scree_turn_draw(&rng, false, q);
}

scree_status scree_release_draw(const scree_release *list, int n, uint64_t seed,
                                int64_t k, scree_launch *start,
                                scree_error *error) {
    int64_t before;
    const int i = release_of(list, n, k, &before);
    const scree_release *r = &list[i];
    scree_random place = stream_of(seed, k, PLACE),
                 form = stream_of(seed, k, FORM);
    const scree_piece piece = scree_piece_draw(&r->grain, &form);
    *start = (scree_launch){.release = i,
                            .shape = piece.shape,
                            .radius = piece.ball.r,
                            .height = r->height,
                            .material = r->grain.material};
    draw_turn(&r->grain, stream_of(seed, k, TURN), start->orientation);
    start->v = draw_vector(r->grain.velocity, r->velocity_deviation,
                           stream_of(seed, k, VELOCITY));
    start->w = draw_vector(r->grain.angular_velocity, r->spin_deviation,
                           stream_of(seed, k, SPIN));
    return draw_place(r, before, &place, start, error);
}
