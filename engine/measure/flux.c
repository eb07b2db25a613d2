#include "engine/measure/flux.h"

#include <stdlib.h>

#include "engine/base/parallel.h"
#include "engine/step/step.h"
#include "engine/world/inertia.h"

struct scree_flux {
    scree_flux_def def;
    scree_ledger sums;
};

/* ---- where paths begin -------------------------------------------------------- */

void scree_world_keep_paths(scree_world *world) {
    world->scene.paths = true;
}

static void begin_chunk(void *context, int64_t first, int64_t last) {
    const scree_bodies *b = context;
    for (int64_t i = first; i < last; ++i) b->x_b[i] = b->x[i].x;
}

void scree_world_begin_paths(scree_world *world) {
    world->state.n_gone = 0;
    scree_parallel_for(world->state.bodies.n, world->def.threads, begin_chunk,
                       &world->state.bodies);
}

/* ---- making ------------------------------------------------------------------- */

int scree_flux_channels(const scree_flux_def *def) {
    return 1 + def->n_material + (def->n_size ? def->n_size + 1 : 0);
}

scree_status scree_flux_create(const scree_flux_def *def, scree_flux **flux) {
    scree_flux *f = calloc(1, sizeof *f);
    if (!f) return SCREE_OUT_OF_MEMORY;
    f->def = *def;
    const int n = def->n_gate * scree_flux_channels(def) * SCREE_FLUX_WIDTH;
    if (scree_ledger_open(&f->sums, n) == SCREE_OK) {
        *flux = f;
        return SCREE_OK;
    }
    scree_flux_destroy(f);
    return SCREE_OUT_OF_MEMORY;
}

void scree_flux_destroy(scree_flux *flux) {
    if (flux) scree_ledger_free(&flux->sums);
    free(flux);
}

/* ---- counting ----------------------------------------------------------------- */

scree_passage scree_passage_of(const scree_world *world, int32_t i) {
    const scree_bodies *b = &world->state.bodies;
    const scree_twist *u = &b->u[i];
    const double m = scree_is_kinematic(u) ? 0 : 1 / u->inv_m;
    const scree_sym3 Theta = scree_world_inertia(world, i, b->q[i]);
    scree_passage p = {.from = b->x_b[i],
                       .to = b->x[i].x,
                       .diameter = 2 * b->x[i].r,
                       .material = b->material[i]};
    p.carried[SCREE_FLUX_NUMBER] = 1;
    p.carried[SCREE_FLUX_MASS] = m;
    vec_to(scale(m, u->v), p.carried + SCREE_FLUX_MOMENTUM);
    p.carried[SCREE_FLUX_ENERGY] =
        0.5 * m * dot(u->v, u->v) + 0.5 * dot(u->w, sym3_mul(&Theta, u->w));
    return p;
}

static int class_of(const scree_flux_def *def, double diameter) {
    int k = 0;
    while (k < def->n_size && diameter >= def->sizes[k]) ++k;
    return k;
}

static void add_to(scree_flux *f, int gate, int channel, int way,
                   const double x[SCREE_FLUX_WIDTH]) {
    const int each = scree_flux_channels(&f->def);
    const int first = (gate * each + channel) * SCREE_FLUX_WIDTH;
    for (int k = 0; k < SCREE_FLUX_WIDTH; ++k)
        scree_ledger_add(&f->sums, first + k, way * x[k]);
}

static void count_crossing(scree_flux *f, const scree_passage *p, int gate,
                           int way) {
    const scree_flux_def *d = &f->def;
    add_to(f, gate, 0, way, p->carried);
    if (d->n_material) add_to(f, gate, 1 + p->material, way, p->carried);
    if (d->n_size)
        add_to(f, gate, 1 + d->n_material + class_of(d, p->diameter), way,
               p->carried);
}

static void count_passage(scree_flux *f, const scree_passage *p,
                          scree_vec3 shift) {
    for (int gate = 0; gate < f->def.n_gate; ++gate) {
        const int way = scree_gate_crossing(
            &f->def.gates[gate], add(p->from, shift), add(p->to, shift));
        if (way) count_crossing(f, p, gate, way);
    }
}

/* By itself, and in a cell by its images around: a gate may be where one of them is. */
static void count_images(scree_flux *f, const scree_period *cell,
                         const scree_passage *p) {
    count_passage(f, p, vec(0, 0, 0));
    if (!cell) return;
    for (int k = 0; k < 27; ++k) {
        const int s[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        bool is_one = s[0] || s[1] || s[2];
        for (int e = 0; e < 3; ++e) is_one &= s[e] == 0 || cell->along[e];
        if (is_one)
            count_passage(
                f, p,
                scree_period_shift(cell, scree_image_of(s[0], s[1], s[2])));
    }
}

static bool crosses_any(const scree_flux *f, scree_vec3 from, scree_vec3 to) {
    for (int gate = 0; gate < f->def.n_gate; ++gate)
        if (scree_gate_crossing(&f->def.gates[gate], from, to)) return true;
    return false;
}

void scree_flux_count(scree_flux *f, const scree_world *world) {
    const scree_bodies *b = &world->state.bodies;
    const scree_period *cell = world->scene.cell;
    for (int32_t i = 0; i < b->n; ++i) {
        if ((!cell && !crosses_any(f, b->x_b[i], b->x[i].x)) ||
            !scree_world_owns(world, i))
            continue;
        const scree_passage p = scree_passage_of(world, i);
        count_images(f, cell, &p);
    }
    for (int64_t k = 0; k < world->state.n_gone; ++k)
        count_images(f, cell, &world->state.gone[k]);
}

/* ---- totals ------------------------------------------------------------------- */

void scree_flux_read(scree_flux *f, const scree_comm *comm, double *totals) {
    scree_ledger_read(&f->sums, comm, totals);
}

void scree_flux_archive(scree_flux *f, const scree_comm *comm,
                        scree_archive *a) {
    scree_ledger_archive(&f->sums, comm, a);
}
