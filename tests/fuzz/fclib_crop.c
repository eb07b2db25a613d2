#include "fclib_crop.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hdf5_memory.h"
#include "target.h"

enum { CONTACTS = 3, ROWS = 3 * CONTACTS, FREEDOMS = 24, NAME = 100 };

/* ---- arrays -------------------------------------------------------------- */

typedef struct numbers {
    hid_t type;
    size_t n;
    void *at; /* int64_t or double; the caller frees */
} numbers;

static bool has_object(hid_t file, const char *name) {
    const hid_t object = H5Oopen(file, name, H5P_DEFAULT);
    if (object >= 0) H5Oclose(object);
    return object >= 0;
}

static numbers get_numbers(hid_t file, const char *name, hid_t type) {
    const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    fuzz_require(dataset >= 0, "no %s", name);
    const hid_t space = H5Dget_space(dataset);
    const size_t n = (size_t)H5Sget_simple_extent_npoints(space);
    numbers out = {type, n, calloc(n + 1, 8)};
    fuzz_require(out.at && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                   out.at) >= 0,
                 "cannot read %s", name);
    H5Sclose(space);
    H5Dclose(dataset);
    return out;
}

/* In place of what has the name, as many as there are, in the samples' types. */
static void put_numbers(hid_t file, const char *name, const numbers *in) {
    const hsize_t n = in->n;
    const hid_t type =
        in->type == H5T_NATIVE_INT64 ? H5T_NATIVE_INT32 : H5T_NATIVE_DOUBLE;
    const hid_t space = H5Screate_simple(1, &n, NULL);
    H5Ldelete(file, name, H5P_DEFAULT);
    const hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT,
                                     H5P_DEFAULT, H5P_DEFAULT);
    fuzz_require(dataset >= 0 && H5Dwrite(dataset, in->type, H5S_ALL, H5S_ALL,
                                          H5P_DEFAULT, in->at) >= 0,
                 "cannot write %s", name);
    H5Dclose(dataset);
    H5Sclose(space);
}

static void crop_vector(hid_t file, const char *name, size_t n) {
    if (!has_object(file, name)) return;
    numbers v = get_numbers(file, name, H5T_NATIVE_DOUBLE);
    v.n = v.n < n ? v.n : n;
    put_numbers(file, name, &v);
    free(v.at);
}

/* ---- matrices ------------------------------------------------------------ */

static numbers get_part(hid_t file, const char *matrix, const char *part,
                        hid_t type) {
    char name[NAME];
    snprintf(name, sizeof name, "%s/%s", matrix, part);
    return get_numbers(file, name, type);
}

static void put_part(hid_t file, const char *matrix, const char *part,
                     const numbers *in) {
    char name[NAME];
    snprintf(name, sizeof name, "%s/%s", matrix, part);
    put_numbers(file, name, in);
}

static void put_count(hid_t file, const char *matrix, const char *part,
                      int64_t value) {
    const numbers one = {H5T_NATIVE_INT64, 1, &value};
    put_part(file, matrix, part, &one);
}

/* Entries (i, p) of the corner move to the front. Returns how many there are. */
static size_t keep_triplets(int64_t *i, int64_t *p, double *x, size_t n,
                            int64_t rows, int64_t columns) {
    size_t kept = 0;
    for (size_t k = 0; k < n; k++) {
        if (i[k] >= rows || p[k] >= columns) continue;
        i[kept] = i[k], p[kept] = p[k], x[kept++] = x[k];
    }
    return kept;
}

/* The same of compressed rows. */
static size_t keep_rows(int64_t *i, int64_t *p, double *x, int64_t rows,
                        int64_t columns) {
    size_t kept = 0;
    for (int64_t row = 0; row < rows; row++) {
        const int64_t begin = p[row], end = p[row + 1];
        p[row] = (int64_t)kept;
        for (int64_t k = begin; k < end; k++)
            if (i[k] < columns) i[kept] = i[k], x[kept++] = x[k];
        p[row + 1] = end; /* where the next row begins in the sample */
    }
    p[rows] = (int64_t)kept;
    return kept;
}

static void crop_matrix(hid_t file, const char *name, int64_t rows,
                        int64_t columns) {
    if (!has_object(file, name)) return;
    numbers nz = get_part(file, name, "nz", H5T_NATIVE_INT64),
            i = get_part(file, name, "i", H5T_NATIVE_INT64),
            p = get_part(file, name, "p", H5T_NATIVE_INT64),
            x = get_part(file, name, "x", H5T_NATIVE_DOUBLE);
    const bool triplets = *(int64_t *)nz.at >= 0;
    const size_t kept =
        triplets ? keep_triplets(i.at, p.at, x.at, i.n, rows, columns)
                 : keep_rows(i.at, p.at, x.at, rows, columns);
    i.n = x.n = kept, p.n = triplets ? kept : (size_t)rows + 1;
    put_part(file, name, "i", &i);
    put_part(file, name, "p", &p);
    put_part(file, name, "x", &x);
    put_count(file, name, "m", rows);
    put_count(file, name, "n", columns);
    put_count(file, name, "nzmax", (int64_t)kept);
    if (triplets) put_count(file, name, "nz", (int64_t)kept);
    free(nz.at), free(i.at), free(p.at), free(x.at);
}

/* ---- files --------------------------------------------------------------- */

static void crop_problem(hid_t file) {
    crop_matrix(file, "fclib_global/M", FREEDOMS, FREEDOMS);
    crop_matrix(file, "fclib_global/H", FREEDOMS, ROWS);
    crop_vector(file, "fclib_global/vectors/f", FREEDOMS);
    crop_vector(file, "fclib_global/vectors/w", ROWS);
    crop_vector(file, "fclib_global/vectors/mu", CONTACTS);
    crop_matrix(file, "fclib_local/W", ROWS, ROWS);
    crop_vector(file, "fclib_local/vectors/q", ROWS);
    crop_vector(file, "fclib_local/vectors/mu", CONTACTS);
    static const char *const groups[] = {"solution", "guesses/1"};
    for (int k = 0; k < 2; k++) {
        char name[NAME];
        snprintf(name, sizeof name, "%s/r", groups[k]);
        crop_vector(file, name, ROWS);
        snprintf(name, sizeof name, "%s/u", groups[k]);
        crop_vector(file, name, ROWS);
        snprintf(name, sizeof name, "%s/v", groups[k]);
        crop_vector(file, name, FREEDOMS);
    }
}

/* What was deleted leaves room in a file: a copy has none. */
void fuzz_fclib_crop(const char *from, const char *to) {
    static const char *const groups[] = {"fclib_global", "fclib_local",
                                         "guesses", "solution"};
    char whole[200];
    snprintf(whole, sizeof whole, "%s", fuzz_path("whole.hdf5"));
    fuzz_take_file(from, whole);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    const hid_t file = H5Fopen(whole, H5F_ACC_RDWR, H5P_DEFAULT),
                out = H5Fcreate(to, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    fuzz_require(file >= 0 && out >= 0, "cannot crop %s", from);
    crop_problem(file);
    for (int k = 0; k < 4; k++)
        if (has_object(file, groups[k]))
            fuzz_require(H5Ocopy(file, groups[k], out, groups[k], H5P_DEFAULT,
                                 H5P_DEFAULT) >= 0,
                         "cannot copy %s", groups[k]);
    H5Fclose(out);
    H5Fclose(file);
}
