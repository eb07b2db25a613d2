#include "tests/io/files/fixture.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void make_world(fixture *f) {
    scree_world_def def = scree_world_def_default();
    def.gravity[2] = -9.81;
    def.dt = 0.001;
    assert_int_equal(scree_world_create(&def, &f->world), SCREE_OK);
    scree_material_def material = scree_material_def_default();
    material.density = 2000.0;
    for (int i = 0; i < 2; i++) {
        int index;
        assert_int_equal(scree_world_add_material(f->world, &material, &index),
                         SCREE_OK);
        assert_int_equal(index, i);
    }
    for (int i = 0; i < 2; i++) {
        scree_plane_def plane = scree_plane_def_default();
        plane.normal[0] = i == 1 ? 1.0 : 0.0;
        plane.normal[1] = 0.0;
        plane.normal[2] = i == 0 ? 1.0 : 0.0;
        int wall;
        assert_int_equal(scree_world_add_plane(f->world, &plane, &wall),
                         SCREE_OK);
        f->walls[i].def = plane;
    }
}

int fixture_open(void **state) {
    static char floor[] = "floor", side[] = "side, left", name[] = "fixture",
                text[] = "name: fixture\n# a case\n",
                overrides[] = "time.end=1\n";
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    /* Runs sync what they write: memory is faster at that than a disk. */
    snprintf(f->folder, sizeof f->folder, "%s/scree-test-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    assert_non_null(mkdtemp(f->folder));
    make_world(f);
    f->walls[0].name = floor;
    f->walls[1].name = side;
    f->source = (scree_case){.name = name,
                             .text = text,
                             .overrides = overrides,
                             .seed = UINT64_MAX,
                             .world = {.dt = 0.001},
                             .n_wall = 2,
                             .walls = f->walls};
    f->context = (scree_output_context){
        .folder = f->folder, .source = &f->source, .world = f->world};
    *state = f;
    return 0;
}

static int remove_entry(const char *path, const struct stat *info, int type,
                        struct FTW *where) {
    (void)info, (void)type, (void)where;
    return remove(path);
}

int fixture_close(void **state) {
    fixture *f = *state;
    scree_world_destroy(f->world);
    nftw(f->folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    free(f);
    return 0;
}

void fixture_step(fixture *f, int steps) {
    for (int i = 0; i < steps; i++)
        assert_int_equal(scree_world_step(f->world), SCREE_OK);
}

/* A row along x, each sphere touching the floor, the first also the side. */
void fixture_settle(fixture *f, int spheres) {
    for (int i = 0; i < spheres; i++) {
        scree_sphere_def sphere = scree_sphere_def_default();
        sphere.radius = 0.1;
        sphere.position[0] = 0.1 + 0.2 * i;
        sphere.position[1] = 0.01 * i;
        sphere.position[2] = 0.1;
        sphere.velocity[0] = -0.5 - i;
        sphere.angular_velocity[1] = 0.25 * i;
        sphere.material = i % 2;
        int64_t id;
        assert_int_equal(scree_world_add_sphere(f->world, &sphere, &id),
                         SCREE_OK);
    }
    fixture_step(f, 3);
}

void *fixture_sink(fixture *f, const scree_output_ops *ops) {
    void *self = NULL;
    scree_error error = {0};
    if (ops->open(&f->context, &self, &error) != SCREE_OK)
        fail_msg("%s", error.text);
    return self;
}

const char *fixture_path(const fixture *f, const char *name) {
    static char paths[4][128];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", f->folder, name);
    return path;
}

const char *fixture_text(const fixture *f, const char *name) {
    static char texts[4][20000];
    static int next;
    char *text = texts[next++ % 4];
    FILE *file = fopen(fixture_path(f, name), "r");
    if (!file) fail_msg("there is no %s", name);
    text[fread(text, 1, sizeof texts[0] - 1, file)] = '\0';
    fclose(file);
    return text;
}

int fixture_file_count(const fixture *f) {
    DIR *folder = opendir(f->folder);
    assert_non_null(folder);
    int n = 0;
    for (const struct dirent *e; (e = readdir(folder));) n += *e->d_name != '.';
    closedir(folder);
    return n;
}
