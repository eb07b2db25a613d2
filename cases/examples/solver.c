/* solver.c: a solver of one's own. Every step's contact problem
 *
 *     u = W r + q,   r in the friction cone, and u as Coulomb's law says
 *
 * is solved once more, by Gauss-Seidel over its contacts, and compared with what the
 * library found.
 *
 *   cc solver.c $(pkg-config --cflags --libs scree) */
#include <scree_fc3d.h>
#include <scree_generate.h>
#include <stdio.h>
#include <string.h>

/* One sweep: each contact is solved with what the others do to it. */
static void sweep_once(scree_fc3d *p) {
    for (int i = 0; i < p->nc; i++) {
        const double *W = &p->W[9 * p->row[i]]; /* the diagonal block */
        double *r = &p->r[3 * i], b[3];
        scree_fc3d_row(p, i, b);
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++) b[k] -= W[3 * k + l] * r[l];
        scree_fc3d_contact(W, b, p->mu[i], r);
    }
}

typedef struct tally {
    int problems, sweeps;
    double worst;
} tally;

static scree_status solve_again(void *context, const scree_world *world,
                                scree_error *error) {
    tally *t = context;
    scree_fc3d p;
    const scree_status status = scree_world_read_problem(world, &p, error);
    if (status) return status;
    memset(p.r, 0, 3 * (size_t)p.nc * sizeof *p.r);
    double residual = scree_fc3d_residual(&p);
    for (int k = 0; k < 10000 && residual > 1e-8; k++, t->sweeps++) {
        sweep_once(&p);
        residual = scree_fc3d_residual(&p);
    }
    if (residual > t->worst) t->worst = residual;
    t->problems++;
    scree_fc3d_free(&p);
    return SCREE_OK;
}

int main(void) {
    scree_world_def def = scree_world_def_default();
    def.solver.dump = SCREE_DUMP_ALL; /* the saver is told of every problem */
    def.solver.tolerance = 1e-8;
    scree_world *world;
    tally t = {0};
    scree_material_def stone = scree_material_def_default();
    const scree_plane_def ground = scree_plane_def_default();
    const scree_lattice heap = {.origin = {0, 0, 0.06},
                                .counts = {3, 3, 4},
                                .spacing = {0.11, 0.11, 0.11},
                                .jitter = 0.004,
                                .grain = {.radius = {.value = 0.05}}};
    stone.law.friction = 0.4;
    scree_error error = {0};
    if (scree_world_create(&def, &world)) return 1;
    scree_world_set_saver(world, solve_again, &t);
    int failed =
        scree_world_add_material(world, &stone, NULL) ||
        scree_world_add_plane(world, &ground, NULL) ||
        scree_lattice_make(&heap, scree_random_begin(1, 0), world, &error);
    while (!failed && scree_world_time(world) < 0.3)
        failed = scree_world_step(world);
    if (failed) fprintf(stderr, "%s%s\n", error.text, scree_world_error(world));
    printf("%d problems, %d sweeps, worst residual %.1e\n", t.problems,
           t.sweeps, t.worst);
    scree_world_destroy(world);
    return failed;
}
