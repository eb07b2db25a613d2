/* seal.c: the checksum is h <- mix((h ^ w) k) over words w of 8 bytes: kind and
 * format, the bytes, their number. Each step is one-to-one in h and in w, so
 * that no change within a word is missed; other changes are missed with a
 * probability of 2^-64. */
#include "io/file/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file/safe_file.h"

static const char mark[8] = {'S', 'C', 'R', 'E', 'E', 'e', 'n', 'd'};
static const uint64_t first = 0x9E3779B97F4A7C15u;

enum { BLOCK = 1 << 20 }; /* bytes read at once, whole words */

static uint64_t take_word(uint64_t h, uint64_t w) {
    h = (h ^ w) * 0xD6E8FEB86659FD93u;
    return h ^ h >> 32;
}

/* A last word that is not whole is filled up with zeros. */
static uint64_t take_bytes(uint64_t h, const char *bytes, size_t size) {
    uint64_t w;
    for (; size >= sizeof w; bytes += sizeof w, size -= sizeof w) {
        memcpy(&w, bytes, sizeof w);
        h = take_word(h, w);
    }
    if (size == 0) return h;
    w = 0;
    memcpy(&w, bytes, size);
    return take_word(h, w);
}

static unsigned newest_format(uint32_t kind) {
    switch (kind) {
    case SCREE_RESULT_FILE:
        return SCREE_RESULT_FORMAT;
    case SCREE_CHECKPOINT_FILE:
        return SCREE_CHECKPOINT_FORMAT;
    default:
        return 0;
    }
}

/* The seal of nothing yet; its checksum is h on the way. */
static scree_seal begin_seal(uint32_t kind, uint32_t format) {
    scree_seal seal = {.kind = kind, .format = format};
    memcpy(seal.mark, mark, sizeof mark);
    seal.checksum = take_word(first, (uint64_t)format << 32 | kind);
    return seal;
}

static void add_to_seal(scree_seal *seal, const void *bytes, size_t size) {
    seal->checksum = take_bytes(seal->checksum, bytes, size);
    seal->size += size;
}

static void end_seal(scree_seal *seal) {
    seal->checksum = take_word(seal->checksum, seal->size);
}

scree_seal scree_seal_of(scree_file_kind kind, const void *bytes, size_t size) {
    scree_seal seal = begin_seal(kind, newest_format(kind));
    add_to_seal(&seal, bytes, size);
    end_seal(&seal);
    return seal;
}

/* ---- files --------------------------------------------------------------- */

static scree_status no_file(const char *path, scree_error *error) {
    return scree_fail(
        error, errno == ENOMEM ? SCREE_OUT_OF_MEMORY : SCREE_BAD_INPUT,
        "%.500s: %s", path, errno ? strerror(errno) : "cannot be read");
}

/* Takes in the next `size` bytes of the file, and ends the seal. */
static scree_status seal_stream(FILE *file, const char *path, uint64_t size,
                                scree_seal *seal, scree_error *error) {
    const size_t whole = size < BLOCK ? (size_t)size + 1 : BLOCK;
    char *block = malloc(whole);
    if (!block)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%.500s: out of memory",
                          path);
    scree_status status = SCREE_OK;
    errno = 0;
    while (seal->size < size && status == SCREE_OK) {
        const uint64_t left = size - seal->size;
        const size_t n = left < BLOCK ? (size_t)left : BLOCK;
        if (fread(block, 1, n, file) == n)
            add_to_seal(seal, block, n);
        else
            status = no_file(path, error);
    }
    end_seal(seal);
    free(block);
    return status;
}

/* Of a file that is being written. */
static scree_status cannot_seal(const char *path, scree_error *error) {
    if (errno == ENOMEM)
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%.500s: out of memory",
                          path);
    return scree_fail(error, SCREE_IO_ERROR, "%.500s: cannot write: %s", path,
                      errno ? strerror(errno) : "cannot be read");
}

static scree_status append_seal(FILE *file, const char *path,
                                scree_file_kind kind, scree_error *error) {
    struct stat about;
    scree_seal seal = begin_seal(kind, newest_format(kind));
    if (fstat(fileno(file), &about) != 0) return cannot_seal(path, error);
    const scree_status status =
        seal_stream(file, path, (uint64_t)about.st_size, &seal, error);
    if (status == SCREE_BAD_INPUT) return cannot_seal(path, error);
    TRY(status);
    if (fseek(file, 0, SEEK_END) == 0 &&
        fwrite(&seal, sizeof seal, 1, file) == 1 && fflush(file) == 0 &&
        fsync(fileno(file)) == 0)
        return SCREE_OK;
    return cannot_seal(path, error);
}

scree_status scree_seal_file(const char *path, scree_file_kind kind,
                             scree_error *error) {
    int fd;
    TRY(scree_file_write(path, O_RDWR, &fd, error));
    FILE *file = fdopen(fd, "r+b");
    if (!file) {
        const scree_status failed = cannot_seal(path, error);
        close(fd);
        return failed;
    }
    const scree_status status = append_seal(file, path, kind, error);
    fclose(file);
    return status;
}

/* ---- what a file without a seal is --------------------------------------- */

/* The last byte that HDF5 wants, from the head of the file as this program's
 * HDF5 writes it (superblock of version 0); 0 if there is no such head. */
static uint64_t wanted_size(FILE *file) {
    unsigned char head[48];
    uint64_t size = 0;
    rewind(file);
    if (fread(head, 1, sizeof head, file) != sizeof head || head[8] != 0)
        return 0;
    for (int i = 7; i >= 0; i--) size = size << 8 | head[40 + i];
    return size;
}

static bool is_hdf5(FILE *file) {
    static const char signature[8] = "\211HDF\r\n\032\n";
    char head[8] = {0};
    rewind(file);
    return fread(head, 1, sizeof head, file) == sizeof head &&
           memcmp(head, signature, sizeof head) == 0;
}

static scree_status no_seal(FILE *file, const char *path, uint64_t size,
                            scree_error *error) {
    if (!is_hdf5(file))
        return scree_fail(error, SCREE_BAD_INPUT,
                          "%.500s: not a file of a run of Scree (no HDF5 file)",
                          path);
    const uint64_t wanted = wanted_size(file);
    if (size < wanted)
        return scree_fail(error, SCREE_BAD_INPUT,
                          "%.500s: cut short: it has %" PRIu64 " of %" PRIu64
                          " bytes",
                          path, size, wanted);
    return scree_fail(
        error, SCREE_BAD_INPUT,
        "%.500s: not a file of a run of Scree, or altered since it "
        "was written (no seal at its end)",
        path);
}

static bool read_seal(FILE *file, uint64_t size, scree_seal *seal) {
    return size >= sizeof *seal &&
           fseek(file, (long)(size - sizeof *seal), SEEK_SET) == 0 &&
           fread(seal, sizeof *seal, 1, file) == 1 &&
           memcmp(seal->mark, mark, sizeof mark) == 0;
}

/* Of a whole file. */
static scree_status check_format(const scree_seal *seal, const char *path,
                                 scree_error *error) {
    const unsigned newest = newest_format(seal->kind);
    if (seal->format < 1)
        return scree_fail(error, SCREE_BAD_INPUT,
                          "%.500s: there is no format %u; 1 is the oldest",
                          path, (unsigned)seal->format);
    if (seal->format <= newest) return SCREE_OK;
    return scree_fail(
        error, SCREE_UNSUPPORTED,
        "%.500s: a newer Scree wrote this (format %u, this program "
        "reads up to %u); go on with that version",
        path, (unsigned)seal->format, newest);
}

static scree_status check_stream(FILE *file, const char *path,
                                 scree_file_kind *kind, scree_error *error) {
    struct stat about;
    scree_seal stored;
    if (fstat(fileno(file), &about) != 0) return no_file(path, error);
    const uint64_t size = (uint64_t)about.st_size;
    if (!read_seal(file, size, &stored))
        return no_seal(file, path, size, error);
    scree_seal seal = begin_seal(stored.kind, stored.format);
    rewind(file);
    TRY(seal_stream(file, path, size - sizeof seal, &seal, error));
    if (memcmp(&seal, &stored, sizeof seal) != 0)
        return scree_fail(error, SCREE_BAD_INPUT,
                          "%.500s: damaged, its bytes are not those that were "
                          "written (checksum)",
                          path);
    *kind = (scree_file_kind)seal.kind;
    return check_format(&seal, path, error);
}

scree_status scree_seal_check(const char *path, scree_file_kind *kind,
                              scree_error *error) {
    struct stat about;
    int fd;
    size_t size;
    errno = 0;
    if (stat(path, &about) != 0) return no_file(path, error);
    if (!S_ISREG(about.st_mode))
        return scree_fail(error, SCREE_BAD_INPUT, "%.500s: not a file", path);
    if (scree_file_open(path, "a file", &fd, &size, NULL) != SCREE_OK)
        return no_file(path, error);
    FILE *file = fdopen(fd, "rb");
    if (!file) {
        close(fd);
        return no_file(path, error);
    }
    const scree_status status = check_stream(file, path, kind, error);
    fclose(file);
    return status;
}
