/* shapes_bed.c: scenes, settled beds as files, and worlds from them. A file is
 *
 *   n side n_form
 *   box hx hy hz volume Jx Jy Jz             a form, or
 *   hull n_point x y z ... volume Jx Jy Jz
 *   form r x y z qw qx qy qz vx vy vz wx wy wz    a body */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/base/random.h"
#include "engine/base/vec.h"
#include "shapes.h"

const char *shapes_kind_name(shapes_kind kind) {
    static const char *const name[] = {"boxes", "rocks", "discs"};
    return name[kind];
}

/* ---- scenes -------------------------------------------------------------- */

/* How bodies become a bed. */
typedef struct fall {
    double time;  /* when it is taken as settled [s] */
    double speed; /* downward, of a body one metre up [m/s] */
    int iterations;
} fall;

static bool is_planar(const shapes_bed *bed) {
    return bed->kind == SHAPES_DISCS;
}

/* A bed in the plane is many times as deep. */
static const fall *fall_of(const shapes_bed *bed) {
    static const fall space = {.time = 1.5, .speed = 1, .iterations = 20};
    static const fall plane = {.time = 4, .iterations = 20};
    return is_planar(bed) ? &plane : &space;
}

/* A bed half as deep as it is wide; in the plane as deep as wide. */
static double side_of(shapes_kind kind, int64_t n) {
    const double wide = kind == SHAPES_DISCS
                            ? sqrt((double)n * 7.96e-3 / 0.84)
                            : cbrt((double)n * 2 * 5.2e-4 / 0.6);
    return round(100 * wide) / 100;
}

static void put_in_space(shapes_body *b, const shapes_bed *bed, int64_t i,
                         scree_random *rng) {
    const double pitch = 0.175;
    const int64_t row = (int64_t)(bed->side / pitch);
    const double step = bed->side / (double)row;
    const scree_quat q = quat_unit(
        (scree_quat){scree_random_normal(rng), scree_random_normal(rng),
                     scree_random_normal(rng), scree_random_normal(rng)});
    b->form = (int)(i % bed->n_form);
    b->x[0] = ((double)(i % row) + 0.5) * step - bed->side / 2;
    b->x[1] = ((double)(i / row % row) + 0.5) * step - bed->side / 2;
    b->x[2] = pitch * ((double)(i / (row * row)) + 0.6);
    b->q[0] = q.w, b->q[1] = q.x, b->q[2] = q.y, b->q[3] = q.z;
    b->v[2] = -fall_of(bed)->speed * b->x[2];
}

/* Rows of the largest, each in the gaps of the one below. */
static void put_in_plane(shapes_body *b, const shapes_bed *bed, int64_t i,
                         scree_random *rng) {
    const double d = 0.121, rise = d * sqrt(0.75);
    const int64_t row = (int64_t)((bed->side - d / 2) / d);
    const int64_t iy = i / row;
    b->form = -1;
    b->r = scree_random_range(rng, 0.04, 0.06);
    b->x[0] = ((double)(i % row) + (iy % 2 ? 1 : 0.5)) * d - bed->side / 2;
    b->x[1] = d / 2 + (double)iy * rise;
    b->q[0] = 1;
    b->v[1] = -fall_of(bed)->speed * b->x[1];
}

static shapes_bed scene(shapes_kind kind, int64_t n) {
    shapes_bed bed = {.kind = kind, .n = n, .side = side_of(kind, n)};
    scree_random rng = scree_random_stream(12345, 0);
    bed.bodies = calloc((size_t)n, sizeof *bed.bodies);
    if (!bed.bodies) bench_die("out of memory for %lld bodies", (long long)n);
    if (!is_planar(&bed)) {
        bed.n_form = SHAPES_FORMS;
        shapes_make_forms(kind, bed.forms);
    }
    for (int64_t i = 0; i < n; ++i)
        (is_planar(&bed) ? put_in_plane : put_in_space)(&bed.bodies[i], &bed, i,
                                                        &rng);
    return bed;
}

void shapes_bed_free(shapes_bed *bed) {
    free(bed->bodies);
    *bed = (shapes_bed){0};
}

/* ---- worlds -------------------------------------------------------------- */

static void check(const scree_world *world, scree_status status) {
    if (status != SCREE_OK)
        bench_die("%s: %s", scree_status_text(status),
                  scree_world_error(world));
}

static void add_wall(scree_world *world, int axis, double sign, double at) {
    scree_plane_def def = scree_plane_def_default();
    for (int k = 0; k < 3; ++k) {
        def.normal[k] = k == axis ? sign : 0;
        def.point[k] = k == axis ? at : 0;
    }
    def.material = 0;
    check(world, scree_world_add_plane(world, &def, NULL));
}

static void add_walls(scree_world *world, const shapes_bed *bed) {
    const int up = is_planar(bed) ? 1 : 2;
    add_wall(world, up, 1, 0);
    for (int axis = 0; axis < up; ++axis) {
        add_wall(world, axis, 1, -bed->side / 2);
        add_wall(world, axis, -1, bed->side / 2);
    }
}

static void add_shape(scree_world *world, const shapes_form *f) {
    scree_shape_def def = scree_shape_def_default();
    def.kind = f->box ? SCREE_SHAPE_BOX : SCREE_SHAPE_POLYHEDRON;
    for (int k = 0; k < 3; ++k) def.size[k] = 2 * f->half[k];
    def.points = f->points;
    def.n_point = f->n_point;
    check(world, scree_world_add_shape(world, &def, NULL));
}

static void add_disc(scree_world *world, const shapes_body *b) {
    scree_sphere_def def = scree_sphere_def_default();
    def.radius = b->r;
    def.material = 0;
    memcpy(def.position, b->x, sizeof b->x);
    memcpy(def.orientation, b->q, sizeof b->q);
    memcpy(def.velocity, b->v, sizeof b->v);
    memcpy(def.angular_velocity, b->w, sizeof b->w);
    check(world, scree_world_add_sphere(world, &def, NULL));
}

static void add_body(scree_world *world, const shapes_body *b) {
    scree_body_def def = scree_body_def_default();
    def.shape = b->form;
    def.material = 0;
    memcpy(def.position, b->x, sizeof b->x);
    memcpy(def.orientation, b->q, sizeof b->q);
    memcpy(def.velocity, b->v, sizeof b->v);
    memcpy(def.angular_velocity, b->w, sizeof b->w);
    check(world, scree_world_add_body(world, &def, NULL));
}

/* In the plane the step that the peer's published figure is of. */
scree_world_def shapes_world_def(const shapes_bed *bed, int iterations,
                                 int threads) {
    const bench_bed size = {.n = bed->n};
    const double dt = is_planar(bed) ? 1.0 / 240 : 2e-3;
    scree_world_def def = bench_world_def(&size, dt, iterations, threads);
    def.planar = is_planar(bed);
    def.solver.clusters = 0; /* sweeps alone: none of them reaches 0 */
    if (def.planar) def.gravity[1] = -9.81, def.gravity[2] = 0;
    return def;
}

scree_world *shapes_world(const shapes_bed *bed, const scree_world_def *def) {
    scree_world *world;
    const scree_status status = scree_world_create(def, &world);
    if (status != SCREE_OK) bench_die("%s", scree_status_text(status));
    scree_material_def material = scree_material_def_default();
    material.density = 2500;
    material.law = (scree_contact_law){.friction = 0.5};
    check(world, scree_world_add_material(world, &material, NULL));
    add_walls(world, bed);
    for (int i = 0; i < bed->n_form; ++i) add_shape(world, &bed->forms[i]);
    for (int64_t i = 0; i < bed->n; ++i)
        (is_planar(bed) ? add_disc : add_body)(world, &bed->bodies[i]);
    return world;
}

void shapes_read_world(const scree_world *world, shapes_bed *bed) {
    const size_t n = (size_t)bed->n;
    double *rows = malloc(13 * n * sizeof *rows);
    if (!rows) bench_die("out of memory for the state of %zu bodies", n);
    double *x = rows, *q = x + 3 * n, *v = q + 4 * n, *w = v + 3 * n;
    scree_world_read_state(world, &(scree_state_view){.position = x,
                                                      .orientation = q,
                                                      .velocity = v,
                                                      .angular_velocity = w});
    for (size_t i = 0; i < n; ++i) {
        memcpy(bed->bodies[i].x, x + 3 * i, 3 * sizeof *x);
        memcpy(bed->bodies[i].q, q + 4 * i, 4 * sizeof *q);
        memcpy(bed->bodies[i].v, v + 3 * i, 3 * sizeof *v);
        memcpy(bed->bodies[i].w, w + 3 * i, 3 * sizeof *w);
    }
    free(rows);
}

/* ---- files --------------------------------------------------------------- */

static void write_row(FILE *file, const double *row, int n) {
    for (int k = 0; k < n; ++k) fprintf(file, " %.17g", row[k]);
}

static void write_form(FILE *file, const shapes_form *f) {
    if (f->box) {
        fprintf(file, "box");
        write_row(file, f->half, 3);
    } else {
        fprintf(file, "hull %d", f->n_point);
        write_row(file, f->points, 3 * f->n_point);
    }
    write_row(file, &f->volume, 1);
    write_row(file, f->J, 3);
    fputc('\n', file);
}

static void write_all(FILE *file, const shapes_bed *bed) {
    fprintf(file, "%lld %.17g %d\n", (long long)bed->n, bed->side, bed->n_form);
    for (int i = 0; i < bed->n_form; ++i) write_form(file, &bed->forms[i]);
    for (int64_t i = 0; i < bed->n; ++i) {
        const shapes_body *b = &bed->bodies[i];
        fprintf(file, "%d", b->form);
        write_row(file, &b->r, 1);
        write_row(file, b->x, 3);
        write_row(file, b->q, 4);
        write_row(file, b->v, 3);
        write_row(file, b->w, 3);
        fputc('\n', file);
    }
}

/* Under another name first, so that a bed that exists is a whole one. */
static void write_file(const shapes_bed *bed) {
    char part[PATH_MAX + 32];
    snprintf(part, sizeof part, "%s.%ld", bed->path, (long)getpid());
    FILE *file = fopen(part, "w");
    if (!file) bench_die("cannot write %s", part);
    write_all(file, bed);
    const bool failed = ferror(file);
    if (fclose(file) || failed || rename(part, bed->path)) {
        remove(part);
        bench_die("cannot write %s", bed->path);
    }
}

/* Forms are those of the scene: their lines are passed over. */
static bool skip_forms(FILE *file, int n) {
    for (int lines = 0; lines <= n;) { /* with the end of the first line */
        const int c = fgetc(file);
        if (c == EOF) return false;
        lines += c == '\n';
    }
    return true;
}

static bool read_body(FILE *file, shapes_body *b) {
    double row[14];
    if (fscanf(file, "%d", &b->form) != 1) return false;
    for (int k = 0; k < 14; ++k)
        if (fscanf(file, "%lf", &row[k]) != 1) return false;
    b->r = row[0];
    memcpy(b->x, row + 1, sizeof b->x);
    memcpy(b->q, row + 4, sizeof b->q);
    memcpy(b->v, row + 8, sizeof b->v);
    memcpy(b->w, row + 11, sizeof b->w);
    return true;
}

static void read_file(FILE *file, shapes_bed *bed) {
    long long n;
    double side;
    int forms;
    bool whole = fscanf(file, "%lld %lf %d", &n, &side, &forms) == 3 &&
                 n == bed->n && fabs(side - bed->side) < 1e-9 &&
                 forms == bed->n_form && skip_forms(file, forms);
    for (int64_t i = 0; whole && i < bed->n; ++i)
        whole = read_body(file, &bed->bodies[i]) &&
                bed->bodies[i].form < bed->n_form;
    if (!whole)
        bench_die("%s is not a bed of %lld %s", bed->path, (long long)bed->n,
                  shapes_kind_name(bed->kind));
}

shapes_bed shapes_bed_read(const shapes_bed *like, const char *path) {
    shapes_bed bed = scene(like->kind, like->n);
    snprintf(bed.path, sizeof bed.path, "%s", path);
    FILE *file = fopen(path, "r");
    if (!file) bench_die("cannot read %s", path);
    read_file(file, &bed);
    fclose(file);
    return bed;
}

/* ---- making -------------------------------------------------------------- */

static void make(shapes_bed *bed) {
    const fall *f = fall_of(bed);
    fprintf(stderr, "making %s, once: %lld %s fall for %g s\n", bed->path,
            (long long)bed->n, shapes_kind_name(bed->kind), f->time);
    const scree_world_def def = shapes_world_def(bed, f->iterations, 1);
    scree_world *world = shapes_world(bed, &def);
    const double start = bench_clock();
    const int steps = (int)lround(f->time / def.dt), part = steps / 5 + 1;
    for (int i = 1; i <= steps; ++i) {
        bench_step(world);
        if (i % part == 0)
            fprintf(stderr, "  %.2f s, %lld contacts, after %.0f s\n",
                    scree_world_time(world),
                    (long long)scree_world_contact_count(world),
                    bench_clock() - start);
    }
    shapes_read_world(world, bed);
    scree_world_destroy(world);
}

shapes_bed shapes_bed_open(shapes_kind kind, int64_t n, const char *folder) {
    shapes_bed bed = scene(kind, n);
    snprintf(bed.path, sizeof bed.path, "%s/shapes_%s_%lld.txt", folder,
             shapes_kind_name(kind), (long long)n);
    FILE *file = fopen(bed.path, "r");
    if (file) {
        read_file(file, &bed);
        fclose(file);
    } else {
        if (access(folder, W_OK))
            bench_die("cannot write to folder %s", folder);
        make(&bed);
        write_file(&bed);
    }
    return bed;
}
