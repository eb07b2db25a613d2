/* world.c: Scree as a library. Three balls fall onto a floor, one above the
 * other, and come to rest as a stack.
 *
 *   cc world.c $(pkg-config --cflags --libs scree) */
#include <scree.h>
#include <stdio.h>

static int build(scree_world *world) {
    const scree_material_def stone = scree_material_def_default();
    int material;
    if (scree_world_add_material(world, &stone, &material)) return 1;
    scree_plane_def ground = scree_plane_def_default();
    ground.normal[2] = 1;
    ground.material = material;
    if (scree_world_add_plane(world, &ground, NULL)) return 1;
    for (int k = 0; k < 3; k++) {
        scree_sphere_def ball = scree_sphere_def_default();
        ball.position[2] = 0.2 + 0.3 * k;
        ball.radius = 0.1;
        ball.material = material;
        if (scree_world_add_sphere(world, &ball, NULL)) return 1;
    }
    return 0;
}

int main(void) {
    const scree_world_def def = scree_world_def_default();
    scree_world *world;
    if (scree_world_create(&def, &world)) return 1;
    int failed = build(world);
    while (!failed && scree_world_time(world) < 2)
        failed = scree_world_step(world);
    if (failed) fprintf(stderr, "%s\n", scree_world_error(world));
    double x[3][3] = {{0}};
    scree_world_read_state(world, &(scree_state_view){.position = x[0]});
    for (int k = 0; k < 3; k++)
        printf("ball %d rests at z = %.4f\n", k, x[k][2]);
    scree_world_destroy(world);
    return failed;
}
