/* form.h: the forms that bodies have beside spheres: a convex solid, or a rigid
 * clump of balls. Shared by all bodies of that form. */
#ifndef SCREE_CONTACT_FORM_H
#define SCREE_CONTACT_FORM_H

#include "contact/solid/mass.h"
#include "contact/solid/solid.h"

typedef struct scree_form {
    scree_solid solid; /* of a clump: the ball around it */
    scree_hull hull;   /* what solid.hull points to, if anything */
    int n_ball;
    scree_ball *balls; /* (n_ball) of a clump, about its centre of mass */
    double volume;     /* [m^3], in the plane [m^2] */
    scree_sym3 J;      /* inertia over mass, body frame [m^2] */
    scree_sym3 inv_J;  /* its inverse */
} scree_form;

void scree_form_free(scree_form *form);

/* Fills volume, J and inv_J from the mass of unit density, whose centre is the
 * origin. */
void scree_form_weigh(scree_form *form, const scree_mass *mass);

/* R A R^T */
scree_sym3 scree_sym3_turned(const scree_sym3 *A, const scree_mat3 *R);

#endif
