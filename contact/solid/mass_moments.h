/* mass_moments.h: integrals of 1, x and x x^T, which add up over the parts of a
 * solid. Mass properties follow from their sum. */
#ifndef SCREE_CONTACT_MASS_MOMENTS_H
#define SCREE_CONTACT_MASS_MOMENTS_H

#include "contact/solid/mass.h"

/* About the origin of whoever adds them up. */
typedef struct scree_moments {
    double v;     /* int 1 */
    scree_vec3 m; /* int x */
    scree_sym3 s; /* int x x^T */
} scree_moments;

/* s += c (a b^T + b a^T) / 2 */
static inline void sym_add(scree_sym3 *s, double c, scree_vec3 a,
                           scree_vec3 b) {
    s->xx += c * a.x * b.x;
    s->yy += c * a.y * b.y;
    s->zz += c * a.z * b.z;
    s->xy += 0.5 * c * (a.x * b.y + a.y * b.x);
    s->xz += 0.5 * c * (a.x * b.z + a.z * b.x);
    s->yz += 0.5 * c * (a.y * b.z + a.z * b.y);
}
/* s += c I */
static inline void sym_add_unit(scree_sym3 *s, double c) {
    s->xx += c;
    s->yy += c;
    s->zz += c;
}
/* s += c b */
static inline void sym_add_scaled(scree_sym3 *s, double c, scree_sym3 b) {
    s->xx += c * b.xx;
    s->yy += c * b.yy;
    s->zz += c * b.zz;
    s->xy += c * b.xy;
    s->xz += c * b.xz;
    s->yz += c * b.yz;
}

/* sum += c part, the part moved by d. */
void scree_moments_add(scree_moments *sum, double c, scree_moments part,
                       scree_vec3 d);

/* Over the Minkowski sum of a thin body (a line, a sheet) and its cross
 * section, where each point of one meets each point of the other. */
scree_moments scree_moments_swept(scree_moments body, scree_moments section);

scree_moments scree_moments_segment(scree_vec3 p, scree_vec3 q);
/* Signed: the triangle 0 a b in the plane z = 0, the tetrahedron 0 a b c. */
scree_moments scree_moments_triangle(scree_vec3 a, scree_vec3 b);
scree_moments scree_moments_tetrahedron(scree_vec3 a, scree_vec3 b,
                                        scree_vec3 c);
/* The flat triangle 0 a b in space. */
scree_moments scree_moments_sheet(scree_vec3 a, scree_vec3 b);
/* Sector of a circle about 0: unit vectors `middle` along its bisector and
 * `across`, which span its plane; 0 <= angle <= 2 pi. */
scree_moments scree_moments_sector(double r, double angle, scree_vec3 middle,
                                   scree_vec3 across);

/* The sum was taken about `origin`. */
scree_mass scree_mass_from_moments(scree_moments sum, scree_vec3 origin);

#endif
