/* world.h: the many-body world, inside the library: what it is made of.
 *
 * A world is a scree_system: steppers see it through the operations of
 * engine/step/step.h. Who makes one includes make.h, who looks at one view.h, who
 * saves one state.h, and ranks.h has what ranks do together. */
#ifndef SCREE_WORLD_H
#define SCREE_WORLD_H

#include "contact/narrow/narrow.h"
#include "contact/solid/form.h"
#include "engine/base/error.h"
#include "engine/forces/list.h"
#include "engine/joints/list.h"
#include "engine/system/stepper.h"
#include "engine/walls/wall.h"
#include "engine/world/body.h"
#include "engine/world/books.h"
#include "engine/world/make.h"
#include "engine/world/materials.h"
#include "engine/world/outlet.h"
#include "solvers/problem/method.h"

/* An id that no body has. */
#define SCREE_NO_BODY INT64_MAX

/* What a world keeps whose steps are those of moreau-adaptive (engine/adaptive). */
typedef struct scree_adaptive scree_adaptive;

/* What generalized-alpha keeps from step to step (engine/steppers). */
typedef struct scree_alpha_memory scree_alpha_memory;

/* The other ranks that have a part of the world (engine/domain). */
typedef struct scree_domain scree_domain;

/* Steps that choose themselves are def.dt / 2^k, k up to SCREE_FINEST, and times are
 * counted in ticks: SCREE_WHOLE of them are def.dt. */
enum { SCREE_FINEST = 24 };
#define SCREE_WHOLE (INT64_C(1) << SCREE_FINEST)

struct scree_world {
    const scree_world_def def; /* as create completed it */
    scree_error error;
    scree_arena scratch;

    /* What it is made of, but for its bodies: stays as it is while it steps. */
    struct {
        const scree_stepper_ops *stepper;
        const scree_method *solver;
        scree_form *forms; /* (n_form) of bodies that are not spheres */
        int n_form;
        int64_t form_capacity;
        bool general;               /* there are such bodies */
        double r_sum, r_min, r_max; /* of all radii */
        double bound_max; /* radius of the largest ball around a body that was
                             added here [m] */
        /* That bodies are added to; NULL: all ranks add all. */
        struct scree_batch *batch;
        int n_material;
        int64_t material_capacity;
        scree_material_def *materials; /* (n_material) */
        scree_pair_laws pair_laws;
        bool borrowed; /* materials, their laws and forms are another's */
        int n_wall, n_driven; /* of them forces drive so many (servo.h) */
        int64_t wall_capacity, plane_capacity;
        scree_wall *walls;   /* (n_wall) */
        scree_plane *planes; /* (n_wall) where they are now */
        const scree_period
            *cell; /* as it is now; NULL: bodies have no images */
        const scree_period *cell_begin; /* rattle: where its step began */
        bool paths; /* bodies keep where their step began (measure/flux.c) */
        /* No point of a wall where bodies are is faster (stop.c). */
        double wall_speed;
        scree_problem_saver *saver; /* or NULL */
        void *saver_context;
    } scene;

    scree_joints joints;       /* engine/joints */
    scree_forces forces;       /* engine/forces */
    scree_adaptive *adaptive;  /* NULL: of another stepper */
    scree_alpha_memory *alpha; /* NULL: of another stepper */
    struct scree_world_dense
        *dense; /* of lobatto and generalized-alpha, from their
                                        first step on */

    /* Where it is, and what a step works on. */
    struct {
        double t;
        int64_t steps;
        double epoch_t; /* t = epoch_t + ticks def.dt / 2^SCREE_FINEST */
        int64_t ticks;
        double dt;     /* of the steps now: def.dt / 2^level */
        int32_t level; /* 0 but for steps that choose themselves (choose.c) */
        /* That acts: def.gravity, but none while rattle works off overlap before its
         * first step [m/s^2]. */
        scree_vec3 gravity;
        scree_bodies bodies;
        scree_cell_state cell; /* if there is one: scene.cell */
        scree_sym3 *inv_I; /* (n + 1) by place, for the problem [1/(kg m^2)] */
        int64_t inv_I_capacity;
        scree_broad broad;
        scree_contacts contacts;
        double *pulls; /* (contacts) of cohesion (step/cohesion.h) [N s] */
        int64_t pull_capacity;
        scree_problem problem; /* contact i is row i */
        scree_report report;
        /* Of this rank's bodies that left in the last step, if paths are kept. */
        struct scree_passage *gone; /* (n_gone) */
        int64_t n_gone, gone_capacity;
        /* Bodies came in that begin.c is to look after, with ids from here on;
         * SCREE_NO_BODY: none. */
        int64_t fresh;
        int n_outlet;
        int64_t outlet_capacity;
        scree_outlet *outlets; /* (n_outlet) with what left so far (leave.c) */
        /* Body that came to an outlet at which the run is to stop, in the last step;
         * -1: none. */
        int64_t stopper;
        int stopped_at;
    } state;

    /* Of the last step, or of the one that is under way. */
    struct {
        double dt;      /* of this step, or of a part of it (parts.c) [s] */
        double reach;   /* from its midpoint to the next one [s] */
        double seen;    /* from its end to the next one, as far as it saw [s] */
        bool gaps_hold; /* rattle: stage 1 of the last step kept its promise */
        /* Largest |v| dt over the diameter of the ball around a body on this rank, when
         * it was last looked at (move.c) [-]. */
        double stride;
        int64_t meetings; /* of this step, on all ranks (meet.c) */
        bool held_back;   /* bodies are, in this step of rattle (stop.c) */
        bool booked;      /* the last solve is in the books (work.c) */
        bool refound;     /* contacts were, since the last solve (look.c) */
        /* Of the last solve's problem: bodies hit each other; contacts within reach did
         * not enter it. */
        bool struck, dropped;
        bool in_turn; /* it was for what acts after others (complete.c) */
        bool crowded; /* bodies that are hit in this step have many contacts */
        bool draft;   /* it was one, and another must follow (complete.c) */
        bool decompressed; /* it was the second phase of a hit (poisson.c) */
        double
            fading; /* > 0: restitution is e to this power (adaptive/main_step.h) */
        bool pulls;      /* contacts attract in the last solve: state.pulls */
        double fineness; /* of tolerances then (step/cohesion.c) [-] */
        bool smooth; /* no overlap is worked off in it (adaptive/main_step.h) */
        uint64_t modes; /* of its laws, if the world is adaptive (modes.h) */
    } step;

    /* Of contacts and walls (books.h). */
    struct {
        double penetration_sum, penetration_max; /* of the last step */
        int64_t penetrating;
        double taken_normal, taken_friction, taken_turning; /* work.c */
        double taken_joints, motor_work; /* engine/joints/books.c */
        double taken_drag, force_work;   /* engine/forces/forces.c */
        double wall_work, recovery_work, inserted;
        scree_books *books; /* NULL: the world is not reproducible */
        scree_cost cost;
    } accounts;

    /* Its part of a larger one. */
    struct {
        scree_domain *domain; /* NULL: the world is all on this rank */
        int64_t n_body;       /* that are there, on all ranks */
        int64_t n_contact;    /* the same, of the last step */
    } ranks;
};

#endif
