/* shared_file.c: a file that all ranks write has the rows of all of them, in
 * order: stored in one piece and in compressed chunks, of tables wider than what
 * is written, with rows that stand behind all others. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/hdf5/hdf5_file.h"
#include "tests/mpi/ranks.h"

enum { COLUMNS = 3, STRIDE = 4 };

/* What row i of all holds, and what lies between. */
static double value_of(int64_t i, int column) {
    return column < COLUMNS ? (double)(i % 1000) + 0.25 * column + (double)i / 7
                            : -1;
}

/* A different number on each rank, none on the second. */
static int64_t rows_of(int rank, int64_t scale) {
    return rank == 1 ? 0 : scale * (rank + 2);
}

static int64_t ends_of(int rank) {
    return rank == 1 ? 0 : 2 * rank + 1;
}

/* Rows of this rank: the front ones, then those that stand behind all. */
static double *make_rows(const scree_comm *comm, int64_t scale, int64_t *n,
                         int64_t *all) {
    int64_t front = 0, back = 0, fronts = 0;
    for (int r = 0; r < comm->size; ++r) {
        if (r < comm->rank) front += rows_of(r, scale), back += ends_of(r);
        fronts += rows_of(r, scale);
    }
    const int64_t here = rows_of(comm->rank, scale), ends = ends_of(comm->rank);
    double *rows = malloc((size_t)(here + ends + 1) * STRIDE * sizeof *rows);
    CHECK(rows);
    for (int64_t i = 0; i < here + ends; ++i)
        for (int k = 0; k < STRIDE; ++k)
            rows[STRIDE * i + k] =
                value_of(i < here ? front + i : fronts + back + i - here, k);
    *n = here + ends;
    *all = fronts;
    for (int r = 0; r < comm->size; ++r) *all += ends_of(r);
    return rows;
}

static void check_dataset(hid_t file, const char *name, int64_t n, int columns,
                          bool chunked) {
    const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    CHECK(set >= 0);
    const hid_t space = H5Dget_space(set), made = H5Dget_create_plist(set);
    CHECK(H5Sget_simple_extent_npoints(space) == n * columns);
    CHECK((H5Pget_layout(made) == H5D_CHUNKED) == chunked);
    double *read = malloc((size_t)(n * columns) * sizeof *read);
    CHECK(read && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                          read) >= 0);
    for (int64_t i = 0; i < n; ++i)
        for (int k = 0; k < columns; ++k)
            CHECK(read[columns * i + k] == value_of(i, k));
    free(read);
    H5Pclose(made);
    H5Sclose(space);
    H5Dclose(set);
}

static void check_file(const char *path, int64_t n, bool chunked) {
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    CHECK(file >= 0);
    check_dataset(file, "deep/table", n, COLUMNS, chunked);
    check_dataset(file, "column", n, 1, chunked);
    H5Fclose(file);
    CHECK(unlink(path) == 0);
}

static void try_file(const scree_comm *comm, int64_t scale, int level) {
    char path[64];
    int64_t n, all;
    int tag = (int)getpid();
    scree_comm_copy(comm, 0, &tag, sizeof tag);
    snprintf(path, sizeof path, "/tmp/scree-shared-%d.hdf", tag);
    double *rows = make_rows(comm, scale, &n, &all);
    scree_hdf5_file *file = scree_hdf5_create_together(comm);
    scree_hdf5_compress(file, level);
    scree_hdf5_rows table = {H5T_NATIVE_DOUBLE, n, COLUMNS, STRIDE, rows};
    scree_hdf5_write_ends(file, "deep/table", &table, ends_of(comm->rank));
    table.columns = 1;
    scree_hdf5_write_ends(file, "column", &table, ends_of(comm->rank));
    scree_error error = {0};
    CHECK_OK(scree_hdf5_close(file, path, &error));
    if (comm->rank == 0) check_file(path, all, level > 0);
    scree_comm_wait(comm);
    free(rows);
}

static void file__one_piece__has_all_rows(const scree_comm *comm) {
    try_file(comm, 1, 0);
    try_file(comm, 5000, 0);
}

/* Fewer rows than ranks' turns, a chunk that ends where a rank's rows do not, and
 * more chunks than ranks. */
static void file__compressed__has_all_rows(const scree_comm *comm) {
    try_file(comm, 150, 1);
    try_file(comm, 50000, 4);
}

/* The folder is not there: all ranks hear of it, and none waits. */
static void file__nowhere__fails_on_all(const scree_comm *comm) {
    const double one = 1;
    scree_hdf5_file *file = scree_hdf5_create_together(comm);
    scree_hdf5_write(file, "x",
                     &(scree_hdf5_rows){H5T_NATIVE_DOUBLE, 1, 1, 0, &one});
    scree_error error = {0};
    CHECK(scree_hdf5_close(file, "/none/such", &error) == SCREE_IO_ERROR);
}

int main(int argc, char **argv) {
    static const scree_trial trials[] = {
        {"file__one_piece__has_all_rows", file__one_piece__has_all_rows},
        {"file__compressed__has_all_rows", file__compressed__has_all_rows},
        {"file__nowhere__fails_on_all", file__nowhere__fails_on_all},
    };
    scree_hdf5_begin();
    return scree_trials_run(argc, argv, trials, sizeof trials / sizeof *trials);
}
