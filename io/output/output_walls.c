/* output_walls.c: walls.csv, mean force and torque on each wall since the last line
 * (engine/measure/walls.h), and of those that forces drive where they are, how fast and
 * what drives them now. With `cells` also pressure.csv, a line for each cell that bears
 * load, and pressure.hdf.series, the cells as polygons of rank 0. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "engine/measure/walls.h"
#include "io/hdf5/hdf5_file.h"
#include "io/output/csv_file.h"
#include "io/output/sampling.h"

/* Fields of a cell. */
enum { PRESSURE, SHEAR, TRACTION, AREA = TRACTION + 3, OF_CELL };

typedef struct walls {
    scree_csv csv, pressure;
    scree_series series;
    const scree_comm *comm;
    scree_ledger ledger;
    double *totals; /* (ledger.n) */
    double begun;   /* when the sums of the ledger began [s] */
    bool has_cells;
    scree_wall_cells cells;
    scree_sampling sampling;
    double *sums;   /* (cells x SCREE_PRESS_WIDTH) */
    double *values; /* (cells x OF_CELL) */
    /* Of rank 0, to be drawn. */
    double *points;
    int64_t n_point, *wall;
    scree_series_cells drawn;
} walls;

/* ---- forces ------------------------------------------------------------------ */

/* Of walls that forces drive, behind the forces on all. */
enum { WAY, VELOCITY, TARGET, DRIVEN_AREA, OF_DRIVEN };

static void add_drive_head(walls *s, const scree_case *c) {
    static const char *const names[OF_DRIVEN] = {"_way", "_velocity", "_target",
                                                 "_area"};
    for (int i = 0; i < c->n_wall; i++)
        for (int k = 0; k < OF_DRIVEN && c->walls[i].servo.goal >= 0; k++)
            scree_csv_name(&s->csv, ",", c->walls[i].name, names[k]);
}

static void add_drives(walls *s, const scree_world *world) {
    for (int w = 0; w < scree_world_wall_count(world); w++) {
        scree_servo_view view;
        scree_world_read_servo(world, w, &view);
        const double x[OF_DRIVEN] = {[WAY] = view.way,
                                     [VELOCITY] = view.velocity,
                                     [TARGET] = view.target,
                                     [DRIVEN_AREA] = view.area};
        if (view.kind != SCREE_SERVO_NONE)
            scree_csv_numbers(&s->csv, x, OF_DRIVEN);
    }
}

static void add_head(walls *s, const scree_case *c) {
    static const char *const names[SCREE_WALL_WIDTH] = {
        "_force_x",  "_force_y",  "_force_z",
        "_torque_x", "_torque_y", "_torque_z"};
    scree_csv_add(&s->csv, "step,time");
    for (int i = 0; i < c->n_wall; i++)
        for (int k = 0; k < SCREE_WALL_WIDTH; k++)
            scree_csv_name(&s->csv, ",", c->walls[i].name, names[k]);
    add_drive_head(s, c);
}

static scree_status write_forces(walls *s, const scree_world *world,
                                 scree_error *error) {
    const double time = scree_world_time(world), seconds = time - s->begun;
    scree_ledger_read(&s->ledger, s->comm, s->totals);
    for (int k = 0; k < s->ledger.n; k++)
        s->totals[k] = s->totals[k] / (seconds > 0 ? seconds : 1) + 0.0;
    scree_csv_add(&s->csv, "%" PRId64 ",%.17g", scree_world_steps(world), time);
    scree_csv_numbers(&s->csv, s->totals, s->ledger.n);
    add_drives(s, world);
    scree_ledger_clear(&s->ledger);
    s->begun = time;
    return scree_csv_end_row(&s->csv, error);
}

/* ---- cells ------------------------------------------------------------------- */

static void find_pressures(walls *s) {
    for (int64_t i = 0; i < s->cells.n; i++) {
        const double *sum = s->sums + i * SCREE_PRESS_WIDTH;
        double *v = s->values + i * OF_CELL;
        const double by = s->sampling.n * s->cells.list[i].area;
        const scree_vec3 f = vec_from(sum + SCREE_PRESS_FORCE);
        const double n = sum[SCREE_PRESS_NORMAL], all = dot(f, f);
        v[PRESSURE] = n / by;
        v[SHEAR] = sqrt(fmax(0, all - n * n)) / by;
        vec_to(scale(1 / by, f), v + TRACTION);
        v[AREA] = s->cells.list[i].area;
    }
}

static scree_vec3 middle_of(const scree_world *world,
                            const scree_wall_cell *cell) {
    scree_vec3 sum = {0, 0, 0};
    for (int k = 0; k < cell->corners; k++)
        sum = add(sum, scree_wall_cell_corner(world, cell, k));
    return scale(1.0 / cell->corners, sum);
}

static void add_cell(walls *s, const scree_output_context *context, int64_t i,
                     bool first) {
    const scree_wall_cell *cell = &s->cells.list[i];
    double middle[3];
    vec_to(middle_of(context->world, cell), middle);
    scree_csv_add(&s->pressure, "%s%" PRId64 ",%.17g,", first ? "" : "\n",
                  scree_world_steps(context->world),
                  scree_world_time(context->world));
    scree_csv_name(&s->pressure, "", context->source->walls[cell->wall].name,
                   "");
    scree_csv_add(&s->pressure, ",%" PRId64, i - s->cells.first[cell->wall]);
    scree_csv_numbers(&s->pressure, middle, 3);
    scree_csv_numbers(&s->pressure, s->values + i * OF_CELL, OF_CELL);
}

static scree_status write_cells(walls *s, const scree_output_context *context,
                                scree_error *error) {
    bool first = true;
    for (int64_t i = 0; i < s->cells.n; i++) {
        if (s->values[i * OF_CELL + PRESSURE] == 0) continue;
        add_cell(s, context, i, first);
        first = false;
    }
    return first ? SCREE_OK : scree_csv_end_row(&s->pressure, error);
}

static void place_points(walls *s, const scree_world *world) {
    double *x = s->points;
    for (int64_t i = 0; i < s->drawn.n; i++)
        for (int k = 0; k < s->cells.list[i].corners; k++, x += 3)
            vec_to(scree_wall_cell_corner(world, &s->cells.list[i], k), x);
}

static scree_status write_frame(walls *s, const scree_output_context *context,
                                scree_error *error) {
    static const struct {
        const char *name;
        int first, columns;
    } fields[] = {{"pressure", PRESSURE, 1},
                  {"shear", SHEAR, 1},
                  {"traction", TRACTION, 3},
                  {"area", AREA, 1}};
    place_points(s, context->world);
    const hid_t real = H5T_NATIVE_DOUBLE;
    const scree_hdf5_rows points = {real, s->n_point, 3, 0, s->points},
                          wall = {H5T_NATIVE_INT64, s->drawn.n, 1, 0, s->wall};
    scree_hdf5_file *file =
        scree_series_begin_cells(&s->series, context, &points, 0, &s->drawn);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        scree_series_cell_data(file, fields[i].name,
                               &(scree_hdf5_rows){real, s->drawn.n,
                                                  fields[i].columns, OF_CELL,
                                                  s->values + fields[i].first});
    scree_series_cell_data(file, "wall", &wall);
    return scree_series_end(&s->series, file, scree_world_time(context->world),
                            error);
}

static size_t size_of_sums(const walls *s) {
    return (size_t)s->cells.n * SCREE_PRESS_WIDTH;
}

static scree_status no_memory(scree_error *error) {
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "walls: out of memory");
}

static scree_status add_sample(walls *s, const scree_world *world,
                               scree_error *error) {
    const scree_status status = scree_wall_cells_add(&s->cells, world, s->sums);
    return status == SCREE_OK ? status : no_memory(error);
}

static scree_status write_pressure(walls *s,
                                   const scree_output_context *context,
                                   scree_error *error) {
    const size_t n = size_of_sums(s);
    if (scree_sampling_begin(&s->sampling, context, s->sums, n))
        TRY(add_sample(s, context->world, error));
    find_pressures(s);
    scree_sampling_end(&s->sampling, context, s->sums, n);
    TRY(write_frame(s, context, error));
    return write_cells(s, context, error);
}

static scree_status write_walls(void *self, const scree_output_context *context,
                                scree_error *error) {
    walls *s = self;
    TRY(write_forces(s, context->world, error));
    return s->has_cells ? write_pressure(s, context, error) : SCREE_OK;
}

static scree_status watch_walls(void *self, const scree_output_context *context,
                                scree_error *error) {
    walls *s = self;
    if (s->begun < 0)
        s->begun = scree_world_time(context->world) -
                   scree_world_step_size(context->world);
    scree_walls_count(&s->ledger, context->world);
    if (!s->has_cells || !scree_sampling_is_due(context)) return SCREE_OK;
    s->sampling.n += 1;
    return add_sample(s, context->world, error);
}

/* ---- the sink ---------------------------------------------------------------- */

static scree_status close_walls(void *self, scree_error *error) {
    walls *s = self;
    scree_status status = scree_csv_close(&s->csv, error);
    const scree_status other =
        scree_csv_close(&s->pressure, status == SCREE_OK ? error : NULL);
    if (status == SCREE_OK) status = other;
    scree_series_close(&s->series);
    scree_ledger_free(&s->ledger);
    scree_wall_cells_free(&s->cells);
    void *const rooms[] = {
        s->totals, s->sums,        s->values,        s->points,
        s->wall,   s->drawn.types, s->drawn.offsets, s->drawn.connectivity};
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) free(rooms[i]);
    free(s);
    return status;
}

/* Each cell has corners of its own. */
static void join_corners(walls *s) {
    enum { VTK_TRIANGLE = 5, VTK_QUAD = 9 };
    scree_series_cells *c = &s->drawn;
    for (int64_t i = 0; i < s->cells.n; i++) {
        const int corners = s->cells.list[i].corners;
        c->types[i] = corners == 3 ? VTK_TRIANGLE : VTK_QUAD;
        s->wall[i] = s->cells.list[i].wall;
        for (int k = 0; k < corners; k++)
            c->connectivity[s->n_point + k] = s->n_point + k;
        s->n_point += corners;
        c->offsets[i + 1] = s->n_point;
    }
    c->n = s->cells.n;
}

static scree_status make_cells(walls *s, const scree_output_context *context) {
    const scree_case_walls *wanted = &context->output->walls;
    if (scree_wall_cells_make(context->world, wanted->cells, wanted->min,
                              wanted->max, &s->cells) != SCREE_OK)
        return SCREE_OUT_OF_MEMORY;
    const size_t n = (size_t)s->cells.n;
    s->sums = calloc(size_of_sums(s) + 1, sizeof *s->sums);
    s->values = calloc(n * OF_CELL + 1, sizeof *s->values);
    s->points = calloc(12 * n + 1, sizeof *s->points);
    s->wall = calloc(n + 1, sizeof *s->wall);
    s->drawn.types = calloc(n + 1, sizeof *s->drawn.types);
    s->drawn.offsets = calloc(n + 1, sizeof *s->drawn.offsets);
    s->drawn.connectivity = calloc(4 * n + 1, sizeof *s->drawn.connectivity);
    if (!s->sums || !s->values || !s->points || !s->wall || !s->drawn.types ||
        !s->drawn.offsets || !s->drawn.connectivity)
        return SCREE_OUT_OF_MEMORY;
    if (s->comm->rank == 0) join_corners(s);
    return SCREE_OK;
}

static scree_status start_pressure(walls *s,
                                   const scree_output_context *context,
                                   scree_error *error) {
    if (make_cells(s, context) != SCREE_OK) return no_memory(error);
    TRY(scree_series_open(&s->series, context, "pressure", error));
    TRY(scree_csv_start(&s->pressure, context, "pressure.csv", error));
    if (context->resumes) return SCREE_OK;
    scree_csv_add(&s->pressure, "step,time,wall,cell,x,y,z,pressure,shear,"
                                "traction_x,traction_y,traction_z,area");
    return scree_csv_end_row(&s->pressure, error);
}

static scree_status start_walls(walls *s, const scree_output_context *context,
                                scree_error *error) {
    const int n = context->source->n_wall * SCREE_WALL_WIDTH;
    s->totals = calloc((size_t)n + 1, sizeof *s->totals);
    if (!s->totals || scree_ledger_open(&s->ledger, n) != SCREE_OK)
        return no_memory(error);
    if (s->has_cells) TRY(start_pressure(s, context, error));
    TRY(scree_csv_start(&s->csv, context, "walls.csv", error));
    if (context->resumes) return SCREE_OK;
    add_head(s, context->source);
    return scree_csv_end_row(&s->csv, error);
}

static scree_status open_walls(const scree_output_context *context, void **self,
                               scree_error *error) {
    walls *s = calloc(1, sizeof *s);
    if (!s) return no_memory(error);
    s->csv.fd = s->pressure.fd = -1;
    s->comm = scree_output_comm(context);
    s->begun = -1;
    s->has_cells = context->output->walls.cells > 0;
    const scree_status status = start_walls(s, context, error);
    if (status == SCREE_OK)
        *self = s;
    else
        close_walls(s, NULL);
    return status;
}

static void archive_walls(void *self, scree_archive *a) {
    walls *s = self;
    scree_csv_archive_part(&s->csv, a);
    scree_archive_array(a, "begun", SCREE_F64, 1, 1, &s->begun);
    scree_ledger_archive(&s->ledger, s->comm, a);
    if (!s->has_cells) return;
    scree_csv_archive_named(&s->pressure, "pressure_length", a);
    scree_series_archive(&s->series, a);
    scree_sampling_archive(&s->sampling, s->sums, s->cells.n, SCREE_PRESS_WIDTH,
                           a);
}

const scree_output_ops scree_output_walls = {
    .name = "walls",
    .about = "force and torque on walls: walls.csv; pressure on their cells: "
             "pressure.csv, pressure.hdf.series",
    .counts = true,
    .open = open_walls,
    .write = write_walls,
    .watch = watch_walls,
    .close = close_walls,
    .archive = archive_walls};
