/* shapes_forms.c: the forms of the bodies, with principal axes, so that an engine
 * that knows no others gets the same bodies. */
#include <math.h>

#include "contact/solid/mass.h"
#include "contact/solid/rock.h"
#include "engine/base/random.h"
#include "shapes.h"

/* ---- principal axes ------------------------------------------------------ */

static void turn(double A[3][3], double V[3][3], int p, int q) {
    if (A[p][q] == 0) return;
    const double half = (A[q][q] - A[p][p]) / (2 * A[p][q]);
    const double t = copysign(1, half) / (fabs(half) + sqrt(half * half + 1));
    const double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < 3; ++k) {
        const double kp = A[k][p], kq = A[k][q];
        A[k][p] = c * kp - s * kq, A[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < 3; ++k) {
        const double pk = A[p][k], qk = A[q][k], vp = V[k][p], vq = V[k][q];
        A[p][k] = c * pk - s * qk, A[q][k] = s * pk + c * qk;
        V[k][p] = c * vp - s * vq, V[k][q] = s * vp + c * vq;
    }
}

/* Jacobi's method: A becomes diagonal, the columns of V are its axes. */
static void diagonalise(double A[3][3], double V[3][3]) {
    for (int i = 0; i < 9; ++i) V[i / 3][i % 3] = i / 3 == i % 3;
    for (int sweep = 0; sweep < 20; ++sweep)
        turn(A, V, 0, 1), turn(A, V, 0, 2), turn(A, V, 1, 2);
}

/* ---- forms --------------------------------------------------------------- */

static void make_box(shapes_form *f, scree_random *rng) {
    double h[3];
    for (int k = 0; k < 3; ++k)
        h[k] = f->half[k] = scree_random_range(rng, 0.03, 0.05);
    f->box = true;
    f->volume = 8 * h[0] * h[1] * h[2];
    for (int k = 0; k < 3; ++k) {
        const double b = h[(k + 1) % 3], c = h[(k + 2) % 3];
        f->J[k] = (b * b + c * c) / 3;
    }
}

static void take_hull(shapes_form *f, const scree_hull *hull) {
    const scree_mass m = scree_mass_hull(hull, 0);
    double A[3][3] = {
        {m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}};
    double V[3][3];
    diagonalise(A, V);
    f->volume = m.volume;
    f->n_point = hull->n_vertex;
    for (int k = 0; k < 3; ++k) f->J[k] = A[k][k] / m.volume;
    for (int i = 0; i < hull->n_vertex; ++i) {
        double x[3];
        vec_to(hull->vertex[i], x);
        for (int k = 0; k < 3; ++k)
            f->points[3 * i + k] =
                V[0][k] * x[0] + V[1][k] * x[1] + V[2][k] * x[2];
    }
}

/* From *seed on the first rock all of whose points are corners. */
static void make_rock(shapes_form *f, uint64_t *seed) {
    scree_rock_def def = scree_rock_default();
    def.diameter = 0.1;
    def.flatness = 0.8;
    def.n_points = SHAPES_POINTS;
    scree_error error;
    for (scree_hull hull = {0};; scree_hull_free(&hull)) {
        def.seed = (*seed)++;
        if (scree_rock_make(&def, &hull, &error) != SCREE_OK)
            bench_die("a rock cannot be made");
        if (hull.n_vertex != SHAPES_POINTS) continue;
        take_hull(f, &hull);
        scree_hull_free(&hull);
        return;
    }
}

void shapes_make_forms(shapes_kind kind, shapes_form forms[SHAPES_FORMS]) {
    scree_random rng = scree_random_stream(7, 0);
    uint64_t seed = 1;
    for (int i = 0; i < SHAPES_FORMS; ++i) {
        forms[i] = (shapes_form){0};
        if (kind == SHAPES_BOXES)
            make_box(&forms[i], &rng);
        else
            make_rock(&forms[i], &seed);
    }
}
