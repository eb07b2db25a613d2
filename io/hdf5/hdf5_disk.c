#include "io/hdf5/hdf5_disk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* HDF5 knows the first member. */
typedef struct opened {
    H5FD_t base;
    scree_hdf5_disk *disk;
    haddr_t end_of_space; /* that HDF5 has given away */
} opened;

typedef struct settings {
    scree_hdf5_disk *disk;
} settings;

static void note_failure(scree_hdf5_disk *disk, int reason) {
    if (!disk->reason) disk->reason = reason;
}

/* ---- what HDF5 asks ------------------------------------------------------ */

static H5FD_t *open_file(const char *name, unsigned flags, hid_t access,
                         haddr_t most) {
    (void)name, (void)flags, (void)most;
    const settings *given = H5Pget_driver_info(access);
    if (!given) return NULL;
    opened *file = calloc(1, sizeof *file);
    if (!file) {
        note_failure(given->disk, ENOMEM);
        return NULL;
    }
    file->disk = given->disk;
    return &file->base;
}

static herr_t close_file(H5FD_t *file) {
    free(file);
    return 0;
}

static int compare_files(const H5FD_t *a, const H5FD_t *b) {
    const uintptr_t one = (uintptr_t)((const opened *)a)->disk,
                    two = (uintptr_t)((const opened *)b)->disk;
    return (one > two) - (one < two);
}

/* It may gather what it writes, as with a file of its own. */
static herr_t query_features(const H5FD_t *file, unsigned long *flags) {
    (void)file;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA |
             H5FD_FEAT_DATA_SIEVE | H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t get_end_of_space(const H5FD_t *file, H5FD_mem_t type) {
    (void)type;
    return ((const opened *)file)->end_of_space;
}

static herr_t set_end_of_space(H5FD_t *file, H5FD_mem_t type, haddr_t end) {
    (void)type;
    ((opened *)file)->end_of_space = end;
    return 0;
}

static haddr_t get_end_of_file(const H5FD_t *file, H5FD_mem_t type) {
    (void)type;
    struct stat about;
    scree_hdf5_disk *disk = ((const opened *)file)->disk;
    if (fstat(disk->fd, &about) == 0) return (haddr_t)about.st_size;
    note_failure(disk, errno);
    return 0;
}

/* What lies behind the end of the file is 0, as HDF5 wants it; what cannot be read is
 * 0 as well. */
static herr_t read_bytes(H5FD_t *file, H5FD_mem_t type, hid_t transfer,
                         haddr_t at, size_t size, void *to) {
    (void)type, (void)transfer;
    scree_hdf5_disk *disk = ((opened *)file)->disk;
    char *bytes = to;
    while (size > 0) {
        const ssize_t n = pread(disk->fd, bytes, size, (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) note_failure(disk, errno);
        if (n <= 0) break;
        bytes += n, at += (haddr_t)n, size -= (size_t)n;
    }
    memset(bytes, 0, size);
    return 0;
}

static herr_t write_bytes(H5FD_t *file, H5FD_mem_t type, hid_t transfer,
                          haddr_t at, size_t size, const void *from) {
    (void)type, (void)transfer;
    scree_hdf5_disk *disk = ((opened *)file)->disk;
    const char *bytes = from;
    while (size > 0 && !disk->reason) {
        const ssize_t n = pwrite(disk->fd, bytes, size, (off_t)at);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) note_failure(disk, errno);
        if (n < 0) break;
        bytes += n, at += (haddr_t)n, size -= (size_t)n;
    }
    return 0;
}

static herr_t cut_file(H5FD_t *file, hid_t transfer, hbool_t closing) {
    (void)transfer, (void)closing;
    const opened *f = (const opened *)file;
    if (ftruncate(f->disk->fd, (off_t)f->end_of_space) != 0)
        note_failure(f->disk, errno);
    return 0;
}

/* ---- the driver ---------------------------------------------------------- */

static const H5FD_class_t driver = {
#ifdef H5FD_CLASS_VERSION
    .version = H5FD_CLASS_VERSION,
    .value = 513,
#endif
    .name = "scree_disk",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_WEAK,
    .fapl_size = sizeof(settings),
    .open = open_file,
    .close = close_file,
    .cmp = compare_files,
    .query = query_features,
    .get_eoa = get_end_of_space,
    .set_eoa = set_end_of_space,
    .get_eof = get_end_of_file,
    .read = read_bytes,
    .write = write_bytes,
    .truncate = cut_file,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

hid_t scree_hdf5_create_disk(scree_hdf5_disk *disk) {
    const settings given = {disk};
    const hid_t kind = H5FDregister(&driver),
                access = H5Pcreate(H5P_FILE_ACCESS);
    const hid_t id = H5Pset_driver(access, kind, &given) >= 0
                         ? H5Fcreate("disk", H5F_ACC_TRUNC, H5P_DEFAULT, access)
                         : -1;
    H5Pclose(access);
    H5FDunregister(kind);
    return id;
}
