#include "contact/solid/form.h"

#include <stdlib.h>

void scree_form_free(scree_form *form) {
    scree_hull_free(&form->hull);
    free(form->balls);
    *form = (scree_form){0};
}

/* By cofactors; the tensor is positive. */
static scree_sym3 inverse_of(const scree_sym3 *A) {
    const double xx = A->yy * A->zz - A->yz * A->yz;
    const double xy = A->xz * A->yz - A->xy * A->zz;
    const double xz = A->xy * A->yz - A->xz * A->yy;
    const double s = 1.0 / (A->xx * xx + A->xy * xy + A->xz * xz);
    return (scree_sym3){.xx = s * xx,
                        .yy = s * (A->xx * A->zz - A->xz * A->xz),
                        .zz = s * (A->xx * A->yy - A->xy * A->xy),
                        .xy = s * xy,
                        .xz = s * xz,
                        .yz = s * (A->xy * A->xz - A->xx * A->yz)};
}

void scree_form_weigh(scree_form *form, const scree_mass *m) {
    const double v = m->volume;
    form->volume = v;
    form->J = (scree_sym3){.xx = m->xx / v,
                           .yy = m->yy / v,
                           .zz = m->zz / v,
                           .xy = m->xy / v,
                           .xz = m->xz / v,
                           .yz = m->yz / v};
    form->inv_J = inverse_of(&form->J);
}

scree_sym3 scree_sym3_turned(const scree_sym3 *A, const scree_mat3 *R) {
    /* Rows of R, then R A R^T entry by entry. */
    const scree_vec3 x = vec(R->x.x, R->y.x, R->z.x);
    const scree_vec3 y = vec(R->x.y, R->y.y, R->z.y);
    const scree_vec3 z = vec(R->x.z, R->y.z, R->z.z);
    const scree_vec3 Ax = sym3_mul(A, x), Ay = sym3_mul(A, y);
    const scree_vec3 Az = sym3_mul(A, z);
    return (scree_sym3){.xx = dot(x, Ax),
                        .yy = dot(y, Ay),
                        .zz = dot(z, Az),
                        .xy = dot(x, Ay),
                        .xz = dot(x, Az),
                        .yz = dot(y, Az)};
}
