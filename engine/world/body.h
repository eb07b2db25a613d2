/* body.h: the bodies of a world, arrays in memory (Morton) order.
 *
 * One list of fields drives reserving, permuting, sending to other ranks and
 * freeing. There is room for more entries than there are bodies: those of walls that
 * forces drive (servo.h), then the static body, which stands for all other walls in the
 * solvers' problem. */
#ifndef SCREE_BODY_H
#define SCREE_BODY_H

#include "engine/base/arena.h"
#include "engine/base/law_state.h"
#include "engine/base/sort.h"
#include "engine/base/vec.h"
#include "engine/forces/push.h"
#include "engine/world/cell.h"
#include "engine/world/removed.h"

#define SCREE_BODY_FIELDS(X)                                                   \
    X(scree_ball, x)       /* centre, radius [m] */                            \
    X(scree_quat, q)       /* orientation, body to inertial frame */           \
    X(scree_twist, u)      /* velocity and inverse inertia */                  \
    X(scree_velocity, u_b) /* velocity at the beginning of the step */         \
    X(scree_vec3, x_b)     /* centre there, if paths are kept [m] */           \
    X(int64_t, id)                                                             \
    X(int32_t, material)                                                       \
    X(int32_t, form)          /* -1: sphere */                                 \
    X(int32_t, owner)         /* rank; the others have copies; SCREE_GONE */   \
    X(scree_body_state, kept) /* by laws; not in copies (law.h) */             \
    X(scree_turns, turns) /* edges of the cell that it has gone on (cell.h) */ \
    X(double, lead)       /* share of the step that it is ahead by (meet.c) */

/* Where a step of rattle begins, and what its rounds know of a body. */
typedef struct scree_pose {
    scree_vec3 x;
    scree_quat q;
    scree_vec3 w_free; /* spin without percussions, in the last round [rad/s] */
    scree_vec3 late;   /* the part of its way that stop.c took away [m] */
    double reach; /* asked for by pairs that could not be moved for want of it,
                     in a reproducible world (world_rattle_pairs.c) [m] */
    scree_velocity u; /* put aside while overlap is worked off */
} scree_pose;

/* Arrays that go with the bodies too, of worlds that want them; NULL: it has none. */
#define SCREE_BODY_EXTRAS(X)                                                   \
    X(scree_pose, begin)     /* steps of rattle */                             \
    X(scree_body_push, push) /* what forces do (engine/forces) */              \
    X(scree_groups, groups)  /* who touches whom */

typedef struct scree_bodies {
    int32_t n;
    int32_t walls; /* that are driven */
    int64_t capacity;
#define X(type, name) type *name;
    SCREE_BODY_FIELDS(X)
#undef X
#define X(type, name)                                                          \
    type *name; /* (n) */                                                      \
    int64_t name##_capacity;
    SCREE_BODY_EXTRAS(X)
#undef X
    int32_t
        *place; /* (n) place of a row in the arrays (removed.h); not used if the
                       bodies are spread over ranks */
    bool spread;
    scree_removed removed; /* ids that are no more, on all ranks */
} scree_bodies;

/* Owner of a body that is to be dropped. */
enum { SCREE_GONE = -1 };

scree_status scree_bodies_reserve(scree_bodies *bodies, int64_t n);
void scree_bodies_free(scree_bodies *bodies);

/* Body order[k].item comes to place k. */
scree_status scree_bodies_permute(scree_bodies *bodies, const scree_key *order,
                                  int threads, scree_arena *scratch);

/* Drops the bodies whose owner is SCREE_GONE; the others move up in their order. The
 * rows keep their old places. */
void scree_bodies_drop(scree_bodies *bodies);

/* Row of an id, place of an id on one rank. */
static inline int64_t scree_bodies_row(const scree_bodies *b, int64_t id) {
    return scree_removed_row(&b->removed, id);
}
static inline int32_t scree_bodies_place(const scree_bodies *b, int64_t id) {
    return b->place[scree_bodies_row(b, id)];
}

/* A twist of infinite mass (engine/scree_forces.h). */
static inline bool scree_is_kinematic(const scree_twist *u) {
    return u->inv_m == 0;
}

/* Make `begin`, `push`, `groups`; the latter two then grow with the bodies, and new
 * bodies have zeros there. */
scree_status scree_bodies_reserve_begin(scree_bodies *bodies);
scree_status scree_bodies_reserve_push(scree_bodies *bodies);
scree_status scree_bodies_reserve_groups(scree_bodies *bodies);
/* Zeros for the body at place i, where there are such arrays. */
void scree_bodies_clear_extras(scree_bodies *bodies, int32_t i);

size_t scree_bodies_bytes(const scree_bodies *bodies);

#endif
