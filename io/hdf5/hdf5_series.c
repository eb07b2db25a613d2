/* hdf5_series.c: VTKHDF files, one a frame, and the list of them.
 *
 * Layout of a frame (VTKHDF 1.0, one part, whatever the number of ranks):
 *     /VTKHDF            Version {1, 0}, Type "UnstructuredGrid"
 *         NumberOfPoints, NumberOfCells, NumberOfConnectivityIds   int64[1]
 *         Points [n,3], Connectivity [ids], Offsets [cells+1], Types [cells]
 *         PointData/..., CellData/..., FieldData/TimeValue
 *     /scree             where the frame comes from; readers ignore it */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engine/world/view.h"
#include "io/file/safe_file.h"
#include "io/file/whole_file.h"
#include "io/hdf5/hdf5_inside.h"
#include "io/output/drawing_world.h"

enum { VTK_VERTEX = 1 };

/* ---- opening and closing ------------------------------------------------- */

static const char *frame_path(const scree_series *series, int64_t frame) {
    sprintf(series->path, "%s_%06" PRId64 ".hdf", series->base, frame);
    return series->path;
}

static const char *list_path(const scree_series *series) {
    sprintf(series->path, "%s.hdf.series", series->base);
    return series->path;
}

/* Frames of an earlier run would mix with the new ones in ParaView's file
 * dialog; the list goes first, so that it never names a frame that is gone. */
static void remove_earlier_run(const scree_series *series) {
    if (series->comm->rank > 0) return;
    scree_file_remove(list_path(series));
    for (int64_t k = 0; scree_file_remove(frame_path(series, k)) == 0; k++)
        continue;
}

scree_status scree_series_open(scree_series *series,
                               const scree_output_context *context,
                               const char *stem, scree_error *error) {
    const char *folder = context->folder;
    *series = (scree_series){
        .comm = scree_output_comm(context),
        .stem = stem,
        .compression = context->output ? context->output->compression : 0};
    if (asprintf(&series->base, "%s/%s", folder, stem) < 0) series->base = NULL;
    if (series->base) series->path = malloc(strlen(series->base) + 40);
    if (!series->path) {
        scree_series_close(series);
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s/%s: out of memory",
                          folder, stem);
    }
    if (!context->resumes) remove_earlier_run(series);
    return SCREE_OK;
}

void scree_series_close(scree_series *series) {
    free(series->base);
    free(series->path);
    free(series->list);
    free(series->counting);
    free(series->types);
    *series = (scree_series){0};
}

/* ---- frames -------------------------------------------------------------- */

static bool reserve_cells(scree_series *series, int64_t n) {
    if (series->counting && n <= series->room) return true;
    const size_t room = (size_t)n + (size_t)n / 2;
    int64_t *counting =
        realloc(series->counting, (room + 1) * sizeof *counting);
    if (counting) series->counting = counting;
    uint8_t *types = realloc(series->types, room + 1);
    if (types) series->types = types;
    if (!counting || !types) return false;
    memset(types, VTK_VERTEX, room + 1);
    series->room = (int64_t)room;
    series->first = -1;
    return true;
}

/* Cells of n points, of which `first` is the number of this rank's first one; a
 * frame of any size needs Offsets. */
static bool count_cells(scree_series *series, int64_t first, int64_t n) {
    if (!reserve_cells(series, n)) return false;
    if (series->first == first) return true;
    for (int64_t i = 0; i <= series->room; i++) series->counting[i] = first + i;
    series->first = first;
    return true;
}

/* Room for one more entry, the head and the tail. */
static bool reserve_list(scree_series *series) {
    const size_t need = series->list_size + 300;
    if (need <= series->list_room) return true;
    char *list = realloc(series->list, 2 * need);
    if (!list) return false;
    series->list = list;
    series->list_room = 2 * need;
    return true;
}

/* The reader wants the type as exactly 16 bytes without a terminator. */
static void write_type(scree_hdf5_file *file) {
    static const char type[] = "UnstructuredGrid";
    const hid_t fixed = scree_hdf5_checked(file, H5Tcopy(H5T_C_S1));
    scree_hdf5_checked(file, H5Tset_size(fixed, sizeof type - 1));
    scree_hdf5_checked(file, H5Tset_strpad(fixed, H5T_STR_NULLPAD));
    scree_hdf5_attribute(file, "VTKHDF", "Type", fixed, 1, type);
    H5Tclose(fixed);
}

void scree_series_shift(scree_series_cells *cells, const scree_comm *comm,
                        int64_t points) {
    const int64_t ids = cells->offsets[cells->n];
    const int64_t corners = scree_comm_before(comm, ids);
    if (comm->rank == 0) return;
    for (int64_t k = 0; k < ids; k++) cells->connectivity[k] += points;
    for (int64_t i = 0; i <= cells->n; i++) cells->offsets[i] += corners;
}

/* Of all ranks. */
static void write_count(scree_hdf5_file *file, const char *name, int64_t n) {
    scree_comm_sum_counts(file->comm, &n, 1);
    scree_hdf5_write_once(
        file, name, &(scree_hdf5_rows){.type = H5T_NATIVE_INT64, 1, 1, 0, &n});
}

/* The first offset is rank 0's. */
static void write_cells(scree_hdf5_file *file,
                        const scree_series_cells *cells) {
    const int64_t n = cells->n, ids = cells->offsets[n] - cells->offsets[0];
    const int skip = file->comm->rank > 0;
    write_count(file, "VTKHDF/NumberOfCells", n);
    write_count(file, "VTKHDF/NumberOfConnectivityIds", ids);
    const scree_hdf5_rows connectivity = {H5T_NATIVE_INT64, ids, 1, 0,
                                          cells->connectivity},
                          offsets = {H5T_NATIVE_INT64, n + 1 - skip, 1, 0,
                                     cells->offsets + skip},
                          types = {H5T_NATIVE_UINT8, n, 1, 0, cells->types};
    scree_hdf5_write(file, "VTKHDF/Connectivity", &connectivity);
    scree_hdf5_write(file, "VTKHDF/Offsets", &offsets);
    scree_hdf5_write(file, "VTKHDF/Types", &types);
}

static void write_grid(scree_hdf5_file *file, const scree_hdf5_rows *points,
                       int64_t behind, const scree_series_cells *cells) {
    const int64_t version[2] = {1, 0};
    scree_hdf5_group(file, "VTKHDF/PointData");
    scree_hdf5_group(file, "VTKHDF/CellData");
    scree_hdf5_attribute(file, "VTKHDF", "Version", H5T_NATIVE_INT64, 2,
                         version);
    write_type(file);
    write_count(file, "VTKHDF/NumberOfPoints", points->n);
    scree_hdf5_write_ends(file, "VTKHDF/Points", points, behind);
    write_cells(file, cells);
}

/* Planes have no end: whoever draws the frame draws as much of them as fits. */
static void write_planes(scree_hdf5_file *file, const scree_world *world) {
    const int n_wall = scree_world_wall_count(world);
    double(*rows)[6] = calloc((size_t)n_wall + 1, sizeof *rows);
    const int n = rows ? scree_list_planes(world, rows) : 0;
    const scree_hdf5_rows table = {H5T_NATIVE_DOUBLE, n, 6, 0, rows};
    if (rows)
        scree_hdf5_write_table(file, "scree/planes", &table);
    else
        scree_hdf5_no_memory(file);
    free(rows);
}

static void write_origin(scree_hdf5_file *file,
                         const scree_output_context *context) {
    const scree_hdf5_state state = {scree_world_time(context->world),
                                    scree_world_steps(context->world),
                                    scree_world_hash(context->world)};
    scree_hdf5_origin(file, context->source, &state);
    write_planes(file, context->world);
    const scree_hdf5_rows value = {H5T_NATIVE_DOUBLE, 1, 1, 0, &state.time};
    scree_hdf5_write_once(file, "VTKHDF/FieldData/TimeValue", &value);
}

scree_hdf5_file *scree_series_begin_cells(scree_series *series,
                                          const scree_output_context *context,
                                          const scree_hdf5_rows *points,
                                          int64_t behind,
                                          const scree_series_cells *cells) {
    const scree_comm *comm = series->comm;
    scree_hdf5_file *file =
        reserve_list(series) ? scree_hdf5_create_together(comm) : NULL;
    /* What follows is collective; scree_series_end tells of the failure. */
    if (scree_comm_any(comm, !scree_hdf5_usable(file))) return file;
    scree_hdf5_compress(file, series->compression);
    write_grid(file, points, behind, cells);
    write_origin(file, context);
    return file;
}

scree_hdf5_file *scree_series_begin(scree_series *series,
                                    const scree_output_context *context,
                                    const scree_hdf5_rows *points) {
    const int64_t n = points->n, first = scree_comm_before(series->comm, n);
    if (scree_comm_any(series->comm, !count_cells(series, first, n)))
        return NULL;
    const scree_series_cells vertices = {n, series->types, series->counting,
                                         series->counting};
    return scree_series_begin_cells(series, context, points, 0, &vertices);
}

static void write_data(scree_hdf5_file *file, const char *group,
                       const char *name, const scree_hdf5_rows *rows) {
    char path[100];
    snprintf(path, sizeof path, "VTKHDF/%s/%s", group, name);
    scree_hdf5_write(file, path, rows);
}

void scree_series_data(scree_hdf5_file *file, const char *name,
                       const scree_hdf5_rows *rows) {
    write_data(file, "PointData", name, rows);
}

void scree_series_cell_data(scree_hdf5_file *file, const char *name,
                            const scree_hdf5_rows *rows) {
    write_data(file, "CellData", name, rows);
}

static const char list_head[] = "{\"file-series-version\":\"1.0\",\"files\":[";
static const char list_tail[] = "\n]}\n";

/* The list stays open in memory; the tail is put on for each writing. */
static scree_status write_list(scree_series *series, size_t size,
                               scree_error *error) {
    scree_status status = SCREE_OK;
    memcpy(series->list + size, list_tail, sizeof list_tail);
    if (series->comm->rank == 0)
        status = scree_file_replace(list_path(series), series->list,
                                    size + sizeof list_tail - 1, error);
    return scree_comm_agree(series->comm, status, error);
}

static scree_status add_to_list(scree_series *series, double time,
                                scree_error *error) {
    char *end = series->list + series->list_size;
    end += sprintf(
        end, "%s\n  {\"name\":\"%s_%06" PRId64 ".hdf\",\"time\":%.17g}",
        series->frames ? "," : list_head, series->stem, series->frames, time);
    const size_t open_size = (size_t)(end - series->list);
    TRY(write_list(series, open_size, error));
    series->list_size = open_size;
    series->frames++;
    return SCREE_OK;
}

scree_status scree_series_end(scree_series *series, scree_hdf5_file *file,
                              double time, scree_error *error) {
    const char *path = frame_path(series, series->frames);
    if (scree_comm_any(series->comm, !file)) {
        scree_hdf5_drop(file);
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory",
                          path);
    }
    TRY(scree_hdf5_close(file, path, error));
    return add_to_list(series, time, error);
}

/* ---- a series that goes on ----------------------------------------------- */

/* The list goes first, so that it never names a frame that is gone. */
static void cut_back(scree_series *series, scree_archive *a) {
    if (series->frames == 0) {
        remove_earlier_run(series);
        return;
    }
    a->status = write_list(series, series->list_size, a->error);
    if (series->comm->rank > 0) return;
    for (int64_t k = series->frames; a->status == SCREE_OK; k++)
        if (scree_file_remove(frame_path(series, k)) != 0) break;
}

void scree_series_archive(scree_series *series, scree_archive *a) {
    char name[64];
    snprintf(name, sizeof name, "%s_list", series->stem);
    const int64_t size =
        scree_archive_count(a, name, (int64_t)series->list_size);
    if (a->loads) series->list_size = (size_t)size;
    if (!reserve_list(series))
        scree_archive_fail(a, SCREE_OUT_OF_MEMORY, "%s: out of memory",
                           series->stem);
    scree_archive_array(a, name, SCREE_U8, size, 1, series->list);
    snprintf(name, sizeof name, "%s_frames", series->stem);
    scree_archive_array(a, name, SCREE_I64, 1, 1, &series->frames);
    if (a->loads && (series->frames < 0 || series->frames > INT32_MAX))
        scree_archive_fail(a, SCREE_BAD_INPUT,
                           "%s: no series has the number of frames that the "
                           "checkpoint says",
                           series->base);
    if (a->loads)
        a->status = scree_comm_agree(series->comm, a->status, a->error);
    if (a->loads && a->status == SCREE_OK) cut_back(series, a);
}
