#include "io/results/pack_origin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/hdf5/hdf5_file.h"

enum { NAME = 200, MOST_ATTRIBUTE = 1 << 16 };

static scree_status cannot_read(const scree_pack_ends *ends, const char *name,
                                scree_error *error) {
    return scree_fail(error, SCREE_BAD_INPUT, "%.500s: cannot read 'scree/%s'",
                      ends->from_path, name);
}

static scree_status cannot_write(const scree_pack_ends *ends, const char *name,
                                 scree_error *error) {
    return scree_fail(error, SCREE_IO_ERROR,
                      "%.500s: cannot write 'scree/%s' (is the disk full?)",
                      ends->to_path, name);
}

static scree_status no_memory(const scree_pack_ends *ends, scree_error *error) {
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "%.500s: out of memory",
                      ends->to_path);
}

/* ---- values --------------------------------------------------------------- */

typedef struct values {
    hid_t type, space;
    size_t n, bytes;
    void *data;
} values;

/* False: there are more than fit in memory. */
static bool measure_values(values *v) {
    const hssize_t n = H5Sget_simple_extent_npoints(v->space);
    const size_t size = H5Tget_size(v->type);
    if (n < 0 || size == 0 || (uint64_t)n > SIZE_MAX / 2 / size) return false;
    v->n = (size_t)n, v->bytes = v->n * size;
    return true;
}

/* Texts of any length are blocks of their own. */
static void free_values(values *v) {
    if (v->data && v->n > 0)
        H5Dvlen_reclaim(v->type, v->space, H5P_DEFAULT, v->data);
    free(v->data);
    H5Sclose(v->space);
    H5Tclose(v->type);
}

/* ---- attributes ----------------------------------------------------------- */

static scree_status copy_values(const scree_pack_ends *ends, hid_t attribute,
                                hid_t to, const char *name, values *v,
                                scree_error *error) {
    if (!measure_values(v) || v->bytes > MOST_ATTRIBUTE)
        return cannot_read(ends, name, error);
    v->data = calloc(v->bytes + 1, 1);
    if (!v->data) return no_memory(ends, error);
    if (v->n > 0 && H5Aread(attribute, v->type, v->data) < 0)
        return cannot_read(ends, name, error);
    const hid_t made =
        H5Acreate2(to, name, v->type, v->space, H5P_DEFAULT, H5P_DEFAULT);
    const bool ok =
        made >= 0 && (v->n == 0 || H5Awrite(made, v->type, v->data) >= 0);
    if (made >= 0) H5Aclose(made);
    return ok ? SCREE_OK : cannot_write(ends, name, error);
}

static scree_status copy_attribute(const scree_pack_ends *ends, hid_t from,
                                   hid_t to, const char *name,
                                   scree_error *error) {
    const hid_t attribute = H5Aopen(from, name, H5P_DEFAULT);
    if (attribute < 0) return cannot_read(ends, name, error);
    values v = {.type = H5Aget_type(attribute),
                .space = H5Aget_space(attribute)};
    const scree_status status =
        copy_values(ends, attribute, to, name, &v, error);
    free_values(&v);
    H5Aclose(attribute);
    return status;
}

static scree_status copy_attributes(const scree_pack_ends *ends, hid_t from,
                                    hid_t to, scree_error *error) {
    char name[NAME];
    const int n = H5Aget_num_attrs(from);
    if (n < 0) return cannot_read(ends, "", error);
    for (int i = 0; i < n; i++) {
        if (H5Aget_name_by_idx(from, ".", H5_INDEX_NAME, H5_ITER_INC,
                               (hsize_t)i, name, NAME, H5P_DEFAULT) < 0)
            return cannot_read(ends, "", error);
        TRY(copy_attribute(ends, from, to, name, error));
    }
    return SCREE_OK;
}

/* ---- arrays --------------------------------------------------------------- */

/* With the layout and the compression that it has. */
static hid_t create_alike(hid_t set, hid_t to, const char *name,
                          const values *v) {
    const hid_t layout = H5Dget_create_plist(set);
    const hid_t made =
        H5Dcreate2(to, name, v->type, v->space, H5P_DEFAULT,
                   layout >= 0 ? layout : H5P_DEFAULT, H5P_DEFAULT);
    if (layout >= 0) H5Pclose(layout);
    return made;
}

static scree_status copy_rows(const scree_pack_ends *ends, hid_t set, hid_t to,
                              const char *name, values *v, scree_error *error) {
    if (!measure_values(v) || !scree_hdf5_fits_file(set, v->type, v->space))
        return cannot_read(ends, name, error);
    v->data = calloc(v->bytes + 1, 1);
    if (!v->data) return no_memory(ends, error);
    if (v->n > 0 &&
        H5Dread(set, v->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, v->data) < 0)
        return cannot_read(ends, name, error);
    const hid_t made = create_alike(set, to, name, v);
    const bool ok =
        made >= 0 && (v->n == 0 || H5Dwrite(made, v->type, H5S_ALL, H5S_ALL,
                                            H5P_DEFAULT, v->data) >= 0);
    const scree_status status = ok ? copy_attributes(ends, set, made, error)
                                   : cannot_write(ends, name, error);
    if (made >= 0) H5Dclose(made);
    return status;
}

static scree_status copy_array(const scree_pack_ends *ends, hid_t from,
                               hid_t to, const char *name, scree_error *error) {
    const hid_t set = H5Dopen2(from, name, H5P_DEFAULT);
    if (set < 0) return cannot_read(ends, name, error);
    values v = {.type = H5Dget_type(set), .space = H5Dget_space(set)};
    const scree_status status = copy_rows(ends, set, to, name, &v, error);
    free_values(&v);
    H5Dclose(set);
    return status;
}

static bool is_table(const char *name) {
    return strcmp(name, "steps") == 0 || strcmp(name, "state_hashes") == 0 ||
           strcmp(name, "topology") == 0;
}

static scree_status copy_arrays(const scree_pack_ends *ends, hid_t from,
                                hid_t to, scree_error *error) {
    char name[NAME];
    H5G_info_t about;
    if (H5Gget_info(from, &about) < 0) return cannot_read(ends, "", error);
    for (hsize_t i = 0; i < about.nlinks; i++) {
        if (H5Lget_name_by_idx(from, ".", H5_INDEX_NAME, H5_ITER_INC, i, name,
                               NAME, H5P_DEFAULT) < 0)
            return cannot_read(ends, "", error);
        if (!is_table(name)) TRY(copy_array(ends, from, to, name, error));
    }
    return SCREE_OK;
}

/* ---- all ------------------------------------------------------------------ */

scree_status scree_pack_origin(const scree_pack_ends *ends,
                               scree_error *error) {
    const hid_t from = H5Gopen2(ends->from, "scree", H5P_DEFAULT);
    if (from < 0) return cannot_read(ends, "", error);
    const hid_t to =
        H5Gcreate2(ends->to, "scree", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    scree_status status = to < 0 ? cannot_write(ends, "", error)
                                 : copy_attributes(ends, from, to, error);
    if (status == SCREE_OK) status = copy_arrays(ends, from, to, error);
    if (to >= 0) H5Gclose(to);
    H5Gclose(from);
    return status;
}
