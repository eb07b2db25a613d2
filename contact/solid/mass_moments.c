#include "contact/solid/mass_moments.h"

void scree_moments_add(scree_moments *sum, double c, scree_moments part,
                       scree_vec3 d) {
    sum->v += c * part.v;
    sum->m = add_scaled(sum->m, c, add_scaled(part.m, part.v, d));
    sym_add_scaled(&sum->s, c, part.s);
    sym_add(&sum->s, 2 * c, part.m, d);
    sym_add(&sum->s, c * part.v, d, d);
}

scree_moments scree_moments_swept(scree_moments body, scree_moments section) {
    scree_moments sum = {
        .v = body.v * section.v,
        .m = add(scale(section.v, body.m), scale(body.v, section.m))};
    sym_add_scaled(&sum.s, section.v, body.s);
    sym_add(&sum.s, 2, body.m, section.m);
    sym_add_scaled(&sum.s, body.v, section.s);
    return sum;
}

scree_moments scree_moments_segment(scree_vec3 p, scree_vec3 q) {
    const double length = norm(sub(q, p));
    scree_moments sum = {.v = length, .m = scale(0.5 * length, add(p, q))};
    sym_add(&sum.s, length / 3, p, p);
    sym_add(&sum.s, length / 3, p, q);
    sym_add(&sum.s, length / 3, q, q);
    return sum;
}

/* int x x^T over a simplex of measure v with the corners 0, a, b, ...:
 * v / ((n + 1)(n + 2)) (sum of squares + square of the sum), dimension n. */
static scree_moments plane_simplex(double v, scree_vec3 a, scree_vec3 b) {
    const scree_vec3 c = add(a, b);
    scree_moments sum = {.v = v, .m = scale(v / 3, c)};
    sym_add(&sum.s, v / 12, a, a);
    sym_add(&sum.s, v / 12, b, b);
    sym_add(&sum.s, v / 12, c, c);
    return sum;
}

scree_moments scree_moments_triangle(scree_vec3 a, scree_vec3 b) {
    return plane_simplex(0.5 * (a.x * b.y - a.y * b.x), a, b);
}

scree_moments scree_moments_sheet(scree_vec3 a, scree_vec3 b) {
    return plane_simplex(0.5 * norm(cross(a, b)), a, b);
}

scree_moments scree_moments_tetrahedron(scree_vec3 a, scree_vec3 b,
                                        scree_vec3 c) {
    const double v = dot(a, cross(b, c)) / 6;
    const scree_vec3 d = add(a, add(b, c));
    scree_moments sum = {.v = v, .m = scale(v / 4, d)};
    sym_add(&sum.s, v / 20, a, a);
    sym_add(&sum.s, v / 20, b, b);
    sym_add(&sum.s, v / 20, c, c);
    sym_add(&sum.s, v / 20, d, d);
    return sum;
}

scree_moments scree_moments_sector(double r, double angle, scree_vec3 middle,
                                   scree_vec3 across) {
    const double r2 = r * r, second = r2 * r2 / 8;
    scree_moments sum = {
        .v = 0.5 * r2 * angle,
        .m = scale(2 / 3. * r2 * r * scree_sin(0.5 * angle), middle)};
    sym_add(&sum.s, second * (angle + scree_sin(angle)), middle, middle);
    sym_add(&sum.s, second * (angle - scree_sin(angle)), across, across);
    return sum;
}

scree_mass scree_mass_from_moments(scree_moments sum, scree_vec3 origin) {
    const scree_vec3 c = scale(1 / sum.v, sum.m);
    sym_add(&sum.s, -sum.v, c, c);
    return (scree_mass){.volume = sum.v,
                        .centre = add(origin, c),
                        .xx = sum.s.yy + sum.s.zz,
                        .yy = sum.s.xx + sum.s.zz,
                        .zz = sum.s.xx + sum.s.yy,
                        .xy = -sum.s.xy,
                        .xz = -sum.s.xz,
                        .yz = -sum.s.yz};
}
