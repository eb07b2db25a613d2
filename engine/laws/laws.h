/* laws.h: how a normal contact with friction enters a step.
 *
 * Moreau's step (002 section 3) evaluates the gap g at the midpoint q_M and
 * demands, for closed contacts, -(gamma_E + eps gamma_B) in N_C(P). In the
 * inclusion problem xi = gamma_E + c' this is the shift c' per contact:
 *
 * gap control off, the paper to the letter:
 *     acts if g <= 0:       c'_N = e_N gamma_N,B      c'_T = e_T gamma_T,B
 *   A contact that closes keeps the overlap that the midpoint finds it with, up
 *   to |gamma_B| dt and half of that on average, and nothing works it off.
 *
 * gap control on: contacts within reach of the step enter, g being counted from the
 * end of a small dead zone on:
 *   a hit, e_N > 0 or e_T > 0 and approach faster than restitution_speed, acts in
 *   the step in which it closes the gap on its way from this midpoint to the next:
 *                           c'_N = e_N gamma_N,B      c'_T = e_T gamma_T,B
 *   so that no body overlaps another before it is reflected. Spheres that hit each
 *   other alone are taken where they touch (meet.c).
 *   A contact that opens faster than restitution_speed, or at a body that is hit,
 *   has restitution too, c'_N = max(e_N gamma_N,B, g / dt): without it the contacts
 *   of a body that is hit could make energy.
 *   otherwise:              c'_N = max(g, 0) / dt       c'_T = 0
 *   Midpoints follow each other by g_M(next) = g_M + dt gamma_E (to first
 *   order: q_M' = q_M + dt u_E), so gamma_E + g/dt >= 0 says exactly that the
 *   next midpoint has no overlap; and g_E = (g_M + g_M')/2 has none either.
 *   Contacts that are found at the next midpoint (complete.c) have gaps g that are taken
 *   back from there, and c'_N = g / dt may be negative, but not below gamma_N,B: bodies
 *   part no faster than they came, so that the contact makes no energy.
 *   Spheres that fly past each other do not act; nor, with restitution, contacts
 *   that are open at a body that is hit: those that the hit closes are hit in turn
 *   (complete.c). Overlap that is there (g < 0, from unconverged steps, curvature)
 *   is worked off by moving positions alone (recovery.c): at most recovery_velocity
 *   dt per step. A body that would be through a wall before its contact is seen
 *   closed is stopped there (stop.c).
 *
 * A contact that has borne load in a step of moreau-adaptive has a band of gaps in which
 * it is closed as it is, c'_N = 0: extrapolation needs errors that go smoothly with the
 * step, which a gap over dt is not, and the drift of the gap is then of its order.
 *
 * Energy. With u_E = u_free + M^-1 W P, per step and with eps = 0, walls fixed,
 *     T_E - T_free = sum P . gamma_E - 1/2 P^T G P,
 *     P_T . gamma_T,E <= 0,   P_N gamma_N,E = -P_N max(g, 0)/dt <= 0:
 * the gap term only takes energy: it brakes a body before it touches. Recovery
 * leaves all velocities as they are, so it adds no kinetic energy; lifting a
 * body out of an overlap adds potential energy, which is summed up on its own
 * (scree_scalars.recovery_work). In both modes the balance
 *     kinetic + potential + dissipated = inserted + wall_work + recovery_work
 * closes to rounding (scree_scalars.scheme_error), with the work of contacts
 * -sum P . (gamma_B + gamma_E)/2, because q_E - q_B = dt (u_B + u_E)/2 and M does not change over the step.
 *
 * Against free flight contacts only take energy, but by this balance a contact that
 * rolls or slides round a curve may give a little: gamma_E = 0 is meant in the
 * directions of this midpoint, gamma_B = (W - W_last)^T u_B is what they turned
 * since the last one, and the contact takes -P . gamma_B / 2, of either sign and of
 * the size |P| v^2 dt / (2 r). That is an error of the scheme, dt^2 per step and dt
 * over a run, not of the law. Seen in a falling pile of 30 spheres: the largest
 * gain of a step over the total energy is 1.1e-7, 3.9e-8, 5.8e-9 for steps of 2, 1,
 * 0.5 ms (tolerance 1e-7); at 1 ms it is 4.1e-8 to 3.9e-8 for tolerances of 1e-4
 * to 1e-8. With rolling resistance, which ends that motion, it falls with the
 * tolerance: 3e-10, 9e-14, 1e-15. */
#ifndef SCREE_LAWS_H
#define SCREE_LAWS_H

#include <stdbool.h>

/* Contact parameters and kinematics at the midpoint. */
typedef struct scree_law_state {
    double g;       /* [m] */
    double gamma_n; /* gamma_N at the beginning of the step [m/s] */
    double e_n, e_t;
    double length;  /* size of the smaller body [m] */
    bool closes;    /* on its way from the midpoint to the next one */
    bool struck;    /* a body of it is hit elsewhere */
    bool ahead;     /* g is taken back from the next midpoint */
    double spin;    /* fastest that points of such bodies turn [m/s] */
    bool bilateral; /* g = 0 in place of g >= 0 */
    bool poisson;   /* it is compressed first: e = 0 (poisson.c) */
    double band;    /* gaps up to this count as closed besides [m] */
    bool bonded;    /* it is glued, and g counts from where that was done */
    double pull;    /* twice what cohesion adds to speeds: that is slow [m/s] */
} scree_law_state;

/* What the step asks of the contact: xi_N = gamma_N,E + c_n,
 * xi_T = gamma_T,E + e_t gamma_T,B. */
typedef struct scree_law_entry {
    bool acts;
    double c_n; /* [m/s] */
    double e_t;
    bool hit; /* the bodies hit each other, with restitution */
} scree_law_entry;

typedef struct scree_gap_control {
    bool on;
    double restitution_speed; /* [m/s] */
    double dt;                /* to the next midpoint [s] */
    bool push; /* contacts found ahead may part bodies as fast as these turn */
} scree_gap_control;

/* `control` is a scree_gap_control: a scree_law_rule (system.h) as it is. */
scree_law_entry scree_law_enter(const void *control,
                                const scree_law_state *law);

/* Closed means g <= CLOSED * length: with g <= 0 rounding opens contacts that
 * rest, and a body on several of them rocks. */
#define SCREE_CLOSED 1e-10

/* With gap control gaps up to this share of the smaller body count as closed, and
 * overlap up to it is left alone. Gaps of rounding would else enter as g / dt, and
 * the corners of a stack would open and close in turn for ever: of 20 boxes on each
 * other the top then drifts by 7 mm in 5 s, with 1e-5 by less than 0.1 mm; 1e-6 is
 * too little. */
#define SCREE_DEAD_ZONE 1e-5

#endif
