#include "solvers/problem/problem_valid.h"

static bool body_moves(const scree_problem *p, int32_t body) {
    return body >= 0 && body < p->n_body;
}

static bool shares_body(const scree_problem *p, const int32_t *a,
                        const int32_t *b, int i, int k) {
    return (body_moves(p, a[i]) && (a[i] == a[k] || a[i] == b[k])) ||
           (body_moves(p, b[i]) && (b[i] == a[k] || b[i] == b[k]));
}

static bool lanes_apart(const scree_problem *p, const int32_t *a,
                        const int32_t *b) {
    for (int i = 0; i < SCREE_LANES; ++i)
        for (int k = 0; k < i; ++k)
            if (shares_body(p, a, b, i, k)) return false;
    return true;
}

/* A lane whose bodies are both the static one: no contact has it. */
static bool is_spare(const scree_problem *p, int32_t a, int32_t b) {
    return a == p->n_body && b == p->n_body;
}

typedef const double lanes[SCREE_LANES];

static bool spares_are_empty(const scree_problem *p, const int32_t *a,
                             const int32_t *b, lanes rho_n, lanes P_n,
                             lanes *P_t) {
    for (int i = 0; i < SCREE_LANES; ++i)
        if (is_spare(p, a[i], b[i]) &&
            (rho_n[i] != 0 || P_n[i] != 0 || P_t[0][i] != 0 || P_t[1][i] != 0 ||
             P_t[2][i] != 0))
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
    for (int64_t k = 0; k < p->round.n_block; ++k) {
        const scree_block *x = &p->blocks[k];
        if (!spares_are_empty(p, x->a, x->b, x->rho_n, x->P_n, x->P_t))
            return false;
        if (!is_overflow(p, p->round.colour[k]) && !lanes_apart(p, x->a, x->b))
            return false;
    }
    for (int64_t k = 0; k < p->general.n_block; ++k) {
        const scree_general *x = &p->generals[k];
        if (!spares_are_empty(p, x->a, x->b, x->rho_n, x->P_n, x->P_t))
            return false;
        if (!is_overflow(p, p->general.colour[k]) &&
            !lanes_apart(p, x->a, x->b))
            return false;
    }
    return true;
}
