/* output_scalars.c: scalars.csv, one row of sums and reports per writing.
 *
 * A row goes to the file in one write, past any buffer: a killed run keeps
 * every row, and a row that a full disk cut short is taken back. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/output.h"
#include "io/version.h"

typedef struct scalars {
    char *path;
    int fd;
    off_t written; /* whole lines in the file */
    char *text;    /* the line in the making */
    size_t size, room;
} scalars;

/* ---- a line in the making ------------------------------------------------ */

static bool reserve(scalars *s, size_t more) {
    if (s->size + more <= s->room) return true;
    const size_t room = 2 * (s->size + more);
    char *text = realloc(s->text, room);
    if (!text) return false;
    s->text = text;
    s->room = room;
    return true;
}

__attribute__((format(printf, 2, 3))) static bool add(scalars *s,
                                                      const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const size_t length = (size_t)vsnprintf(NULL, 0, format, args);
    const bool fits = reserve(s, length + 1);
    if (fits) vsnprintf(s->text + s->size, length + 1, format, again);
    if (fits) s->size += length;
    va_end(again);
    va_end(args);
    return fits;
}

static bool add_number(scalars *s, double value) {
    return add(s, ",%.17g", value);
}

static bool add_vector(scalars *s, const double value[3]) {
    return add_number(s, value[0]) && add_number(s, value[1]) &&
           add_number(s, value[2]);
}

static scree_status out_of_memory(const scalars *s, scree_error *error) {
    return scree_fail(error, SCREE_OUT_OF_MEMORY, "%s: out of memory", s->path);
}

/* ---- a line to the file -------------------------------------------------- */

static scree_status cannot_write(scalars *s, int reason, scree_error *error) {
    return scree_fail(error, SCREE_IO_ERROR, "%s: cannot write: %s", s->path,
                      strerror(reason));
}

/* The file ends with the last whole line. */
static scree_status take_back(scalars *s, int reason, scree_error *error) {
    if (ftruncate(s->fd, s->written) != 0) reason = errno;
    return cannot_write(s, reason, error);
}

static scree_status write_line(scalars *s, scree_error *error) {
    size_t done = 0;
    while (done < s->size) {
        const ssize_t n = write(s->fd, s->text + done, s->size - done);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return take_back(s, errno, error);
        done += (size_t)n;
    }
    s->written += (off_t)s->size;
    s->size = 0;
    return SCREE_OK;
}

/* ---- the table ----------------------------------------------------------- */

/* Names are any text of the case; here they must not end a field or a line. */
static bool add_name(scalars *s, const char *before, const char *name,
                     const char *after) {
    const size_t start = s->size + strlen(before);
    if (!add(s, "%s%s%s", before, name, after)) return false;
    for (size_t i = start; i < start + strlen(name); i++)
        if (strchr(",\"\r\n", s->text[i])) s->text[i] = '_';
    return true;
}

static bool add_head(scalars *s, const scree_case *c) {
    bool ok =
        add_name(s, "# name: ", c->name, "\n") &&
        add(s, "# version: %s\n# commit: %s\n# seed: %" PRIu64 "\n",
            scree_build_version, scree_build_commit, c->seed) &&
        add(s, "step,time,bodies,contacts,kinetic,potential,dissipated,"
               "wall_work,recovery_work,inserted,"
               "momentum_x,momentum_y,momentum_z,angular_momentum_x,"
               "angular_momentum_y,angular_momentum_z,iterations,residual,"
               "violation,penetration_mean,penetration_max");
    for (int i = 0; ok && i < c->n_wall; i++) {
        const char *name = c->walls[i].name;
        ok = add_name(s, ",force_", name, "_x") &&
             add_name(s, ",force_", name, "_y") &&
             add_name(s, ",force_", name, "_z");
    }
    return ok && add(s, "\n");
}

static bool add_world(scalars *s, const scree_world *world) {
    scree_scalars now;
    scree_world_read_scalars(world, &now);
    return add(s, "%" PRId64 ",%.17g,%" PRId64 ",%" PRId64,
               scree_world_steps(world), now.time, now.bodies, now.contacts) &&
           add_number(s, now.kinetic) && add_number(s, now.potential) &&
           add_number(s, now.dissipated) && add_number(s, now.wall_work) &&
           add_number(s, now.recovery_work) && add_number(s, now.inserted) &&
           add_vector(s, now.momentum) && add_vector(s, now.angular_momentum) &&
           add(s, ",%d", now.solve.iterations) &&
           add_number(s, now.solve.residual) &&
           add_number(s, now.solve.violation) &&
           add_number(s, now.penetration_mean) &&
           add_number(s, now.penetration_max);
}

static bool add_row(scalars *s, const scree_world *world) {
    bool ok = add_world(s, world);
    for (int wall = 0; ok && wall < scree_world_wall_count(world); wall++) {
        double force[3];
        scree_world_read_wall_force(world, wall, force);
        ok = add_vector(s, force);
    }
    return ok && add(s, "\n");
}

/* ---- the sink ------------------------------------------------------------ */

static scree_status close_scalars(void *self, scree_error *error) {
    scalars *s = self;
    scree_status status = SCREE_OK;
    if (s->fd >= 0 && close(s->fd) != 0) status = cannot_write(s, errno, error);
    free(s->path);
    free(s->text);
    free(s);
    return status;
}

static scree_status start_file(scalars *s, const scree_output_context *context,
                               scree_error *error) {
    s->fd = open(s->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (s->fd < 0) return cannot_write(s, errno, error);
    if (!add_head(s, context->source)) return out_of_memory(s, error);
    return write_line(s, error);
}

static scree_status open_scalars(const scree_output_context *context,
                                 void **self, scree_error *error) {
    scalars *s = calloc(1, sizeof *s);
    if (!s || asprintf(&s->path, "%s/scalars.csv", context->folder) < 0) {
        free(s);
        return scree_fail(error, SCREE_OUT_OF_MEMORY, "scalars: out of memory");
    }
    s->fd = -1;
    const scree_status status = start_file(s, context, error);
    if (status == SCREE_OK)
        *self = s;
    else
        close_scalars(s, NULL);
    return status;
}

static scree_status write_scalars(void *self,
                                  const scree_output_context *context,
                                  scree_error *error) {
    scalars *s = self;
    s->size = 0;
    if (!add_row(s, context->world)) return out_of_memory(s, error);
    return write_line(s, error);
}

const scree_output_ops scree_output_scalars = {
    .name = "scalars",
    .about = "energies, momenta, solver report and wall forces: scalars.csv",
    .open = open_scalars,
    .write = write_scalars,
    .close = close_scalars};
