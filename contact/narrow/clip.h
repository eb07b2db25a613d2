/* clip.h: manifolds from the features that face each other.
 *
 * A patch is the face, line or vertex with which a core meets a direction. The
 * incident patch is clipped to the prism over the reference face; what remains
 * below the reach makes the touches, thinned to those that span most area. */
#ifndef SCREE_CONTACT_CLIP_H
#define SCREE_CONTACT_CLIP_H

#include "contact/narrow/gjk.h"

enum {
    SCREE_PATCH_MOST = 64, /* corners; larger faces are thinned to these */
    SCREE_RIM = 16,        /* corners of a cylinder's cap */
};

typedef struct scree_patch {
    int n; /* 2: a line */
    scree_vec3 p[SCREE_PATCH_MOST];
    uint16_t vertex[SCREE_PATCH_MOST]; /* features of the corners */
    uint16_t edge[SCREE_PATCH_MOST];   /* of the edge after each corner */
    uint16_t face;
    scree_vec3 normal; /* outward; of a face only */
} scree_patch;

/* Appends a corner. */
static inline void scree_patch_put(scree_patch *patch, scree_vec3 x, int vertex,
                                   int edge) {
    patch->p[patch->n] = x;
    patch->vertex[patch->n] = (uint16_t)scree_feature(SCREE_VERTEX, vertex);
    patch->edge[patch->n] = (uint16_t)scree_feature(SCREE_EDGE, edge);
    ++patch->n;
}

/* A line along the body's z axis, `out` away from it; named like the segment of a
 * capsule. */
void scree_axial_line(const scree_placed *p, scree_vec3 out,
                      scree_patch *patch);

/* The face `f` of a hull or of a cylinder (0: cap at +half, 1: at -half). A cap is
 * a regular polygon in the rim, with a corner at the rim's point towards `d`,
 * unless the cap is flat to it: its true extent is up to
 * 1 - cos(pi / SCREE_RIM) = 2 % of its radius larger. */
void scree_face_patch(const scree_placed *p, int f, scree_vec3 d,
                      scree_patch *patch);

/* What the core turns towards `d`, and contains its point farthest along d: a
 * hull's face, a cylinder's cap or side line, a segment. */
void scree_facing_patch(const scree_placed *p, scree_vec3 d,
                        scree_patch *patch);

/* The same of a hull whose vertex farthest along d is known. */
void scree_hull_patch_at(const scree_placed *p, int vertex, scree_vec3 d,
                         scree_patch *patch);

/* The line (n = 2) of the core that is farthest along d and perpendicular to
 * it within a small angle, or false. */
bool scree_edge_patch(const scree_placed *p, scree_vec3 d, scree_patch *patch);

/* The face that looks most nearly along d; -1: the core has none like that. */
int scree_face_towards(const scree_placed *p, scree_vec3 d, scree_vec3 *normal);

/* The touch of the point p, h over the reference face of normal m, with it. */
static inline scree_touch
scree_touch_over(const scree_placed *a, const scree_placed *b,
                 bool reference_is_a, scree_vec3 m, scree_vec3 p, double h,
                 uint32_t reference, uint32_t incident) {
    const scree_vec3 foot = add_scaled(p, -h, m);
    return reference_is_a
               ? scree_touch_between(a, b, foot, p, scale(-1, m), h,
                                     scree_touch_key(reference, incident))
               : scree_touch_between(a, b, p, foot, m, h,
                                     scree_touch_key(incident, reference));
}

/* Touches of the incident patch with the reference face of a (or of b). */
int scree_clip(const scree_placed *a, const scree_placed *b,
               const scree_patch *reference, const scree_patch *incident,
               bool reference_is_a, double reach, scree_touch *touches);

/* Keeps at most `most` touches (2 or 4): the deepest, and those that span most
 * area with it. Returns their number. `hair` is the depth that does not count:
 * of touches as deep the first is kept, so that noise changes no choice. */
int scree_thin(scree_touch *touches, int n, int most, double hair);

/* The same where the first `kept` >= 1 are chosen already. */
int scree_thin_after(scree_touch *touches, int kept, int n, int most);

/* A face whose normal may separate the cores best. */
typedef struct scree_face_axis {
    int face;       /* -1: none */
    scree_vec3 out; /* its normal */
    double s;       /* how far it separates the cores; -INFINITY: none */
} scree_face_axis;

/* Touches from n, s and closest points of the cores: by the reference face if
 * n is a face's normal, by parallel lines, or one point; the first is as deep as
 * s tells. Where lines or points are nearest, but faces nearly so, what these
 * show within reach is there too (manifold.c). */
int scree_manifold(const scree_placed *a, const scree_placed *b,
                   const scree_closest *c, double reach, scree_touch *touches);
/* The same if it is known that n is no face's normal, and s within reach. `lines`:
 * parallel lines may be nearest. */
int scree_manifold_beside(const scree_placed *a, const scree_placed *b,
                          const scree_closest *c, bool lines, double reach,
                          scree_touch *touches);

/* The same if the faces that look most along n are known: s of them is not
 * asked for. */
int scree_manifold_beside_faces(const scree_placed *a, const scree_placed *b,
                                const scree_closest *c, bool lines,
                                const scree_face_axis *fa,
                                const scree_face_axis *fb, double reach,
                                scree_touch *touches);

/* Touches over the better of two faces, fa of a and fb of b, if it is certain that
 * no other direction separates the cores better, but by the bias of a face; else
 * 0. */
int scree_manifold_flat(const scree_placed *a, const scree_placed *b,
                        const scree_face_axis *fa, const scree_face_axis *fb,
                        double reach, scree_touch *touches);

/* Makes n, s and the closest points exact, to rounding, that supports alone found
 * roughly because one of the cores is a cylinder. */
void scree_climb_at_rim(const scree_placed *a, const scree_placed *b,
                        scree_closest *c);

/* Touches of a cylinder and another core, by their supports alone. */
int scree_manifold_by_supports(const scree_placed *a, const scree_placed *b,
                               double reach, scree_touch *touches);

/* Lines within this angle (its sine) of a direction's plane lie in it. */
#define SCREE_LEVEL 0.02

/* Faces turned farther than this (its cosine) from a direction do not look along
 * it. */
#define SCREE_FACE_COSINE 0.9
/* Marks the names of nearest points in both halves of a key, because other names
 * beside them may be of another kind: edges by their corners in a face. */
enum { SCREE_NEAREST = 0x2000 };

static inline bool scree_key_has_face(uint32_t key) {
    return ((key >> 16 | key) & SCREE_FACE) != 0;
}

/* Lines within this angle (its sine) are parallel. */
#define SCREE_PARALLEL 0.02

static inline double scree_deepest(const scree_touch *touches, int n) {
    double g = INFINITY;
    for (int k = 0; k < n; ++k) g = fmin(g, touches[k].g);
    return g;
}

/* Which of two faces that separate equally well is the reference? The larger
 * one; among equals the one behind a fixed direction. The answer is the same
 * body for (a, b) and (b, a). n points from b into a. */
bool scree_prefer_a(double area_a, double area_b, scree_vec3 n);

#endif
