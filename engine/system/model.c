/* model.c: whether a table of formulas is a model, and the state of its system. */
#include "engine/scree_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/system/dense.h"

/* More rows would not fit a dense matrix that anybody waits for. */
enum { MOST = 10000 };

static bool is_count(int n, int least) {
    return n >= least && n <= MOST;
}

static scree_status check_table(const scree_model_ops *ops,
                                scree_error *error) {
    REQUIRE(ops, "ops is NULL: there is no model");
    REQUIRE(ops->name, "ops.name is NULL");
    REQUIRE(is_count(ops->n_q, 1) && is_count(ops->n_u, 1),
            "model '%s': n_q = %d and n_u = %d must be 1 to %d", ops->name,
            ops->n_q, ops->n_u, MOST);
    REQUIRE(is_count(ops->n_law, 0) && is_count(ops->n_row, 0) &&
                is_count(ops->n_parameter, 0),
            "model '%s': n_law = %d, n_row = %d and n_parameter = %d must be "
            "0 to %d",
            ops->name, ops->n_law, ops->n_row, ops->n_parameter, MOST);
    REQUIRE(ops->n_parameter == 0 || ops->parameters,
            "model '%s': parameters is NULL", ops->name);
    REQUIRE(ops->start && ops->mass && ops->force,
            "model '%s': start, mass or force is NULL", ops->name);
    REQUIRE(ops->n_law == 0 || (ops->laws && ops->rows),
            "model '%s': it has laws, and laws or rows is NULL", ops->name);
    REQUIRE(ops->kinematics || ops->n_q == ops->n_u,
            "model '%s': kinematics is NULL, and n_q is not n_u", ops->name);
    return SCREE_OK;
}

static scree_status check_law(const scree_model_ops *ops, const scree_law *law,
                              int i, scree_error *error) {
    const char *name = law->name ? law->name : "";
    REQUIRE((int)law->kind >= SCREE_LAW_CONTACT &&
                (int)law->kind <= SCREE_LAW_FORCE,
            "model '%s', law %d '%s': no kind %d", ops->name, i, name,
            (int)law->kind);
    REQUIRE(law->n_f >= 0 && law->n_f <= 3,
            "model '%s', law %d '%s': n_f = %d must be 0 to 3", ops->name, i,
            name, law->n_f);
    REQUIRE(law->row >= 0 && law->row + scree_law_rows(law) <= ops->n_row,
            "model '%s', law %d '%s': rows %d to %d are not among the %d of "
            "n_row",
            ops->name, i, name, law->row, law->row + scree_law_rows(law) - 1,
            ops->n_row);
    REQUIRE(!scree_law_has_gap(law) || ops->gaps,
            "model '%s', law %d '%s': it has a gap, and gaps is NULL",
            ops->name, i, name);
    return SCREE_OK;
}

/* Each row belongs to one law: counts over all of them cannot hide an overlap. */
static scree_status check_rows(const scree_model_ops *ops,
                               const scree_law *laws, unsigned char *owners,
                               scree_error *error) {
    for (int i = 0; i < ops->n_law; ++i) {
        TRY(check_law(ops, &laws[i], i, error));
        for (int k = 0; k < scree_law_rows(&laws[i]); ++k) {
            const int row = laws[i].row + k;
            REQUIRE(!owners[row], "model '%s', law %d: row %d is another law's",
                    ops->name, i, row);
            owners[row] = 1;
        }
    }
    for (int row = 0; row < ops->n_row; ++row)
        REQUIRE(owners[row], "model '%s': row %d is no law's", ops->name, row);
    return SCREE_OK;
}

static scree_status check_laws(const scree_model_ops *ops, const double *p,
                               scree_error *error) {
    scree_law *laws = calloc((size_t)ops->n_law + 1, sizeof *laws);
    unsigned char *owners = calloc((size_t)ops->n_row + 1, 1);
    scree_status status = SCREE_OUT_OF_MEMORY;
    if (laws && owners) {
        if (ops->n_law) ops->laws(p, laws);
        status = check_rows(ops, laws, owners, error);
    }
    free(laws);
    free(owners);
    return status;
}

scree_status scree_model_check(const scree_model_ops *ops,
                               const double *parameters, scree_error *error) {
    TRY(check_table(ops, error));
    double *p = calloc((size_t)ops->n_parameter + 1, sizeof *p);
    if (!p) return SCREE_OUT_OF_MEMORY;
    for (int i = 0; i < ops->n_parameter; ++i)
        p[i] = parameters ? parameters[i] : ops->parameters[i].value;
    const scree_status status = check_laws(ops, p, error);
    free(p);
    return status;
}

/* ---- state ----------------------------------------------------------------- */

scree_dense_view scree_dense_view_of(const scree_dense *s) {
    return (scree_dense_view){.t = s->t,
                              .dt = s->dt,
                              .q = s->q,
                              .u = s->u,
                              .P = s->P,
                              .g = s->g,
                              .residual = s->residual,
                              .steps = s->steps,
                              .unconverged = s->unconverged};
}

scree_status scree_dense_write_state(scree_dense *s, double t, const double *q,
                                     const double *u, scree_error *error) {
    REQUIRE(isfinite(t), "t is not finite");
    REQUIRE(q && u, "q or u is NULL");
    for (int i = 0; i < s->ops->n_q; ++i)
        REQUIRE(isfinite(q[i]), "q[%d] is not finite", i);
    for (int i = 0; i < s->ops->n_u; ++i)
        REQUIRE(isfinite(u[i]), "u[%d] is not finite", i);
    s->t = t;
    memcpy(s->q, q, (size_t)s->ops->n_q * sizeof *q);
    memcpy(s->u, u, (size_t)s->ops->n_u * sizeof *u);
    memset(s->P, 0, (size_t)s->ops->n_row * sizeof *s->P);
    memset(s->P_first, 0, (size_t)s->ops->n_row * sizeof *s->P_first);
    memset(s->history, 0, (size_t)s->n_history * sizeof *s->history);
    scree_dense_gaps(s, s->t, s->q, s->g);
    return SCREE_OK;
}
