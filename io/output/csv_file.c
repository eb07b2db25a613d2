#include "io/output/csv_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/file/safe_file.h"

/* ---- a line in the making ------------------------------------------------ */

static bool reserve_text(scree_csv *csv, size_t more) {
    if (csv->size + more <= csv->room) return true;
    const size_t room = 2 * (csv->size + more);
    char *text = realloc(csv->text, room);
    if (!text) return false;
    csv->text = text;
    csv->room = room;
    return true;
}

void scree_csv_add(scree_csv *csv, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const size_t length = (size_t)vsnprintf(NULL, 0, format, args);
    if (!csv->no_memory) csv->no_memory = !reserve_text(csv, length + 1);
    if (!csv->no_memory) {
        vsnprintf(csv->text + csv->size, length + 1, format, again);
        csv->size += length;
    }
    va_end(again);
    va_end(args);
}

void scree_csv_numbers(scree_csv *csv, const double *values, int n) {
    for (int i = 0; i < n; i++) scree_csv_add(csv, ",%.17g", values[i]);
}

void scree_csv_name(scree_csv *csv, const char *before, const char *name,
                    const char *after) {
    const size_t start = csv->size + strlen(before);
    scree_csv_add(csv, "%s%s%s", before, name, after);
    if (csv->no_memory) return;
    for (size_t i = start; i < start + strlen(name); i++)
        if (strchr(",\"\r\n", csv->text[i])) csv->text[i] = '_';
}

/* ---- a line to the file -------------------------------------------------- */

static scree_status cannot_write(const scree_csv *csv, int reason,
                                 scree_error *error) {
    return scree_fail(error, SCREE_IO_ERROR, "%s: cannot write: %s", csv->path,
                      strerror(reason));
}

/* The file ends with the last whole line. */
static scree_status take_back(scree_csv *csv, int reason, scree_error *error) {
    if (ftruncate(csv->fd, csv->written) != 0) reason = errno;
    return cannot_write(csv, reason, error);
}

static scree_status put_line(scree_csv *csv, scree_error *error) {
    size_t done = 0;
    while (done < csv->size) {
        const ssize_t n = write(csv->fd, csv->text + done, csv->size - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return take_back(csv, errno, error);
        done += (size_t)n;
    }
    csv->written += (off_t)csv->size;
    return SCREE_OK;
}

scree_status scree_csv_write(scree_csv *csv, scree_error *error) {
    scree_csv_add(csv, "\n");
    const scree_status status = csv->no_memory
                                    ? scree_fail(error, SCREE_OUT_OF_MEMORY,
                                                 "%s: out of memory", csv->path)
                                    : put_line(csv, error);
    csv->size = 0;
    csv->no_memory = false;
    return status;
}

/* ---- open and close ------------------------------------------------------ */

static scree_status open_as(scree_csv *csv, const char *folder,
                            const char *name, int flags, scree_error *error) {
    *csv = (scree_csv){.fd = -1};
    if (asprintf(&csv->path, "%s/%s", folder, name) < 0) {
        csv->path = NULL;
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory",
                          name);
    }
    return scree_file_write(csv->path, O_WRONLY | O_APPEND | flags, &csv->fd,
                            error);
}

scree_status scree_csv_open(scree_csv *csv, const char *folder,
                            const char *name, scree_error *error) {
    return open_as(csv, folder, name, O_TRUNC, error);
}

scree_status scree_csv_reopen(scree_csv *csv, const char *folder,
                              const char *name, scree_error *error) {
    return open_as(csv, folder, name, 0, error);
}

static bool is_shorter(const scree_csv *csv, int64_t length) {
    struct stat info;
    return fstat(csv->fd, &info) != 0 || info.st_size < length;
}

scree_status scree_csv_cut(scree_csv *csv, int64_t length, scree_error *error) {
    if (is_shorter(csv, length))
        return scree_fail(error, SCREE_BAD_INPUT,
                          "%s: has lost rows that were there at the "
                          "checkpoint; put the file back, or begin anew with "
                          "scree run CASE --force",
                          csv->path);
    csv->written = (off_t)length;
    return ftruncate(csv->fd, csv->written) == 0
               ? SCREE_OK
               : cannot_write(csv, errno, error);
}

static void cut_back(scree_csv *csv, int64_t length, scree_archive *a) {
    if (is_shorter(csv, length))
        scree_archive_fail(a, SCREE_BAD_INPUT,
                           "%s: has lost rows that were there at the "
                           "checkpoint; put the file back, or go on in a new "
                           "folder with scree run CASE --restart CHECKPOINT "
                           "--out FOLDER",
                           csv->path);
    else
        a->status = scree_csv_cut(csv, length, a->error);
}

int64_t scree_csv_settle(scree_csv *csv, scree_archive *a) {
    if (fdatasync(csv->fd) != 0) a->status = cannot_write(csv, errno, a->error);
    return csv->written;
}

static void archive_length(scree_csv *csv, const char *name, scree_archive *a) {
    int64_t length = a->loads ? 0 : scree_csv_settle(csv, a);
    scree_archive_array(a, name, SCREE_I64, 1, 1, &length);
    if (a->loads && a->status == SCREE_OK) cut_back(csv, length, a);
}

void scree_csv_archive(scree_csv *csv, scree_archive *a) {
    archive_length(csv, "length", a);
}

/* ---- of all ranks -------------------------------------------------------- */

scree_status scree_csv_start(scree_csv *csv,
                             const scree_output_context *context,
                             const char *name, scree_error *error) {
    *csv = (scree_csv){.fd = -1};
    if (scree_output_comm(context)->rank > 0) return SCREE_OK;
    return context->resumes
               ? scree_csv_reopen(csv, context->folder, name, error)
               : scree_csv_open(csv, context->folder, name, error);
}

scree_status scree_csv_end_row(scree_csv *csv, scree_error *error) {
    if (csv->fd >= 0) return scree_csv_write(csv, error);
    csv->size = 0;
    return SCREE_OK;
}

/* Ranks without the file take part in the archive alone. */
void scree_csv_archive_named(scree_csv *csv, const char *name,
                             scree_archive *a) {
    int64_t length = 0;
    if (csv->fd >= 0)
        archive_length(csv, name, a);
    else
        scree_archive_array(a, name, SCREE_I64, 1, 1, &length);
}

void scree_csv_archive_part(scree_csv *csv, scree_archive *a) {
    scree_csv_archive_named(csv, "length", a);
}

/* ---- the end ------------------------------------------------------------- */

scree_status scree_csv_close(scree_csv *csv, scree_error *error) {
    scree_status status = SCREE_OK;
    if (csv->fd >= 0 && close(csv->fd) != 0)
        status = cannot_write(csv, errno, error);
    free(csv->path);
    free(csv->text);
    return status;
}
