/* contact.h: what contact detection hands on.
 *
 * Indices a, b are places in the bodies' memory order, not ids. n points from b
 * into a, and the percussion P is the one on a; b gets -P. A pair with a wall
 * has b = -1 - wall, and n is the wall's normal. */
#ifndef SCREE_CONTACT_H
#define SCREE_CONTACT_H

#include <stdbool.h>
#include <stdint.h>

#include "contact/narrow/period.h"
#include "engine/base/law_state.h"
#include "engine/base/vec.h"

/* Entry of the Verlet list: two bodies that may touch before the next rebuild, of b
 * the image that a may touch: in a small cell two bodies may be several pairs.
 * kept[first .. first + count) are the percussions of its last contacts, if the
 * first of them is this pair's (scree_kept). */
typedef struct scree_pair {
    int32_t a, b;
    int32_t first;
    int16_t count;
    scree_image image;
} scree_pair;

/* Percussion of a contact of the last list, from which the next solve starts. It
 * is found again by its pair and its key: the features that touched. A rebuild
 * of the Verlet list carries it over. What laws keep of a contact lies beside it
 * (scree_broad.states), vectors in the inertial frame too: what a contact frame does
 * from step to step does not touch them. So do the colours that contacts had
 * (solvers/problem/colours.h), until the list is rebuilt. */
typedef struct scree_kept {
    scree_vec3 P; /* on a [N s], inertial frame */
    int32_t pair; /* in the Verlet list */
    uint32_t key;
} scree_kept;

/* Of a contact that was not there before. */
enum { SCREE_UNCOLOURED = 255 };

/* Was a contact found at the end of the way, now or in a round before? */
typedef enum scree_ahead {
    SCREE_FOUND_HERE,
    SCREE_FOUND_AHEAD,
    SCREE_KEPT_AHEAD
} scree_ahead;

/* Arms of a general contact: from the centres of mass to the contact point. */
typedef struct scree_arms {
    scree_vec3 a, b; /* [m] */
    uint8_t ahead;   /* a scree_ahead. The gap is what it was there, less how it
                        opens on the way, and may be < 0 without overlap */
} scree_arms;

/* Where a general contact, or one of a sphere with a surface, was when a step of rattle
 * began. */
typedef struct scree_footing {
    scree_vec3 n;
    double g; /* [m] */
    scree_arms arms;
    bool is_known; /* else they are those of now */
} scree_footing;

/* scree_contact.arms + SCREE_AT_BEGIN: those of its footing. SCREE_ROUND_FOOTING - k in
 * their place: a round contact with the footing k. */
enum { SCREE_AT_BEGIN = 1 << 30, SCREE_ROUND_FOOTING = -2 };

/* One contact of the step: what the narrow phase measured. The arms reach from
 * the centres to one common contact point, so that angular momentum is conserved
 * to rounding whatever the gap; those of a round contact, of a sphere with a
 * sphere or a wall, along -n (a) and +n (b). */
typedef struct scree_contact {
    int32_t a, b;
    int32_t pair; /* in the Verlet list */
    uint32_t key; /* of the features that touch */
    scree_vec3 n;
    double g;            /* gap, < 0: overlap [m] */
    double arm_a, arm_b; /* of a round contact [m] */
    int32_t arms;  /* of a general one: in scree_contacts.arms; < 0: round */
    int32_t state; /* in scree_contacts.states; -1: none */
    scree_vec3 P; /* percussion on a: first guess, then what was solved [N s] */
} scree_contact;

/* A key holds the feature of a in its upper half, that of b in its lower one;
 * this is the key of the same contact for (b, a). */
static inline uint32_t scree_key_swapped(uint32_t key) {
    return key << 16 | key >> 16;
}

static inline bool scree_bears_load(scree_vec3 P) {
    return P.x != 0 || P.y != 0 || P.z != 0;
}

/* A wall as contact detection sees it, now: the half space n . x < d, or a
 * surface whose own frame is at x, turned by R. The speed of its points is at
 * most v_max + rate |x - o| at any time. */
typedef struct scree_plane {
    scree_vec3 n;
    double d;
    const struct scree_mesh *mesh;         /* or NULL */
    const struct scree_heightfield *field; /* or NULL */
    const struct scree_chain *chain;       /* or NULL */
    const struct scree_revolved *revolved; /* or NULL */
    scree_vec3 x;
    scree_mat3 R;
    bool exists; /* at this time */
    double v_max, rate;
    scree_vec3 o;
} scree_plane;

/* What a wall is to a body. */
typedef enum scree_ground {
#define SCREE_WALL(kind, name) SCREE_GROUND_##kind,
#include "contact/walls.def"
#undef SCREE_WALL
    SCREE_GROUNDS
} scree_ground;

static inline scree_ground scree_plane_kind(const scree_plane *p) {
    return p->mesh       ? SCREE_GROUND_MESH
           : p->field    ? SCREE_GROUND_TERRAIN
           : p->chain    ? SCREE_GROUND_SEGMENTS
           : p->revolved ? SCREE_GROUND_REVOLVED
                         : SCREE_GROUND_PLANE;
}

/* No half space but a mesh, terrain, segments or a surface of revolution. */
static inline bool scree_plane_is_surface(const scree_plane *p) {
    return scree_plane_kind(p) != SCREE_GROUND_PLANE;
}

static inline bool scree_plane_moves(const scree_plane *p) {
    return p->v_max > 0 || p->rate != 0;
}

/* What many pairs ask of one body. */
typedef struct scree_stance {
    scree_mat3 R;   /* of a body that is no sphere */
    double fastest; /* no point of it moves faster [m/s] */
} scree_stance;

/* Do the bodies at these places pass each other, and a wall? */
typedef struct scree_passing {
    bool (*pass)(const void *context, int32_t a, int32_t b);
    bool (*pass_wall)(const void *context, int32_t body, int wall);
    const void *context;
} scree_passing;

/* Which pairs are this rank's, if there are others: those that meet in its part of
 * space, and those of its own bodies with walls. */

typedef struct scree_claim {
    int rank;
    const int32_t *owner;  /* (n) rank of a body */
    const int64_t *id;     /* (n) */
    const uint8_t *border; /* (n) do other ranks have the body too? */
    bool (*owns)(const void *context, scree_vec3 x);
    const void *context;
} scree_claim;

/* Contacts that rounds of the step before found at the end of the way, in the order of
 * pairs. */
typedef struct scree_round {
    int64_t n;
    const scree_contact *list; /* (n) */
    const scree_arms *arms;    /* (n) */
} scree_round;

/* The bodies and walls of a step. */
typedef struct scree_scene {
    int32_t n;                   /* bodies */
    const scree_ball *x;         /* (n) r: of the ball around the body */
    const scree_twist *u;        /* (n) */
    const scree_period *cell;    /* NULL: bodies have no images */
    const scree_velocity *also;  /* (n) what may close with these velocities
                                    counts too; NULL: none */
    const scree_quat *q;         /* (n) used of bodies that are not spheres */
    const scree_stance *stances; /* (n) from u and q, or NULL */
    const int32_t *form;         /* (n) -1: sphere */
    const struct scree_form *forms;
    bool general; /* there are bodies that are not spheres */
    int n_wall;
    const scree_plane *walls; /* (n_wall) */
    double dt;                /* [s] */
    double slack;             /* bodies nearer than this are in contact [m] */
    double fall;              /* |gravity| dt^2: what a step's fall adds [m] */
    double ahead; /* bodies that turn by more than this in dt, and overlap then,
                         are measured where u takes them; 0: none are [m] */
    scree_round last; /* what it found there stays */
    bool foresee;     /* contacts that may close in this step count too */
    bool states;      /* there are laws that keep numbers of contacts */
    unsigned odd; /* bits of those that change sign with the bodies' order */
    bool keep_loaded; /* pairs that bear load are contacts, however far */
    int threads;      /* to look for them with */
    const scree_claim *claim; /* NULL: all pairs are this rank's */
    /* Bodies that pass each other or a wall are no pairs; NULL: there are none. */
    const struct scree_passing *passing;
    const int64_t *id; /* (n) the lesser id is a of a pair; NULL: the lesser
                              place, which says nothing over ranks */
} scree_scene;

/* The centre of a as seen from that of b, and how fast it moves: the one place where
 * two bodies of a scene are subtracted (period.h). */
static inline scree_vec3 scree_scene_apart(const scree_scene *scene,
                                           const scree_pair *pair) {
    return scree_period_apart(scene->cell, pair->image, scene->x[pair->a].x,
                              scene->x[pair->b].x);
}
static inline scree_vec3 scree_scene_closing(const scree_scene *scene,
                                             const scree_pair *pair,
                                             bool also) {
    return scree_period_closing(
        scene->cell, pair->image,
        also ? scene->also[pair->a].v : scene->u[pair->a].v,
        also ? scene->also[pair->b].v : scene->u[pair->b].v);
}

#endif
