/* coarse_order.c: the order of bodies in the equations of coarse_bodies.c: by height, or
 * where there are joints from one end of what they hold together to the other, by their
 * distance from it (Cuthill and McKee): a chain need not hang. */
#include <string.h>

#include "solvers/coarse/coarse_parts.h"

static double height_of(const scree_problem *p, int32_t body) {
    return dot(p->axis, p->x[body].x);
}

/* Those that contacts can move; rank is set to 0 for them, to -1 for others. */
static void list_bodies(scree_coarse *c) {
    scree_bodies_step *s = &c->bodies;
    const scree_problem *p = c->p;
    for (int32_t i = 0; i <= p->n_body; ++i) s->rank[i] = -1;
    s->n = 0;
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const scree_row row = scree_problem_row(p, i);
        const int32_t pair[2] = {row.a, row.b};
        for (int k = 0; k < 2; ++k) {
            if (s->rank[pair[k]] == 0 || !(p->u[pair[k]].inv_m > 0)) continue;
            s->rank[pair[k]] = 0;
            s->body[s->n++] = pair[k];
        }
    }
}

/* By insertion: few, and mostly listed from below already. */
static void sort_bodies(scree_coarse *c) {
    scree_bodies_step *s = &c->bodies;
    for (int32_t i = 1; i < s->n; ++i) {
        const int32_t body = s->body[i];
        const double z = height_of(c->p, body);
        int32_t k = i;
        for (; k > 0 && height_of(c->p, s->body[k - 1]) > z; --k)
            s->body[k] = s->body[k - 1];
        s->body[k] = body;
    }
    for (int32_t i = 0; i < s->n; ++i) s->rank[s->body[i]] = i;
}

/* ---- along joints -------------------------------------------------------------------- */

/* Rows of a body: row i is link 2 i at one of its ends, and 2 i + 1 at the other. */
static void link_bodies(scree_coarse *c) {
    scree_bodies_step *s = &c->bodies;
    for (int32_t i = 0; i <= c->p->n_body; ++i) s->head[i] = -1;
    for (int64_t i = c->p->n_contact - 1; i >= 0; --i) {
        int32_t end[2];
        scree_problem_bodies(c->p, i, &end[0], &end[1]);
        for (int k = 0; k < 2; ++k) {
            const int32_t link = (int32_t)(2 * i + k);
            s->next[link] = s->head[end[k]];
            s->head[end[k]] = link;
        }
    }
}

/* rank: -1 not among the bodies, 0 not yet reached, 1 reached. */
static void reach_body(scree_bodies_step *s, int32_t body, int32_t *n) {
    if (s->rank[body] != 0) return;
    s->rank[body] = 1;
    s->body[(*n)++] = body;
}

/* All that hangs together with `from`, behind the `first` there are. */
static int32_t spread_over(scree_coarse *c, int32_t from, int32_t first) {
    scree_bodies_step *s = &c->bodies;
    int32_t n = first;
    reach_body(s, from, &n);
    for (int32_t k = first; k < n; ++k)
        for (int32_t link = s->head[s->body[k]]; link >= 0;
             link = s->next[link]) {
            int32_t end[2];
            scree_problem_bodies(c->p, link / 2, &end[0], &end[1]);
            reach_body(s, end[1 - link % 2], &n);
        }
    return n;
}

/* From any body to the farthest from it, and from there through all. */
static void sort_along(scree_coarse *c) {
    scree_bodies_step *s = &c->bodies;
    int32_t n = 0;
    link_bodies(c);
    for (int32_t i = 0; i < c->p->n_body; ++i) {
        if (s->rank[i] != 0) continue;
        const int32_t first = n;
        n = spread_over(c, i, first);
        const int32_t far = s->body[n - 1];
        for (int32_t k = first; k < n; ++k) s->rank[s->body[k]] = 0;
        n = spread_over(c, far, first);
    }
    for (int32_t i = 0; i < s->n; ++i) s->rank[s->body[i]] = i;
}

void scree_coarse_order(scree_coarse *c) {
    list_bodies(c);
    if (c->p->n_bars > 0)
        sort_along(c);
    else
        sort_bodies(c);
}
