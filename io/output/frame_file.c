#include "io/output/frame_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/hdf5/hdf5_file.h"

/* ---- messages ------------------------------------------------------------ */

static scree_status no_memory(const char *path, scree_error *error) {
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "%.500s: out of memory",
                      path);
}

static scree_status no_content(const scree_frame_file *file, const char *what,
                               scree_error *error) {
    if (file->no_memory) return no_memory(file->path, error);
    return scree_fail(error, SCREE_BAD_INPUT,
                      "%.500s: not as Scree writes it: cannot read '%s'",
                      file->path, what);
}

/* ---- attributes and texts ------------------------------------------------ */

static bool has_link(hid_t id, const char *name) {
    return H5Lexists(id, name, H5P_DEFAULT) > 0;
}

/* Closes the space. */
static bool is_one(hid_t space) {
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    return n == 1;
}

static bool read_number(hid_t object, const char *name, hid_t type,
                        void *value) {
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) return false;
    const bool ok =
        is_one(H5Aget_space(attribute)) && H5Aread(attribute, type, value) >= 0;
    H5Aclose(attribute);
    return ok;
}

/* One text of any length as this program writes it. The caller frees it; type and
 * space are closed. */
typedef herr_t read_text(hid_t id, hid_t type, void *value);

static herr_t read_dataset_text(hid_t id, hid_t type, void *value) {
    return H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
}

static char *take_text(scree_frame_file *file, hid_t id, hid_t stored,
                       hid_t space, read_text *read) {
    char *text = NULL, *copy = NULL;
    const bool one = is_one(space);
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    if (one && H5Tis_variable_str(stored) > 0 && read(id, type, &text) >= 0 &&
        text) {
        copy = strdup(text);
        file->no_memory = file->no_memory || !copy;
        H5free_memory(text);
    }
    H5Tclose(type);
    H5Tclose(stored);
    return copy;
}

static char *attribute_text(scree_frame_file *file, hid_t object,
                            const char *name) {
    const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) return NULL;
    char *text = take_text(file, attribute, H5Aget_type(attribute),
                           H5Aget_space(attribute), H5Aread);
    H5Aclose(attribute);
    return text;
}

static char *dataset_text(scree_frame_file *file, hid_t group,
                          const char *name) {
    const hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
    if (dataset < 0) return NULL;
    char *text = take_text(file, dataset, H5Dget_type(dataset),
                           H5Dget_space(dataset), read_dataset_text);
    H5Dclose(dataset);
    return text;
}

static bool short_text(scree_frame_file *file, hid_t group, const char *name,
                       char *out, size_t size) {
    char *text = attribute_text(file, group, name);
    if (!text) return false;
    snprintf(out, size, "%s", text);
    free(text);
    return true;
}

/* ---- datasets ------------------------------------------------------------ */

/* Of a field, and of an array: no sum of such counts overflows. */
enum { MOST_COLUMNS = 64 };
static const int64_t MOST_ROWS = (int64_t)1 << 40;

typedef struct shape {
    int rank;
    hsize_t size[2];
    bool integer;
} shape;

static bool dataset_shape(hid_t dataset, shape *s) {
    const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    const H5T_class_t kind = H5Tget_class(type);
    s->rank = H5Sget_simple_extent_ndims(space);
    s->size[1] = 1;
    s->integer = kind == H5T_INTEGER;
    const bool ok = (s->integer || kind == H5T_FLOAT) && s->rank >= 1 &&
                    s->rank <= 2 &&
                    H5Sget_simple_extent_dims(space, s->size, NULL) >= 0 &&
                    s->size[1] >= 1 && s->size[1] <= MOST_COLUMNS &&
                    scree_hdf5_is_stored(dataset);
    H5Tclose(type);
    H5Sclose(space);
    return ok;
}

/* Rows [first, first + n) of `columns` each. */
static bool read_block(hid_t dataset, hid_t type, int64_t first, int64_t n,
                       int columns, void *values) {
    shape s;
    if (!dataset_shape(dataset, &s) || s.size[1] != (hsize_t)columns ||
        first < 0 || n < 0 || first > MOST_ROWS || n > MOST_ROWS ||
        (hsize_t)(first + n) > s.size[0])
        return false;
    if (n == 0) return true;
    const hsize_t start[2] = {(hsize_t)first, 0},
                  count[2] = {(hsize_t)n, (hsize_t)columns};
    const hid_t stored = H5Dget_space(dataset),
                memory = H5Screate_simple(s.rank, count, NULL);
    const bool ok =
        H5Sselect_hyperslab(stored, H5S_SELECT_SET, start, NULL, count, NULL) >=
            0 &&
        H5Dread(dataset, type, memory, stored, H5P_DEFAULT, values) >= 0;
    H5Sclose(memory);
    H5Sclose(stored);
    return ok;
}

static bool read_array(const scree_frame_file *file, const char *name,
                       hid_t type, int64_t first, int64_t n, int columns,
                       void *values) {
    const hid_t dataset = H5Dopen2(file->id, name, H5P_DEFAULT);
    if (dataset < 0) return false;
    const bool ok = read_block(dataset, type, first, n, columns, values);
    H5Dclose(dataset);
    return ok;
}

static bool has_rows(const scree_frame_file *file, const char *name,
                     int64_t rows, int columns) {
    shape s = {0};
    const hid_t dataset = H5Dopen2(file->id, name, H5P_DEFAULT);
    if (dataset < 0) return false;
    const bool ok = dataset_shape(dataset, &s) && s.size[0] >= (hsize_t)rows &&
                    s.size[1] == (hsize_t)columns;
    H5Dclose(dataset);
    return ok;
}

/* One number of each frame. The caller frees. */
static void *frame_numbers(scree_frame_file *file, const char *name,
                           hid_t type) {
    void *values = calloc((size_t)file->n_frame + 1, sizeof(double));
    file->no_memory = file->no_memory || !values;
    if (values && read_array(file, name, type, 0, file->n_frame, 1, values))
        return values;
    free(values);
    return NULL;
}

/* ---- the origin ---------------------------------------------------------- */

static scree_status read_group(scree_frame_file *file, hid_t group,
                               scree_error *error) {
    scree_frame_origin *o = &file->origin;
    o->name = attribute_text(file, group, "name");
    o->case_text = dataset_text(file, group, "case");
    o->overrides = dataset_text(file, group, "overrides");
    if (o->name && o->case_text && o->overrides &&
        short_text(file, group, "version", o->version, sizeof o->version) &&
        short_text(file, group, "commit", o->commit, sizeof o->commit) &&
        short_text(file, group, "state_hash", o->state_hash,
                   sizeof o->state_hash) &&
        read_number(group, "seed", H5T_NATIVE_UINT64, &o->seed) &&
        read_number(group, "time", H5T_NATIVE_DOUBLE, &o->time) &&
        read_number(group, "step", H5T_NATIVE_INT64, &o->step))
        return SCREE_OK;
    return no_content(file, "scree", error);
}

static scree_status read_origin(scree_frame_file *file, scree_error *error) {
    if (!has_link(file->id, "scree"))
        return scree_fail(error, SCREE_BAD_INPUT,
                          "%.500s: not a result of Scree (no group 'scree')",
                          file->path);
    const hid_t group = H5Gopen2(file->id, "scree", H5P_DEFAULT);
    if (group < 0) return no_content(file, "scree", error);
    const scree_status status = read_group(file, group, error);
    H5Gclose(group);
    return status;
}

/* ---- frames -------------------------------------------------------------- */

static scree_status count_frames(scree_frame_file *file, scree_error *error) {
    file->n_frame = 1;
    if (!has_link(file->id, "VTKHDF/Steps")) return SCREE_OK;
    const hid_t steps = H5Gopen2(file->id, "VTKHDF/Steps", H5P_DEFAULT);
    const bool ok =
        steps >= 0 &&
        read_number(steps, "NSteps", H5T_NATIVE_INT, &file->n_frame) &&
        file->n_frame >= 1 &&
        has_rows(file, "VTKHDF/Steps/Values", file->n_frame, 1);
    if (steps >= 0) H5Gclose(steps);
    return ok ? SCREE_OK : no_content(file, "VTKHDF/Steps", error);
}

/* Frames lie one after the other; an array of offsets has one more per frame.
 * The place behind the last frame. */
static scree_frame_place next_place(const scree_frame_place *last) {
    return (scree_frame_place){.first_point = last->first_point + last->points,
                               .first_cell = last->first_cell + last->cells,
                               .first_id = last->first_id + last->ids,
                               .first_offset =
                                   last->first_offset + last->cells + 1};
}

static bool fits_rows(int64_t first, int64_t n) {
    return n >= 0 && n <= MOST_ROWS && first <= MOST_ROWS - n;
}

static bool place_frames(scree_frame_file *file) {
    for (int k = 0; k < file->n_frame; k++) {
        scree_frame_place *f = &file->frames[k];
        if (k > 0) {
            const scree_frame_place next = next_place(f - 1);
            f->first_point = next.first_point;
            f->first_cell = next.first_cell;
            f->first_id = next.first_id;
            f->first_offset = next.first_offset;
        }
        if (!fits_rows(f->first_point, f->points) ||
            !fits_rows(f->first_cell, f->cells) ||
            !fits_rows(f->first_id, f->ids))
            return false;
    }
    return true;
}

/* Whether the arrays of points and cells have room for all frames. */
static scree_status check_arrays(const scree_frame_file *file,
                                 scree_error *error) {
    const scree_frame_place end = next_place(&file->frames[file->n_frame - 1]);
    const struct {
        const char *name;
        int64_t rows;
        int columns;
    } arrays[] = {{"VTKHDF/Points", end.first_point, 3},
                  {"VTKHDF/Connectivity", end.first_id, 1},
                  {"VTKHDF/Offsets", end.first_offset, 1},
                  {"VTKHDF/Types", end.first_cell, 1}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!has_rows(file, arrays[i].name, arrays[i].rows, arrays[i].columns))
            return no_content(file, arrays[i].name, error);
    return SCREE_OK;
}

/* Sets one member of all frames from an array of the file. */
static bool take_numbers(scree_frame_file *file, const char *name, hid_t type,
                         size_t member) {
    char *values = frame_numbers(file, name, type);
    if (!values) return false;
    for (int k = 0; k < file->n_frame; k++)
        memcpy((char *)&file->frames[k] + member,
               values + (size_t)k * sizeof(double), sizeof(double));
    free(values);
    return true;
}

static bool read_steps(scree_frame_file *file) {
    const hid_t id = H5T_NATIVE_INT64;
    if (has_link(file->id, "VTKHDF/Steps"))
        return take_numbers(file, "VTKHDF/Steps/Values", H5T_NATIVE_DOUBLE,
                            offsetof(scree_frame_place, time)) &&
               take_numbers(file, "scree/steps", id,
                            offsetof(scree_frame_place, step)) &&
               take_numbers(file, "scree/state_hashes", H5T_NATIVE_UINT64,
                            offsetof(scree_frame_place, hash));
    scree_frame_place *frame = &file->frames[0];
    frame->time = file->origin.time;
    frame->step = file->origin.step;
    return sscanf(file->origin.state_hash, "%" SCNx64, &frame->hash) == 1;
}

static scree_status read_frames(scree_frame_file *file, scree_error *error) {
    TRY(count_frames(file, error));
    file->frames = calloc((size_t)file->n_frame, sizeof *file->frames);
    if (!file->frames) return no_memory(file->path, error);
    if (!read_steps(file)) return no_content(file, "times", error);
    const hid_t id = H5T_NATIVE_INT64;
    if (!take_numbers(file, "VTKHDF/NumberOfPoints", id,
                      offsetof(scree_frame_place, points)) ||
        !take_numbers(file, "VTKHDF/NumberOfCells", id,
                      offsetof(scree_frame_place, cells)) ||
        !take_numbers(file, "VTKHDF/NumberOfConnectivityIds", id,
                      offsetof(scree_frame_place, ids)) ||
        !place_frames(file))
        return no_content(file, "VTKHDF/NumberOfPoints", error);
    return check_arrays(file, error);
}

/* ---- fields -------------------------------------------------------------- */

static const char *group_of(bool on_cells) {
    return on_cells ? "VTKHDF/CellData" : "VTKHDF/PointData";
}

static bool describe_field(hid_t group, int64_t rows,
                           scree_frame_field *field) {
    shape s = {0};
    const hid_t dataset = H5Dopen2(group, field->name, H5P_DEFAULT);
    if (dataset < 0) return false;
    const bool ok = dataset_shape(dataset, &s) && s.size[0] >= (hsize_t)rows;
    H5Dclose(dataset);
    field->integer = s.integer;
    field->columns = (int)s.size[1];
    return ok;
}

static scree_status list_group(scree_frame_file *file, hid_t group,
                               bool on_cells, scree_error *error) {
    H5G_info_t about;
    if (H5Gget_info(group, &about) < 0)
        return no_content(file, group_of(on_cells), error);
    const size_t n = (size_t)file->n_field + about.nlinks;
    scree_frame_field *fields = realloc(file->fields, (n + 1) * sizeof *fields);
    if (!fields) return no_memory(file->path, error);
    file->fields = fields;
    const scree_frame_place end = next_place(&file->frames[file->n_frame - 1]);
    for (hsize_t i = 0; i < about.nlinks; i++) {
        scree_frame_field *field = &fields[file->n_field++];
        *field = (scree_frame_field){.on_cells = on_cells};
        H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i,
                           field->name, sizeof field->name, H5P_DEFAULT);
        if (!describe_field(group, on_cells ? end.first_cell : end.first_point,
                            field))
            return no_content(file, group_of(on_cells), error);
    }
    return SCREE_OK;
}

static scree_status list_fields(scree_frame_file *file, bool on_cells,
                                scree_error *error) {
    const hid_t group = H5Gopen2(file->id, group_of(on_cells), H5P_DEFAULT);
    if (group < 0) return no_content(file, group_of(on_cells), error);
    const scree_status status = list_group(file, group, on_cells, error);
    H5Gclose(group);
    return status;
}

/* ---- opening and closing ------------------------------------------------- */

static scree_status read_file(scree_frame_file *file, scree_error *error) {
    TRY(scree_seal_check(file->path, &file->kind, error));
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    file->id = H5Fopen(file->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file->id < 0)
        return scree_fail(error, SCREE_BAD_INPUT,
                          "%.500s: HDF5 cannot open the file", file->path);
    TRY(read_origin(file, error));
    file->has_grid = has_link(file->id, "VTKHDF");
    if (!file->has_grid) return SCREE_OK;
    TRY(read_frames(file, error));
    TRY(list_fields(file, false, error));
    return list_fields(file, true, error);
}

scree_status scree_frame_open(const char *path, scree_frame_file **out,
                              scree_error *error) {
    scree_frame_file *file = calloc(1, sizeof *file);
    if (!file) return no_memory(path, error);
    file->id = H5I_INVALID_HID;
    file->path = strdup(path);
    const scree_status status =
        file->path ? read_file(file, error) : no_memory(path, error);
    if (status == SCREE_OK)
        *out = file;
    else
        scree_frame_close(file);
    return status;
}

void scree_frame_close(scree_frame_file *file) {
    if (!file) return;
    if (file->id >= 0) H5Fclose(file->id);
    free(file->origin.name);
    free(file->origin.case_text);
    free(file->origin.overrides);
    free(file->frames);
    free(file->fields);
    free(file->path);
    free(file);
}

/* ---- reading ------------------------------------------------------------- */

scree_status scree_frame_want_grid(const scree_frame_file *file,
                                   scree_error *error) {
    if (file->has_grid) return SCREE_OK;
    return scree_fail(error, SCREE_BAD_INPUT, "%.500s: %s", file->path,
                      file->kind == SCREE_CHECKPOINT_FILE
                          ? "a checkpoint holds no frames; scree resume goes "
                            "on from it"
                          : "the run of a model has no frames; its table is "
                            "the CSV file beside it");
}

int64_t scree_frame_rows(const scree_frame_file *file, int frame,
                         const scree_frame_field *field) {
    const scree_frame_place *f = &file->frames[frame];
    return field && field->on_cells ? f->cells : f->points;
}

static scree_status read_rows(const scree_frame_file *file, int frame,
                              const scree_frame_field *field, hid_t type,
                              void *values, scree_error *error) {
    const scree_frame_place *f = &file->frames[frame];
    const bool on_cells = field && field->on_cells;
    char name[SCREE_FIELD_NAME_BYTES + 20] = "VTKHDF/Points";
    if (field)
        snprintf(name, sizeof name, "%s/%s", group_of(on_cells), field->name);
    if (read_array(file, name, type, on_cells ? f->first_cell : f->first_point,
                   on_cells ? f->cells : f->points, field ? field->columns : 3,
                   values))
        return SCREE_OK;
    return no_content(file, name, error);
}

scree_status scree_frame_read(const scree_frame_file *file, int frame,
                              const scree_frame_field *field, double *values,
                              scree_error *error) {
    return read_rows(file, frame, field, H5T_NATIVE_DOUBLE, values, error);
}

scree_status scree_frame_read_integers(const scree_frame_file *file, int frame,
                                       const scree_frame_field *field,
                                       int64_t *values, scree_error *error) {
    return read_rows(file, frame, field, H5T_NATIVE_INT64, values, error);
}

scree_status scree_frame_read_cells(const scree_frame_file *file, int frame,
                                    int64_t *offsets, int64_t *connectivity,
                                    uint8_t *types, scree_error *error) {
    const scree_frame_place *f = &file->frames[frame];
    const hid_t id = H5T_NATIVE_INT64;
    if (read_array(file, "VTKHDF/Offsets", id, f->first_offset, f->cells + 1, 1,
                   offsets) &&
        read_array(file, "VTKHDF/Connectivity", id, f->first_id, f->ids, 1,
                   connectivity) &&
        read_array(file, "VTKHDF/Types", H5T_NATIVE_UINT8, f->first_cell,
                   f->cells, 1, types))
        return SCREE_OK;
    return no_content(file, "VTKHDF/Connectivity", error);
}

int scree_frame_planes(const scree_frame_file *file, int most, double *planes) {
    shape s = {0};
    const hid_t set = H5Dopen2(file->id, "scree/planes", H5P_DEFAULT);
    if (set < 0) return 0;
    int n = 0;
    if (dataset_shape(set, &s) && s.size[1] == 6)
        n = s.size[0] < (hsize_t)most ? (int)s.size[0] : most;
    if (!read_block(set, H5T_NATIVE_DOUBLE, 0, n, 6, planes)) n = 0;
    H5Dclose(set);
    return n;
}

const scree_frame_field *scree_frame_find(const scree_frame_file *file,
                                          const char *name) {
    for (int i = 0; i < file->n_field; i++)
        if (strcmp(file->fields[i].name, name) == 0) return &file->fields[i];
    return NULL;
}

const char *scree_frame_column(int columns, int c, char out[16]) {
    if (columns == 1)
        out[0] = '\0';
    else if (columns == 3)
        snprintf(out, 16, "_%c", "xyz"[c]);
    else if (columns == 4) /* an orientation */
        snprintf(out, 16, "_%c", "wxyz"[c]);
    else
        snprintf(out, 16, "_%d", c);
    return out;
}
