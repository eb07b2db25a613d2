/* fc3d_contact.c: the problem of one contact, exactly.
 *
 * With u = W r + b and b_N < 0 the contact is closed, u_N = 0. Eliminating r_N,
 *     u_T = S r_T + c,   S = W_TT - W_TN W_NT / W_NN,   c = b_T - W_TN b_N / W_NN.
 * Friction says u_T = -s r_T with s >= 0, so r_T(s) = -(S + s)^-1 c, and s = 0 is
 * sticking. Slip is the root of
 *     g(s) = |r_T(s)| - mu r_N(s),    r_N(s) = -(b_N + W_NT r_T(s)) / W_NN.
 * g(0) > 0 if sticking is outside the cone, and g(s) -> mu b_N / W_NN < 0: the
 * root exists and is found by Newton's method kept inside its bracket. In the
 * eigenvectors of S one evaluation is two divisions and a square root. */
#include <float.h>
#include <math.h>

#include "engine/base/elementary/elementary.h"
#include "solvers/blocks/fc3d.h"

typedef struct reduced {
    double lambda[2]; /* eigenvalues of S, >= 0 */
    double c[2];      /* c by eigenvectors */
    double w[2];      /* W_NT by eigenvectors */
    double cosine, sine;
    double b_n, W_nn, mu;
    double r_n, r_t[2]; /* at the last s */
} reduced;

/* Rotation that makes S = [a h; h d] diagonal (one Jacobi rotation). */
static void diagonalise_tangent(reduced *k, double a, double h, double d) {
    const double angle = 0.5 * scree_atan2(2 * h, a - d);
    k->cosine = scree_cos(angle), k->sine = scree_sin(angle);
    const double middle = 0.5 * (a + d), radius = scree_hypot(0.5 * (a - d), h);
    k->lambda[0] = fmax(0, middle + radius);
    k->lambda[1] = fmax(0, middle - radius);
}

static void rotate_tangent(const reduced *k, double x, double y,
                           double out[2]) {
    out[0] = k->cosine * x + k->sine * y;
    out[1] = -k->sine * x + k->cosine * y;
}

static void reduce_contact(reduced *k, const double W[9], const double b[3]) {
    const double f = 1 / W[0];
    const double h =
        0.5 * (W[5] + W[7]) - 0.5 * f * (W[3] * W[2] + W[6] * W[1]);
    diagonalise_tangent(k, W[4] - f * W[3] * W[1], h, W[8] - f * W[6] * W[2]);
    rotate_tangent(k, b[1] - f * W[3] * b[0], b[2] - f * W[6] * b[0], k->c);
    rotate_tangent(k, W[1], W[2], k->w);
    /* What is only rounding must not be divided by a zero eigenvalue. */
    const double noise =
        8 * DBL_EPSILON * (fabs(b[0]) + fabs(b[1]) + fabs(b[2]));
    for (int i = 0; i < 2; i++)
        if (fabs(k->c[i]) <= noise) k->c[i] = 0;
    k->b_n = b[0], k->W_nn = W[0];
}

/* g(s); *slope = g'(s). */
static double gap_at(reduced *k, double s, double *slope) {
    double dot = 0, drive = 0, drive_slope = 0;
    for (int i = 0; i < 2; i++) {
        const double e = k->lambda[i] + s;
        k->r_t[i] = k->c[i] == 0 ? 0 : -k->c[i] / e;
        const double change = k->c[i] == 0 ? 0 : -k->r_t[i] / e;
        dot += k->r_t[i] * change;
        drive += k->w[i] * k->r_t[i];
        drive_slope += k->w[i] * change;
    }
    const double length = scree_hypot(k->r_t[0], k->r_t[1]);
    k->r_n = -(k->b_n + drive) / k->W_nn;
    *slope = (length > 0 ? dot / length : 0) + k->mu * drive_slope / k->W_nn;
    return length - k->mu * k->r_n;
}

/* From s = 0 with g > 0 to the root. */
static void solve_slip(reduced *k) {
    double slope, low = 0, high = k->lambda[0] + k->W_nn;
    for (int n = 0; n < 200 && gap_at(k, high, &slope) > 0; n++)
        low = high, high *= 4;
    double s = low;
    for (int n = 0; n < 100; n++) {
        const double g = gap_at(k, s, &slope);
        if (g > 0)
            low = s;
        else
            high = s;
        double next = s - g / slope;
        if (!(next > low && next < high)) next = 0.5 * (low + high);
        if (fabs(next - s) <= 4 * DBL_EPSILON * next) break;
        s = next;
    }
}

void scree_fc3d_contact(const double W[9], const double b[3], double mu,
                        double r[3]) {
    r[0] = r[1] = r[2] = 0;
    if (b[0] >= 0 || !(W[0] > 0)) return;
    reduced k = {.mu = mu};
    reduce_contact(&k, W, b);
    double slope;
    if (!(mu > 0)) {
        r[0] = -b[0] / W[0];
        return;
    }
    if (!(gap_at(&k, 0, &slope) <= 0)) solve_slip(&k);
    const double length = scree_hypot(k.r_t[0], k.r_t[1]);
    const double fit = length > mu * k.r_n ? mu * k.r_n / length : 1;
    r[0] = k.r_n;
    r[1] = fit * (k.cosine * k.r_t[0] - k.sine * k.r_t[1]);
    r[2] = fit * (k.sine * k.r_t[0] + k.cosine * k.r_t[1]);
}
