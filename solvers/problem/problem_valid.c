#include "solvers/problem/problem_valid.h"

static bool body_moves(const scree_problem *p, int32_t body) {
    return body >= 0 && body < p->n_body;
}

static bool shares_body(const scree_problem *p, const scree_four *k, int i,
                        int j) {
    const int32_t *a = k->a, *b = k->b;
    return (body_moves(p, a[i]) && (a[i] == a[j] || a[i] == b[j])) ||
           (body_moves(p, b[i]) && (b[i] == a[j] || b[i] == b[j]));
}

static bool lanes_apart(const scree_problem *p, const scree_four *k) {
    for (int i = 0; i < SCREE_LANES; ++i)
        for (int j = 0; j < i; ++j)
            if (shares_body(p, k, i, j)) return false;
    return true;
}

/* A lane whose bodies are both the static one: no contact has it. */
static bool spares_are_empty(const scree_problem *p, const scree_four *k) {
    for (int l = 0; l < SCREE_LANES; ++l)
        if (k->a[l] == p->n_body && k->b[l] == p->n_body &&
            (k->rho_n[l] != 0 || k->P_n[l] != 0 || k->P_t[0][l] != 0 ||
             k->P_t[1][l] != 0 || k->P_t[2][l] != 0))
            return false;
    return true;
}

/* Contacts that find no colour go into overflows, one after the other. */
static bool is_overflow(const scree_problem *p, int colour) {
    return colour == SCREE_OVERFLOW ||
           (p->coupling && colour == SCREE_AT_BORDER);
}

bool scree_problem_is_valid(const scree_problem *p) {
    if (!p->sorted || p->ordering.on) return true;
    const int64_t round = p->round.n_block;
    for (int64_t i = 0; i < scree_problem_blocks(p); ++i) {
        const scree_four *k = scree_problem_four_at(p, i);
        const int colour =
            i < round ? p->round.colour[i] : p->general.colour[i - round];
        if (!spares_are_empty(p, k)) return false;
        if (!is_overflow(p, colour) && !lanes_apart(p, k)) return false;
    }
    return true;
}
