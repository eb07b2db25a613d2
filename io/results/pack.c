#include "io/results/pack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/file/safe_file.h"
#include "io/file/whole_file.h"
#include "io/hdf5/hdf5_disk.h"
#include "io/hdf5/hdf5_file.h"
#include "io/results/pack_origin.h"
#include "io/results/pack_xdmf.h"

enum { MOST_CHUNK = 1 << 16, VTK_VERTEX = 1, VTK_LINE = 3 };

/* What the rows of an array are. */
typedef enum row_kind { POINT, CELL, ID, OFFSET, ROW_KINDS } row_kind;

/* One array of the packed file. */
typedef struct array {
    char name[SCREE_FIELD_NAME_BYTES + 20];
    row_kind kind;
    hid_t set, type;
    int rank, columns;
    int64_t filled; /* rows so far */
} array;

typedef struct packing {
    const scree_result_series *series;
    const scree_pack_options *options;
    const char *path;
    hid_t file;
    scree_frame_place
        *frames; /* (n_frame) with their places in the packed file */
    int64_t all[ROW_KINDS];
    scree_frame_field *fields;
    int n_field;
    array *arrays;
    int n_array;
    bool vertices;  /* all cells are */
    array topology; /* of other cells, for XDMF */
    void *buffer;
    size_t buffer_size;
} packing;

static scree_status no_memory(const packing *p, scree_error *error) {
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "%.500s: out of memory",
                      p->path);
}

static scree_status cannot_write(const packing *p, const char *what,
                                 scree_error *error) {
    return scree_fail(error, SCREE_IO_ERROR,
                      "%.500s: cannot write '%s' (is the disk full?)", p->path,
                      what);
}

static int64_t rows_of(const scree_frame_place *f, row_kind kind) {
    switch (kind) {
    case POINT:
        return f->points;
    case CELL:
        return f->cells;
    case ID:
        return f->ids;
    default:
        return f->cells + 1;
    }
}

/* ---- first round: what there is ------------------------------------------ */

static bool same_fields(const packing *p, const scree_frame_file *file) {
    if (file->n_field != p->n_field) return false;
    for (int i = 0; i < p->n_field; i++) {
        const scree_frame_field *a = &p->fields[i], *b = &file->fields[i];
        if (strcmp(a->name, b->name) != 0 || a->columns != b->columns ||
            a->integer != b->integer || a->on_cells != b->on_cells)
            return false;
    }
    return true;
}

static scree_status keep_fields(packing *p, const scree_frame_file *file,
                                scree_error *error) {
    p->n_field = file->n_field;
    p->fields = calloc((size_t)p->n_field + 1, sizeof *p->fields);
    if (!p->fields) return no_memory(p, error);
    memcpy(p->fields, file->fields, (size_t)p->n_field * sizeof *p->fields);
    return SCREE_OK;
}

static scree_status plan_frame(packing *p, int k, const scree_frame_file *file,
                               scree_error *error) {
    TRY(scree_frame_want_grid(file, error));
    if (k == 0) TRY(keep_fields(p, file, error));
    if (!same_fields(p, file))
        return scree_fail(error, SCREE_BAD_INPUT,
                          "%.500s: its fields are not those of the first frame",
                          file->path);
    scree_frame_place *f = &p->frames[k];
    *f = file->frames[p->series->frames[k].index];
    f->time = p->series->frames[k].time;
    f->first_point = p->all[POINT];
    f->first_cell = p->all[CELL];
    f->first_id = p->all[ID];
    f->first_offset = p->all[OFFSET];
    /* A cell of one point is a vertex. */
    p->vertices = p->vertices && f->ids == f->cells;
    for (int kind = 0; kind < ROW_KINDS; kind++)
        p->all[kind] += rows_of(f, (row_kind)kind);
    return SCREE_OK;
}

typedef scree_status frame_action(packing *p, int k,
                                  const scree_frame_file *file,
                                  scree_error *error);

/* A packed file is opened once for all its frames. */
static scree_status for_each_frame(packing *p, frame_action *act,
                                   scree_error *error) {
    scree_frame_file *file = NULL;
    scree_status status = SCREE_OK;
    for (int k = 0; k < p->series->n_frame && status == SCREE_OK; k++) {
        const char *path = p->series->frames[k].path;
        if (file && strcmp(file->path, path) != 0) {
            scree_frame_close(file);
            file = NULL;
        }
        if (!file) status = scree_frame_open(path, &file, error);
        if (status == SCREE_OK) status = act(p, k, file, error);
    }
    scree_frame_close(file);
    return status;
}

/* ---- the packed file ----------------------------------------------------- */

static hid_t storage_of(const packing *p, const array *a) {
    const hid_t store = H5Pcreate(H5P_DATASET_CREATE);
    const int64_t rows = p->all[a->kind];
    if (p->options->compression == 0 || rows == 0) return store;
    const hsize_t chunk[2] = {(hsize_t)(rows < MOST_CHUNK ? rows : MOST_CHUNK),
                              (hsize_t)a->columns};
    H5Pset_chunk(store, a->rank, chunk);
    H5Pset_shuffle(store);
    H5Pset_deflate(store, (unsigned)p->options->compression);
    return store;
}

/* With the type and columns that the first frame has. */
static scree_status create_array(packing *p, const scree_frame_file *file,
                                 row_kind kind, const char *name,
                                 scree_error *error) {
    array *a = &p->arrays[p->n_array];
    *a = (array){.kind = kind};
    snprintf(a->name, sizeof a->name, "%s", name);
    const hid_t set = H5Dopen2(file->id, name, H5P_DEFAULT);
    const hid_t stored = H5Dget_type(set), space = H5Dget_space(set);
    hsize_t size[2] = {0, 1};
    a->rank = H5Sget_simple_extent_ndims(space);
    if (a->rank == 1 || a->rank == 2)
        H5Sget_simple_extent_dims(space, size, NULL);
    a->columns = (int)size[1];
    a->type = H5Tget_native_type(stored, H5T_DIR_DEFAULT);
    size[0] = (hsize_t)p->all[kind];
    const hid_t whole = H5Screate_simple(a->rank, size, NULL),
                store = storage_of(p, a), links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    a->set =
        H5Dcreate2(p->file, name, a->type, whole, links, store, H5P_DEFAULT);
    H5Pclose(links);
    H5Pclose(store);
    H5Sclose(whole);
    H5Sclose(space);
    H5Tclose(stored);
    H5Dclose(set);
    p->n_array++;
    return a->set >= 0 ? SCREE_OK : cannot_write(p, name, error);
}

static const char *field_path(const scree_frame_field *field, const char *group,
                              char out[SCREE_FIELD_NAME_BYTES + 40]) {
    snprintf(out, SCREE_FIELD_NAME_BYTES + 40, "VTKHDF/%s%s/%s",
             field->on_cells ? "CellData" : "PointData", group, field->name);
    return out;
}

static scree_status create_arrays(packing *p, const scree_frame_file *file,
                                  scree_error *error) {
    char name[SCREE_FIELD_NAME_BYTES + 40];
    p->arrays = calloc((size_t)p->n_field + 4, sizeof *p->arrays);
    if (!p->arrays) return no_memory(p, error);
    TRY(create_array(p, file, POINT, "VTKHDF/Points", error));
    TRY(create_array(p, file, ID, "VTKHDF/Connectivity", error));
    TRY(create_array(p, file, OFFSET, "VTKHDF/Offsets", error));
    TRY(create_array(p, file, CELL, "VTKHDF/Types", error));
    for (int i = 0; i < p->n_field; i++)
        TRY(create_array(p, file, p->fields[i].on_cells ? CELL : POINT,
                         field_path(&p->fields[i], "", name), error));
    return SCREE_OK;
}

static bool reserve_bytes(packing *p, size_t size) {
    if (size <= p->buffer_size) return true;
    void *buffer = realloc(p->buffer, size);
    if (!buffer) return false;
    p->buffer = buffer;
    p->buffer_size = size;
    return true;
}

static int64_t first_of(const scree_frame_place *f, row_kind kind) {
    const int64_t firsts[ROW_KINDS] = {f->first_point, f->first_cell,
                                       f->first_id, f->first_offset};
    return firsts[kind];
}

/* Rows [first, first + n) of a dataset, read or written. */
static bool move_rows(hid_t set, const array *a, int64_t first, int64_t n,
                      void *values, bool write) {
    const hsize_t start[2] = {(hsize_t)first, 0},
                  count[2] = {(hsize_t)n, (hsize_t)a->columns};
    const hid_t stored = H5Dget_space(set),
                memory = H5Screate_simple(a->rank, count, NULL);
    bool ok = H5Sselect_hyperslab(stored, H5S_SELECT_SET, start, NULL, count,
                                  NULL) >= 0;
    if (ok && write)
        ok = H5Dwrite(set, a->type, memory, stored, H5P_DEFAULT, values) >= 0;
    else if (ok)
        ok = H5Dread(set, a->type, memory, stored, H5P_DEFAULT, values) >= 0;
    H5Sclose(memory);
    H5Sclose(stored);
    return ok;
}

static scree_status copy_array(packing *p, array *a,
                               const scree_frame_file *file, int frame,
                               scree_error *error) {
    const scree_frame_place *f = &file->frames[frame];
    const int64_t n = rows_of(f, a->kind);
    if (n == 0) return SCREE_OK;
    if (!reserve_bytes(p,
                       (size_t)n * (size_t)a->columns * H5Tget_size(a->type)))
        return no_memory(p, error);
    const hid_t set = H5Dopen2(file->id, a->name, H5P_DEFAULT);
    const bool read = set >= 0 && move_rows(set, a, first_of(f, a->kind), n,
                                            p->buffer, false);
    if (set >= 0) H5Dclose(set);
    if (!read)
        return scree_fail(error, SCREE_BAD_INPUT, "%.500s: cannot read '%s'",
                          file->path, a->name);
    if (!move_rows(a->set, a, a->filled, n, p->buffer, true))
        return cannot_write(p, a->name, error);
    a->filled += n;
    return SCREE_OK;
}

/* ---- cells for XDMF ------------------------------------------------------ */

/* VTK's numbers of the cells that Scree writes, as XDMF's. */
static int64_t xdmf_kind(uint8_t type) {
    if (type == VTK_VERTEX) return SCREE_XDMF_POLYVERTEX;
    return type == VTK_LINE ? SCREE_XDMF_POLYLINE : SCREE_XDMF_POLYGON;
}

typedef struct cells {
    int64_t *offsets, *ids, *joined;
    uint8_t *types;
} cells;

static void free_cells(cells *c) {
    free(c->offsets);
    free(c->ids);
    free(c->joined);
    free(c->types);
}

static scree_status read_cells(const packing *p, const scree_frame_file *file,
                               int frame, cells *c, scree_error *error) {
    const scree_frame_place *f = &file->frames[frame];
    const size_t n = (size_t)f->cells, ids = (size_t)f->ids;
    *c = (cells){calloc(n + 1, sizeof *c->offsets),
                 calloc(ids + 1, sizeof *c->ids),
                 calloc(ids + 2 * n + 1, sizeof *c->joined), calloc(n + 1, 1)};
    if (!c->offsets || !c->ids || !c->joined || !c->types)
        return no_memory(p, error);
    TRY(scree_frame_read_cells(file, frame, c->offsets, c->ids, c->types,
                               error));
    bool sound = c->offsets[0] == 0 && c->offsets[n] == f->ids;
    for (size_t i = 0; i < n && sound; i++)
        sound = c->offsets[i] <= c->offsets[i + 1];
    if (sound) return SCREE_OK;
    return scree_fail(error, SCREE_BAD_INPUT, "%.500s: its cells do not fit",
                      file->path);
}

/* For each cell its kind, the number of its corners, the corners. */
static void join_cells(const scree_frame_place *f, const cells *c) {
    int64_t *to = c->joined;
    for (int64_t i = 0; i < f->cells; i++) {
        *to++ = xdmf_kind(c->types[i]);
        *to++ = c->offsets[i + 1] - c->offsets[i];
        for (int64_t k = c->offsets[i]; k < c->offsets[i + 1]; k++)
            *to++ = c->ids[k];
    }
}

static scree_status create_topology(packing *p, scree_error *error) {
    array *a = &p->topology;
    const hsize_t size = (hsize_t)(p->all[ID] + 2 * p->all[CELL]);
    *a = (array){.kind = ID, .rank = 1, .columns = 1, .set = -1};
    a->type = H5Tcopy(H5T_NATIVE_INT64);
    const hid_t space = H5Screate_simple(1, &size, NULL),
                store = storage_of(p, a);
    a->set = H5Dcreate2(p->file, "topology", a->type, space, H5P_DEFAULT, store,
                        H5P_DEFAULT);
    H5Pclose(store);
    H5Sclose(space);
    return a->set >= 0 ? SCREE_OK : cannot_write(p, "topology", error);
}

static scree_status write_topology(packing *p, const scree_frame_file *file,
                                   int frame, scree_error *error) {
    const scree_frame_place *f = &file->frames[frame];
    const int64_t n = f->ids + 2 * f->cells;
    cells c;
    scree_status status = read_cells(p, file, frame, &c, error);
    if (status == SCREE_OK) {
        join_cells(f, &c);
        if (n > 0 && !move_rows(p->topology.set, &p->topology,
                                p->topology.filled, n, c.joined, true))
            status = cannot_write(p, "topology", error);
        p->topology.filled += n;
    }
    free_cells(&c);
    return status;
}

/* ---- second round: the frames -------------------------------------------- */

static scree_status copy_frame(packing *p, int k, const scree_frame_file *file,
                               scree_error *error) {
    const int frame = p->series->frames[k].index;
    if (k == 0) TRY(create_arrays(p, file, error));
    if (k == 0 && !p->vertices) TRY(create_topology(p, error));
    if (!p->vertices) TRY(write_topology(p, file, frame, error));
    for (int i = 0; i < p->n_array; i++)
        TRY(copy_array(p, &p->arrays[i], file, frame, error));
    /* The last one tells where all come from. */
    const scree_pack_ends ends = {file->id, p->file, file->path, p->path};
    if (k == p->series->n_frame - 1) TRY(scree_pack_origin(&ends, error));
    if (p->options->progress)
        p->options->progress(p->options->self, k + 1, p->series->n_frame);
    return SCREE_OK;
}

/* ---- the tables of the frames -------------------------------------------- */

/* p->buffer as an array [frames] or [frames,1] of 8 bytes each. */
static scree_status put_column(packing *p, const char *name, hid_t type,
                               int rank, scree_error *error) {
    const hsize_t size[2] = {(hsize_t)p->series->n_frame, 1};
    const hid_t space = H5Screate_simple(rank, size, NULL);
    const hid_t set = H5Dcreate2(p->file, name, type, space, H5P_DEFAULT,
                                 H5P_DEFAULT, H5P_DEFAULT);
    const bool ok = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL,
                                         H5P_DEFAULT, p->buffer) >= 0;
    if (set >= 0) H5Dclose(set);
    H5Sclose(space);
    return ok ? SCREE_OK : cannot_write(p, name, error);
}

static scree_status put_member(packing *p, const char *name, hid_t type,
                               size_t member, int rank, scree_error *error) {
    for (int k = 0; k < p->series->n_frame; k++)
        memcpy((char *)p->buffer + (size_t)k * sizeof(int64_t),
               (const char *)&p->frames[k] + member, sizeof(int64_t));
    return put_column(p, name, type, rank, error);
}

#define INTEGERS(name, member, rank)                                           \
    TRY(put_member(p, name, H5T_NATIVE_INT64,                                  \
                   offsetof(scree_frame_place, member), rank, error))

static scree_status put_counts(packing *p, scree_error *error) {
    INTEGERS("VTKHDF/NumberOfPoints", points, 1);
    INTEGERS("VTKHDF/NumberOfCells", cells, 1);
    INTEGERS("VTKHDF/NumberOfConnectivityIds", ids, 1);
    INTEGERS("scree/steps", step, 1);
    return put_member(p, "scree/state_hashes", H5T_NATIVE_UINT64,
                      offsetof(scree_frame_place, hash), 1, error);
}

static scree_status put_steps(packing *p, scree_error *error) {
    char name[SCREE_FIELD_NAME_BYTES + 60];
    TRY(put_member(p, "VTKHDF/Steps/Values", H5T_NATIVE_DOUBLE,
                   offsetof(scree_frame_place, time), 1, error));
    INTEGERS("VTKHDF/Steps/PointOffsets", first_point, 1);
    INTEGERS("VTKHDF/Steps/CellOffsets", first_cell, 2);
    INTEGERS("VTKHDF/Steps/ConnectivityIdOffsets", first_id, 2);
    for (int i = 0; i < p->n_field; i++) {
        const scree_frame_field *field = &p->fields[i];
        snprintf(name, sizeof name, "VTKHDF/Steps/%sDataOffsets/%s",
                 field->on_cells ? "Cell" : "Point", field->name);
        if (field->on_cells)
            INTEGERS(name, first_cell, 1);
        else
            INTEGERS(name, first_point, 1);
    }
    return SCREE_OK;
}

/* One part per frame: part k is frame k. */
static scree_status put_parts(packing *p, scree_error *error) {
    int64_t *numbers = p->buffer;
    for (int k = 0; k < p->series->n_frame; k++) numbers[k] = 1;
    TRY(put_column(p, "VTKHDF/Steps/NumberOfParts", H5T_NATIVE_INT64, 1,
                   error));
    for (int k = 0; k < p->series->n_frame; k++) numbers[k] = k;
    return put_column(p, "VTKHDF/Steps/PartOffsets", H5T_NATIVE_INT64, 1,
                      error);
}

static bool put_attribute(hid_t object, const char *name, hid_t type, int n,
                          const void *values) {
    const hsize_t size = (hsize_t)n;
    const hid_t space =
        n > 1 ? H5Screate_simple(1, &size, NULL) : H5Screate(H5S_SCALAR);
    const hid_t attribute =
        H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool ok = attribute >= 0 && H5Awrite(attribute, type, values) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    H5Sclose(space);
    return ok;
}

static scree_status put_kind(packing *p, scree_error *error) {
    static const char type[] = "UnstructuredGrid";
    const int64_t version[2] = {2, 0}, steps = p->series->n_frame;
    const hid_t fixed = H5Tcopy(H5T_C_S1),
                grid = H5Gopen2(p->file, "VTKHDF", H5P_DEFAULT),
                group = H5Gopen2(p->file, "VTKHDF/Steps", H5P_DEFAULT);
    /* Exactly so many bytes without a terminator. */
    H5Tset_size(fixed, sizeof type - 1);
    H5Tset_strpad(fixed, H5T_STR_NULLPAD);
    const bool ok =
        put_attribute(grid, "Version", H5T_NATIVE_INT64, 2, version) &&
        put_attribute(grid, "Type", fixed, 1, type) &&
        put_attribute(group, "NSteps", H5T_NATIVE_INT64, 1, &steps);
    H5Tclose(fixed);
    H5Gclose(grid);
    H5Gclose(group);
    return ok ? SCREE_OK : cannot_write(p, "VTKHDF", error);
}

/* Readers expect both groups, also without fields in them. */
static void make_groups(const packing *p) {
    static const char *const names[] = {"VTKHDF",
                                        "VTKHDF/PointData",
                                        "VTKHDF/CellData",
                                        "VTKHDF/Steps",
                                        "VTKHDF/Steps/PointDataOffsets",
                                        "VTKHDF/Steps/CellDataOffsets"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const hid_t group = H5Gcreate2(p->file, names[i], H5P_DEFAULT,
                                       H5P_DEFAULT, H5P_DEFAULT);
        if (group >= 0) H5Gclose(group);
    }
}

static scree_status write_file(packing *p, scree_error *error) {
    make_groups(p);
    TRY(for_each_frame(p, copy_frame, error));
    if (!p->vertices && H5Lmove(p->file, "topology", p->file, "scree/topology",
                                H5P_DEFAULT, H5P_DEFAULT) < 0)
        return cannot_write(p, "scree/topology", error);
    if (!reserve_bytes(p, (size_t)p->series->n_frame * sizeof(int64_t)))
        return no_memory(p, error);
    TRY(put_counts(p, error));
    TRY(put_steps(p, error));
    TRY(put_parts(p, error));
    return put_kind(p, error);
}

static void close_array(array *a) {
    if (a->set > 0) H5Dclose(a->set);
    if (a->type > 0) H5Tclose(a->type);
}

static scree_status close_file(packing *p, scree_status status,
                               scree_error *error) {
    for (int i = 0; i < p->n_array; i++) close_array(&p->arrays[i]);
    close_array(&p->topology);
    if (H5Fclose(p->file) < 0 && status == SCREE_OK)
        status = cannot_write(p, p->path, error);
    return status;
}

/* What the disk refused comes before what HDF5 made of it. */
static scree_status write_disk(packing *p, scree_hdf5_disk *disk,
                               scree_error *error) {
    p->file = scree_hdf5_create_disk(disk);
    scree_status status =
        p->file < 0 ? cannot_write(p, p->path, error) : write_file(p, error);
    if (p->file >= 0) status = close_file(p, status, error);
    if (disk->reason == ENOMEM) return no_memory(p, error);
    if (disk->reason)
        status = scree_fail(error, SCREE_IO_ERROR, "%.500s: cannot write: %s",
                            p->path, strerror(disk->reason));
    return status;
}

static scree_status create_file(void *context, const char *temporary,
                                scree_error *error) {
    packing *p = context;
    scree_hdf5_disk disk = {.fd = scree_file_new(temporary)};
    if (disk.fd < 0)
        return scree_fail(error, SCREE_IO_ERROR, "%.500s: cannot write: %s",
                          p->path, strerror(errno));
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const scree_status status = write_disk(p, &disk, error);
    close(disk.fd);
    return status == SCREE_OK
               ? scree_seal_file(temporary, SCREE_RESULT_FILE, error)
               : status;
}

/* run.vtkhdf: run.xmf; the ending of another name stays. */
static char *xdmf_path(const char *path) {
    static const char end[] = ".vtkhdf";
    const size_t n = strlen(path), m = sizeof end - 1;
    const bool known = n > m && strcmp(path + n - m, end) == 0;
    char *xdmf;
    return asprintf(&xdmf, "%.*s.xmf", (int)(known ? n - m : n), path) < 0
               ? NULL
               : xdmf;
}

static scree_status put_xdmf(packing *p, char **xdmf, scree_error *error) {
    const char *slash = strrchr(p->path, '/');
    const scree_pack_plan plan = {.name = p->series->name,
                                  .file = slash ? slash + 1 : p->path,
                                  .n_frame = p->series->n_frame,
                                  .n_field = p->n_field,
                                  .frames = p->frames,
                                  .fields = p->fields,
                                  .points = p->all[POINT],
                                  .cells = p->all[CELL],
                                  .ids = p->all[ID],
                                  .vertices = p->vertices};
    *xdmf = xdmf_path(p->path);
    return *xdmf ? scree_pack_xdmf(&plan, *xdmf, error) : no_memory(p, error);
}

static scree_status pack_series(packing *p, char **xdmf, scree_error *error) {
    p->frames = calloc((size_t)p->series->n_frame, sizeof *p->frames);
    if (!p->frames) return no_memory(p, error);
    TRY(for_each_frame(p, plan_frame, error));
    TRY(scree_file_replace_by(p->path, create_file, p, error));
    return put_xdmf(p, xdmf, error);
}

scree_status scree_pack(const scree_result_series *series, const char *path,
                        const scree_pack_options *options, char **xdmf,
                        scree_error *error) {
    packing p = {
        .series = series, .options = options, .path = path, .vertices = true};
    *xdmf = NULL;
    const scree_status status = pack_series(&p, xdmf, error);
    free(p.frames);
    free(p.fields);
    free(p.arrays);
    free(p.buffer);
    return status;
}
