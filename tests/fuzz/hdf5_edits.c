#include "hdf5_edits.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target.h"

/* ---- what there is ------------------------------------------------------- */

enum { MOST_PLACES = 256, NAME = 100 };

typedef struct place {
    char object[NAME];
    char attribute[NAME]; /* "": the object itself */
} place;

typedef struct places {
    const void *base; /* the file that has them */
    int n;
    place at[MOST_PLACES];
} places;

static void add_place(places *p, const char *object, const char *attribute) {
    if (p->n == MOST_PLACES || strcmp(object, ".") == 0) return;
    place *at = &p->at[p->n++];
    snprintf(at->object, NAME, "%s", object);
    snprintf(at->attribute, NAME, "%s", attribute);
}

static herr_t visit(hid_t root, const char *name, const H5O_info_t *about,
                    void *self) {
    add_place(self, name, "");
    const hid_t object = H5Oopen(root, name, H5P_DEFAULT);
    for (hsize_t i = 0; i < about->num_attrs && object >= 0; i++) {
        char attribute[NAME];
        if (H5Aget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, i,
                               attribute, NAME, H5P_DEFAULT) >= 0)
            add_place(self, name, attribute);
    }
    if (object >= 0) H5Oclose(object);
    return 0;
}

/* ---- what to put there --------------------------------------------------- */

/* Types of all classes that a file may hold. The caller closes. */
static hid_t make_type(unsigned choice) {
    hid_t type;
    const hsize_t three = 3;
    switch (choice % 13) {
    case 0:
        return H5Tcopy(H5T_NATIVE_INT8);
    case 1:
        return H5Tcopy(H5T_NATIVE_INT32);
    case 2:
        return H5Tcopy(H5T_NATIVE_INT64);
    case 3:
        return H5Tcopy(H5T_NATIVE_UINT64);
    case 4:
        return H5Tcopy(H5T_NATIVE_FLOAT);
    case 5:
        return H5Tcopy(H5T_STD_I64BE);
    case 6: /* texts of any length */
        type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, H5T_VARIABLE);
        return type;
    case 7: /* texts of one length */
        type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, 300);
        return type;
    case 8:
        return H5Tvlen_create(H5T_NATIVE_INT);
    case 9:
        return H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &three);
    case 10:
        return H5Tcopy(H5T_STD_REF_OBJ);
    case 11:
        type = H5Tcreate(H5T_COMPOUND, 8);
        H5Tinsert(type, "x", 0, H5T_NATIVE_DOUBLE);
        return type;
    default:
        return H5Tcopy(H5T_NATIVE_DOUBLE);
    }
}

/* Sizes near those that are right, zero, and far too large. */
static hsize_t make_size(uint8_t byte) {
    if (byte < 240) return byte;
    return (hsize_t)1 << (byte - 240 + 24 + 2 * (byte & 7));
}

typedef struct edit {
    uint8_t what, where, a, b;
    uint8_t value[8];
} edit;

static hid_t make_space(const edit *e) {
    hsize_t size[3];
    for (int i = 0; i < 3; i++) size[i] = make_size(e->value[i]);
    switch (e->b % 8) {
    case 0:
        return H5Screate(H5S_SCALAR);
    case 1:
        return H5Screate(H5S_NULL);
    case 2:
        return H5Screate_simple(3, size, NULL);
    case 3:
    case 4:
        return H5Screate_simple(2, size, NULL);
    default:
        return H5Screate_simple(1, size, NULL);
    }
}

/* Chunked arrays of any size take no room until they are written. */
static hid_t make_storage(hid_t space, const edit *e) {
    const hid_t store = H5Pcreate(H5P_DATASET_CREATE);
    const int rank = H5Sget_simple_extent_ndims(space);
    const hsize_t chunk[3] = {16, 4, 4};
    if (rank > 0) H5Pset_chunk(store, rank, chunk);
    if (rank > 0 && e->b & 64) H5Pset_deflate(store, 1);
    return store;
}

/* Numbers of a small array: a ramp from the value. */
static void fill_dataset(hid_t dataset, hid_t space, const edit *e) {
    enum { MOST = 1 << 16 };
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    if (n <= 0 || n > MOST || e->b & 128) return;
    int64_t *values = calloc((size_t)n, sizeof *values);
    const int64_t first = (int8_t)e->value[7];
    for (hssize_t i = 0; i < n && values; i++)
        values[i] = first + (e->a & 128 ? i : 0);
    if (values)
        H5Dwrite(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                 values);
    free(values);
}

/* ---- edits --------------------------------------------------------------- */

static void replace_dataset(hid_t file, const place *at, const edit *e) {
    const hid_t type = make_type(e->a), space = make_space(e);
    const hid_t store = make_storage(space, e);
    H5Ldelete(file, at->object, H5P_DEFAULT);
    const hid_t dataset = H5Dcreate2(file, at->object, type, space, H5P_DEFAULT,
                                     store, H5P_DEFAULT);
    if (dataset >= 0) {
        fill_dataset(dataset, space, e);
        H5Dclose(dataset);
    }
    H5Pclose(store);
    H5Sclose(space);
    H5Tclose(type);
}

/* One number of an array. */
static void put_number(hid_t file, const place *at, const edit *e) {
    const hid_t dataset = H5Dopen2(file, at->object, H5P_DEFAULT);
    if (dataset < 0) return;
    const hid_t space = H5Dget_space(dataset), one = H5Screate(H5S_SCALAR);
    const hssize_t n = H5Sget_simple_extent_npoints(space);
    const int rank = H5Sget_simple_extent_ndims(space);
    hsize_t size[32];
    if (rank >= 1 && rank <= 2 && n > 0 &&
        H5Sget_simple_extent_dims(space, size, NULL) >= 0) {
        const hsize_t k = e->a % (uint64_t)n, columns = rank > 1 ? size[1] : 1;
        const hsize_t point[2] = {k / columns, k % columns};
        H5Sselect_elements(space, H5S_SELECT_SET, 1, point);
        H5Dwrite(dataset, e->b & 1 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64, one,
                 space, H5P_DEFAULT, e->value);
    }
    H5Sclose(one);
    H5Sclose(space);
    H5Dclose(dataset);
}

static void replace_attribute(hid_t file, const place *at, const edit *e) {
    const hid_t type = make_type(e->a), space = make_space(e);
    H5Adelete_by_name(file, at->object, at->attribute, H5P_DEFAULT);
    const hid_t attribute =
        H5Acreate_by_name(file, at->object, at->attribute, type, space,
                          H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute >= 0) {
        int64_t values[64];
        const hssize_t n = H5Sget_simple_extent_npoints(space);
        memcpy(values, e->value, sizeof *values);
        for (int i = 1; i < 64; i++) values[i] = values[0];
        if (n > 0 && n <= 64)
            H5Awrite(attribute,
                     e->b & 16 ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64, values);
        H5Aclose(attribute);
    }
    H5Sclose(space);
    H5Tclose(type);
}

static void replace_by_group(hid_t file, const char *name) {
    H5Ldelete(file, name, H5P_DEFAULT);
    const hid_t group =
        H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group >= 0) H5Gclose(group);
}

static void replace_by_link(hid_t file, const char *name, const char *target) {
    char whole[NAME + 1];
    H5Ldelete(file, name, H5P_DEFAULT);
    snprintf(whole, sizeof whole, "/%s", target);
    H5Lcreate_soft(whole, file, name, H5P_DEFAULT, H5P_DEFAULT);
}

static void apply(hid_t file, const places *p, const edit *e) {
    const place *at = &p->at[e->where % p->n];
    const bool on_attribute = at->attribute[0];
    switch (e->what % 8) {
    case 0:
        if (on_attribute)
            H5Adelete_by_name(file, at->object, at->attribute, H5P_DEFAULT);
        else
            H5Ldelete(file, at->object, H5P_DEFAULT);
        break;
    case 1:
        replace_by_group(file, at->object);
        break;
    case 2:
        replace_by_link(file, at->object, p->at[e->a % p->n].object);
        break;
    case 3:
    case 4:
        if (!on_attribute) put_number(file, at, e);
        if (!on_attribute) break; /* fall through */
    default:
        if (on_attribute)
            replace_attribute(file, at, e);
        else
            replace_dataset(file, at, e);
    }
}

/* Bases are few, and the same for all inputs: each is gone through once. */
static const places *places_of(hid_t file, const void *base) {
    enum { MOST_BASES = 16 };
    static places *known[MOST_BASES];
    int i = 0;
    while (i < MOST_BASES && known[i] && known[i]->base != base) i++;
    fuzz_require(i < MOST_BASES, "more than %d bases", MOST_BASES);
    if (known[i]) return known[i];
    places *p = known[i] = calloc(1, sizeof *p);
    fuzz_require(p != NULL, "no memory");
    p->base = base;
    H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, visit, p);
    return p;
}

void fuzz_hdf5_edit(const char *path, const void *base, const uint8_t *data,
                    size_t size) {
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    fuzz_require(file >= 0, "cannot open %s", path);
    const places *p = places_of(file, base);
    for (int i = 0; i < FUZZ_MOST_EDITS; i++) {
        edit e;
        const size_t at = (size_t)i * sizeof e;
        if (at + sizeof e > size) break;
        memcpy(&e, data + at, sizeof e);
        apply(file, p, &e);
    }
    H5Fclose(file);
}
