/* path_blocks.c: the way from a regularised problem to the problem itself, followed
 * through its folds.
 *
 * With the anchor a, rho_i = 1 / W_ii and r = AC(z), the map of Alart and Curnier
 * that cuts z_N to >= 0 and z_T to the disc of radius mu z_N, the equations
 *
 *     F(z, kappa) = W r + q + (r - a) / (rho kappa) + (z - r) / rho = 0
 *
 * say that r solves the contact problem, but for the term with kappa: it makes the
 * solution unique as kappa -> 0 and vanishes as kappa -> infinity. In between the
 * solutions form a curve, smooth but for kinks where a contact changes between
 * open, sticking and sliding. Friction is not the gradient of anything, so the
 * curve turns back: on the bed of 1 111 contacts about forty times on its last
 * stretch, and at each of these folds the Newton steps with growing kappa of
 * newton_blocks.c find no solution nearby. Following the curve itself, back and forth
 * in kappa, is what Lemke does for complementarity problems; from kappa = 0 on it
 * cannot, in general, return to its start, and ends at a solution or at infinity.
 * Here it begins where Newton steps have brought it, at some kappa > 0: that is a
 * reason to expect success, no proof of it.
 *
 *     J dz/dkappa = (r - a) / (rho kappa^2),    J = dF/dz = E + W D  (fc3d_lu.h)
 *
 * The sign of det J tells the direction: kappa grows where it is positive, and falls
 * where it is negative. Steps run along the tangent (bent as its last change tells)
 * at most to where the first contact leaves its status, and Newton puts them back
 * on the curve: across the tangent, or on the boundary that the contact crosses. */
#include <math.h>
#include <string.h>

#include "engine/base/elementary/elementary.h"
#include "solvers/blocks/fc3d_lu.h"
#include "solvers/problem/method.h"

typedef enum status { OPEN, STICK, SLIDE } status;
enum { CORRECTIONS = 8, EASY = 5, NEWTON = 40, TRIES = 4 };
static const double TURN = 0.3;   /* of a sliding direction in a step [rad] */
static const double CHORD = 0.02; /* slower than this: new factors */
static const double EXACT = 1e-6; /* |F| over that of the anchor's term */
static const double KAPPA_LEAST = 0.01;
static const double NEAR = 1e-5;   /* residual of the first anchor */
static const double NEARER = 3e-6; /* where sweeps are cheap beside factors: */
enum { FEW = 1250 };               /* of so few contacts */
static const double CLOSER = 0.5;  /* that of the next, over the best so far */
enum { SWEEPS = 30000, LEAST = 1000 }; /* most for the first anchor; least */
static const double WEIGHT = 1e-3;     /* of kappa in the length of a step */

typedef struct state {
    scree_fc3d *p;
    scree_factors *lu;
    int n; /* 3 nc */
    double kappa;
    double size;       /* |a| */
    double *scale;     /* (n) 1 / rho */
    double *anchor;    /* (n) a */
    double *z, *slope; /* (n) the point and dz / dkappa there */
    double *trial, *F; /* (n) */
    double *tangent;   /* (n) of unit length, with `ahead` for kappa */
    double *bend;      /* (n) its change by length, zero if unknown */
    double ahead, bend_kappa;
    double *E, *D;  /* (9 nc) */
    status *status; /* (nc) */
    bool stale;     /* the factors are not those at z */
    double most;    /* length of a step */
    int effort;     /* corrections of the last one */
} state;

/* A contact on the boundary of its status. */
typedef struct event {
    double at; /* length to go there */
    int contact;
    bool normal; /* z_N = 0, else |z_T| = mu z_N */
} event;
static const event NONE = {INFINITY, -1, false};

static double inner_product(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* ---- the equations ------------------------------------------------------- */

/* |z_T| - mu z_N: > 0 outside the cone. */
static double cone_gap(const state *s, int i, const double *z) {
    return scree_hypot(z[1], z[2]) - s->p->mu[i] * z[0];
}

static void find_statuses(state *s, const double *z) {
    for (int i = 0; i < s->p->nc; i++, z += 3)
        s->status[i] = !(z[0] > 0)             ? OPEN
                       : cone_gap(s, i, z) > 0 ? SLIDE
                                               : STICK;
}

/* r = AC(z) as its status says, in its region or not. */
static void map_contact(const state *s, int i, const double *z, double *r) {
    double fit = 1;
    r[0] = r[1] = r[2] = 0;
    if (s->status[i] == OPEN) return;
    if (s->status[i] == SLIDE)
        fit = s->p->mu[i] * z[0] / scree_hypot(z[1], z[2]);
    r[0] = z[0], r[1] = fit * z[1], r[2] = fit * z[2];
}

/* D = dr/dz and E = ((I - D) + D / kappa) / rho of contact i. */
static void derive_contact(const state *s, int i, const double *z) {
    double *D = &s->D[9 * i], *E = &s->E[9 * i];
    memset(D, 0, 9 * sizeof *D);
    if (s->status[i] != OPEN) D[0] = D[4] = D[8] = 1;
    if (s->status[i] == SLIDE) {
        const double length = scree_hypot(z[1], z[2]), mu = s->p->mu[i];
        const double d[2] = {z[1] / length, z[2] / length};
        const double fit = mu * z[0] / length;
        D[3] = mu * d[0], D[6] = mu * d[1];
        D[4] = fit * d[1] * d[1], D[8] = fit * d[0] * d[0];
        D[5] = D[7] = -fit * d[0] * d[1];
    }
    for (int a = 0; a < 9; a++)
        E[a] = s->scale[3 * i + a / 3] *
               ((a % 4 == 0) - (1 - 1 / s->kappa) * D[a]);
}

/* F, p->r and p->u at z; returns |F|, *pull is that of the anchor's term. */
static double evaluate_curve(state *s, const double *z, double *pull) {
    scree_fc3d *p = s->p;
    double pull2 = 0;
    for (int i = 0; i < p->nc; i++) map_contact(s, i, &z[3 * i], &p->r[3 * i]);
    for (int i = 0; i < p->nc; i++) scree_fc3d_row(p, i, &p->u[3 * i]);
    for (int k = 0; k < s->n; k++) {
        const double a = s->scale[k] * (p->r[k] - s->anchor[k]) / s->kappa;
        s->F[k] = p->u[k] + a + s->scale[k] * (z[k] - p->r[k]);
        pull2 += a * a;
    }
    *pull = sqrt(pull2);
    return sqrt(inner_product(s->F, s->F, s->n));
}

static bool factor_curve(state *s, const double *z) {
    for (int i = 0; i < s->p->nc; i++) derive_contact(s, i, &z[3 * i]);
    s->stale = z != s->z;
    return scree_factors_compute(s->lu, s->E, s->D);
}

static void find_slope(state *s, const double *z) {
    double r[3];
    for (int i = 0; i < s->p->nc; i++) {
        map_contact(s, i, &z[3 * i], r);
        for (int a = 0, k = 3 * i; a < 3; a++, k++)
            s->slope[k] =
                s->scale[k] * (r[a] - s->anchor[k]) / (s->kappa * s->kappa);
    }
    scree_factors_solve(s->lu, s->slope);
}

/* ---- the first point ----------------------------------------------------- */

/* Halves the Newton step in `slope` until |F| falls. */
static bool search_line(state *s, double size) {
    double pull;
    for (double length = 1; length > 1e-3; length *= 0.5) {
        for (int k = 0; k < s->n; k++)
            s->trial[k] = s->z[k] - length * s->slope[k];
        find_statuses(s, s->trial);
        if (!(evaluate_curve(s, s->trial, &pull) < (1 - 0.1 * length) * size))
            continue;
        memcpy(s->z, s->trial, (size_t)s->n * sizeof *s->z);
        return true;
    }
    return false;
}

static bool find_point(state *s) {
    double pull;
    for (int k = 0; k < s->n; k++)
        s->z[k] = s->anchor[k] - s->p->u[k] / s->scale[k];
    for (int n = 0; n < NEWTON; n++) {
        find_statuses(s, s->z);
        const double size = evaluate_curve(s, s->z, &pull);
        if (size <= EXACT * pull) return true;
        memcpy(s->slope, s->F, (size_t)s->n * sizeof *s->slope);
        if (!factor_curve(s, s->z)) return false;
        scree_factors_solve(s->lu, s->slope);
        if (!search_line(s, size)) return false;
    }
    return false;
}

/* ---- where statuses end -------------------------------------------------- */

/* The least t >= 0 where z + t v leaves the stick or the slide region. */
static double leave_cone(const state *s, int i, const double *z,
                         const double *v) {
    const double mu = s->p->mu[i], sign = s->status[i] == STICK ? 1 : -1;
    const double a = sign * (v[1] * v[1] + v[2] * v[2] - mu * mu * v[0] * v[0]);
    const double b = sign * (v[1] * z[1] + v[2] * z[2] - mu * mu * v[0] * z[0]);
    const double c = fmin(sign * cone_gap(s, i, z), 0) *
                     (scree_hypot(z[1], z[2]) + mu * z[0]);
    const double root2 = b * b - a * c; /* of a t^2 + 2 b t + c, which grows */
    if (!(root2 > 0)) return INFINITY;
    const double t = b > 0 ? -c / (b + sqrt(root2)) : (sqrt(root2) - b) / a;
    return t >= 0 ? t : INFINITY;
}

static double leave_normal(const state *s, int i, double z, double v) {
    const double sign = s->status[i] == OPEN ? 1 : -1;
    return sign * v > 0 ? fmax(-sign * z, 0) / (sign * v) : INFINITY;
}

static event next_event(const state *s) {
    event e = NONE;
    for (int i = 0; i < s->p->nc; i++) {
        const double *z = &s->z[3 * i], *v = &s->tangent[3 * i];
        const double n = leave_normal(s, i, z[0], v[0]);
        const double c =
            s->status[i] == OPEN ? INFINITY : leave_cone(s, i, z, v);
        if (n < e.at) e = (event){n, i, true};
        if (c < e.at) e = (event){c, i, false};
    }
    return e;
}

/* How far contact i is out of the region of its status. */
static double outside_region(const state *s, int i, const double *z,
                             bool *normal) {
    const double n = s->status[i] == OPEN ? z[0] : -z[0];
    const double gap = cone_gap(s, i, z);
    const double c = s->status[i] == OPEN    ? -INFINITY
                     : s->status[i] == STICK ? gap
                                             : -gap;
    *normal = n > c;
    return fmax(n, c);
}

/* The contact that left its region first on the way to `trial`, but for one; at:
 * the part of the way. */
static event first_crossed(const state *s, int but) {
    event e = NONE;
    for (int i = 0; i < s->p->nc; i++) {
        bool normal, before;
        const double to = outside_region(s, i, &s->trial[3 * i], &normal);
        if (i == but || to < 1e-11 * s->size) continue;
        const double from =
            fmin(0, outside_region(s, i, &s->z[3 * i], &before));
        const double at = from / (from - to);
        if (at < e.at) e = (event){at, i, normal};
    }
    return e;
}

/* The boundary's equation and its gradient at z. */
static double boundary_at(const state *s, const event *e, const double *z,
                          double gradient[3]) {
    z += 3 * e->contact;
    gradient[0] = 1, gradient[1] = gradient[2] = 0;
    if (e->normal) return z[0];
    const double length = scree_hypot(z[1], z[2]);
    gradient[0] = -s->p->mu[e->contact];
    gradient[1] = z[1] / length, gradient[2] = z[2] / length;
    return cone_gap(s, e->contact, z);
}

/* The other side of the boundary. */
static void change_status(state *s, const event *e) {
    status *at = &s->status[e->contact];
    if (e->normal)
        *at = *at == OPEN ? SLIDE : OPEN;
    else
        *at = *at == STICK ? SLIDE : STICK;
}

/* ---- steps --------------------------------------------------------------- */

/* Of unit length, and how it changed since the last step of length `step`, 0: not
 * known. */
static void find_tangent(state *s, double step) {
    const double weight = WEIGHT * s->size / s->kappa;
    const double length =
        sqrt(inner_product(s->slope, s->slope, s->n) + weight * weight);
    const double f = (scree_factors_are_negative(s->lu) ? -1 : 1) / length;
    const double by = step > 0 ? 1 / step : 0;
    for (int k = 0; k < s->n; k++) {
        s->bend[k] = by * (f * s->slope[k] - s->tangent[k]);
        s->tangent[k] = f * s->slope[k];
    }
    s->bend_kappa = by * (f - s->ahead);
    s->ahead = f;
}

/* The fastest turn of a sliding direction [rad] by length. */
static double turn_rate(const state *s) {
    double most = 0;
    for (int i = 0; i < s->p->nc; i++) {
        const double *z = &s->z[3 * i], *v = &s->tangent[3 * i];
        if (s->status[i] == SLIDE)
            most = fmax(most, fabs(z[1] * v[2] - z[2] * v[1]) /
                                  (z[1] * z[1] + z[2] * z[2]));
    }
    return most;
}

static double longest_step(const state *s) {
    const double part = s->ahead < 0 ? 0.4 : 1; /* of kappa */
    double most = fmin(s->most, part * s->kappa / fabs(s->ahead));
    const double turns = turn_rate(s);
    return turns * most > TURN ? TURN / turns : most;
}

static void predict_point(state *s, double step) {
    const double half = 0.5 * step * step;
    for (int k = 0; k < s->n; k++)
        s->trial[k] = s->z[k] + step * s->tangent[k] + half * s->bend[k];
    s->kappa =
        fmax(0.5 * s->kappa, s->kappa + step * s->ahead + half * s->bend_kappa);
}

/* New factors at `trial`; F is kept. */
static bool refresh_factors(state *s) {
    if (!factor_curve(s, s->trial)) return false;
    find_slope(s, s->trial);
    return true;
}

/* One Newton step of (trial, kappa), with g + gradient dz = 0 if `e`. */
static bool correct_once(state *s, const event *e, double g,
                         const double gradient[3]) {
    const double weight = WEIGHT * s->size / s->kappa;
    double *d = s->F, change;
    for (int k = 0; k < s->n; k++) d[k] = -d[k];
    scree_factors_solve(s->lu, d);
    if (e) {
        const int at = 3 * e->contact;
        change = -(g + inner_product(gradient, &d[at], 3)) /
                 inner_product(gradient, &s->slope[at], 3);
    } else {
        change = -inner_product(d, s->slope, s->n) /
                 (inner_product(s->slope, s->slope, s->n) + weight * weight);
    }
    if (!(fabs(change) < 0.5 * s->kappa)) return false;
    s->kappa += change;
    for (int k = 0; k < s->n; k++) s->trial[k] += d[k] + change * s->slope[k];
    return true;
}

/* Puts `trial` back on the curve, and on the boundary of the event if one is
 * given. */
static bool correct_point(state *s, const event *e) {
    double last = INFINITY;
    for (s->effort = 0; s->effort < CORRECTIONS; s->effort++) {
        double pull, gradient[3] = {0}, g = 0;
        double size = evaluate_curve(s, s->trial, &pull);
        if (e) {
            g = boundary_at(s, e, s->trial, gradient);
            size += fabs(g) * s->scale[3 * e->contact];
        }
        if (size <= EXACT * pull) return true;
        if (!(size < 0.9 * last)) return false;
        if (size > CHORD * last && !refresh_factors(s)) return false;
        last = size;
        if (!correct_once(s, e, g, gradient)) return false;
    }
    return false;
}

/* Back to z, with the factors and the slope there. */
static bool retreat_to(state *s, double kappa) {
    s->kappa = kappa;
    if (!s->stale) return true;
    if (!factor_curve(s, s->z)) return false;
    find_slope(s, s->z);
    return true;
}

/* One step; its length, 0 after an event, -1: none is possible. */
static double advance_step(state *s) {
    const double kappa = s->kappa;
    while (s->most > 1e-13 * s->size) {
        event e = next_event(s);
        double step = fmin(e.at, longest_step(s));
        bool at_event = step == e.at, good = false;
        for (int n = 0; n < TRIES; n++) {
            predict_point(s, step);
            good = correct_point(s, at_event ? &e : NULL);
            if (!good) break;
            const event x = first_crossed(s, at_event ? e.contact : -1);
            good = x.contact < 0;
            if (good) break;
            if (!retreat_to(s, kappa)) return -1;
            step *= x.at;
            at_event = true;
            e = x;
        }
        if (good) {
            memcpy(s->z, s->trial, (size_t)s->n * sizeof *s->z);
            if (s->effort <= EASY) s->most = fmax(s->most, 2.5 * step);
            if (at_event) change_status(s, &e);
            return at_event ? 0 : step;
        }
        if (!retreat_to(s, kappa)) return -1;
        /* no bound yet, and nothing ahead: no longer than r */
        s->most = 0.3 * fmin(step > 0 ? step : s->most, s->size);
    }
    return -1;
}

/* Follows the curve, until a measured residual ends it, or it gets lost, or
 * `work` block products are spent. True: ended. */
static bool follow_curve(state *s, scree_loop *g, int64_t work) {
    double step = 0;
    work += scree_factors_work(s->lu);
    while (scree_factors_work(s->lu) < work && s->kappa > KAPPA_LEAST) {
        double pull;
        evaluate_curve(s, s->z, &pull);
        g->next = g->iteration;
        g->has_u = true;
        if (scree_loop_advance(g)) return true;
        if (!factor_curve(s, s->z)) break;
        find_slope(s, s->z);
        find_tangent(s, step);
        step = advance_step(s);
        if (step < 0) break;
    }
    return false;
}

/* ---- rounds of Newton steps and curves ----------------------------------- */

static void anchor_here(state *s, double kappa) {
    const scree_fc3d *p = s->p;
    memcpy(s->anchor, p->r, (size_t)s->n * sizeof *s->anchor);
    s->size = sqrt(inner_product(s->anchor, s->anchor, s->n));
    s->kappa = kappa;
    s->most = INFINITY;
    s->ahead = 0;
}

/* The curve from p->r, whose u is there. True: ended. */
static bool try_curve(state *s, scree_loop *g, int64_t work) {
    double kappa = SCREE_NEWTON_KAPPA;
    do {
        anchor_here(s, kappa);
        if (find_point(s)) return follow_curve(s, g, work);
        memcpy(s->p->r, s->anchor, (size_t)s->n * sizeof *s->anchor);
        scree_fc3d_measure(s->p);
        kappa *= 0.1;
    } while (kappa > KAPPA_LEAST);
    return false;
}

/* Proximal Newton steps and sweeps from p->r to the goal, at most `most` of them.
 * *over: what ended them ends it all. */
static scree_status approach_curve(scree_fc3d *p, const scree_relay *relay,
                                   double goal, int64_t most,
                                   scree_arena *scratch, scree_report *report,
                                   bool *over) {
    scree_relay inner = *relay;
    scree_solver_options o = scree_relay_options(&inner);
    const double tolerance = o.tolerance;
    const int64_t left = o.iterations;
    o.tolerance = fmax(tolerance, goal);
    o.on_the_way = goal > tolerance;
    if (o.iterations > most) o.iterations = (int)most;
    TRY(scree_blocks_call(scree_blocks_newton, p, &o, scratch, report));
    const bool solved = report->converged;
    const scree_residual r = scree_fc3d_measure_at(p);
    report->converged &= o.on_the_way ? scree_residual_is_small(&r, tolerance)
                                      : r.residual <= tolerance;
    *over = report->converged || report->iterations >= left ||
            !(solved || report->stop == SCREE_STOP_ITERATIONS);
    report->iterations += (int)relay->before;
    return SCREE_OK;
}

static void load_scale(state *s) {
    for (int i = 0; i < s->p->nc; i++) {
        const double *W = &s->p->W[9 * s->p->row[i]];
        const double most = scree_fc3d_tangent(W);
        s->scale[3 * i] = W[0] > 0 ? W[0] : 1;
        s->scale[3 * i + 1] = s->scale[3 * i + 2] = most > 0 ? most : 1;
    }
}

static bool reserve_state(state *s, int64_t fill, scree_arena *to) {
    const size_t n = (size_t)s->n;
    return SCREE_PUSH(to, s->scale, n) && SCREE_PUSH(to, s->anchor, n) &&
           SCREE_PUSH(to, s->z, n) && SCREE_PUSH(to, s->slope, n) &&
           SCREE_PUSH(to, s->trial, n) && SCREE_PUSH(to, s->F, n) &&
           SCREE_PUSH(to, s->tangent, n) && SCREE_PUSH(to, s->bend, n) &&
           SCREE_PUSH(to, s->E, 3 * n) && SCREE_PUSH(to, s->D, 3 * n) &&
           SCREE_PUSH(to, s->status, s->p->nc) &&
           (s->lu = scree_factors_create(s->p, fill, to));
}

/* Curves from ever better anchors, with Newton steps and sweeps in between. How
 * long a curve is cannot be told, so each gets as much work as all iterations
 * before it (a block product of LU costs about two of a sweep), and the search
 * for the next anchor as many iterations. */
static scree_status run_rounds(state *s, scree_loop *g, scree_relay *relay,
                               scree_arena *scratch) {
    bool over = false;
    while (!over) {
        const int64_t so_far = g->iteration > LEAST ? g->iteration : LEAST;
        scree_report inner;
        g->next = g->iteration;
        if (scree_loop_advance(g) ||
            try_curve(s, g, so_far * s->p->n_block / 2))
            break;
        memcpy(s->p->r, g->best, (size_t)s->n * sizeof *g->best);
        relay->before = g->iteration;
        TRY(approach_curve(s->p, relay, CLOSER * g->error.residual, so_far,
                           scratch, &inner, &over));
        g->iteration = inner.iterations;
        g->report->stop = inner.stop;
        const scree_residual r = scree_fc3d_measure_at(s->p);
        scree_loop_note(g, &r);
    }
    scree_loop_end(g);
    return SCREE_OK;
}

scree_status scree_blocks_path(scree_fc3d *p,
                               const scree_solver_options *options,
                               scree_arena *scratch, scree_report *report) {
    scree_relay relay = {.outer = options, .start = scree_loop_now()};
    bool over;
    TRY(approach_curve(p, &relay, p->nc < FEW ? NEARER : NEAR, SWEEPS, scratch,
                       report, &over));
    if (over) return SCREE_OK;
    state s = {.p = p, .n = 3 * p->nc};
    scree_loop g;
    relay.before = report->iterations;
    if (!reserve_state(&s, SCREE_NEWTON_FILL / 2,
                       scratch)) /* Newton needs half */
        return approach_curve(p, &relay, 0, INT64_MAX, scratch, report, &over);
    memset(s.tangent, 0, (size_t)s.n * sizeof *s.tangent);
    load_scale(&s);
    TRY(scree_fc3d_begin(&g, "path", p, options, scratch, report));
    g.start = relay.start;
    g.leaps = true;
    g.iteration = relay.before;
    return run_rounds(&s, &g, &relay, scratch);
}
