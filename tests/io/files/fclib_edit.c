/* Damages or checks FCLIB files, for tests/io/solve.py.
 *
 *   fclib_edit FILE missing|nan|zero|huge|short DATASET
 *   fclib_edit FILE guess DATASET    makes it the second guess
 *   fclib_edit FILE check     prints max |W r + q - u|, read with HDF5 alone */
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *read_all(hid_t file, const char *name, hid_t type, hsize_t *n) {
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    const hid_t space = H5Dget_space(set);
    *n = (hsize_t)H5Sget_simple_extent_npoints(space);
    void *values = calloc(*n + 1, 8);
    if (set < 0 ||
        H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
        exit(1);
    H5Sclose(space);
    H5Dclose(set);
    return values;
}

static void write_all(hid_t file, const char *name, hid_t type, hsize_t n,
                      const void *values) {
    H5Ldelete(file, name, H5P_DEFAULT);
    const hid_t space = H5Screate_simple(1, &n, NULL);
    const hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT,
                                 H5P_DEFAULT, H5P_DEFAULT);
    if (H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) exit(1);
    H5Dclose(set);
    H5Sclose(space);
}

static hid_t type_of(hid_t file, const char *name) {
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    const hid_t type = H5Dget_type(set);
    const bool whole = H5Tget_class(type) == H5T_INTEGER;
    H5Tclose(type);
    H5Dclose(set);
    return whole ? H5T_NATIVE_INT : H5T_NATIVE_DOUBLE;
}

/* Changes the middle value, all values, or the length. */
static void change(hid_t file, const char *how, const char *name) {
    hsize_t n;
    const hid_t type = type_of(file, name);
    void *values = read_all(file, name, type, &n);
    if (strcmp(how, "nan") == 0) ((double *)values)[n / 2] = NAN;
    if (strcmp(how, "zero") == 0) memset(values, 0, n * sizeof(double));
    if (strcmp(how, "huge") == 0) ((int *)values)[n / 2] = 1000000000;
    if (strcmp(how, "short") == 0) n--;
    write_all(file, name, type, n, values);
    free(values);
}

static void make_guess(hid_t file, const char *name) {
    hsize_t n;
    double *r = read_all(file, name, H5T_NATIVE_DOUBLE, &n);
    H5Gclose(
        H5Gcreate2(file, "guesses", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Gclose(
        H5Gcreate2(file, "guesses/2", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    write_all(file, "guesses/2/r", H5T_NATIVE_DOUBLE, n, r);
    free(r);
}

static double worst_defect(hid_t file) {
    hsize_t n, m;
    int *p = read_all(file, "fclib_local/W/p", H5T_NATIVE_INT, &n);
    int *i = read_all(file, "fclib_local/W/i", H5T_NATIVE_INT, &m);
    double *x = read_all(file, "fclib_local/W/x", H5T_NATIVE_DOUBLE, &m);
    double *q = read_all(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, &n);
    double *r = read_all(file, "solution/r", H5T_NATIVE_DOUBLE, &n);
    double *u = read_all(file, "solution/u", H5T_NATIVE_DOUBLE, &n);
    double worst = 0;
    for (hsize_t a = 0; a < n; a++) {
        double sum = q[a] - u[a];
        for (int k = p[a]; k < p[a + 1]; k++) sum += x[k] * r[i[k]];
        worst = fmax(worst, fabs(sum));
    }
    free(p), free(i), free(x), free(q), free(r), free(u);
    return worst;
}

int main(int argc, char **argv) {
    const hid_t file =
        argc > 2 ? H5Fopen(argv[1], H5F_ACC_RDWR, H5P_DEFAULT) : -1;
    if (file < 0) return 1;
    if (strcmp(argv[2], "check") == 0)
        printf("%g\n", worst_defect(file));
    else if (argc < 4)
        return 1;
    else if (strcmp(argv[2], "missing") == 0)
        H5Ldelete(file, argv[3], H5P_DEFAULT);
    else if (strcmp(argv[2], "guess") == 0)
        make_guess(file, argv[3]);
    else
        change(file, argv[2], argv[3]);
    return H5Fclose(file) < 0;
}
