/* jacobi_steps.c: how long the steps of jacobi may be, contact by contact.
 *
 * All contacts step at once from the same u. Steps r are safe if diag(1/r) bounds G:
 * then the normal problem descends with them. G is a sum over bodies, and so is a bound.
 * With g_i^b = (M_b^-1 between the directions of contact i alone) and
 *
 *     S_b = sum over contacts i of b of  w_i w_i^T / g_i^b,    w_i = M_b^-1/2 W_ib,
 *
 * six by six, the part of G that goes through b is at most lambda_b diag(g_i^b), where
 * lambda_b is the largest eigenvalue of S_b. So
 *
 *     r_i = omega / (lambda_a g_i^a + lambda_b g_i^b).
 *
 * lambda_b is the number of contacts d_b where they all pull the same way, and about half
 * of it where they lie all round a sphere. The d_b itself is what mass splitting takes
 * (Tonge et al. 2012), each contact having 1/d_b of the mass.
 *
 * A joint (law/joint.h) solves its own problem, with the inverse of its G_ii in place of
 * 1 / g, and takes 1 / max(lambda_a, lambda_b) of that; it adds a projection to S_b, which
 * the identity is never less than.
 *
 * lambda_b is found from above, as the 32nd root of the trace of S_b^32: by 6 % at most.
 * Entries of S_b are added as whole numbers, so that neither the order of contacts nor
 * the number of ranks changes a bit. Cost: that of some sweeps, once in a solve that
 * sweeps at all. */
#include "solvers/methods/jacobi_steps.h"

#include <string.h>

#include "engine/base/error.h"
#include "solvers/problem/kernel.h"

/* Of S_b, by rows of its lower triangle; then how many contacts resist turning. */
enum { SIX = 6, ENTRIES = SIX * (SIX + 1) / 2, TURNING_ONES = ENTRIES };
/* As ranks share them: in groups. */
enum { GROUP = SCREE_COUPLED, GROUPS = (ENTRIES + GROUP) / GROUP };
enum { SQUARINGS = 5 };
/* Of one in an entry: room for 2^20 contacts of a body in 53 bits. */
static const double UNIT = 4294967296.0;

typedef struct spreads {
    const scree_problem *p;
    double *sums;   /* (GROUPS x bodies x GROUP) */
    double *lambda; /* (bodies + 1) */
} spreads;

static double *group_of(const spreads *s, int32_t body, int group) {
    const size_t n = (size_t)s->p->n_body;
    return &s->sums[((size_t)group * n + (size_t)body) * GROUP];
}

/* ---- one contact and one of its bodies -------------------------------------------- */

/* Normal and tangents, those of an ellipse stretched. */
typedef struct directions {
    scree_vec3 d[3];
} directions;

static directions directions_of(const scree_row *row) {
    const scree_vec3 t = perpendicular(row->n);
    directions w = {{row->n, t, cross(row->n, t)}};
    for (int k = 1; k < 3 && scree_row_is_oval(row); ++k)
        w.d[k] = scree_row_stretch(row, w.d[k]);
    return w;
}

/* g of the normal and of friction [1/kg]. */
typedef struct stiffness {
    double n, t;
} stiffness;

/* In general contacts normal and tangents turn the body together. */
static stiffness stiffness_of(const scree_problem *p, const scree_row *row,
                              bool of_a) {
    const int32_t body = of_a ? row->a : row->b;
    const scree_vec3 r = scree_row_arm(row, of_a);
    const directions w = directions_of(row);
    const double m = p->u[body].inv_m,
                 m_t = m * fmax(1, row->ratio * row->ratio);
    double G[3];
    for (int k = 0; k < 3; ++k) {
        const scree_vec3 turn = cross(r, w.d[k]);
        G[k] = dot(turn, scree_row_turn(p, row, body, turn));
    }
    const double all = m_t + G[0] + G[1] + G[2];
    return row->general ? (stiffness){all, all}
                        : (stiffness){m, m_t + 0.5 * (G[1] + G[2])};
}

/* ---- S_b --------------------------------------------------------------------------- */

/* Lower triangular L with L L^T = A, where A may be singular. */
typedef struct root3 {
    double xx, yx, yy, zx, zy, zz;
} root3;

static double divide_by(double x, double pivot) {
    return pivot > 0 ? x / pivot : 0;
}

static root3 root_of(const scree_sym3 *A) {
    root3 L;
    L.xx = sqrt(fmax(A->xx, 0));
    L.yx = divide_by(A->xy, L.xx);
    L.zx = divide_by(A->xz, L.xx);
    L.yy = sqrt(fmax(A->yy - L.yx * L.yx, 0));
    L.zy = divide_by(A->yz - L.yx * L.zx, L.yy);
    L.zz = sqrt(fmax(A->zz - L.zx * L.zx - L.zy * L.zy, 0));
    return L;
}

/* L^T m, by which M^-1 is L L^T. */
static scree_vec3 root_turn(const scree_problem *p, const scree_row *row,
                            int32_t body, scree_vec3 m) {
    if (!row->general) return scale(sqrt(p->u[body].inv_theta), m);
    const root3 L = root_of(&p->inv_I[body]);
    return vec(L.xx * m.x + L.yx * m.y + L.zx * m.z, L.yy * m.y + L.zy * m.z,
               L.zz * m.z);
}

/* S += w w^T / g for a unit percussion d. */
static void add_direction(const scree_problem *p, const scree_row *row,
                          bool of_a, scree_vec3 d, double g,
                          double S[GROUPS * GROUP]) {
    const int32_t body = of_a ? row->a : row->b;
    const scree_vec3 v = scale(sqrt(p->u[body].inv_m), d);
    const scree_vec3 w =
        root_turn(p, row, body, cross(scree_row_arm(row, of_a), d));
    const double x[SIX] = {v.x, v.y, v.z, w.x, w.y, w.z};
    for (int i = 0, e = 0; i < SIX; ++i)
        for (int j = 0; j <= i; ++j, ++e) S[e] += x[i] * x[j] / g;
}

/* To a whole number, for |x| below 2^51. */
static double whole_of(double x) {
    static const double SHIFT = 6755399441055744.0; /* 1.5 2^52 */
    return (x + SHIFT) - SHIFT;
}

/* What a joint holds is less than all. */
static void add_joint(spreads *s, int32_t body) {
    for (int i = 0, e = 0; i < SIX; e += i + 2, ++i)
        group_of(s, body, e / GROUP)[e % GROUP] += UNIT;
}

/* In the plane one of the tangents leads out of it. */
static void add_contact(spreads *s, const scree_row *row, bool of_a) {
    const int32_t body = of_a ? row->a : row->b;
    if (body >= s->p->n_body) return;
    if (scree_row_is_joint(row)) {
        add_joint(s, body);
        return;
    }
    const stiffness g = stiffness_of(s->p, row, of_a);
    const directions w = directions_of(row);
    double S[GROUPS * GROUP] = {0};
    if (!(g.n > 0)) return;
    for (int k = 0; k < 3; ++k)
        if (!(s->p->planar && w.d[k].z != 0))
            add_direction(s->p, row, of_a, w.d[k], k == 0 ? g.n : g.t, S);
    S[TURNING_ONES] = scree_row_turns(row);
    for (int group = 0; group < GROUPS; ++group) {
        double *to = group_of(s, body, group);
        for (int k = 0; k < GROUP; ++k)
            to[k] += whole_of(UNIT * S[GROUP * group + k]);
    }
}

/* ---- lambda_b ---------------------------------------------------------------------- */

/* S <- S S / trace^2, whose trace it returns. */
static double square_spread(double S[SIX][SIX]) {
    double T[SIX][SIX], trace = 0;
    for (int i = 0; i < SIX; ++i) trace += S[i][i];
    if (!(trace > 0)) return 0;
    const double by = 1 / (trace * trace);
    for (int i = 0; i < SIX; ++i)
        for (int j = 0; j <= i; ++j) {
            double sum = 0;
            for (int k = 0; k < SIX; ++k) sum += S[i][k] * S[j][k];
            T[i][j] = T[j][i] = by * sum;
        }
    memcpy(S, T, sizeof T);
    return trace;
}

/* tr S^2n = trace^2n tr (S / trace)^2n, and so on. */
static double root_of_trace(double S[SIX][SIX]) {
    double lambda = 1, trace = 0;
    for (int n = 0; n <= SQUARINGS; ++n) {
        trace = square_spread(S);
        for (int k = 0; k < n; ++k) trace = sqrt(trace);
        lambda *= trace;
    }
    return lambda;
}

/* Moments of a body that many contacts resist all pull the same way. */
static double lambda_of(const spreads *s, int32_t body) {
    double all[GROUPS * GROUP], S[SIX][SIX];
    for (int group = 0; group < GROUPS; ++group)
        memcpy(all + GROUP * group, group_of(s, body, group),
               GROUP * sizeof *all);
    for (int i = 0, e = 0; i < SIX; ++i)
        for (int j = 0; j <= i; ++j, ++e) S[i][j] = S[j][i] = all[e] / UNIT;
    return fmax(root_of_trace(S), all[TURNING_ONES] / UNIT);
}

static void lambda_chunk(void *context, int64_t first, int64_t last) {
    const spreads *s = context;
    for (int64_t i = first; i < last; ++i)
        s->lambda[i] = lambda_of(s, (int32_t)i);
}

static scree_status find_lambdas(spreads *s) {
    const scree_problem *p = s->p;
    for (int64_t i = 0; i < p->n_contact; ++i) {
        const scree_row row = scree_problem_row(p, i);
        add_contact(s, &row, true);
        add_contact(s, &row, false);
    }
    for (int g = 0; p->coupling && g < GROUPS; ++g)
        TRY(scree_coupling_share_sums(
            p->coupling, &s->sums[(size_t)g * (size_t)p->n_body * GROUP],
            GROUP));
    scree_parallel_for(p->n_body, p->threads, lambda_chunk, s);
    return SCREE_OK;
}

/* ---- steps ------------------------------------------------------------------------- */

int64_t scree_jacobi_lane(const scree_problem *p, int64_t i) {
    return scree_problem_is_general(p, i)
               ? SCREE_LANES * p->round.n_block + ~p->slot[i]
               : p->slot[i];
}

static void write_steps(const spreads *s, double omega, double *r_n,
                        double *r_t) {
    for (int64_t i = 0; i < s->p->n_contact; ++i) {
        const scree_row row = scree_problem_row(s->p, i);
        const double la = s->lambda[row.a], lb = s->lambda[row.b];
        if (scree_row_is_joint(&row)) {
            r_n[scree_jacobi_lane(s->p, i)] = omega / fmax(la, lb);
            continue;
        }
        const stiffness a = stiffness_of(s->p, &row, true),
                        b = stiffness_of(s->p, &row, false);
        const double n = la * a.n + lb * b.n, t = la * a.t + lb * b.t;
        const int64_t at = scree_jacobi_lane(s->p, i);
        r_n[at] = n > 0 ? omega / n : 0;
        r_t[at] = t > 0 ? omega / t : 0;
    }
}

scree_status scree_jacobi_choose(const scree_problem *p, double omega,
                                 scree_arena *scratch, double *r_n,
                                 double *r_t) {
    const size_t mark = scree_arena_mark(scratch), bodies = (size_t)p->n_body;
    const size_t n = GROUPS * GROUP * bodies + 1;
    spreads s = {.p = p};
    if (!SCREE_PUSH(scratch, s.sums, n) ||
        !SCREE_PUSH(scratch, s.lambda, bodies + 1))
        return SCREE_OUT_OF_MEMORY;
    memset(s.sums, 0, n * sizeof *s.sums);
    s.lambda[bodies] = 0;
    TRY(find_lambdas(&s));
    write_steps(&s, omega, r_n, r_t);
    scree_arena_pop(scratch, mark);
    return SCREE_OK;
}
