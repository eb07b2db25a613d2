#include "engine/measure/bodies.h"

#include <stdlib.h>
#include <string.h>

#include "engine/domain/domain.h"
#include "engine/domain/rows.h"
#include "engine/measure/load.h"
#include "engine/measure/slices.h"
#include "engine/world/inertia.h"
#include "engine/world/ranks.h"

/* ---- over copies of bodies ---------------------------------------------------- */

/* Columns [first, first + some) of each row from one table into another. */
static void copy_columns(const double *from, int width, double *to, int stride,
                         int some, int32_t n) {
    for (int64_t i = 0; i < n; ++i)
        memcpy(to + i * stride, from + i * width, (size_t)some * sizeof *to);
}

/* `width` values by place become their sums over all copies of a body: six at a time,
 * which is what the coupling has room for. */
static scree_status share_sums(const scree_world *world, double *values,
                               int width) {
    scree_domain *d = world->ranks.domain;
    const int32_t n = world->state.bodies.n;
    if (!d) return SCREE_OK;
    const size_t places = (size_t)n + (size_t)world->state.bodies.walls;
    double *some = calloc(places * SCREE_COUPLED + 1, sizeof *some);
    scree_status status = scree_world_agree_on(
        world, some ? SCREE_OK : SCREE_OUT_OF_MEMORY, NULL);
    for (int at = 0; at < width && status == SCREE_OK; at += SCREE_COUPLED) {
        const int k = width - at < SCREE_COUPLED ? width - at : SCREE_COUPLED;
        copy_columns(values + at, width, some, k, k, n);
        status = scree_coupling_share_sums(&d->coupling, some, k);
        copy_columns(some, k, values + at, width, k, n);
    }
    free(some);
    return status;
}

static scree_status count_touches(const scree_world *world, double *touches) {
    scree_load_walk walk;
    scree_load load;
    TRY(scree_load_begin(&walk, world));
    while (scree_load_next(&walk, &load)) {
        if (!load.first) continue;
        touches[load.at_a] += 1;
        if (load.at_b >= 0) touches[load.at_b] += 1;
    }
    scree_load_end(&walk);
    return SCREE_OK;
}

scree_status scree_measure_touches(const scree_world *world, double **touches) {
    const size_t n = (size_t)world->state.bodies.n;
    *touches = calloc(n + 1, sizeof **touches);
    scree_status status =
        *touches ? count_touches(world, *touches) : SCREE_OUT_OF_MEMORY;
    TRY(scree_world_agree_on(world, status, NULL));
    return share_sums(world, *touches, 1);
}

/* ---- stress ------------------------------------------------------------------- */

enum { STRESS = 9, FOLDS = STRESS * SCREE_SLICES };

/* -P (x) r: nine numbers, positive on the diagonal in compression. */
static void press_body(scree_vec3 P, scree_vec3 r, double out[STRESS]) {
    const double p[3] = {P.x, P.y, P.z}, q[3] = {r.x, r.y, r.z};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) out[3 * i + j] = -p[i] * q[j];
}

typedef struct sides {
    int n;
    int32_t place[2];
    double x[2][STRESS];
} sides;

static sides press_both(const scree_load *load) {
    sides s = {.n = load->at_b < 0 ? 1 : 2, .place = {load->at_a, load->at_b}};
    press_body(load->P, load->arm_a, s.x[0]);
    if (s.n == 2) press_body(scale(-1, load->P), load->arm_b, s.x[1]);
    return s;
}

static scree_status find_bound(const scree_world *world, double *most) {
    scree_load_walk walk;
    scree_load load;
    TRY(scree_load_begin(&walk, world));
    while (scree_load_next(&walk, &load)) {
        const sides s = press_both(&load);
        for (int k = 0; k < s.n; ++k)
            for (int i = 0; i < STRESS; ++i)
                *most = fmax(*most, fabs(s.x[k][i]));
    }
    scree_load_end(&walk);
    return SCREE_OK;
}

static scree_status add_stress(const scree_world *world, double most,
                               double *folds) {
    const scree_slices fold = scree_slices_for(most);
    scree_load_walk walk;
    scree_load load;
    TRY(scree_load_begin(&walk, world));
    while (scree_load_next(&walk, &load)) {
        const sides s = press_both(&load);
        for (int k = 0; k < s.n; ++k)
            for (int i = 0; i < STRESS; ++i)
                scree_slices_add(&fold, s.x[k][i],
                                 folds + (int64_t)FOLDS * s.place[k] +
                                     SCREE_SLICES * i);
    }
    scree_load_end(&walk);
    return SCREE_OK;
}

/* Sums over contacts of -P (x) r, by place, in two parts each. Collective. */
static scree_status gather_stress(const scree_world *world, double *folds) {
    double most = 0;
    TRY(scree_world_agree_on(world, find_bound(world, &most), NULL));
    most = scree_world_most(world, most);
    if (most == 0) return SCREE_OK;
    TRY(scree_world_agree_on(world, add_stress(world, most, folds), NULL));
    return share_sums(world, folds, FOLDS);
}

/* ---- rows --------------------------------------------------------------------- */

static void fill_row(const scree_world *world, int32_t i, double touches,
                     const double *folds, double *row) {
    const scree_bodies *b = &world->state.bodies;
    const scree_twist *u = &b->u[i];
    const double m = scree_is_kinematic(u) ? 0 : 1 / u->inv_m;
    const double V = m / world->scene.materials[b->material[i]].density;
    const scree_sym3 Theta = scree_world_inertia(world, i, b->q[i]);
    row[SCREE_BODY_KINETIC] = 0.5 * m * dot(u->v, u->v);
    row[SCREE_BODY_ROTATION] = 0.5 * dot(u->w, sym3_mul(&Theta, u->w));
    row[SCREE_BODY_POTENTIAL] = 0.0 - m * dot(world->state.gravity, b->x[i].x);
    row[SCREE_BODY_TOUCHES] = touches;
    for (int k = 0; k < STRESS; ++k)
        row[SCREE_BODY_STRESS + k] =
            scree_slices_value(folds + SCREE_SLICES * k) /
            (world->state.dt * V);
}

/* A row on its way to the rank in whose block the body is. */
typedef struct parcel {
    int64_t at; /* row of the body (engine/world/removed.h) */
    double row[SCREE_BODY_WIDTH];
} parcel;

static scree_status post_rows(const scree_world *world, const double *touches,
                              const double *folds, scree_mail *mail) {
    const scree_comm *comm = world->ranks.domain->comm;
    const scree_bodies *b = &world->state.bodies;
    TRY(scree_mail_clear(mail, comm));
    for (int32_t i = 0; i < b->n; ++i) {
        parcel p = {.at = scree_bodies_row(b, b->id[i])};
        if (!scree_world_owns(world, i)) continue;
        fill_row(world, i, touches[i], folds + (int64_t)FOLDS * i, p.row);
        void *to = scree_mail_put(mail, scree_domain_rank_of_row(world, p.at),
                                  sizeof p);
        if (!to) return SCREE_OUT_OF_MEMORY;
        memcpy(to, &p, sizeof p);
    }
    return SCREE_OK;
}

static void take_rows(const scree_mail *mail, int64_t first, double *rows) {
    for (int64_t k = 0; k < mail->n_in; ++k)
        for (size_t at = 0; at < mail->in[k].n; at += sizeof(parcel)) {
            parcel p;
            memcpy(&p, mail->in[k].data + at, sizeof p);
            memcpy(rows + (p.at - first) * SCREE_BODY_WIDTH, p.row,
                   sizeof p.row);
        }
}

static scree_status send_rows(const scree_world *world, const double *touches,
                              const double *folds, double *rows) {
    scree_mail mail = {0};
    scree_status status = scree_world_agree_on(
        world, post_rows(world, touches, folds, &mail), NULL);
    if (status == SCREE_OK)
        status = scree_mail_send(&mail, world->ranks.domain->comm);
    if (status == SCREE_OK)
        take_rows(&mail, scree_world_block(world).first, rows);
    scree_mail_free(&mail);
    return status;
}

static scree_status put_rows(const scree_world *world, const double *touches,
                             double *folds, double *rows) {
    const scree_bodies *b = &world->state.bodies;
    TRY(gather_stress(world, folds));
    if (world->ranks.domain) return send_rows(world, touches, folds, rows);
    for (int32_t i = 0; i < b->n; ++i)
        fill_row(world, i, touches[i], folds + (int64_t)FOLDS * i,
                 rows + scree_bodies_row(b, b->id[i]) * SCREE_BODY_WIDTH);
    return SCREE_OK;
}

scree_status scree_measure_bodies(const scree_world *world, double *rows) {
    const size_t n = (size_t)world->state.bodies.n;
    double *touches = NULL, *folds = calloc(n * FOLDS + 1, sizeof *folds);
    scree_status status = scree_world_agree_on(
        world, folds ? SCREE_OK : SCREE_OUT_OF_MEMORY, NULL);
    if (status == SCREE_OK) status = scree_measure_touches(world, &touches);
    if (status == SCREE_OK) status = put_rows(world, touches, folds, rows);
    free(touches);
    free(folds);
    return status;
}
