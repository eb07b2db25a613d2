/* shape.h: what a shape is. One file and one line in shapes.def each. */
#ifndef SCREE_CONTACT_SHAPE_H
#define SCREE_CONTACT_SHAPE_H

#include <stdbool.h>

typedef struct scree_shape_ops {
    const char *name;
    const char *about;
    /* Volume [m^3] and squared radius of gyration theta / m [m^2] of the solid
     * of the given size; NULL for shapes that only walls have. */
    double (*volume)(double size);
    double (*gyration2)(double size);
} scree_shape_ops;

/* Shape i of shapes.def, NULL past the end. */
const scree_shape_ops *scree_shape_get(int i);

#endif
