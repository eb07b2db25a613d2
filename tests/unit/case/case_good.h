/* case_good.h: valid cases, for the tests of the reader and the printer. */
#ifndef SCREE_TESTS_CASE_GOOD_H
#define SCREE_TESTS_CASE_GOOD_H

#define TIME "time: {end: 2, step: 1e-3}\n"
#define MATERIALS                                                              \
    "materials:\n"                                                             \
    "  - {name: glass, density: 2500, friction: 0.5, restitution: 0.25,\n"     \
    "     tangential_restitution: 0.75}\n"                                     \
    "  - {name: steel, density: 7800, friction: 0.32, restitution: 0.5}\n"
#define BODIES                                                                 \
    "bodies:\n"                                                                \
    "  - sphere: {position: [0, 0, 1]}\n"                                      \
    "    radius: 0.1\n"
#define BASE TIME MATERIALS BODIES

/* Every key of every kind of entry. */
static const char full[] =
    "name: column-collapse\n"
    "units: cgs\n"
    "seed: 42\n" TIME "gravity: [1, -2, 3.5]\n"
    "stepper: moreau\n"
    "threads: 3\n"
    "reproducible: on\n"
    "solver: {method: jacobi, iterations: 5e3, tolerance: 0, relaxation: 0.5,\n"
    "  momentum: 0.25, warm_start: off}\n"
    "contact: {gap_control: no, recovery_velocity: auto,\n"
    "  restitution_speed: 0.25}\n" MATERIALS "pairs:\n"
    "  - {materials: [steel, glass], restitution: 1}\n"
    "  - {materials: [steel, steel], friction: 0.75}\n"
    "walls:\n"
    "  - plane: {point: [1, 2, 3], normal: [0, 0, 2]}\n"
    "    name: floor\n"
    "    material: steel\n"
    "    motion:\n"
    "      velocity: [1, 0, 0]\n"
    "      oscillation: {amplitude: [0, 0, 0.5], frequency: 20, phase: 0.5}\n"
    "      rotation: {axis: [0, 1, 0], origin: [4, 5, 6], rate: -2}\n"
    "    from: -1\n"
    "    until: 0.5\n"
    "  - box: {min: [-1, -2, -3], max: [3, 4, 5], open: [top, left]}\n"
    "  - prism: {center: [1, 1, 1], axis: [0, 3, 0], radius: 0.5, length: "
    "0.2,\n"
    "      sides: 5}\n"
    "    name: drum\n"
    "bodies:\n"
    "  - sphere: {position: [0, 0, 1], orientation: [0, 1, 0, 0]}\n"
    "    radius: {constant: 0.1}\n"
    "    velocity: [1, 2, 3]\n"
    "    angular_velocity: [4, 5, 6]\n"
    "    material: steel\n"
    "  - lattice: {origin: [1, 2, 3], counts: [4, 1, 2], spacing: 1,\n"
    "      jitter: 0.01}\n"
    "    radius: {uniform: {min: 0.1, max: 0.2}}\n"
    "  - fill: {box: {min: [0, 0, 0], max: [1, 2, 3]}, count: 100}\n"
    "    radius: {normal: {mean: 0.1, deviation: 0.01, min: 0.05, max: 0.2}}\n"
    "  - fill:\n"
    "      cylinder: {base: [1, 2, 3], axis: [0, 0, 1], radius: 1, height: 2}\n"
    "      solid_fraction: 0.3\n"
    "    radius: {list: {values: [0.1, 0.2, 0.3], weights: [3, 2, 1]}}\n"
    "  - pour: {box: {min: [0, 0, 0], max: [1, 1, 1]}, rate: 500, count: "
    "2000,\n"
    "      start: 0.5, stop: 4}\n"
    "    radius: 0.1\n"
    "outputs:\n"
    "  - frames: {every: 0.02}\n"
    "  - scalars: {}\n";

#endif
