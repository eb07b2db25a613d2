#include "contact/shapes/disc.h"

#include "engine/base/vec.h"

static double volume(double r) { return SCREE_PI * r * r; }

static double gyration2(double r) { return 0.5 * r * r; }

const scree_shape_ops scree_shape_disc = {
    .name = "disc",
    .about = "plane worlds: disc of a radius and unit thickness",
    .volume = volume,
    .gyration2 = gyration2,
};
