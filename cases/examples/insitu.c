/* insitu.c: a case, watched while it runs. The height of the highest ball of a heap is
 * printed every 0.1 s, the run ends when all is quiet, and the last frame is read back.
 *
 *   cc insitu.c $(pkg-config --cflags --libs scree) -lm */
#include <math.h>
#include <scree_case.h>
#include <scree_results.h>
#include <stdio.h>

static const char text[] =
    "name: heap\n"
    "time: {end: 5, step: 1e-3}\n"
    "materials: [{name: stone, density: 2500, friction: 0.5}]\n"
    "walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1]},"
    " material: stone}]\n"
    "bodies: [{lattice: {counts: [3, 3, 3], spacing: 0.12,"
    " origin: [0, 0, 0.1]}, radius: 0.05, material: stone}]\n"
    "outputs: [{frames: {every: 0.5}}]\n";
enum { BALLS = 27 };

static double highest(const double x[BALLS][3]) {
    double z = 0;
    for (int i = 0; i < BALLS; i++) z = fmax(z, x[i][2]);
    return z;
}

/* After every step; false ends the run. */
static bool watch_run(void *last, const scree_run_state *at) {
    double x[BALLS][3];
    scree_scalars now;
    scree_world_read_scalars(at->world, &now);
    scree_world_read_state(at->world, &(scree_state_view){.position = x[0]});
    *(double *)last = highest(x);
    if (at->step % 100 == 0)
        printf("t = %.1f s: highest ball at %.4f m\n", at->time, highest(x));
    return at->time < 1 || now.kinetic > 1e-9;
}

int main(int argc, char **argv) {
    scree_error error = {0};
    scree_case *heap = NULL;
    scree_results *results = NULL;
    scree_run_def def = scree_run_def_default();
    double last = 0, x[BALLS][3] = {{0}};
    def.out = argc > 1 ? argv[1] : "out/heap";
    def.force = true;
    def.each = watch_run, def.context = &last;
    int failed =
        scree_case_read_text(text, "insitu.c", 0, NULL, &heap, &error) ||
        scree_case_run(heap, &def, &error) ||
        scree_results_open(def.out, &results, &error);
    const int n = failed ? 0 : scree_results_count(results, "bodies");
    if (!failed)
        failed = scree_results_read(results, "bodies", n - 1, "position", x[0],
                                    &error);
    if (failed) fprintf(stderr, "%s\n", error.text);
    printf("%d frames; the last one differs by %g m\n", n, highest(x) - last);
    scree_results_close(results);
    scree_case_free(heap);
    return failed;
}
