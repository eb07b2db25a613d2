#include "tests/conform/solver_fixture.h"

#include <stdlib.h>
#include <string.h>

#include "solvers/problem/colours.h"
#include "solvers/problem/kernel.h"

/* ---- problems ------------------------------------------------------------ */

fixture new_kind(int32_t n_body, int64_t n_contact, bool general) {
    fixture f = {.p = {.n_body = n_body}};
    if (general)
        f.p.inv_I = f.inv_I = calloc((size_t)n_body + 1, sizeof *f.inv_I);
    f.p.u = calloc((size_t)n_body + 1, sizeof *f.p.u);
    f.u_free = calloc((size_t)n_body + 1, sizeof *f.u_free);
    f.p.ties = true;
    assert_ok(scree_problem_clear(&f.p, n_contact, general ? n_contact : 0));
    return f;
}

fixture new_fixture(int32_t n_body, int64_t n_contact) {
    return new_kind(n_body, n_contact, false);
}

void free_fixture(fixture *f) {
    free(f->p.u);
    free(f->inv_I);
    free(f->u_free);
    scree_problem_free(&f->p);
    scree_arena_free(&f->scratch);
}

void set_body(fixture *f, int i, double m, double r, scree_vec3 v,
              scree_vec3 w) {
    f->p.u[i] = (scree_twist){v, 1 / m, w, 1 / (0.4 * m * r * r)};
}

/* A lane of the colour: block * SCREE_LANES + lane. */
static int32_t next_lane(scree_shelf *s, int colour) {
    if (s->open[colour] < 0 || s->filled[colour] == SCREE_LANES) {
        s->open[colour] = (int32_t)s->n_block++;
        s->colour[s->open[colour]] = (uint8_t)colour;
        s->filled[colour] = 0;
    }
    return s->open[colour] * SCREE_LANES + s->filled[colour]++;
}

void add_row(scree_problem *p, const scree_row *row) {
    const int colour = scree_problem_choose_colour(p, row->a, row->b);
    p->slot[p->n_contact] = row->general ? ~next_lane(&p->general, colour)
                                         : next_lane(&p->round, colour);
    p->sorted = false;
    scree_problem_fill(p, p->n_contact++, row);
}

void add_contact(fixture *f, int a, int b, scree_vec3 n, double arm_a,
                 double arm_b, double mu, scree_vec3 c) {
    const scree_row row = {.a = a,
                           .b = b < 0 ? f->p.n_body : b,
                           .n = scale(1 / norm(n), n),
                           .arm_a = arm_a,
                           .arm_b = b < 0 ? 0 : arm_b,
                           .mu = mu,
                           .c = c};
    add_row(&f->p, &row);
}

void keep_u_free(fixture *f) {
    memcpy(f->u_free, f->p.u, ((size_t)f->p.n_body + 1) * sizeof *f->u_free);
}

void restart(fixture *f) {
    memcpy(f->p.u, f->u_free, ((size_t)f->p.n_body + 1) * sizeof *f->u_free);
    for (int64_t i = 0; i < f->p.n_contact; ++i) {
        scree_problem_set_P(&f->p, i, 0, vec(0, 0, 0));
        if (!scree_problem_is_general(&f->p, i)) continue;
        int lane;
        scree_general *k = scree_problem_general(&f->p, i, &lane);
        lane_set(k->M, lane, vec(0, 0, 0));
    }
}

/* A point mass, or a body that cannot turn, that touches another. */
void add_touch(fixture *f, int a, int b, scree_vec3 n, double mu) {
    const scree_row row = {.a = a,
                           .b = b < 0 ? f->p.n_body : b,
                           .general = true,
                           .n = scale(1 / norm(n), n),
                           .mu = mu};
    add_row(&f->p, &row);
}

/* Solves from u_free and P = 0. */
scree_report solve(fixture *f, const char *method, double tolerance) {
    const scree_solver_options options = {.method = method,
                                          .iterations = 2000000,
                                          .tolerance = tolerance,
                                          .relaxation = 1};
    restart(f);
    scree_report report;
    assert_ok(scree_inclusion_solve(scree_in_lanes(&f->p),
                                    scree_method_find(method), &options,
                                    &f->scratch, &report, NULL));
    if (!report.converged)
        print_error("%s: residual %g after %d: %s\n", method, report.residual,
                    report.iterations, scree_stop_text(report.stop));
    assert_int_equal(report.converged, report.stop == SCREE_STOP_TOLERANCE);
    return report;
}

static bool must_refuse(const scree_method *ops, const scree_problem *p) {
    bool tied = false, friction = false, turns = false;
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const scree_row row = scree_problem_row(p, i);
        tied |= scree_row_is_tied(&row);
        friction |= row.mu > 0;
        turns |= scree_row_turns(&row);
    }
    return (tied && ops->lacks & SCREE_NEED_TIED) ||
           (turns && ops->lacks & SCREE_NEED_MOMENTS) ||
           (friction && ops->lacks & SCREE_NEED_SPACE && !p->planar);
}

/* Does the method take the problem? One that does not must say so. */
bool takes(const scree_method *ops, fixture *f) {
    if (!must_refuse(ops, &f->p)) return true;
    const scree_solver_options options = {.iterations = 1, .relaxation = 1};
    scree_report report;
    assert_int_equal(scree_inclusion_solve(scree_in_lanes(&f->p), ops, &options,
                                           &f->scratch, &report, NULL),
                     SCREE_UNSUPPORTED);
    return false;
}

/* ---- what a solution is --------------------------------------------------- */

/* Worst violation of u = u_free + M^-1 W P, by the definition of W. */
double momentum_defect(const fixture *f) {
    const int n = f->p.n_body;
    scree_twist *u = malloc(((size_t)n + 1) * sizeof *u);
    memcpy(u, f->u_free, ((size_t)n + 1) * sizeof *u);
    for (int64_t i = 0; i < f->p.n_contact; ++i) {
        const scree_row r = scree_problem_row(&f->p, i);
        const scree_vec3 P = add_scaled(r.P_t, r.P_n, r.n);
        scree_twist *a = &u[r.a], *b = &u[r.b];
        a->v = add_scaled(a->v, a->inv_m, P);
        b->v = add_scaled(b->v, -b->inv_m, P);
        const scree_vec3 m_a = cross(scree_row_arm(&r, true), P);
        const scree_vec3 m_b = cross(scree_row_arm(&r, false), P);
        a->w = add(a->w, scree_row_turn(&f->p, &r, r.a, m_a));
        b->w = sub(b->w, scree_row_turn(&f->p, &r, r.b, m_b));
    }
    double worst = 0;
    for (int i = 0; i < n; ++i)
        worst = fmax(worst, fmax(norm(sub(u[i].v, f->p.u[i].v)),
                                 norm(sub(u[i].w, f->p.u[i].w))));
    free(u);
    return worst;
}

/* Tangential percussion and slip along the axes of friction. */
typedef struct tangential {
    double P[2], xi[2], axis[2]; /* axis: semi-axes of the set */
} tangential;

static tangential along_axes(const scree_row *r, scree_vec3 xi) {
    const bool oval = scree_row_is_oval(r);
    const scree_vec3 f = oval ? r->across : perpendicular(r->n);
    const scree_vec3 e = cross(f, r->n);
    const double mu_2 = oval ? r->ratio * r->mu : r->mu;
    return (tangential){{dot(e, r->P_t), dot(f, r->P_t)},
                        {dot(e, xi), dot(f, xi)},
                        {r->mu * r->P_n, mu_2 * r->P_n}};
}

/* Worst of: approaching, pulling, percussion on an open contact, percussion
 * outside the ellipse (for isotropic friction a disc), slip inside it, slip that
 * does not point along the inward normal of its rim, (P_1/a_1^2, P_2/a_2^2);
 * velocities in m/s, percussions through rho in m/s. */
double law_defect(const fixture *f) {
    double worst = 0;
    for (int64_t i = 0; i < f->p.n_contact; ++i) {
        const scree_row r = scree_problem_row(&f->p, i);
        const double rho = r.rho_t;
        const scree_vec3 xi = scree_problem_xi(&f->p, i);
        const double xi_n = dot(r.n, xi);
        const tangential t = along_axes(&r, xi);
        const double slip = hypot(t.xi[0], t.xi[1]);
        const double least = fmin(t.axis[0], t.axis[1]);
        const double P_t = hypot(t.P[0], t.P[1]);
        worst = fmax(worst, -xi_n);
        worst = fmax(worst, -r.P_n / rho);
        worst = fmax(worst, fmin(xi_n, r.P_n / rho));
        if (least == 0) {
            worst = fmax(worst, P_t / rho);
            continue;
        }
        const double u = t.P[0] / t.axis[0], v = t.P[1] / t.axis[1];
        const double inside = least * (1 - hypot(u, v)) / rho;
        worst = fmax(worst, fmax(-inside, fmin(slip, inside)));
        const double out[2] = {u / t.axis[0], v / t.axis[1]};
        const double steep = hypot(out[0], out[1]);
        const double cosine =
            (t.xi[0] * out[0] + t.xi[1] * out[1]) / (slip * steep);
        if (P_t > 0 && slip > 0)
            worst = fmax(worst, fmin(slip, P_t / rho) * (1 + cosine));
    }
    return worst;
}

void assert_same_bits(const fixture *f, const fixture *g) {
    const scree_problem *p = &f->p, *q = &g->p;
    assert_int_equal(p->n_body, q->n_body);
    assert_int_equal(p->round.n_block, q->round.n_block);
    assert_int_equal(p->general.n_block, q->general.n_block);
    assert_memory_equal(p->u, q->u, ((size_t)p->n_body + 1) * sizeof *p->u);
    assert_memory_equal(p->blocks, q->blocks,
                        (size_t)p->round.n_block * sizeof *p->blocks);
    assert_memory_equal(p->generals, q->generals,
                        (size_t)p->general.n_block * sizeof *p->generals);
}

/* What the residual is relative to, [m/s]: the larger of the free velocities
 * and the percussions through rho. */
double size_of(const fixture *f) {
    double P2 = 0, xi2 = 0;
    for (int64_t i = 0; i < f->p.n_contact; ++i) {
        const scree_row r = scree_problem_row(&f->p, i);
        const double rho = r.rho_n;
        const scree_vec3 P = add_scaled(r.P_t, r.P_n, r.n);
        P2 += dot(P, P) / (rho * rho);
        const scree_twist *a = &f->u_free[r.a], *b = &f->u_free[r.b];
        const scree_vec3 at_a = add(a->v, cross(a->w, scree_row_arm(&r, true)));
        const scree_vec3 at_b =
            add(b->v, cross(b->w, scree_row_arm(&r, false)));
        const scree_vec3 xi = add(sub(at_a, at_b), r.c);
        xi2 += dot(xi, xi);
    }
    return sqrt(fmax(P2, xi2));
}

/* A positive tensor about 1 / (0.4 m r^2). */
scree_sym3 random_tensor(scree_random *rng, double size) {
    const scree_vec3 a = vec(scree_random_normal(rng), scree_random_normal(rng),
                             scree_random_normal(rng));
    return (scree_sym3){.xx = size * (0.5 + a.x * a.x),
                        .yy = size * (0.5 + a.y * a.y),
                        .zz = size * (0.5 + a.z * a.z),
                        .xy = size * a.x * a.y,
                        .xz = size * a.x * a.z,
                        .yz = size * a.y * a.z};
}

scree_vec3 random_vec(scree_random *rng, double size) {
    return scale(size, vec(scree_random_normal(rng), scree_random_normal(rng),
                           scree_random_normal(rng)));
}

/* A bed without geometry: every body touches a few random others. Of general
 * contacts every third is a round one. */
fixture random_kind(int n_body, int n_contact, double mu, bool general) {
    scree_random rng = {99};
    fixture f = new_kind(n_body, n_contact, general);
    if (general) /* room for both kinds */
        assert_ok(scree_problem_clear(&f.p, 2 * n_contact, n_contact));
    for (int i = 0; i < n_body; ++i) {
        const double m = exp(scree_random_range(&rng, -1, 1));
        const scree_vec3 v = random_vec(&rng, 1);
        set_body(&f, i, m, 0.1, v, random_vec(&rng, 1));
        if (general) f.inv_I[i] = random_tensor(&rng, f.p.u[i].inv_theta);
    }
    for (int k = 0; k < n_contact; ++k) {
        const int a = (int)(scree_random_next(&rng) % (uint64_t)n_body);
        const int b = (int)(scree_random_next(&rng) % (uint64_t)n_body);
        const scree_vec3 n = random_vec(&rng, 1);
        const scree_row row = {.a = a,
                               .b = a == b ? n_body : b,
                               .general = general && k % 3,
                               .n = scale(1 / norm(n), n),
                               .arm_a = 0.1,
                               .arm_b = a == b ? 0 : 0.1,
                               .r_a = random_vec(&rng, 0.1),
                               .r_b = random_vec(&rng, 0.1),
                               .mu = mu,
                               .c = vec(0, 0, 0.1 * scree_random_normal(&rng))};
        add_row(&f.p, &row);
    }
    keep_u_free(&f);
    return f;
}

fixture random_bed(int n_body, int n_contact, double mu) {
    return random_kind(n_body, n_contact, mu, false);
}

void make_ovals(fixture *f, int of_each) {
    scree_random rng = {7};
    for (int64_t i = 0; i < f->p.n_contact; ++i) {
        scree_row row = scree_problem_row(&f->p, i);
        if (!row.general || i % of_each) continue;
        const scree_vec3 across = cross(row.n, random_vec(&rng, 1));
        row.across = scale(1 / norm(across), across);
        row.ratio = pow(4, scree_random_range(&rng, -1, 1));
        row.laws |= SCREE_ELLIPSE;
        scree_problem_fill(&f->p, i, &row);
    }
}

/* ---- all solvers ------------------------------------------------------------ */

void check_all(fixture *f, double tolerance) {
    keep_u_free(f);
    const size_t bytes = (size_t)f->p.n_body * sizeof *f->p.u;
    scree_twist *reference = malloc(bytes);
    scree_report report = solve(f, "dense", tolerance);
    assert_true(report.converged);
    memcpy(reference, f->p.u, bytes);
    const scree_method *ops;
    for (int s = 0; (ops = scree_method_on(SCREE_LAYOUT_LANES, s)); ++s) {
        if (!takes(ops, f)) continue;
        report = solve(f, ops->name, tolerance);
        assert_true(report.converged);
        assert_true(report.residual <= tolerance);
        assert_near(momentum_defect(f), 0, 1e-12);
        /* The natural map bounds the violations up to a factor of order one. */
        assert_near(law_defect(f), 0,
                    10 * report.residual * size_of(f) + 1e-15);
        for (int i = 0; i < f->p.n_body; ++i) {
            assert_near(norm(sub(f->p.u[i].v, reference[i].v)), 0,
                        1e4 * tolerance);
            assert_near(norm(sub(f->p.u[i].w, reference[i].w)), 0,
                        1e5 * tolerance);
        }
    }
    free(reference);
}
