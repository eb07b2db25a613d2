/* cohesion.h: contacts that attract, and contacts that are glued.
 *
 * Cohesion. A pair of bodies with a gap g <= d attracts with the constant force F along the
 * normal (scree_cohesion). With the net percussion P_N its law is Signorini's, shifted,
 *     -xi_N in N_{R0+}(P_N + F dt),      -xi_T in N_{D(mu (P_N + F dt))}(P_T),
 * and likewise for moments. P' = P_N + F dt obeys the ordinary law: so velocities get the
 * percussions -F dt n of all such contacts before the solve, as they get gravity's, and the
 * solvers never hear of it. What is kept of contacts, and seen in files, measures and
 * on walls, is the net P.
 *
 * The gap is that of the midpoint. The points at which a pair touches share its force
 * evenly, those that are within its range: a box that lies on its face is attracted as one
 * that stands on its corner. A body on several walls is several pairs. Contacts that act
 * after others in the same step (complete.c) have no attraction of their own: like gravity
 * it acts once.
 *
 * Energy. The net percussion works on the mean velocities (work.c), so the balance closes to
 * rounding. Attraction is booked with it, as taken by the normal law: separating a pair over
 * the range takes F d, and bodies that are drawn together get it back, a negative amount.
 * In a step the force stays as it began, so that a pair that parts at the speed v may be
 * held over d + v dt.
 *
 * Restitution. What attraction adds to the approach in a step is no hit, as what gravity
 * adds is none: speeds up to 2 F dt / m more than restitution_speed are slow.
 *
 * Bonds (solvers/law/bond.h) are glued by an attraction of SCREE_GLUE times their limit, in
 * each solve of a step. The gap stays what it was when the bond was made:
 * xi_N = gamma_N + (g - g_0) / dt. While a bond holds, the contact has no cohesion beside
 * it. A contact that detection finds no more, farther apart than twice the range, is torn.
 *
 * Detection finds all contacts within range (scree_world_cohesion_reach). Cost: a look at
 * the contacts in one thread; nothing in worlds without. */
#ifndef SCREE_STEP_COHESION_H
#define SCREE_STEP_COHESION_H

#include "engine/step/contact_rows.h"
#include "solvers/law/bond.h"

/* May any contacts attract, or be glued? */
bool scree_world_attracts(const scree_world *world);

/* Contacts with gaps up to this must be found, if any materials attract; else 0 [m]. */
double scree_world_cohesion_reach(const scree_world *world);

/* Is the contact glued? The gap then counts from where that was done. */
bool scree_world_holds_bond(const scree_world *world, const scree_contact *c);
static inline bool scree_world_is_bonded(const scree_world *world,
                                         const scree_contact *c) {
    return c->state >= 0 && scree_world_holds_bond(world, c);
}
static inline double scree_world_gap_of(const scree_world *world,
                                        const scree_contact *c) {
    return scree_world_is_bonded(world, c)
               ? c->g - world->state.contacts.states[c->state].x[SCREE_BOND_GAP]
               : c->g;
}

/* Twice the speed that the attraction of a contact, by its law, gives in the step, whatever
 * its gap. */
double scree_world_speed_of_pull(const scree_world *world,
                                 const scree_contact *c,
                                 const scree_cohesion *law);
static inline double scree_world_pull_speed(const scree_world *world,
                                            const scree_contact *c,
                                            const scree_contact_law *law) {
    return scree_law_attracts(law)
               ? scree_world_speed_of_pull(world, c, &law->cohesion)
               : 0;
}

/* Does attraction leave a contact open that opens at the speed xi_n without it? */
bool scree_world_stays_open(const scree_world *world, const scree_contact *c,
                            double xi_n);

/* Glues the contacts that are to be, before the first solve of a step. */
void scree_world_make_bonds(scree_world *world);

/* Percussions of attraction of the contacts that act, for the solve to come; of one that
 * acts `after` others those of bonds alone. */
scree_status scree_world_find_pulls(scree_world *world, bool after);
/* Velocities get them. */
void scree_world_pull(scree_world *world);
/* How far the solve must go then: what is undone counts beside what there would be to
 * solve without attraction. */
void scree_world_refine(const scree_world *world,
                        scree_solver_options *options);

/* F dt of contact i by the last solve [N s]. */
static inline double scree_world_pull_of(const scree_world *world, int64_t i) {
    return world->step.pulls ? world->state.pulls[i] : 0;
}

/* Net percussion of contact i, of its row after a solve. */
scree_vec3 scree_world_net_percussion(const scree_world *world, int64_t i,
                                      const scree_row *row);

#endif
