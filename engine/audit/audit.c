/* audit.c: the list of findings, and those that follow from single bodies: counts,
 * sizes, positions that rounding eats, thin shapes, speeds against the step.
 *
 *     gaps are lost     ulp(|x|) > share of the inner radius
 *     thin              inner radius / radius of the ball around the body
 *     stride            |v| dt / d, d the diameter of the ball around the body
 *     fall              sqrt(2 g d) dt / d: the stride after a fall by d */
#include "engine/audit/audit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contact/solid/shape.h"
#include "engine/audit/audit_parts.h"
#include "engine/base/arena.h"
#include "engine/forces/forces.h"
#include "engine/step/contact_rows.h"
#include "engine/system/stepper.h"
#include "engine/world/view.h"

/* Shares of the inner radius that one step of rounding at the body's place takes.
 * Gaps up to 1e-5 of a body count as closed: rounding must stay below. */
static const double ROUNDING_SEEN = 1e-6, ROUNDING_LOST = 1e-3;
/* Inner over outer radius. */
static const double THIN_RARE = 1e-3, THIN_SENSELESS = 1e-6;

/* ---- the list -------------------------------------------------------------- */

const char *scree_finding_word(scree_finding_code code) {
    static const char *const words[] = {
#define X(code, word) word,
        SCREE_FINDING_LIST(X)
#undef X
    };
    return words[code];
}

void scree_audit_add(scree_audit *audit, scree_severity severity,
                     scree_finding_code code, const char *format, ...) {
    if (scree_reserve(&audit->list, &audit->capacity, audit->n + 1,
                      sizeof *audit->list) != SCREE_OK) {
        audit->full = true;
        return;
    }
    scree_finding *f = &audit->list[audit->n++];
    f->severity = severity;
    f->code = code;
    va_list args;
    va_start(args, format);
    vsnprintf(f->text, sizeof f->text, format, args);
    va_end(args);
}

int scree_audit_count(const scree_audit *audit, scree_severity severity) {
    int n = 0;
    for (int i = 0; i < audit->n; ++i) n += audit->list[i].severity == severity;
    return n;
}

void scree_audit_free(scree_audit *audit) {
    free(audit->list);
    *audit = (scree_audit){0};
}

/* ---- the worst ones, and extents ------------------------------------------- */

static bool is_worse(const scree_worst *x, const scree_worst *y) {
    if (x->worst != y->worst) return x->worst > y->worst;
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

void scree_worst_add(scree_worst *worst, const scree_worst *one) {
    if (one->n == 0) return;
    const scree_worst before = *worst;
    if (before.n == 0 || is_worse(one, &before)) *worst = *one;
    worst->n = before.n + one->n;
    worst->deep = before.deep + one->deep;
}

scree_status scree_worst_join(const scree_comm *comm, scree_worst *worst) {
    if (comm->size == 1) return SCREE_OK;
    scree_worst *all = malloc((size_t)comm->size * sizeof *all);
    TRY(scree_comm_agree(comm, all ? SCREE_OK : SCREE_OUT_OF_MEMORY, NULL));
    scree_comm_gather(comm, worst, sizeof *worst, all);
    *worst = (scree_worst){0};
    for (int r = 0; r < comm->size; ++r) scree_worst_add(worst, &all[r]);
    free(all);
    return SCREE_OK;
}

void scree_extent_add(scree_extent *extent, scree_vec3 x, double r) {
    const double at[3] = {x.x, x.y, x.z};
    for (int k = 0; k < 3; ++k) {
        extent->lo[k] = fmin(extent->lo[k], at[k] - r);
        extent->hi[k] = fmax(extent->hi[k], at[k] + r);
    }
}

void scree_extent_join(const scree_comm *comm, scree_extent *extent) {
    for (int k = 0; k < 3; ++k) extent->lo[k] = -extent->lo[k];
    scree_comm_max(comm, extent->lo, 3);
    scree_comm_max(comm, extent->hi, 3);
    for (int k = 0; k < 3; ++k) extent->lo[k] = -extent->lo[k];
}

/* ---- names and sizes ------------------------------------------------------- */

scree_wall_label scree_audit_wall(const scree_auditor *by, int wall) {
    scree_wall_label label;
    if (by->scene->walls)
        snprintf(label.text, sizeof label.text, "'%.100s'",
                 by->scene->walls[wall]);
    else
        snprintf(label.text, sizeof label.text, "%d", wall);
    return label;
}

bool scree_audit_wall_counts(const scree_auditor *by, int wall) {
    const scree_plane_def *def = &by->world->scene.walls[wall].def;
    return def->from <= by->scene->end && def->until > by->world->state.t;
}

double scree_audit_inner(const scree_world *world, const scree_ball *x,
                         int32_t form) {
    if (form < 0) return x->r;
    const scree_form *f = &world->scene.forms[form];
    if (f->n_ball == 0) return scree_ops_of(&f->solid)->inside(&f->solid);
    double least = INFINITY;
    for (int k = 0; k < f->n_ball; ++k) least = fmin(least, f->balls[k].r);
    return least;
}

/* ---- bodies, one by one ---------------------------------------------------- */

/* What single bodies tell. */
typedef struct survey {
    scree_worst far, thin, fast;
    double mass;              /* of all [kg] */
    double lightest;          /* [kg] */
    double heaviest;          /* [kg] */
    double smallest, largest; /* radius of the ball around it [m] */
} survey;

static double farthest_coordinate(scree_vec3 x) {
    return fmax(fabs(x.x), fmax(fabs(x.y), fabs(x.z)));
}

static void look_at_place(survey *s, const scree_world *world, int32_t i) {
    const scree_bodies *b = &world->state.bodies;
    const double at = farthest_coordinate(b->x[i].x);
    const double grain = nextafter(at, INFINITY) - at;
    const double share = grain / scree_audit_inner(world, &b->x[i], b->form[i]);
    if (share <= ROUNDING_SEEN) return;
    scree_worst_add(&s->far, &(scree_worst){.n = 1,
                                            .deep = share > ROUNDING_LOST,
                                            .worst = share,
                                            .figure = {at, grain},
                                            .a = b->id[i],
                                            .b = -1});
}

static void look_at_shape(survey *s, const scree_world *world, int32_t i) {
    const scree_bodies *b = &world->state.bodies;
    const double inner = scree_audit_inner(world, &b->x[i], b->form[i]);
    const double share = inner / b->x[i].r;
    if (share >= THIN_RARE) return;
    scree_worst_add(&s->thin, &(scree_worst){.n = 1,
                                             .deep = share < THIN_SENSELESS,
                                             .worst = -share,
                                             .figure = {inner, b->x[i].r},
                                             .a = b->id[i],
                                             .b = -1});
}

static void look_at_speed(survey *s, const scree_world *world, int32_t i) {
    const scree_bodies *b = &world->state.bodies;
    const double v = norm(b->u[i].v), d = 2 * b->x[i].r,
                 stride = v * world->def.dt / d;
    if (world->def.motion > 0 || stride <= SCREE_STRIDE_LARGE) return;
    scree_worst_add(
        &s->fast,
        &(scree_worst){
            .n = 1, .worst = stride, .figure = {v, d}, .a = b->id[i], .b = -1});
}

static void look_at_mass(survey *s, const scree_world *world, int32_t i) {
    const double m = 1 / world->state.bodies.u[i].inv_m,
                 r = world->state.bodies.x[i].r;
    s->mass += m;
    s->lightest = fmin(s->lightest, m);
    s->heaviest = fmax(s->heaviest, m);
    s->smallest = fmin(s->smallest, r);
    s->largest = fmax(s->largest, r);
}

static scree_status join_survey(survey *s, const scree_comm *comm) {
    double most[] = {-s->lightest, s->heaviest, -s->smallest, s->largest};
    TRY(scree_worst_join(comm, &s->far));
    TRY(scree_worst_join(comm, &s->thin));
    TRY(scree_worst_join(comm, &s->fast));
    scree_comm_sum(comm, &s->mass, 1);
    scree_comm_max(comm, most, 4);
    s->lightest = -most[0], s->heaviest = most[1];
    s->smallest = -most[2], s->largest = most[3];
    return SCREE_OK;
}

static scree_status survey_bodies(const scree_auditor *by, survey *s) {
    const scree_world *world = by->world;
    *s = (survey){.lightest = INFINITY, .smallest = INFINITY};
    for (int32_t i = 0; i < world->state.bodies.n; ++i) {
        if (!scree_world_owns(world, i)) continue;
        look_at_place(s, world, i);
        look_at_shape(s, world, i);
        look_at_speed(s, world, i);
        look_at_mass(s, world, i);
    }
    return join_survey(s, by->comm);
}

/* ---- sentences ------------------------------------------------------------- */

static scree_severity severity_of(const scree_worst *t) {
    return t->deep > 0 ? SCREE_ERROR : SCREE_WARNING;
}

typedef struct interval {
    char text[48];
} interval;

static interval write_interval(double least, double most, const char *unit) {
    interval i;
    if (least == most)
        snprintf(i.text, sizeof i.text, "%.3g %s", most, unit);
    else
        snprintf(i.text, sizeof i.text, "%.3g to %.3g %s", least, most, unit);
    return i;
}

static void tell_bodies(const scree_auditor *by, const survey *s) {
    const interval mass = write_interval(s->lightest, s->heaviest, "kg"),
                   size = write_interval(2 * s->smallest, 2 * s->largest, "m");
    const int64_t n = by->world->ranks.n_body;
    if (n == 0) return;
    scree_audit_add(by->audit, SCREE_NOTE, SCREE_FINDING_BODIES,
                    "%lld bod%s at the start: %.4g kg in all, each has %s; "
                    "the balls around them have diameters of %s",
                    (long long)n, n == 1 ? "y" : "ies", s->mass, mass.text,
                    size.text);
}

static void tell_far(const scree_auditor *by, const scree_worst *t) {
    if (t->n == 0) return;
    scree_audit_add(
        by->audit, severity_of(t), SCREE_FINDING_FAR_AWAY,
        "%lld bod%s so far from the origin that rounding eats the gaps: body "
        "%lld has a coordinate of %.3g m, where numbers are %.2g m apart, %.2g "
        "of its inner radius; move the scene to the origin",
        (long long)t->n, t->n == 1 ? "y is" : "ies are", (long long)t->a,
        t->figure[0], t->figure[1], t->worst);
}

static void tell_thin(const scree_auditor *by, const scree_worst *t) {
    if (t->n == 0) return;
    scree_audit_add(
        by->audit, severity_of(t), SCREE_FINDING_THIN,
        "%lld bod%s very thin: body %lld is %.3g m thick in a ball of %.3g m; "
        "contacts through it cannot be told from contacts with it; check the "
        "units of its shape, make it thicker, or give it a rounding",
        (long long)t->n, t->n == 1 ? "y is" : "ies are", (long long)t->a,
        2 * t->figure[0], 2 * t->figure[1]);
}

static void tell_fast(const scree_auditor *by, const scree_worst *t) {
    if (t->n == 0) return;
    scree_audit_add(
        by->audit, SCREE_WARNING, SCREE_FINDING_STEP,
        "%lld bod%s fast for the step: body %lld starts with %.3g m/s and "
        "moves "
        "%.2g of its diameter of %.3g m in a step of %.3g s (more than %g is "
        "much); a step of %.2g s or less resolves its impacts",
        (long long)t->n, t->n == 1 ? "y is" : "ies are", (long long)t->a,
        t->figure[0], t->worst, t->figure[1], by->world->def.dt,
        SCREE_STRIDE_LARGE, SCREE_STRIDE_LARGE * t->figure[1] / t->figure[0]);
}

/* The smallest body, poured ones among them. */
static double smallest_diameter(const scree_auditor *by, const survey *s) {
    double d = 2 * s->smallest;
    for (int k = 0; k < by->scene->n_pour; ++k)
        d = fmin(d, 2 * scree_grain_smallest(&by->scene->pours[k]->grain));
    return d;
}

static void tell_fall(const scree_auditor *by, const survey *s) {
    const double g = norm(scree_world_weight(by->world)),
                 dt = by->world->def.dt, d = smallest_diameter(by, s);
    const double stride = isfinite(d) ? sqrt(2 * g * d) * dt / d : 0;
    if (by->world->def.motion > 0 || stride <= SCREE_STRIDE_LARGE) return;
    scree_audit_add(
        by->audit, SCREE_WARNING, SCREE_FINDING_STEP,
        "the step of %.3g s is long for the gravity of %.3g m/s^2: a body of "
        "%.3g m that has fallen by its diameter moves %.2g of it in a step "
        "(more than %g is much); a step of %.2g s or less suits it",
        dt, g, d, stride, SCREE_STRIDE_LARGE,
        SCREE_STRIDE_LARGE * d / sqrt(2 * g * d));
}

static double largest_restitution(const scree_world *world) {
    double most = 0;
    for (int a = 0; a < world->scene.n_material; ++a)
        for (int b = 0; b <= a; ++b) {
            const scree_contact_law *law =
                &scree_world_pair_law(world, a, b)->law;
            most = fmax(most, fmax(law->e_n, law->e_t));
        }
    return most;
}

static void tell_inelastic(const scree_auditor *by) {
    const char *name = by->world->def.stepper;
    const scree_stepper_ops *stepper = scree_stepper_find(name);
    if (!stepper || !stepper->inelastic) return;
    const double e = largest_restitution(by->world);
    if (e == 0) return;
    scree_audit_add(by->audit, SCREE_WARNING, SCREE_FINDING_STEPPER,
                    "the stepper %s knows no restitution: the %.3g of the "
                    "materials is taken for 0; take moreau or rattle, or set "
                    "restitution: 0",
                    name, e);
}

scree_status scree_audit_world(const scree_world *world,
                               const scree_audit_scene *scene,
                               scree_audit *audit) {
    const scree_auditor by = {.world = world,
                              .scene = scene,
                              .comm = scree_world_comm(world),
                              .audit = audit};
    survey s;
    TRY(survey_bodies(&by, &s));
    tell_bodies(&by, &s);
    TRY(scree_audit_overlaps(&by));
    TRY(scree_audit_walls(&by));
    TRY(scree_audit_meshes(&by));
    tell_far(&by, &s.far);
    tell_thin(&by, &s.thin);
    tell_fast(&by, &s.fast);
    tell_fall(&by, &s);
    tell_inelastic(&by);
    scree_audit_pours(&by);
    return scree_comm_agree(by.comm,
                            audit->full ? SCREE_OUT_OF_MEMORY : SCREE_OK, NULL);
}
