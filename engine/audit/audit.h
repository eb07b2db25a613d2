/* audit.h: what cannot be meant is found before the first step.
 *
 * The audit looks at a world as it stands at its start, with the pours that are to
 * come, and lists what it finds: all of it, not only the first. A finding is an
 * error where the run would make no sense, a warning where it may be a mistake,
 * and a note where it is a figure to be looked at. Each has a sentence with
 * numbers, names and a remedy.
 *
 * The world is left as it is, to the last bit: overlaps are looked for with the
 * contact detection of a step, on a copy of the bodies. On several ranks the copy
 * is dealt out by place (audit_spread.c); every rank then has the same findings.
 *
 * Cost: linear in bodies, about that of a step. */
#ifndef SCREE_AUDIT_H
#define SCREE_AUDIT_H

#include "engine/base/error.h"
#include "engine/generate/generate.h"

/* A body that moves more than this share of its diameter in a step meets others
 * where it would not. */
#define SCREE_STRIDE_LARGE 0.2

typedef enum scree_severity {
    SCREE_NOTE,
    SCREE_WARNING,
    SCREE_ERROR
} scree_severity;

/* X(code, word): what a finding is about. */
#define SCREE_FINDING_LIST(X)                                                  \
    X(BODIES, "bodies")         /* counts, masses, sizes */                    \
    X(OVERLAP, "overlap")       /* bodies that overlap each other */           \
    X(WALL, "wall")             /* bodies in or behind a wall */               \
    X(INSIDE, "inside")         /* bodies inside a closed mesh */              \
    X(NORMALS, "normals")       /* a mesh that shows its back to all bodies */ \
    X(SIZES, "sizes")           /* a surface and bodies that do not fit */     \
    X(BESIDE, "beside")         /* bodies beside the terrain */                \
    X(FAR_AWAY, "far-away")     /* positions that rounding eats */             \
    X(THIN, "thin")             /* shapes that are too thin */                 \
    X(NO_CONTACT, "no-contact") /* nothing can meet */                         \
    X(STEP, "step")             /* the step against speed and fall */          \
    X(STEPPER, "stepper")       /* what it does not know of */                 \
    X(POUR, "pour")             /* what a pour cannot let in */                \
    X(OUTPUTS, "outputs")       /* what is written, and when */                \
    X(DISK, "disk")             /* how much of it */

typedef enum scree_finding_code {
#define X(code, word) SCREE_FINDING_##code,
    SCREE_FINDING_LIST(X)
#undef X
} scree_finding_code;

const char *scree_finding_word(scree_finding_code code);

typedef struct scree_finding {
    scree_severity severity;
    scree_finding_code code;
    char text[600];
} scree_finding;

typedef struct scree_audit {
    scree_finding *list; /* (n) in the order in which they were found */
    int n;
    int64_t capacity;
    bool full; /* a finding was lost for want of memory */
} scree_audit;

/* What the world itself does not know. */
typedef struct scree_audit_scene {
    const char *const *walls;       /* (n_wall) names; NULL: their numbers */
    const scree_pour *const *pours; /* (n_pour) */
    const char *const *pour_names;  /* (n_pour) */
    int n_pour;
    double end; /* of the run [s] */
} scree_audit_scene;

/* Collective. Adds its findings to those that are there. */
scree_status scree_audit_world(const scree_world *world,
                               const scree_audit_scene *scene,
                               scree_audit *audit);

void scree_audit_add(scree_audit *audit, scree_severity severity,
                     scree_finding_code code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
int scree_audit_count(const scree_audit *audit, scree_severity severity);
void scree_audit_free(scree_audit *audit);

/* Bodies that a pour can let in by the time `end`, by its rate and by the room in
 * its region (audit_pour.c); the lesser of the two. */
double scree_pour_most(const scree_pour *pour, const double gravity[3],
                       double end);

#endif
