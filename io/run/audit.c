/* audit.c: outputs and disk of a case, and the words of an audit.
 *
 * How much will be written is an estimate: bytes of a file without bodies, bytes of
 * a body, times the writings of the schedule. The figures are those of files
 * without compression; contacts and surfaces are guessed by the number of bodies. */
#include "io/run/audit.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "engine/world/view.h"
#include "io/case/yaml/case_message.h"
#include "io/run/run_common.h"

enum { COLUMNS = 100 };

/* ---- how much ------------------------------------------------------------- */

/* Bytes of one writing: of a file, and of a body in it. */
typedef struct weight {
    const char *sink;
    double file, body;
} weight;

static const weight weights[] = {
    {"frames", 20.2e3, 169},    /* 17 doubles, 2 labels, id, a cell */
    {"contacts", 17.9e3, 363},  /* three contacts of 121 bytes */
    {"surfaces", 17.4e3, 1700}, /* a rock of some 20 corners */
    {"scalars", 600, 0},        /* a row */
};
static const double CHECKPOINT_FILE = 55e3, CHECKPOINT_BODY = 330;

/* Surfaces are of shapes alone, unless spheres are asked for or the world is plane. */
static double bytes_of_writing(const scree_case *c, const scree_case_output *o,
                               double bodies) {
    if (strcmp(o->sink, "surfaces") == 0 && c->n_shape == 0 && !o->spheres &&
        !c->world.planar)
        return 0;
    for (size_t i = 0; i < sizeof weights / sizeof *weights; i++)
        if (strcmp(weights[i].sink, o->sink) == 0)
            return weights[i].file + weights[i].body * bodies;
    return 0;
}

/* How often a schedule comes up in a run. */
static double writings_of(const scree_case *c, const scree_schedule *s) {
    double n = 0;
    for (int i = 0; i < s->n_time; i++) n += s->times[i] <= c->end;
    if (s->times) return n;
    const double every = fmax(s->every, c->world.dt);
    const double time = fmin(s->until, c->end) - s->from;
    return time < 0 ? 0 : 1 + ceil(time / every - 1e-9);
}

double scree_case_bytes(const scree_case *c, double bodies) {
    const scree_case_checkpoint *k = &c->checkpoint;
    double bytes = 0;
    for (int i = 0; i < c->n_output; i++)
        bytes += writings_of(c, &c->outputs[i].schedule) *
                 bytes_of_writing(c, &c->outputs[i], bodies);
    if (k->every > 0 || k->every_wall > 0)
        bytes += k->keep * (CHECKPOINT_FILE + CHECKPOINT_BODY * bodies);
    return bytes;
}

/* Of the file system on which the folder is or will be; < 0: not known. */
static double free_bytes(const char *folder) {
    struct statvfs info;
    char *path = strdup(*folder ? folder : ".");
    if (!path) return -1;
    while (statvfs(path, &info) != 0) {
        char *slash = strrchr(path, '/');
        if (slash && slash > path)
            *slash = '\0';
        else if (strcmp(path, ".") == 0 || strcmp(path, "/") == 0)
            return free(path), -1;
        else
            strcpy(path, slash ? "/" : ".");
    }
    free(path);
    return (double)info.f_bavail * (double)info.f_frsize;
}

typedef struct amount {
    char text[24];
} amount;

static amount write_bytes(double bytes) {
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    amount a;
    int k = 0;
    while (bytes >= 999.5 && k < 5) bytes /= 1000, k++;
    snprintf(a.text, sizeof a.text, "%.3g %s", bytes, units[k]);
    return a;
}

static double bodies_in_the_end(const scree_case *c, const scree_world *world) {
    double n = (double)scree_world_body_count(world);
    for (int i = 0; i < c->n_body; i++) {
        const scree_case_body *body = &c->bodies[i];
        if (body->kind == SCREE_CASE_POUR)
            n +=
                fmin((double)body->as.pour.count,
                     scree_pour_most(&body->as.pour, c->world.gravity, c->end));
    }
    return n;
}

static void look_at_disk(const scree_case *c, const scree_world *world,
                         const char *folder, scree_audit *audit) {
    const double bytes = scree_case_bytes(c, bodies_in_the_end(c, world)),
                 room = free_bytes(folder);
    const amount need = write_bytes(bytes), left = write_bytes(room);
    if (bytes > 0)
        scree_audit_add(audit, SCREE_NOTE, SCREE_FINDING_DISK,
                        "the results will take about %s in '%.200s', where %s "
                        "is free",
                        need.text, folder,
                        room < 0 ? "an unknown part" : left.text);
    if (room >= 0 && bytes > room)
        scree_audit_add(audit, SCREE_WARNING, SCREE_FINDING_DISK,
                        "the results will take about %s, and '%.200s' has %s "
                        "free; write less often or fewer fields, or choose "
                        "another folder with --out",
                        need.text, folder, left.text);
}

/* ---- when ----------------------------------------------------------------- */

static void look_at_schedule(const scree_case *c, int i, scree_audit *audit) {
    const scree_case_output *o = &c->outputs[i];
    const scree_schedule *s = &o->schedule;
    if (writings_of(c, s) == 0)
        scree_audit_add(audit, SCREE_WARNING, SCREE_FINDING_OUTPUTS,
                        "outputs[%d].%s will never be written: its times are "
                        "after the end of the run at %g s",
                        i, o->sink, c->end);
    else if (!s->times && s->every > c->end)
        scree_audit_add(audit, SCREE_WARNING, SCREE_FINDING_OUTPUTS,
                        "outputs[%d].%s.every is %g s, longer than the run of "
                        "%g s: only its first and its last state will be "
                        "written; choose a smaller 'every'",
                        i, o->sink, s->every, c->end);
    else
        scree_audit_add(audit, SCREE_NOTE, SCREE_FINDING_OUTPUTS,
                        "%s will be written about %.0f times", o->sink,
                        writings_of(c, s));
}

static void look_at_outputs(const scree_case *c, scree_audit *audit) {
    if (c->n_output == 0 && c->ensemble.trajectories == 0)
        scree_audit_add(audit, SCREE_WARNING, SCREE_FINDING_OUTPUTS,
                        "there are no outputs: the run will leave nothing but "
                        "its table and its state hash; add 'outputs', e.g. "
                        "[{frames: {every: %.2g}}, {scalars: {}}]",
                        c->end / 100);
    for (int i = 0; i < c->n_output; i++) look_at_schedule(c, i, audit);
    if (c->checkpoint.every > c->end)
        scree_audit_add(audit, SCREE_WARNING, SCREE_FINDING_OUTPUTS,
                        "checkpoint.every is %g s, longer than the run of %g "
                        "s: there will be none to go on from before its end",
                        c->checkpoint.every, c->end);
}

/* ---- the world ------------------------------------------------------------ */

typedef struct pour_list {
    const scree_pour **pours;
    const char **names;
    char (*words)[40]; /* what the names point to */
    int n;
} pour_list;

static bool list_pours(const scree_case *c, pour_list *list) {
    const size_t room = (size_t)c->n_body + 1;
    list->pours = calloc(room, sizeof *list->pours);
    list->names = calloc(room, sizeof *list->names);
    list->words = calloc(room, sizeof *list->words);
    if (!list->pours || !list->names || !list->words) return false;
    for (int i = 0; i < c->n_body; i++) {
        if (c->bodies[i].kind != SCREE_CASE_POUR) continue;
        snprintf(list->words[list->n], sizeof *list->words, "bodies[%d].pour",
                 i);
        list->names[list->n] = list->words[list->n];
        list->pours[list->n++] = &c->bodies[i].as.pour;
    }
    return true;
}

static void free_pours(pour_list *list) {
    free(list->pours);
    free(list->names);
    free(list->words);
}

/* Names may hold anything; sentences go to a terminal. */
static char (*quote_walls(const scree_case *c, const char **names))[64] {
    char(*words)[64] = calloc((size_t)c->n_wall + 1, sizeof *words);
    for (int i = 0; i < c->n_wall && words; i++) {
        memcpy(words[i], scree_quote(c->walls[i].name).text, sizeof *words);
        names[i] = words[i];
    }
    return words;
}

static void tell_unmade(const scree_case *c, scree_audit *audit) {
    if (c->n_unmade > 0)
        scree_audit_add(audit, SCREE_NOTE, SCREE_FINDING_BODIES,
                        "%" PRId64 " forms of rocks were not made and not "
                        "looked at, for their sheer number; bodies here have "
                        "the first ones, and a run makes them all",
                        c->n_unmade);
}

static scree_status audit_world(const scree_case *c, const scree_world *world,
                                scree_audit *audit) {
    pour_list pours = {0};
    const char **walls = calloc((size_t)c->n_wall + 1, sizeof *walls);
    char(*words)[64] = walls ? quote_walls(c, walls) : NULL;
    const bool listed = list_pours(c, &pours);
    scree_status status = scree_comm_agree(
        scree_world_comm(world),
        listed && words ? SCREE_OK : SCREE_OUT_OF_MEMORY, NULL);
    if (status == SCREE_OK) {
        const scree_audit_scene scene = {.walls = walls,
                                         .pours = pours.pours,
                                         .pour_names = pours.names,
                                         .n_pour = pours.n,
                                         .end = c->end};
        status = scree_audit_world(world, &scene, audit);
    }
    free_pours(&pours);
    free(words);
    free(walls);
    return status;
}

static void forgive_errors(scree_audit *audit) {
    for (int i = 0; i < audit->n; i++)
        if (audit->list[i].severity == SCREE_ERROR)
            audit->list[i].severity = SCREE_WARNING;
}

scree_status scree_case_audit(const scree_case *c, const scree_world *world,
                              const char *folder, scree_audit *audit,
                              scree_error *error) {
    const scree_status status = world ? audit_world(c, world, audit) : SCREE_OK;
    if (status != SCREE_OK)
        return scree_fail(error, status, "%.300s: the audit before the run: %s",
                          c->path, scree_status_text(status));
    tell_unmade(c, audit);
    look_at_outputs(c, audit);
    if (world) look_at_disk(c, world, folder, audit);
    if (c->audit == SCREE_AUDIT_WARN) forgive_errors(audit);
    return SCREE_OK;
}

/* ---- words ---------------------------------------------------------------- */

/* Words of `text`, in lines of at most COLUMNS; the first one has begun. */
static void print_wrapped(FILE *file, size_t at, const char *text) {
    while (*text) {
        const size_t n = strcspn(text, " ");
        if (at + 1 + n > COLUMNS) at = (size_t)fprintf(file, "\n ") - 1;
        at += (size_t)fprintf(file, " %.*s", (int)n, text);
        text += n + strspn(text + n, " ");
    }
    fputc('\n', file);
}

static void print_finding(FILE *file, const scree_finding *f) {
    static const char *const words[] = {[SCREE_NOTE] = "note",
                                        [SCREE_WARNING] = "warning",
                                        [SCREE_ERROR] = "error"};
    const int at = fprintf(file, "%s (%s):", words[f->severity],
                           scree_finding_word(f->code));
    print_wrapped(file, (size_t)at, f->text);
}

void scree_audit_print(const scree_audit *audit, scree_severity from,
                       FILE *file) {
    if (!file) return;
    for (int severity = SCREE_ERROR; severity >= (int)from; severity--)
        for (int i = 0; i < audit->n; i++)
            if ((int)audit->list[i].severity == severity)
                print_finding(file, &audit->list[i]);
    fflush(file);
}

scree_status scree_audit_judge(const scree_audit *audit, const scree_case *c,
                               scree_error *error) {
    const int n = scree_audit_count(audit, SCREE_ERROR);
    if (n == 0) return SCREE_OK;
    return scree_fail(error, SCREE_BAD_INPUT,
                      "%.300s: the run would make no sense: %d error%s in the "
                      "audit above; nothing was written\n  correct %s, or say "
                      "'audit: warn' in the case to run it all the same",
                      c->path, n, n == 1 ? "" : "s", n == 1 ? "it" : "them");
}

scree_status scree_run_audit(const scree_case *c,
                             const scree_run_options *options,
                             const scree_world *world, scree_audit *audit,
                             scree_error *error) {
    if (options->from) return SCREE_OK; /* it is on its way */
    char *folder = scree_run_choose_folder(c, options);
    scree_status status =
        scree_comm_agree(options->comm ? options->comm : scree_comm_alone(),
                         folder ? SCREE_OK : scree_run_no_memory(error), error);
    if (status == SCREE_OK)
        status = scree_case_audit(c, world, folder, audit, error);
    free(folder);
    if (status == SCREE_OK) status = scree_audit_judge(audit, c, error);
    if (status == SCREE_BAD_INPUT)
        scree_audit_print(audit, SCREE_WARNING,
                          options->complaints ? options->complaints
                                              : options->log);
    return status;
}
