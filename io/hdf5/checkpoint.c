#include "io/hdf5/checkpoint.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/base/hash.h"
#include "io/file/whole_file.h"
#include "io/hdf5/checkpoint_file.h"
#include "io/run/run_common.h"
#include "io/version.h"

/* ---- arrays in HDF5 ------------------------------------------------------ */

static hid_t type_of(scree_number type) {
    switch (type) {
    case SCREE_F64:
        return H5T_NATIVE_DOUBLE;
    case SCREE_F32:
        return H5T_NATIVE_FLOAT;
    case SCREE_I64:
        return H5T_NATIVE_INT64;
    case SCREE_I32:
        return H5T_NATIVE_INT32;
    default:
        return H5T_NATIVE_UINT8;
    }
}

enum { NAME = SCREE_CHECKPOINT_NAME_BYTES + 10 };

static void place_in_file(const char *name, char place[NAME]) {
    snprintf(place, NAME, "state/%s", name);
}

/* A checkpoint that is being saved, by all ranks together. */
typedef struct saving {
    const scree_comm *comm;
    scree_hdf5_file *file;
    void **parts; /* (n) arrays that wait in memory until the file is closed */
    int64_t n, room;
} saving;

static scree_hdf5_rows rows_of(const scree_rows *rows, const void *data) {
    return (scree_hdf5_rows){type_of(rows->type), rows->n, rows->columns, 0,
                             data};
}

static scree_status put_rows(void *self, const scree_rows *rows,
                             const void *data, scree_error *error) {
    const saving *s = self;
    const scree_hdf5_rows all = rows_of(rows, data);
    char place[NAME];
    (void)error; /* the file keeps it until it is closed */
    place_in_file(rows->name, place);
    scree_hdf5_write_once(s->file, place, &all);
    return SCREE_OK;
}

static scree_status agree_status(void *self, scree_status status,
                                 scree_error *error) {
    return scree_comm_agree(((const saving *)self)->comm, status, error);
}

/* A copy of an array of this rank, kept until the end. */
static scree_status keep_array(saving *s, const scree_rows *rows,
                               const void *data, scree_error *error) {
    const size_t bytes =
        (size_t)rows->n * (size_t)rows->columns * scree_number_size(rows->type);
    void *copy = malloc(bytes + 1);
    if (!copy || scree_reserve(&s->parts, &s->room, s->n + 1,
                               sizeof *s->parts) != SCREE_OK) {
        free(copy);
        return scree_run_no_memory(error);
    }
    if (bytes) memcpy(copy, data, bytes);
    s->parts[s->n++] = copy;
    return SCREE_OK;
}

static scree_status put_part(void *self, const scree_rows *rows,
                             const void *data, scree_error *error) {
    saving *s = self;
    char place[NAME];
    TRY(agree_status(s, keep_array(s, rows, data, error), error));
    const scree_hdf5_rows mine = rows_of(rows, s->parts[s->n - 1]);
    place_in_file(rows->name, place);
    scree_hdf5_write(s->file, place, &mine);
    return SCREE_OK;
}

/* H5Lexists wants every part of the path to be there. */
static htri_t path_exists(hid_t file, const char *place) {
    char part[NAME];
    for (const char *at = place; at;) {
        at = strchr(at, '/');
        snprintf(part, sizeof part, "%.*s",
                 at ? (int)(at - place) : (int)strlen(place), place);
        const htri_t found = H5Lexists(file, part, H5P_DEFAULT);
        if (found <= 0) return found;
        if (at) at++;
    }
    return 1;
}

/* Rows and columns of a dataset; SCREE_NO_ARRAY: of another form. Rows without
 * columns could be any number, and take no room in the file. */
static int64_t size_of(hid_t dataset, hid_t type, int *columns) {
    hsize_t size[2] = {0, 1};
    const hid_t space = H5Dget_space(dataset);
    const int rank = H5Sget_simple_extent_ndims(space);
    const bool ok = (rank == 1 || rank == 2) &&
                    H5Sget_simple_extent_dims(space, size, NULL) == rank &&
                    size[1] >= 1 && size[1] <= INT_MAX &&
                    scree_hdf5_fits_file(dataset, type, space);
    H5Sclose(space);
    *columns = (int)size[1];
    return ok ? (int64_t)size[0] : SCREE_NO_ARRAY;
}

static void close_array(scree_checkpoint_array *a) {
    if (a->id >= 0) H5Tclose(a->type);
    if (a->id >= 0) H5Dclose(a->id);
    *a = (scree_checkpoint_array){.id = -1};
}

/* Arrays are counted, then read: one that was asked for stays open until another
 * is. */
static const scree_checkpoint_array *open_array(scree_checkpoint *c,
                                                const char *name) {
    scree_checkpoint_array *a = &c->array;
    char place[NAME];
    if (strcmp(a->name, name) == 0) return a;
    close_array(a);
    place_in_file(name, place);
    a->id = H5Dopen2(c->file, place, H5P_DEFAULT);
    if (a->id >= 0) {
        snprintf(a->name, sizeof a->name, "%s", name);
        a->type = H5Dget_type(a->id);
        a->n = size_of(a->id, a->type, &a->columns);
    } else
        a->n = path_exists(c->file, place) == 0 ? SCREE_NO_ARRAY
                                                : SCREE_UNREADABLE;
    return a;
}

static int64_t count_rows(void *self, const char *name) {
    return open_array(self, name)->n;
}

/* Rows [first, first + n) of a dataset. */
static bool read_block(hid_t dataset, const scree_rows *rows, void *data) {
    const hsize_t start[2] = {(hsize_t)rows->first, 0},
                  count[2] = {(hsize_t)rows->n, (hsize_t)rows->columns};
    const hid_t stored = H5Dget_space(dataset);
    const hid_t memory = H5Screate_simple(2, count, NULL);
    const bool read = H5Sselect_hyperslab(stored, H5S_SELECT_SET, start, NULL,
                                          count, NULL) >= 0 &&
                      H5Dread(dataset, type_of(rows->type), memory, stored,
                              H5P_DEFAULT, data) >= 0;
    H5Sclose(memory);
    H5Sclose(stored);
    return read;
}

/* Does the array hold the rows that are wanted? */
static bool holds_rows(const scree_checkpoint_array *a,
                       const scree_rows *rows) {
    return a->n >= 0 && a->columns == rows->columns &&
           H5Tequal(a->type, type_of(rows->type)) > 0 &&
           (rows->block ? rows->first + rows->n <= a->n : rows->n == a->n);
}

static scree_status get_rows(void *self, const scree_rows *rows, void *data,
                             scree_error *error) {
    const scree_checkpoint_array *a = open_array(self, rows->name);
    const scree_rows all = {rows->name, rows->type, rows->n, rows->columns,
                            .block = true};
    if (holds_rows(a, rows) &&
        (rows->n == 0 || read_block(a->id, rows->block ? rows : &all, data)))
        return SCREE_OK;
    return scree_fail(error, SCREE_BAD_INPUT,
                      "'state/%s' is not what this case needs: %lld rows of %d",
                      rows->name, (long long)rows->n, rows->columns);
}

static const scree_archive_ops in_file = {put_rows, get_rows, count_rows,
                                          put_part, agree_status};

/* ---- saving -------------------------------------------------------------- */

/* Files that the case names are looked up beside it, wherever the next part of
 * the run starts. */
static char *whole_path(const char *path) {
    char *whole = realpath(path, NULL);
    return whole ? whole : strdup(path);
}

static uint64_t add_bytes(uint64_t sum, const void *data, size_t n) {
    return data ? scree_hash_bytes(sum, data, n) : sum;
}

static uint64_t sum_of_wall(uint64_t sum, const scree_case_surface *s) {
    const scree_heights *h = &s->heights;
    sum = add_bytes(sum, s->vertices,
                    3 * (size_t)s->n_vertex * sizeof *s->vertices);
    sum = add_bytes(sum, s->corners,
                    3 * (size_t)s->n_triangle * sizeof *s->corners);
    return add_bytes(sum, h->z, (size_t)h->nx * (size_t)h->ny * sizeof *h->z);
}

static uint64_t sum_of_files(const scree_case *c) {
    uint64_t sum = SCREE_HASH_START;
    for (int i = 0; i < c->n_wall; i++)
        sum = sum_of_wall(sum, &c->walls[i].surface);
    for (int i = 0; i < c->n_shape; i++)
        for (int k = 0; k < c->shapes[i].set.n; k++) {
            const scree_shape_def *def = &c->shapes[i].defs[k];
            sum = add_bytes(sum, def->points,
                            3 * (size_t)def->n_point * sizeof *def->points);
        }
    return sum;
}

static void archive_case(scree_archive *a, const scree_case *c) {
    char *path = whole_path(c->path), *resolved;
    scree_case_print_text(c, &resolved);
    char *version = strdup(scree_build_version);
    uint64_t files = sum_of_files(c);
    scree_archive_group(a, "case");
    scree_archive_array(a, "files", SCREE_I64, 1, 1, &files);
    if (path && resolved && version) {
        scree_archive_text(a, "text", (char **)&c->text);
        scree_archive_text(a, "overrides", (char **)&c->overrides);
        scree_archive_text(a, "path", &path);
        scree_archive_text(a, "resolved", &resolved);
        scree_archive_text(a, "version", &version);
    } else {
        scree_archive_fail(a, SCREE_OUT_OF_MEMORY, "out of memory");
    }
    free(path);
    free(resolved);
    free(version);
}

static void archive_all(scree_archive *a, const scree_case *c,
                        const scree_hdf5_state *state,
                        scree_checkpoint_fill *fill, void *context) {
    struct {
        int64_t step;
        double time;
    } at = {state->step, state->time};
    archive_case(a, c);
    scree_archive_group(a, "at");
    scree_archive_array(a, "step", SCREE_I64, 1, 1, &at.step);
    scree_archive_array(a, "time", SCREE_F64, 1, 1, &at.time);
    fill(context, a);
}

/* The file to disk, unless something failed before. */
static scree_status close_file(saving *s, const char *path, scree_status filled,
                               scree_error *error) {
    if (filled != SCREE_OK) {
        scree_hdf5_drop(s->file);
        return filled;
    }
    TRY(scree_hdf5_close_as(s->file, SCREE_CHECKPOINT_FILE, path, error));
    /* Whoever resumes counts on all that was written before it, too. */
    return agree_status(
        s, s->comm->rank == 0 ? scree_file_sync_folder(path, error) : SCREE_OK,
        error);
}

scree_status scree_checkpoint_save(const scree_comm *comm, const char *path,
                                   const scree_case *c,
                                   const scree_hdf5_state *state,
                                   scree_checkpoint_fill *fill, void *context,
                                   scree_error *error) {
    scree_error unheard = {0};
    saving s = {.comm = comm, .file = scree_hdf5_create_together(comm)};
    scree_archive a = {
        .ops = &in_file, .self = &s, .error = error ? error : &unheard};
    a.status = agree_status(
        &s, s.file ? SCREE_OK : scree_run_no_memory(a.error), a.error);
    if (a.status == SCREE_OK) {
        scree_hdf5_origin(s.file, c, state);
        archive_all(&a, c, state, fill, context);
        a.status = agree_status(&s, a.status, a.error);
    }
    a.status = close_file(&s, path, a.status, a.error);
    for (int64_t k = 0; k < s.n; k++) free(s.parts[k]);
    free(s.parts);
    return a.status;
}

/* ---- loading ------------------------------------------------------------- */

scree_archive scree_checkpoint_archive(const scree_checkpoint *checkpoint,
                                       scree_error *error) {
    return (scree_archive){.ops = &in_file,
                           .self = (void *)checkpoint,
                           .loads = true,
                           .version = checkpoint->version,
                           .error = error};
}

scree_status scree_checkpoint_check_files(const scree_checkpoint *checkpoint,
                                          const scree_case *c,
                                          scree_error *error) {
    if (checkpoint->files == sum_of_files(c)) return SCREE_OK;
    return scree_fail(error, SCREE_BAD_INPUT,
                      "%.400s: a file that the case names (a mesh, a shape, "
                      "terrain) has changed since the checkpoint\n  put the "
                      "file back, or start a new run",
                      checkpoint->path);
}

void scree_checkpoint_close(scree_checkpoint *c) {
    if (!c) return;
    close_array(&c->array);
    if (c->file >= 0) H5Fclose(c->file);
    free(c->path);
    free(c->text);
    free(c->overrides);
    free(c->case_path);
    free(c->resolved);
    free(c->version);
    free(c);
}

static scree_status load_head(scree_checkpoint *c, scree_error *error) {
    scree_error why = {0};
    scree_archive a = scree_checkpoint_archive(c, &why);
    scree_archive_group(&a, "case");
    scree_archive_text(&a, "version", &c->version);
    a.version = c->version;
    scree_archive_array(&a, "files", SCREE_I64, 1, 1, &c->files);
    scree_archive_text(&a, "text", &c->text);
    scree_archive_text(&a, "overrides", &c->overrides);
    scree_archive_text(&a, "path", &c->case_path);
    scree_archive_text(&a, "resolved", &c->resolved);
    scree_archive_group(&a, "at");
    scree_archive_array(&a, "step", SCREE_I64, 1, 1, &c->step);
    scree_archive_array(&a, "time", SCREE_F64, 1, 1, &c->time);
    if (a.status == SCREE_OK) return SCREE_OK;
    return scree_fail(error, a.status, "%.400s: %s", c->path, why.text);
}

static scree_status load_index(scree_checkpoint *c, scree_error *error) {
    if (!c->path)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "out of memory");
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    c->file = H5Fopen(c->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (c->file < 0)
        return scree_fail(error, SCREE_BAD_INPUT,
                          "%.400s: HDF5 cannot read the checkpoint", c->path);
    return load_head(c, error);
}

scree_status scree_checkpoint_open(const char *path, scree_checkpoint **out,
                                   scree_error *error) {
    *out = NULL;
    TRY(scree_checkpoint_check(path, error));
    return scree_checkpoint_open_whole(path, out, error);
}

scree_status scree_checkpoint_open_whole(const char *path,
                                         scree_checkpoint **out,
                                         scree_error *error) {
    *out = NULL;
    scree_checkpoint *c = calloc(1, sizeof *c);
    if (!c) return scree_fail(error, SCREE_OUT_OF_MEMORY, "out of memory");
    c->file = c->array.id = -1;
    c->path = strdup(path);
    const scree_status status = load_index(c, error);
    if (status == SCREE_OK)
        *out = c;
    else
        scree_checkpoint_close(c);
    return status;
}

static scree_status open_step(const char *folder, int64_t step,
                              scree_checkpoint **out, scree_error *error) {
    char *path = scree_checkpoint_path(folder, step);
    if (!path) return scree_fail(error, SCREE_OUT_OF_MEMORY, "out of memory");
    const scree_status status = scree_checkpoint_open(path, out, error);
    free(path);
    return status;
}

scree_status scree_checkpoint_newest(const char *folder, scree_checkpoint **out,
                                     scree_error *skipped, scree_error *error) {
    int64_t *steps;
    int n;
    *out = NULL;
    TRY(scree_checkpoint_list(folder, &steps, &n, error));
    scree_status status =
        n ? SCREE_OK
          : scree_fail(error, SCREE_BAD_INPUT,
                       "%.400s: there is no checkpoint; start the run with "
                       "scree run CASE --out %.400s",
                       folder, folder);
    for (int i = 0; i < n; i++) {
        status = open_step(folder, steps[i], out, error);
        if (status != SCREE_BAD_INPUT) break;
        if (error)
            scree_run_append(skipped, "%s%s", i ? "\n" : "", error->text);
    }
    free(steps);
    return status;
}
