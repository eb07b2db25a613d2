#include "contact/shapes/sphere.h"

static double volume(double r) { return 4.0 / 3.0 * SCREE_PI * r * r * r; }

static double gyration2(double r) { return 0.4 * r * r; }

const scree_shape_ops scree_shape_sphere = {
    .name = "sphere",
    .about = "ball of a radius, free to move and to spin",
    .volume = volume,
    .gyration2 = gyration2,
};
