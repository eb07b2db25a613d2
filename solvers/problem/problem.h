/* problem.h: the inclusion problem, the only thing that solvers see.
 *
 *     u   = u_free + M^-1 W P
 *     xi  = W^T u + c                  (c: restitution, wall motion, gap)
 *     -xi_N in N_{R0+}(P_N),   -xi_T in N_{D(mu P_N)}(P_T)
 *
 * equivalently P = prox_C(P - r xi) for any r > 0, where D(R) is the disc of
 * radius R in the tangent plane (solvers/problem/sets.h). The Delassus operator
 * G = W^T M^-1 W is never formed: it acts through the bodies' velocities u.
 *
 * Round contacts, between spheres and with flat walls: the arms lie along the normal n, so the
 * velocity of a contact is W^T u = v_a - v_b - (arm_a w_a + arm_b w_b) x n, and
 * the diagonal block of G is diag(G_N, G_T, G_T) with
 *     G_N = 1/m_a + 1/m_b,   G_T = G_N + arm_a^2/theta_a + arm_b^2/theta_b.
 * General contacts have arms r_a, r_b from the centres of mass to the contact
 * point, and bodies with an inertia tensor, inv_I in the inertial frame:
 *     W^T u = v_a + w_a x r_a - v_b - w_b x r_b,
 * with a full diagonal block G_ii, of which rho_n = 1/(n . G_ii n) and rho_t =
 * 1/(its largest eigenvalue across n). Round contacts have a kernel and blocks of
 * their own, which need no tensor, no arms and no G_ii.
 *
 * Tangential vectors are kept in the inertial frame, perpendicular to n: no
 * tangent frame is stored, and none has to be carried from step to step.
 *
 * Laws. By bits a row says what it obeys beside Coulomb's law (solvers/law/law.h; each
 * law has a file there): rolling and drilling (Coulomb-Contensou) with a moment
 * percussion M on a (and -M on b) against omega = w_a - w_b + c_m, an ellipse S D in
 * place of the disc D, friction tied to a direction. Joints are general rows whose law is
 * one of its own, by bars (law/joint.h).
 *
 * Colours (colours.h). Contacts of one colour share no body that moves, and are
 * worked on at once. Blocks hold contacts of one colour. When all contacts are placed
 * before the first is filled, blocks lie colour after colour: a sweep then streams
 * through memory, which for 240 000 contacts makes it half as fast again.
 *
 * Residual, the same for every method: the natural map of the prox step. With a
 * step rho_i = 1/G_N,i and p = P / rho it is, in m/s,
 *     F_N = p_N - prox_{R0+}(p_N - xi_N) = min(p_N, xi_N),
 *     F_T = p_T - prox_{D(mu p_N)}(p_T - xi_T),      for the P_N that there is,
 *     residual = |F|_2 / max(|xi(P = 0)|_2, |xi|_2, |P / rho|_2):
 * it does not depend on units or on how heavy a grain is, nor on the size of mu: a
 * contact without percussion that approaches counts with its whole approach.
 * Where all of these are roundings a ratio of them says nothing: of a body that leaves
 * a wall with xi = -1e-17 m/s and P = 0 the residual would be 1. So the divisor is never
 * less than what the step cannot tell from zero, of each contact
 *     max(1e-6 |g| dt, 1e-10 |v|),    v of the fastest body with contacts.
 * Problems that are written out of lanes have it too (fc3d.h, least2); files name no step,
 * and dense problems are measured in m/s.
 * (De Saxce's map on the friction cone, which problems from files are measured with
 * for the sake of comparison, solvers/blocks/fc3d.h, divides that approach by mu where the
 * contact slips.) Anisotropic contacts count stretched.
 * A tied contact counts with its normal part alone: its friction follows exactly.
 * A contact that rolls or drills counts with its moments as well, where lengths turn
 * them into percussions, l = max(roll, drill), d = drill, or roll if it does not
 * drill:
 *     F_T = (P_T - x_T) / rho,    F_M = (M - x_M) / (rho l),
 * (x_T, x_M) being the point of the sets above that is nearest to (P_T - rho xi_T,
 * M - rho d^2 omega), drilling moments over drill. M / (rho l) goes into |P / rho|;
 * into |xi| goes xi_N.
 *
 * Balance: what a residual hides. A bed that sinks as a whole has small errors F
 * everywhere, and a large one of the velocities: they add up over its depth. What
 * adds up with them is power: bodies of mass m that sink at a speed e lose m g e, and
 * the contacts that ought to bear them take it up, P_N |F| each. So
 *     balance = sum of P_N |F| / sum of m v^2,
 *     v = max(|g| dt, root mean square of |xi(P = 0)|),
 * over the contacts and the bodies that they touch, is the mean error of velocities
 * over v: where bodies rest the unbalanced acceleration over |g|, and where they hit
 * each other, and percussions are larger, over what hits bring. The true error is the
 * root mean square over bodies of their velocities less those after 4 000 to 50 000
 * sweeps. Wherever the residual is below 3e-3, balance times v is 0.18 to 2 times that
 * where bodies rest (stack of 20 boxes, bed of 1 000 spheres; warm and cold), but 0.016
 * to 0.95 times that in flows (settling beds of 1 000 and 10 000 spheres, a column that
 * collapses): there it is no bound. With v = |g| dt it would be 0.2 to 3.6 in dense flows
 * and 6 to 24 in dilute ones. Above 3e-3, from a cold start, percussions are too small,
 * and so is it.
 *
 * A problem without solution drives P to infinity and the residual to zero with
 * it: a residual within the tolerance is a solution only if |F| is as small beside
 * max(|xi(P = 0)|, |xi|) alone, or still falls (trend.h); in this case no contact may
 * approach faster than half the largest |xi(P = 0)|.
 * Beside it: the worst approach max(0, -xi_N) in m/s, and the worst percussion
 * outside its cone, max(0, -P_N, |P_T| - mu P_N) in N s. */
#ifndef SCREE_SOLVERS_PROBLEM_H
#define SCREE_SOLVERS_PROBLEM_H

#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/exact_sum.h"
#include "engine/base/parallel.h"
#include "engine/base/simd.h"
#include "engine/base/vec.h"
#include "solvers/problem/row.h"
#include "solvers/problem/strain.h"
#include "solvers/problem/sums.h"
#include "solvers/ranks/coupling.h"

/* What all contacts have, four of them side by side, a lane each; 9 cache lines:
 *     a, b                 bodies
 *     n                    from b into a
 *     rho_n, rho_t         1/G_N, 1/G_T [kg]
 *     mu, c                inertial frame [m/s]
 *     P_n, P_t             normal and tangential percussion on a [N s]
 *     P_n_last, P_t_last   one sweep ago: momentum of pgs
 * A lane that is not used has a = b = the static body and zeros: it moves nothing. */
#define SCREE_FOUR_FIELDS                                                      \
    int32_t a[SCREE_LANES], b[SCREE_LANES];                                    \
    double n[3][SCREE_LANES];                                                  \
    double rho_n[SCREE_LANES], rho_t[SCREE_LANES];                             \
    double mu[SCREE_LANES];                                                    \
    double c[3][SCREE_LANES];                                                  \
    double P_n[SCREE_LANES], P_t[3][SCREE_LANES];                              \
    double P_n_last[SCREE_LANES], P_t_last[3][SCREE_LANES]
typedef struct scree_four {
    SCREE_FOUR_FIELDS;
} scree_four;

/* Of either kind, by the same names and as a scree_four. */
#define SCREE_FOUR                                                             \
    union {                                                                    \
        struct {                                                               \
            SCREE_FOUR_FIELDS;                                                 \
        };                                                                     \
        scree_four four;                                                       \
    }

/* Round contacts, 10 cache lines. */
typedef struct scree_block {
    double arm_a[SCREE_LANES], arm_b[SCREE_LANES]; /* [m] */
    SCREE_FOUR;
} scree_block;

/* General contacts, 15 cache lines, 6 for moments and 2 for ellipses. */
typedef struct scree_general {
    SCREE_FOUR;
    double r_a[3][SCREE_LANES], r_b[3][SCREE_LANES]; /* [m] */
    double G[6][SCREE_LANES]; /* G_ii: xx, yy, zz, xy, xz, yz [1/kg] */
    /* Rolling and drilling: not touched by contacts without. */
    double roll[SCREE_LANES], drill[SCREE_LANES]; /* [m] */
    double rho_m[SCREE_LANES]; /* 1/(Theta_a^-1 + Theta_b^-1), least [kg m^2] */
    double c_m[3][SCREE_LANES]; /* [rad/s] */
    double M[3][SCREE_LANES];   /* moment percussion on a [N m s] */
    double M_last[3][SCREE_LANES];
    /* Anisotropic friction: not touched by contacts without. */
    double ratio[SCREE_LANES];     /* mu_2 / mu_1; 0: isotropic */
    double across[3][SCREE_LANES]; /* f, of unit length */
} scree_general;

/* With shared bodies the colours up to SCREE_AT_BORDER are those of their contacts,
 * SCREE_AT_BORDER being their overflow. */
enum {
    SCREE_COLOURS = 63,
    SCREE_OVERFLOW = SCREE_COLOURS,
    SCREE_AT_BORDER = 23
};

/* How far behind the blocks that it is called for a kernel may look. */
enum { SCREE_AHEAD = 8 };

/* A part's share of a colour, or of the bodies: what touches others first. */
typedef struct scree_part_run {
    int64_t first, inner, last;
} scree_part_run;

/* Directions of four tied contacts. */
typedef struct scree_ties {
    double d[3][SCREE_LANES];
} scree_ties;

/* Blocks of one kind by colour. Laws lie beside them: most blocks have none but
 * Coulomb's, and sweeps need not look. */
typedef struct scree_shelf {
    int64_t n_block, capacity;
    uint8_t *laws;         /* (capacity x SCREE_LANES) bits of rows (law.h) */
    int64_t laws_capacity; /* in blocks */
    scree_ties *ties;      /* (capacity) if rows may be tied, else NULL */
    int64_t ties_capacity;
    int32_t *bars; /* (capacity x SCREE_LANES) of joints, if there are any */
    int64_t bars_capacity;
    int32_t *order; /* (n_block) blocks by colour, by scree_problem_sort */
    int64_t order_capacity;
    uint8_t *colour; /* (n_block) */
    int64_t colour_capacity;
    int32_t open[SCREE_COLOURS + 1];   /* block with free lanes, or -1 */
    int32_t filled[SCREE_COLOURS + 1]; /* its lanes in use */
    int64_t *first;                    /* (colours + 1) runs of `order` */
    int64_t first_capacity;
    scree_part_run *run; /* (colours x parts) of `list`: parts.h */
    int64_t run_capacity;
    int32_t *list; /* (n_block + parts x SCREE_AHEAD) blocks by part */
    int64_t list_capacity;
} scree_shelf;

/* A thread's part of the residual, in sums that do not depend on an order. */
typedef struct scree_tally {
    scree_exact_sum sum[SCREE_SUMS];
    double normal, cone;
} scree_tally;

/* An ordered problem (ordered.h): colours that depend on the ids of bodies alone. */
typedef struct scree_ordering {
    bool on;
    int n_colour;     /* the same on all ranks */
    int32_t *list;    /* (n_contact) contacts by colour */
    int64_t *first;   /* (n_colour + 1) runs of `list` */
    int64_t *crosses; /* (n_colour) contacts of shared bodies, on all ranks */
    scree_tally *tallies; /* (threads) */
    int64_t list_capacity, first_capacity, crosses_capacity, tally_capacity;
} scree_ordering;

/* Who works on what, by scree_problem_sort: parts.h. */
typedef struct scree_parts {
    int n;        /* as many as threads that are worth waking */
    int32_t *cut; /* (n + 1) part k has the bodies cut[k] .. cut[k + 1) - 1 */
    int32_t *bodies; /* (n_body) part after part */
    uint8_t *common; /* (n_body + 1) do blocks of other parts touch the body? */
    scree_part_run *run; /* (n) of `bodies` */
    int64_t cut_capacity, body_capacity, common_capacity, run_capacity;
} scree_parts;

/* How large a problem is, for some velocities u. */
typedef struct scree_size {
    double sum2, max2; /* |xi|^2: sum over contacts, not less than least2, and
                          largest part */
    double least2;     /* what counts as rounding, likewise */
    double approach;   /* fastest, >= 0 [m/s] */
    double count;      /* contacts */
    double mass;       /* of the bodies that have contacts [kg] */
} scree_size;

typedef struct scree_problem {
    int32_t n_body; /* body n_body is the static one: u = 0, inv_m = 0 */
    scree_twist *u; /* (n_body + 1) in: u_free, out: u */
    const scree_sym3
        *inv_I; /* (n_body + 1) [1/(kg m^2)], of bodies with general
                                contacts; may be NULL if there are none */
    int64_t n_contact;
    int64_t n_chosen;        /* of them chose a colour when all were placed */
    scree_block *blocks;     /* P: in: first guess, out: solution */
    scree_general *generals; /* the same */
    scree_shelf round, general;
    scree_ordering ordering;
    scree_parts parts;
    int32_t *slot; /* (n_contact) block * SCREE_LANES + lane of a round
                            contact, ~ of that for a general one */
    int64_t slot_capacity;
    uint64_t *used; /* (n_body) colours of a body, if a contact of it chooses */
    int64_t used_capacity;
    double *partial; /* sums of chunks */
    int64_t partial_capacity;
    uint8_t *touched; /* (n_body + 1) has the body contacts? */
    int64_t touched_capacity;
    double speed;      /* |g| dt; 0: no gravity [m/s] */
    scree_size free;   /* its size for P = 0, set by solves */
    int swept;         /* iterations of a solve before this part of it */
    scree_trend trend; /* of all its parts */
    bool sorted;       /* by scree_problem_sort, since the last place */
    bool frictionless; /* all mu = 0 and all c along n, no general contacts */
    bool ties;         /* rows may be tied: set before contacts get places */
    scree_bars *bars;  /* (n_bars) of joints (law/joint.h) */
    int64_t n_bars, bars_capacity; /* set before contacts get places */
    scree_strain strain;           /* that strains with the contacts in it */
    bool planar; /* all n, c and u in the plane z = 0, turning about z */
    int threads;
    scree_coupling *coupling; /* NULL: this rank has all contacts */
    /* For corrections that look at the problem from afar (coarse.h). */
    const int64_t *id; /* (n_body) of bodies, the same on all ranks; or NULL */
    scree_mail letters, answers; /* between ranks (clusters_apart.c) */
    const scree_ball *x; /* (n_body) centres; NULL: no such corrections */
    scree_vec3 axis;     /* of unit length, along which loads add up; 0: none */
} scree_problem;

/* Where contact i lives. */
static inline bool scree_problem_is_general(const scree_problem *p, int64_t i) {
    return p->slot[i] < 0;
}
static inline scree_block *scree_problem_block(const scree_problem *p,
                                               int64_t i, int *lane) {
    *lane = p->slot[i] % SCREE_LANES;
    return &p->blocks[p->slot[i] / SCREE_LANES];
}
static inline scree_general *scree_problem_general(const scree_problem *p,
                                                   int64_t i, int *lane) {
    *lane = ~p->slot[i] % SCREE_LANES;
    return &p->generals[~p->slot[i] / SCREE_LANES];
}

/* What it has in common with all others. */
static inline scree_four *scree_problem_four(const scree_problem *p, int64_t i,
                                             int *lane) {
    return p->slot[i] < 0 ? &scree_problem_general(p, i, lane)->four
                          : &scree_problem_block(p, i, lane)->four;
}

/* Block k of both kinds, the round ones first. */
static inline scree_four *scree_problem_four_at(const scree_problem *p,
                                                int64_t k) {
    return k < p->round.n_block ? &p->blocks[k].four
                                : &p->generals[k - p->round.n_block].four;
}
static inline int64_t scree_problem_blocks(const scree_problem *p) {
    return p->round.n_block + p->general.n_block;
}

/* The laws of the four rows of a block, a byte each, and four times the same bits. */
static inline uint32_t scree_shelf_laws(const scree_shelf *s, int64_t block) {
    uint32_t four;
    _Static_assert(sizeof four == SCREE_LANES, "a byte for each lane");
    memcpy(&four, &s->laws[block * SCREE_LANES], sizeof four);
    return four;
}
#define SCREE_IN_LANES(laws) (0x01010101u * (uint32_t)(laws))

/* Does any row of this rank obey one of these laws? */
bool scree_problem_obeys(const scree_problem *p, int laws);

void scree_problem_free(scree_problem *p);
size_t scree_problem_bytes(const scree_problem *p);

/* Room for so many blocks, and for their laws. */
scree_status scree_problem_reserve_blocks(scree_problem *p, int64_t round,
                                          int64_t general);

/* Room for the bars of so many joints, or fewer: call it before the problem is cleared. */
scree_status scree_problem_reserve_bars(scree_problem *p, int64_t n);

/* Empties the problem (n_body is set) and makes room for so many contacts, of
 * which up to n_general are general. */
scree_status scree_problem_clear(scree_problem *p, int64_t n_contact,
                                 int64_t n_general);

/* Lists the blocks by colour, clears lanes that are not used and shares the work;
 * after the last contact, before a solve. */
scree_status scree_problem_sort(scree_problem *p);

/* Theta^-1 m of a body, as this contact sees it. */
static inline scree_vec3 scree_row_turn(const scree_problem *p,
                                        const scree_row *row, int32_t body,
                                        scree_vec3 m) {
    return row->general ? sym3_mul(&p->inv_I[body], m)
                        : scale(p->u[body].inv_theta, m);
}

/* 1/G_T of a row. */
double scree_problem_rho_t(const scree_problem *p, const scree_row *row);

/* u += M^-1 W_i P for a percussion P of contact i; and for a moment M. */
void scree_problem_push(scree_problem *p, int64_t i, scree_vec3 P);
void scree_problem_turn(scree_problem *p, int64_t i, scree_vec3 M);

/* Percussion of contact i. */
void scree_problem_set_P(scree_problem *p, int64_t i, double P_n,
                         scree_vec3 P_t);

/* Does the contact touch a body that is shared? */
static inline bool scree_problem_at_border(const scree_problem *p, int32_t a,
                                           int32_t b) {
    const scree_coupling *c = p->coupling;
    return c && ((a < p->n_body && scree_coupling_shares(c, a)) ||
                 (b < p->n_body && scree_coupling_shares(c, b)));
}
/* Writes the row of a contact that has its place (scree_problem_place_all), in any
 * order and by any thread. rho follows from the bodies' inertia. */
void scree_problem_fill(scree_problem *p, int64_t i, const scree_row *row);
/* A lane that no contact takes belongs to the static body, whose inverse inertia
 * gives it rho = 0. */
void scree_problem_clear_lane(scree_problem *p, int32_t slot);
/* The bodies of contact i alone, which is far cheaper than its row. */
void scree_problem_bodies(const scree_problem *p, int64_t i, int32_t *a,
                          int32_t *b);
scree_row scree_problem_row(const scree_problem *p, int64_t i);

/* xi of contact i for the velocities u. */
scree_vec3 scree_problem_xi(const scree_problem *p, int64_t i);

/* How large the problem is with the velocities now in u. */
scree_size scree_problem_size(const scree_problem *p);
/* v of the balance above, from the size before the solve. */
double scree_problem_speed(const scree_problem *p, scree_size free);

/* u += M^-1 W P with the percussions now in the blocks. */
void scree_problem_apply(scree_problem *p);

/* Threads that are worth waking for this problem. */
int scree_problem_threads(const scree_problem *p);

/* Pushes of all contacts outside of passes: the same order of pushes for any number
 * of ranks if the problem is ordered, else that of the contacts. */
typedef void scree_push(scree_problem *p, int64_t i, const void *context);
void scree_problem_push_each(scree_problem *p, scree_push *push,
                             const void *context);

/* The same for pushes outside of passes: before the first, after the last. */
void scree_problem_mark(scree_problem *p);
void scree_problem_couple(scree_problem *p);

/* Is it so on any rank? */
bool scree_problem_any(const scree_problem *p, bool here);

/* Blocks per partial sum, and the numbers that such a chunk leaves for it. */
enum { SCREE_SUM_CHUNK = 64, SCREE_PARTIALS = 7 };
static inline int64_t scree_problem_chunks(const scree_problem *p) {
    return (scree_problem_blocks(p) + SCREE_SUM_CHUNK - 1) / SCREE_SUM_CHUNK;
}
/* Blocks first .. last - 1 of both kinds, the round ones before the general ones: where
 * the round ones of them end. */
static inline int64_t scree_problem_end_of_round(const scree_problem *p,
                                                 int64_t first, int64_t last) {
    const int64_t end = p->round.n_block;
    return end < first ? first : end < last ? end : last;
}

/* The residual above for the pair (P, u) of the problem. `free` is the size of
 * xi(P = 0), from scree_problem_size before the solve. */
scree_residual scree_problem_residual(const scree_problem *p, scree_size free);

#endif
