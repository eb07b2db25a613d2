/* model.c: a model of one's own. A mass m on a spring k moves beside a stop, which it
 * hits with the restitution e_n:
 *
 *     m du = -k (q - l) dt + dP,    q >= 0,    start at q = 1 at rest
 *
 *   cc model.c $(pkg-config --cflags --libs scree) -lm */
#include <math.h>
#include <scree_model.h>
#include <stdio.h>

enum { MASS, STIFFNESS, LENGTH, E_N };
static const scree_parameter parameters[] = {
    [MASS] = {"mass", 1, "kg", "of the body", NULL},
    [STIFFNESS] = {"stiffness", 100, "N/m", "of the spring", NULL},
    [LENGTH] = {"length", 0, "m", "of the spring without force", NULL},
    [E_N] = {"e_n", 0.5, "1", "restitution at the stop", NULL},
};

static void laws(const double *p, scree_law *law) {
    law[0] =
        (scree_law){.name = "stop", .kind = SCREE_LAW_CONTACT, .e_n = p[E_N]};
}
static void start(const double *p, double *q, double *u) {
    (void)p, q[0] = 1, u[0] = 0;
}
static void mass(const double *p, double t, const double *q, double *M) {
    (void)t, (void)q, M[0] = p[MASS];
}
static void force(const double *p, double t, const double *q, const double *u,
                  double *h) {
    (void)t, (void)u, h[0] = -p[STIFFNESS] * (q[0] - p[LENGTH]);
}
static void gaps(const double *p, double t, const double *q, double *g) {
    (void)p, (void)t, g[0] = q[0];
}
static void rows(const double *p, double t, const double *q, double *Wt,
                 double *chi) {
    (void)p, (void)t, (void)q, Wt[0] = 1, chi[0] = 0;
}

static const scree_model_ops oscillator = {.name = "oscillator",
                                           .n_q = 1,
                                           .n_u = 1,
                                           .n_law = 1,
                                           .n_row = 1,
                                           .n_parameter = 4,
                                           .parameters = parameters,
                                           .laws = laws,
                                           .start = start,
                                           .mass = mass,
                                           .force = force,
                                           .gaps = gaps,
                                           .rows = rows};

int main(void) {
    scree_error error = {0};
    scree_dense_options options = scree_dense_options_default();
    scree_dense *system = NULL;
    options.dt = 1e-3;
    scree_status status = scree_model_check(&oscillator, NULL, &error);
    if (!status) status = scree_dense_create(&oscillator, NULL, &system);
    double largest[3] = {
        0}; /* distance before the first hit, after it, after two */
    for (int hits = 0; !status && hits < 3;) {
        status = scree_dense_step(system, "rattle", &options, &error);
        const scree_dense_view now = scree_dense_view_of(system);
        if (now.P[0] > 0) hits++;
        if (hits < 3) largest[hits] = fmax(largest[hits], now.q[0]);
    }
    if (status) fprintf(stderr, "%s\n", error.text);
    for (int k = 0; k < 3; k++) printf("swing %d: %.4f m\n", k, largest[k]);
    scree_dense_destroy(system);
    return status;
}
