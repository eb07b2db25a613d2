/* disc.h: round bodies of plane worlds. They touch as spheres do whose centres lie
 * in the plane. */
#ifndef SCREE_CONTACT_SHAPES_DISC_H
#define SCREE_CONTACT_SHAPES_DISC_H

#include "contact/solid/shape.h"

#endif
