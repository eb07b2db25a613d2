#include "engine/measure/gate.h"

scree_gate scree_gate_plane(scree_vec3 point, scree_vec3 normal) {
    return (scree_gate){.kind = SCREE_GATE_PLANE,
                        .p = point,
                        .n = scale(1 / norm(normal), normal)};
}

scree_gate scree_gate_disc(scree_vec3 center, scree_vec3 normal,
                           double radius) {
    scree_gate gate = scree_gate_plane(center, normal);
    gate.kind = SCREE_GATE_DISC;
    gate.radius = radius;
    return gate;
}

/* The dual basis: x - p = s first + t second in the plane. */
scree_gate scree_gate_rectangle(scree_vec3 corner, scree_vec3 first,
                                scree_vec3 second) {
    const scree_vec3 n = cross(first, second);
    scree_gate gate = scree_gate_plane(corner, n);
    gate.kind = SCREE_GATE_RECTANGLE;
    gate.across[0] = scale(1 / dot(n, n), cross(second, n));
    gate.across[1] = scale(1 / dot(n, n), cross(n, first));
    return gate;
}

/* Of a point of the gate's plane, less p. */
static bool gate_contains(const scree_gate *gate, scree_vec3 x) {
    if (gate->kind == SCREE_GATE_PLANE) return true;
    if (gate->kind == SCREE_GATE_DISC)
        return dot(x, x) < gate->radius * gate->radius;
    const double s = dot(gate->across[0], x), t = dot(gate->across[1], x);
    return s >= 0 && s < 1 && t >= 0 && t < 1;
}

int scree_gate_crossing(const scree_gate *gate, scree_vec3 from,
                        scree_vec3 to) {
    const scree_vec3 x = sub(from, gate->p), y = sub(to, gate->p);
    const double before = dot(gate->n, x), after = dot(gate->n, y);
    if ((before >= 0) == (after >= 0)) return 0;
    const double share = before / (before - after);
    if (!gate_contains(gate, add_scaled(x, share, sub(y, x)))) return 0;
    return after >= 0 ? 1 : -1;
}
