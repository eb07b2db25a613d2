/* hdf5_file.c: HDF5 files built in memory, and VTKHDF series of them.
 *
 * Layout of a frame (VTKHDF 1.0, one part):
 *     /VTKHDF            Version {1, 0}, Type "UnstructuredGrid"
 *         NumberOfPoints, NumberOfCells, NumberOfConnectivityIds   int64[1]
 *         Points [n,3], Connectivity [ids], Offsets [cells+1], Types [cells]
 *         PointData/..., CellData/..., FieldData/TimeValue
 *     /scree             where the frame comes from; readers ignore it
 * Cost: one copy of the frame in memory while it is written. */
#include "io/hdf5_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/world.h"
#include "io/version.h"
#include "io/whole_file.h"

enum {
    VTK_VERTEX = 1,
    IMAGE_INCREMENT = 1 << 20,
    LEAST_CHUNK = 256, /* rows that are worth compressing */
    MOST_CHUNK = 1 << 16,
};

/* ---- one file ------------------------------------------------------------ */

struct scree_hdf5_file {
    hid_t id;
    hid_t links; /* link creation properties: make parent groups */
    hid_t made;  /* dataset creation properties: no time of making, so that equal
                    contents are equal bytes */
    hid_t text;  /* UTF-8 string of any length */
    int level;   /* of compression, 0: none */
    bool failed;
    char reason[300];
};

static herr_t keep_innermost(unsigned n, const H5E_error2_t *entry,
                             void *reason) {
    if (n == 0)
        snprintf(reason, sizeof((scree_hdf5_file *)NULL)->reason, "%s",
                 entry->desc ? entry->desc : "unknown HDF5 error");
    return 0;
}

/* Passes an id or status on; the first negative one fails the file. */
static hid_t checked(scree_hdf5_file *file, hid_t id) {
    if (id < 0 && !file->failed) {
        file->failed = true;
        H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, file->reason);
    }
    return id;
}

static bool usable(const scree_hdf5_file *file) {
    return file && !file->failed;
}

static void open_image(scree_hdf5_file *file) {
    const hid_t access = checked(file, H5Pcreate(H5P_FILE_ACCESS));
    checked(file, H5Pset_fapl_core(access, IMAGE_INCREMENT, false));
    /* With the core driver the name is only a label. */
    file->id =
        checked(file, H5Fcreate("image", H5F_ACC_TRUNC, H5P_DEFAULT, access));
    H5Pclose(access);
}

scree_hdf5_file *scree_hdf5_create(void) {
    scree_hdf5_file *file = calloc(1, sizeof *file);
    if (!file) return NULL;
    /* HDF5 would print its stack; the reason goes into the scree_error. */
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    open_image(file);
    file->links = checked(file, H5Pcreate(H5P_LINK_CREATE));
    checked(file, H5Pset_create_intermediate_group(file->links, 1));
    file->made = checked(file, H5Pcreate(H5P_DATASET_CREATE));
    checked(file, H5Pset_obj_track_times(file->made, false));
    file->text = checked(file, H5Tcopy(H5T_C_S1));
    checked(file, H5Tset_size(file->text, H5T_VARIABLE));
    checked(file, H5Tset_cset(file->text, H5T_CSET_UTF8));
    return file;
}

void scree_hdf5_group(scree_hdf5_file *file, const char *name) {
    if (!usable(file)) return;
    const hid_t group = checked(file, H5Gcreate2(file->id, name, file->links,
                                                 H5P_DEFAULT, H5P_DEFAULT));
    if (group >= 0) H5Gclose(group);
}

/* The rows as they lie in memory: the first columns of a wider table. */
static hid_t memory_space(scree_hdf5_file *file, const scree_hdf5_rows *rows) {
    const hsize_t n = (hsize_t)rows->n, columns = (hsize_t)rows->columns;
    const hsize_t table[2] = {n,
                              rows->stride ? (hsize_t)rows->stride : columns};
    const hsize_t start[2] = {0, 0}, count[2] = {n, columns};
    const hid_t space = checked(file, H5Screate_simple(2, table, NULL));
    checked(file, H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count,
                                      NULL));
    return space;
}

static void write_rows(scree_hdf5_file *file, hid_t dataset,
                       const scree_hdf5_rows *rows) {
    const hid_t memory = memory_space(file, rows);
    checked(file, H5Dwrite(dataset, rows->type, memory, H5S_ALL, H5P_DEFAULT,
                           rows->data));
    H5Sclose(memory);
}

void scree_hdf5_compress(scree_hdf5_file *file, int level) {
    if (file) file->level = level;
}

/* How a dataset is stored. What is small, or not compressed, is stored in one
 * piece, which costs nothing to find; the rest in chunks. */
static hid_t storage(scree_hdf5_file *file, const scree_hdf5_rows *rows,
                     int rank) {
    const hid_t store = checked(file, H5Pcopy(file->made));
    if (file->level == 0 || rows->n < LEAST_CHUNK) return store;
    const hsize_t chunk[2] = {
        (hsize_t)(rows->n < MOST_CHUNK ? rows->n : MOST_CHUNK),
        (hsize_t)rows->columns};
    checked(file, H5Pset_chunk(store, rank, chunk));
    checked(file, H5Pset_shuffle(store));
    checked(file, H5Pset_deflate(store, (unsigned)file->level));
    return store;
}

static void write_dataset(scree_hdf5_file *file, const char *name,
                          const scree_hdf5_rows *rows, int rank) {
    if (!usable(file)) return;
    const hsize_t size[2] = {(hsize_t)rows->n, (hsize_t)rows->columns};
    const hid_t space = checked(file, H5Screate_simple(rank, size, NULL));
    const hid_t store = storage(file, rows, rank);
    const hid_t dataset =
        checked(file, H5Dcreate2(file->id, name, rows->type, space, file->links,
                                 store, H5P_DEFAULT));
    if (dataset >= 0 && rows->n > 0) write_rows(file, dataset, rows);
    H5Dclose(dataset);
    H5Pclose(store);
    H5Sclose(space);
}

void scree_hdf5_write(scree_hdf5_file *file, const char *name,
                      const scree_hdf5_rows *rows) {
    write_dataset(file, name, rows, rows->columns > 1 ? 2 : 1);
}

void scree_hdf5_write_table(scree_hdf5_file *file, const char *name,
                            const scree_hdf5_rows *rows) {
    write_dataset(file, name, rows, 2);
}

void scree_hdf5_write_text(scree_hdf5_file *file, const char *name,
                           const char *text) {
    if (!usable(file)) return;
    const hid_t space = checked(file, H5Screate(H5S_SCALAR));
    const hid_t dataset =
        checked(file, H5Dcreate2(file->id, name, file->text, space, file->links,
                                 file->made, H5P_DEFAULT));
    checked(file, H5Dwrite(dataset, file->text, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                           &text));
    H5Dclose(dataset);
    H5Sclose(space);
}

static hid_t list_space(scree_hdf5_file *file, int n) {
    const hsize_t size = (hsize_t)n;
    return checked(file, H5Screate_simple(1, &size, NULL));
}

static hid_t scalar_space(scree_hdf5_file *file) {
    return checked(file, H5Screate(H5S_SCALAR));
}

/* Closes the space. */
static void write_attribute(scree_hdf5_file *file, const char *object,
                            const char *name, hid_t type, hid_t space,
                            const void *values) {
    const hid_t attribute =
        checked(file, H5Acreate_by_name(file->id, object, name, type, space,
                                        H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    checked(file, H5Awrite(attribute, type, values));
    H5Aclose(attribute);
    H5Sclose(space);
}

void scree_hdf5_attribute(scree_hdf5_file *file, const char *object,
                          const char *name, hid_t type, int n,
                          const void *values) {
    if (!usable(file)) return;
    write_attribute(file, object, name, type,
                    n == 1 ? scalar_space(file) : list_space(file, n), values);
}

void scree_hdf5_attribute_texts(scree_hdf5_file *file, const char *object,
                                const char *name, int n,
                                const char *const *texts) {
    if (!usable(file)) return;
    write_attribute(file, object, name, file->text, list_space(file, n), texts);
}

void scree_hdf5_attribute_text(scree_hdf5_file *file, const char *object,
                               const char *name, const char *text) {
    if (!usable(file)) return;
    scree_hdf5_attribute(file, object, name, file->text, 1, &text);
}

/* Deflate, which is all that the files are compressed with, makes 1032 bytes of
 * one at best. */
bool scree_hdf5_is_stored(hid_t dataset) {
    const double most_packing = 1100;
    const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    const double bytes =
        (double)H5Tget_size(type) * (double)H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    H5Tclose(type);
    return bytes >= 0 &&
           bytes <= most_packing * (double)H5Dget_storage_size(dataset);
}

/* All that is needed to make the file again. */
void scree_hdf5_origin(scree_hdf5_file *file, const scree_case *c,
                       const scree_hdf5_state *state) {
    char hash[17];
    snprintf(hash, sizeof hash, "%016" PRIx64, state->hash);
    const int format = SCREE_RESULT_FORMAT;
    scree_hdf5_group(file, "scree");
    scree_hdf5_attribute(file, "scree", "format", H5T_NATIVE_INT, 1, &format);
    scree_hdf5_attribute_text(file, "scree", "version", scree_build_version);
    scree_hdf5_attribute_text(file, "scree", "commit", scree_build_commit);
    scree_hdf5_attribute_text(file, "scree", "name", c->name);
    scree_hdf5_attribute_text(file, "scree", "state_hash", hash);
    scree_hdf5_attribute(file, "scree", "seed", H5T_NATIVE_UINT64, 1, &c->seed);
    scree_hdf5_attribute(file, "scree", "time", H5T_NATIVE_DOUBLE, 1,
                         &state->time);
    scree_hdf5_attribute(file, "scree", "step", H5T_NATIVE_INT64, 1,
                         &state->step);
    /* Datasets, because an attribute holds at most 64 KiB. */
    scree_hdf5_write_text(file, "scree/case", c->text);
    scree_hdf5_write_text(file, "scree/overrides", c->overrides);
}

/* The core driver hands out its buffer, so the image needs no second copy. */
static scree_status give_image(scree_hdf5_file *file, const char *name,
                               scree_hdf5_taker *take, void *context,
                               scree_error *error) {
    void **image = NULL;
    checked(file, H5Fflush(file->id, H5F_SCOPE_GLOBAL));
    checked(file, H5Fget_vfd_handle(file->id, H5P_DEFAULT, (void **)&image));
    const ssize_t size = H5Fget_file_image(file->id, NULL, 0);
    checked(file, size);
    if (file->failed)
        return scree_fail(error, SCREE_IO_ERROR, "%s: cannot write: HDF5: %s",
                          name, file->reason);
    return take(context, *image, (size_t)size, error);
}

static scree_status take_to_path(void *path, const void *bytes, size_t size,
                                 scree_error *error) {
    return scree_file_replace_sealed(path, SCREE_RESULT_FILE, bytes, size,
                                     error);
}

scree_status scree_hdf5_close(scree_hdf5_file *file, const char *path,
                              scree_error *error) {
    return scree_hdf5_hand_over(file, path, take_to_path, (void *)path, error);
}

scree_status scree_hdf5_hand_over(scree_hdf5_file *file, const char *name,
                                  scree_hdf5_taker *take, void *context,
                                  scree_error *error) {
    if (!file)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory",
                          name);
    const scree_status status = give_image(file, name, take, context, error);
    H5Tclose(file->text);
    H5Pclose(file->links);
    H5Pclose(file->made);
    H5Fclose(file->id);
    free(file);
    return status;
}

/* ---- a series of files --------------------------------------------------- */

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
    unlink(list_path(series));
    for (int64_t k = 0; unlink(frame_path(series, k)) == 0; k++) continue;
}

scree_status scree_series_open(scree_series *series,
                               const scree_output_context *context,
                               const char *stem, scree_error *error) {
    const char *folder = context->folder;
    *series = (scree_series){
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

/* Makes room for the cells of n points; a frame of any size needs Offsets. */
static bool reserve_cells(scree_series *series, int64_t n) {
    if (series->counting && n <= series->room) return true;
    const size_t room = (size_t)n + (size_t)n / 2;
    int64_t *counting =
        realloc(series->counting, (room + 1) * sizeof *counting);
    if (counting) series->counting = counting;
    uint8_t *types = realloc(series->types, room + 1);
    if (types) series->types = types;
    if (!counting || !types) return false;
    for (size_t i = 0; i <= room; i++) counting[i] = (int64_t)i;
    memset(types, VTK_VERTEX, room + 1);
    series->room = (int64_t)room;
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
    const hid_t fixed = checked(file, H5Tcopy(H5T_C_S1));
    checked(file, H5Tset_size(fixed, sizeof type - 1));
    checked(file, H5Tset_strpad(fixed, H5T_STR_NULLPAD));
    scree_hdf5_attribute(file, "VTKHDF", "Type", fixed, 1, type);
    H5Tclose(fixed);
}

static void write_count(scree_hdf5_file *file, const char *name, int64_t n) {
    scree_hdf5_write(file, name,
                     &(scree_hdf5_rows){.type = H5T_NATIVE_INT64, 1, 1, 0, &n});
}

static void write_cells(scree_hdf5_file *file,
                        const scree_series_cells *cells) {
    const int64_t n = cells->n, ids = cells->offsets[n];
    write_count(file, "VTKHDF/NumberOfCells", n);
    write_count(file, "VTKHDF/NumberOfConnectivityIds", ids);
    const scree_hdf5_rows connectivity = {H5T_NATIVE_INT64, ids, 1, 0,
                                          cells->connectivity},
                          offsets = {H5T_NATIVE_INT64, n + 1, 1, 0,
                                     cells->offsets},
                          types = {H5T_NATIVE_UINT8, n, 1, 0, cells->types};
    scree_hdf5_write(file, "VTKHDF/Connectivity", &connectivity);
    scree_hdf5_write(file, "VTKHDF/Offsets", &offsets);
    scree_hdf5_write(file, "VTKHDF/Types", &types);
}

static void write_grid(scree_hdf5_file *file, const scree_hdf5_rows *points,
                       const scree_series_cells *cells) {
    const int64_t version[2] = {1, 0};
    scree_hdf5_group(file, "VTKHDF/PointData");
    scree_hdf5_group(file, "VTKHDF/CellData");
    scree_hdf5_attribute(file, "VTKHDF", "Version", H5T_NATIVE_INT64, 2,
                         version);
    write_type(file);
    write_count(file, "VTKHDF/NumberOfPoints", points->n);
    scree_hdf5_write(file, "VTKHDF/Points", points);
    write_cells(file, cells);
}

/* Point and normal of the plane walls that are there now. Planes have no end:
 * whoever draws the frame draws as much of them as fits. */
static void write_planes(scree_hdf5_file *file, const scree_world *world) {
    double(*rows)[6] = calloc((size_t)world->n_wall + 1, sizeof *rows);
    int n = 0;
    for (int i = 0; i < world->n_wall && rows; i++) {
        scree_wall wall = world->walls[i];
        scree_plane plane;
        scree_wall_move(&wall, &plane, world->t);
        if (!plane.exists || scree_plane_is_surface(&plane)) continue;
        const scree_vec3 foot = scale(plane.d, plane.n);
        memcpy(rows[n], &foot, sizeof foot);
        memcpy(rows[n++] + 3, &plane.n, sizeof plane.n);
    }
    const scree_hdf5_rows table = {H5T_NATIVE_DOUBLE, n, 6, 0, rows};
    if (rows) scree_hdf5_write_table(file, "scree/planes", &table);
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
    scree_hdf5_write(file, "VTKHDF/FieldData/TimeValue", &value);
}

scree_hdf5_file *scree_series_begin_cells(scree_series *series,
                                          const scree_output_context *context,
                                          const scree_hdf5_rows *points,
                                          const scree_series_cells *cells) {
    if (!reserve_list(series)) return NULL;
    scree_hdf5_file *file = scree_hdf5_create();
    if (!usable(file)) return file;
    scree_hdf5_compress(file, series->compression);
    write_grid(file, points, cells);
    write_origin(file, context);
    return file;
}

scree_hdf5_file *scree_series_begin(scree_series *series,
                                    const scree_output_context *context,
                                    const scree_hdf5_rows *points) {
    if (!reserve_cells(series, points->n)) return NULL;
    const scree_series_cells vertices = {points->n, series->types,
                                         series->counting, series->counting};
    return scree_series_begin_cells(series, context, points, &vertices);
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
    memcpy(series->list + size, list_tail, sizeof list_tail);
    return scree_file_replace(list_path(series), series->list,
                              size + sizeof list_tail - 1, error);
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
    TRY(scree_hdf5_close(file, frame_path(series, series->frames), error));
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
    for (int64_t k = series->frames; a->status == SCREE_OK; k++)
        if (unlink(frame_path(series, k)) != 0) break;
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
    if (a->loads && a->status == SCREE_OK) cut_back(series, a);
}
