/* hdf5_file.c: HDF5 files built in memory.
 *
 * Cost: one copy of the file in memory while it is written; on several ranks
 * none (hdf5_ranks.c). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/whole_file.h"
#include "io/hdf5/hdf5_inside.h"
#include "io/version.h"

enum {
    IMAGE_INCREMENT = 1 << 20,
    LEAST_CHUNK = 256, /* rows that are worth compressing */
    MOST_CHUNK = 1 << 16,
};

void scree_hdf5_begin(void) {
    H5dont_atexit();
}

/* ---- one file ------------------------------------------------------------ */

static herr_t keep_innermost(unsigned n, const H5E_error2_t *entry,
                             void *reason) {
    if (n == 0)
        snprintf(reason, sizeof((scree_hdf5_file *)NULL)->reason, "%s",
                 entry->desc ? entry->desc : "unknown HDF5 error");
    return 0;
}

hid_t scree_hdf5_checked(scree_hdf5_file *file, hid_t id) {
    if (id < 0 && !file->failed) {
        file->failed = true;
        H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_innermost, file->reason);
    }
    return id;
}

void scree_hdf5_no_memory(scree_hdf5_file *file) {
    file->failed = file->no_memory = true;
}

bool scree_hdf5_usable(const scree_hdf5_file *file) {
    return file && !file->failed;
}

static void open_image(scree_hdf5_file *file) {
    const hid_t access = scree_hdf5_checked(file, H5Pcreate(H5P_FILE_ACCESS));
    scree_hdf5_checked(file, H5Pset_fapl_core(access, IMAGE_INCREMENT, false));
    /* With the core driver the name is only a label. */
    file->id = scree_hdf5_checked(
        file, H5Fcreate("image", H5F_ACC_TRUNC, H5P_DEFAULT, access));
    H5Pclose(access);
}

scree_hdf5_file *scree_hdf5_create(void) {
    return scree_hdf5_create_together(scree_comm_alone());
}

scree_hdf5_file *scree_hdf5_create_together(const scree_comm *comm) {
    scree_hdf5_file *file = calloc(1, sizeof *file);
    if (!file) return NULL;
    file->comm = comm;
    /* HDF5 would print its stack; the reason goes into the scree_error. */
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    open_image(file);
    file->links = scree_hdf5_checked(file, H5Pcreate(H5P_LINK_CREATE));
    scree_hdf5_checked(file, H5Pset_create_intermediate_group(file->links, 1));
    file->made = scree_hdf5_checked(file, H5Pcreate(H5P_DATASET_CREATE));
    scree_hdf5_checked(file, H5Pset_obj_track_times(file->made, false));
    file->text = scree_hdf5_checked(file, H5Tcopy(H5T_C_S1));
    scree_hdf5_checked(file, H5Tset_size(file->text, H5T_VARIABLE));
    scree_hdf5_checked(file, H5Tset_cset(file->text, H5T_CSET_UTF8));
    return file;
}

void scree_hdf5_group(scree_hdf5_file *file, const char *name) {
    if (!scree_hdf5_usable(file)) return;
    const hid_t group =
        scree_hdf5_checked(file, H5Gcreate2(file->id, name, file->links,
                                            H5P_DEFAULT, H5P_DEFAULT));
    if (group >= 0) H5Gclose(group);
}

hid_t scree_hdf5_memory(scree_hdf5_file *file, const scree_hdf5_rows *rows) {
    const hsize_t n = (hsize_t)rows->n, columns = (hsize_t)rows->columns;
    const hsize_t table[2] = {n,
                              rows->stride ? (hsize_t)rows->stride : columns};
    const hsize_t start[2] = {0, 0}, count[2] = {n, columns};
    const hid_t space =
        scree_hdf5_checked(file, H5Screate_simple(2, table, NULL));
    if (n == 0)
        H5Sselect_none(space);
    else
        scree_hdf5_checked(file, H5Sselect_hyperslab(space, H5S_SELECT_SET,
                                                     start, NULL, count, NULL));
    return space;
}

static void write_rows(scree_hdf5_file *file, hid_t dataset,
                       const scree_hdf5_rows *rows) {
    const hid_t memory = scree_hdf5_memory(file, rows);
    scree_hdf5_checked(file, H5Dwrite(dataset, rows->type, memory, H5S_ALL,
                                      H5P_DEFAULT, rows->data));
    H5Sclose(memory);
}

void scree_hdf5_compress(scree_hdf5_file *file, int level) {
    if (file) file->level = level;
}

/* How a dataset of n rows is stored. What is small, or not compressed, is
 * stored in one piece, which costs nothing to find; the rest in chunks. */
static hid_t storage_of(scree_hdf5_file *file, int64_t n, int columns,
                        int dimensions) {
    const hid_t store = scree_hdf5_checked(file, H5Pcopy(file->made));
    if (file->level == 0 || n < LEAST_CHUNK) return store;
    const hsize_t chunk[2] = {(hsize_t)(n < MOST_CHUNK ? n : MOST_CHUNK),
                              (hsize_t)columns};
    scree_hdf5_checked(file, H5Pset_chunk(store, dimensions, chunk));
    scree_hdf5_checked(file, H5Pset_shuffle(store));
    scree_hdf5_checked(file, H5Pset_deflate(store, (unsigned)file->level));
    return store;
}

hid_t scree_hdf5_make_dataset(scree_hdf5_file *file, const char *name,
                              const scree_hdf5_rows *like, int64_t n,
                              int dimensions) {
    const hsize_t size[2] = {(hsize_t)n, (hsize_t)like->columns};
    const hid_t space =
        scree_hdf5_checked(file, H5Screate_simple(dimensions, size, NULL));
    const hid_t store = storage_of(file, n, like->columns, dimensions);
    const hid_t dataset =
        scree_hdf5_checked(file, H5Dcreate2(file->id, name, like->type, space,
                                            file->links, store, H5P_DEFAULT));
    H5Pclose(store);
    H5Sclose(space);
    return dataset;
}

static void write_dataset(scree_hdf5_file *file, const char *name,
                          const scree_hdf5_rows *rows, int dimensions) {
    const hid_t dataset =
        scree_hdf5_make_dataset(file, name, rows, rows->n, dimensions);
    if (dataset >= 0 && rows->n > 0) write_rows(file, dataset, rows);
    H5Dclose(dataset);
}

/* Of one column one dimension. */
static int dimensions_of(const scree_hdf5_rows *rows) {
    return rows->columns > 1 ? 2 : 1;
}

void scree_hdf5_write(scree_hdf5_file *file, const char *name,
                      const scree_hdf5_rows *rows) {
    scree_hdf5_write_ends(file, name, rows, 0);
}

void scree_hdf5_write_ends(scree_hdf5_file *file, const char *name,
                           const scree_hdf5_rows *rows, int64_t behind) {
    if (!scree_hdf5_usable(file)) return;
    if (file->comm->size > 1)
        scree_hdf5_keep_piece(file, name, rows, behind, dimensions_of(rows));
    else
        write_dataset(file, name, rows, dimensions_of(rows));
}

void scree_hdf5_write_once(scree_hdf5_file *file, const char *name,
                           const scree_hdf5_rows *rows) {
    if (scree_hdf5_usable(file))
        write_dataset(file, name, rows, dimensions_of(rows));
}

void scree_hdf5_write_table(scree_hdf5_file *file, const char *name,
                            const scree_hdf5_rows *rows) {
    if (scree_hdf5_usable(file)) write_dataset(file, name, rows, 2);
}

void scree_hdf5_write_text(scree_hdf5_file *file, const char *name,
                           const char *text) {
    if (!scree_hdf5_usable(file)) return;
    const hid_t space = scree_hdf5_checked(file, H5Screate(H5S_SCALAR));
    const hid_t dataset = scree_hdf5_checked(
        file, H5Dcreate2(file->id, name, file->text, space, file->links,
                         file->made, H5P_DEFAULT));
    scree_hdf5_checked(file, H5Dwrite(dataset, file->text, H5S_ALL, H5S_ALL,
                                      H5P_DEFAULT, &text));
    H5Dclose(dataset);
    H5Sclose(space);
}

static hid_t list_space(scree_hdf5_file *file, int n) {
    const hsize_t size = (hsize_t)n;
    return scree_hdf5_checked(file, H5Screate_simple(1, &size, NULL));
}

static hid_t scalar_space(scree_hdf5_file *file) {
    return scree_hdf5_checked(file, H5Screate(H5S_SCALAR));
}

/* Closes the space. */
static void write_attribute(scree_hdf5_file *file, const char *object,
                            const char *name, hid_t type, hid_t space,
                            const void *values) {
    const hid_t attribute = scree_hdf5_checked(
        file, H5Acreate_by_name(file->id, object, name, type, space,
                                H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    scree_hdf5_checked(file, H5Awrite(attribute, type, values));
    H5Aclose(attribute);
    H5Sclose(space);
}

void scree_hdf5_attribute(scree_hdf5_file *file, const char *object,
                          const char *name, hid_t type, int n,
                          const void *values) {
    if (!scree_hdf5_usable(file)) return;
    write_attribute(file, object, name, type,
                    n == 1 ? scalar_space(file) : list_space(file, n), values);
}

void scree_hdf5_attribute_texts(scree_hdf5_file *file, const char *object,
                                const char *name, int n,
                                const char *const *texts) {
    if (!scree_hdf5_usable(file)) return;
    write_attribute(file, object, name, file->text, list_space(file, n), texts);
}

void scree_hdf5_attribute_text(scree_hdf5_file *file, const char *object,
                               const char *name, const char *text) {
    if (!scree_hdf5_usable(file)) return;
    scree_hdf5_attribute(file, object, name, file->text, 1, &text);
}

/* HDF5's own count of them overflows where the sizes are hostile; -1: it has
 * none. */
static double elements_of(hid_t space) {
    hsize_t size[H5S_MAX_RANK];
    const int rank = H5Sget_simple_extent_dims(space, size, NULL);
    double n = rank < 0 ? -1 : 1;
    for (int i = 0; i < rank; i++) n *= (double)size[i];
    return n;
}

/* Deflate, which is all that the files are compressed with, makes 1032 bytes of
 * one at best. */
bool scree_hdf5_fits_file(hid_t dataset, hid_t type, hid_t space) {
    const double most_packing = 1100;
    const double bytes = (double)H5Tget_size(type) * elements_of(space);
    return bytes >= 0 &&
           bytes <= most_packing * (double)H5Dget_storage_size(dataset);
}

bool scree_hdf5_is_stored(hid_t dataset) {
    const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    const bool fits = scree_hdf5_fits_file(dataset, type, space);
    H5Sclose(space);
    H5Tclose(type);
    return fits;
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

scree_status scree_hdf5_failure(const scree_hdf5_file *file, const char *name,
                                scree_error *error) {
    if (file->no_memory)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory",
                          name);
    return scree_fail(error, SCREE_IO_ERROR, "%s: cannot write: HDF5: %s", name,
                      file->reason);
}

/* The core driver hands out its buffer, so the image needs no second copy. */
scree_status scree_hdf5_give_image(scree_hdf5_file *file, const char *name,
                                   scree_hdf5_taker *take, void *context,
                                   scree_error *error) {
    void **image = NULL;
    scree_hdf5_checked(file, H5Fflush(file->id, H5F_SCOPE_GLOBAL));
    scree_hdf5_checked(
        file, H5Fget_vfd_handle(file->id, H5P_DEFAULT, (void **)&image));
    const ssize_t size = H5Fget_file_image(file->id, NULL, 0);
    scree_hdf5_checked(file, size);
    if (file->failed) return scree_hdf5_failure(file, name, error);
    return take(context, *image, (size_t)size, error);
}

/* Where the bytes of a file go, and what they are. */
typedef struct goal {
    const char *path;
    scree_file_kind kind;
} goal;

static scree_status take_to_path(void *context, const void *bytes, size_t size,
                                 scree_error *error) {
    const goal *to = context;
    return scree_file_replace_sealed(to->path, to->kind, bytes, size, error);
}

void scree_hdf5_drop(scree_hdf5_file *file) {
    if (!file) return;
    for (int64_t k = 0; k < file->n_piece; k++) free(file->pieces[k].name);
    free(file->pieces);
    H5Tclose(file->text);
    H5Pclose(file->links);
    H5Pclose(file->made);
    if (file->id >= 0) H5Fclose(file->id);
    free(file);
}

scree_status scree_hdf5_close_as(scree_hdf5_file *file, scree_file_kind kind,
                                 const char *path, scree_error *error) {
    if (!file)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory",
                          path);
    goal to = {path, kind};
    const scree_status status =
        file->comm->size > 1
            ? scree_hdf5_put_together(file, kind, path, error)
            : scree_hdf5_give_image(file, path, take_to_path, &to, error);
    scree_hdf5_drop(file);
    return status;
}

scree_status scree_hdf5_close(scree_hdf5_file *file, const char *path,
                              scree_error *error) {
    return scree_hdf5_close_as(file, SCREE_RESULT_FILE, path, error);
}
