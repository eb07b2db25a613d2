#include "io/run/run_log.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "io/file/memo.h"
#include "io/file/safe_file.h"
#include "io/run/run_common.h"
#include "io/version.h"

/* ---- options that were set ----------------------------------------------- */

bool scree_run_changes(const scree_checkpoint *from, const scree_case *c) {
    return strcmp(from->text, c->text) != 0 ||
           strcmp(from->overrides, c->overrides) != 0;
}

/* "--set a=b --set c=d" of lines a=b, c=d. */
static void put_sets(FILE *out, const char *lines) {
    for (const char *at = lines; *at;) {
        const size_t n = strcspn(at, "\n");
        fprintf(out, "%s--set %.*s", at > lines ? " " : "", (int)n, at);
        at += n + (at[n] == '\n');
    }
}

/* The options of `now` that come after all of `was`, or NULL if it is no part. */
static const char *sets_after(const char *was, const char *now) {
    const size_t n = strlen(was);
    if (strncmp(was, now, n) != 0) return NULL;
    if (n == 0 || !now[n]) return now + n;
    return now[n] == '\n' ? now + n + 1 : NULL;
}

/* With the same text: options added to those of the checkpoint, or others. */
static void put_new_sets(FILE *out, const char *was, const char *now) {
    const char *added = sets_after(was, now);
    if (added) {
        put_sets(out, added);
        return;
    }
    fprintf(out, "without ");
    put_sets(out, was);
    if (*now) fprintf(out, ", with ");
    put_sets(out, now);
}

char *scree_run_list_changes(const scree_checkpoint *from,
                             const scree_case *c) {
    scree_memo memo;
    FILE *out = scree_memo_open(&memo);
    if (!out) return NULL;
    if (strcmp(from->text, c->text) == 0) {
        put_new_sets(out, from->overrides, c->overrides);
    } else {
        fprintf(out, "another case text%s", *c->overrides ? " with " : "");
        put_sets(out, c->overrides);
    }
    return scree_memo_close(&memo);
}

/* ---- lines that differ --------------------------------------------------- */

typedef struct lines {
    char *text; /* copy, cut into lines */
    char **at;
    size_t n;
} lines;

static bool split_lines(lines *l, const char *text) {
    size_t most = 1;
    for (const char *c = text; *c; c++) most += *c == '\n';
    *l = (lines){.text = strdup(text), .at = calloc(most, sizeof *l->at)};
    if (!l->text || !l->at) return false;
    char *rest = l->text;
    for (char *line; (line = strsep(&rest, "\n"));)
        if (rest || *line) l->at[l->n++] = line;
    return true;
}

static void drop_lines(lines *l) {
    free(l->text);
    free(l->at);
}

/* Where a pair of lines is in two texts. */
typedef struct place {
    size_t a, b;
} place;

/* The nearest place from `p` on where both go on alike, or their ends. What is
 * very far is not looked for: a case that is all new has no such place. */
static place meet_again(const lines *a, const lines *b, place p) {
    enum { FARTHEST = 1000 };
    for (size_t d = 1; d < FARTHEST; d++)
        for (size_t k = 0; k <= d; k++) {
            const place q = {p.a + k, p.b + d - k};
            if (q.a < a->n && q.b < b->n && strcmp(a->at[q.a], b->at[q.b]) == 0)
                return q;
        }
    return (place){a->n, b->n};
}

/* The key at the margin that a line stands below. */
static const char *head_of(const lines *l, size_t i) {
    if (l->n == 0) return "";
    for (i = i < l->n ? i : l->n - 1; i > 0; i--)
        if (!strchr(" -", *l->at[i])) break;
    return l->at[i];
}

static void put_difference(FILE *out, const lines *a, const lines *b, place p,
                           place q) {
    const char *first = p.a < q.a ? a->at[p.a] : b->at[p.b];
    if (*first == ' ' || *first == '-')
        fprintf(out, "    %s\n",
                head_of(p.a < q.a ? a : b, p.a < q.a ? p.a : p.b));
    for (size_t i = p.a; i < q.a; i++) fprintf(out, "  - %s\n", a->at[i]);
    for (size_t i = p.b; i < q.b; i++) fprintf(out, "  + %s\n", b->at[i]);
}

static void put_differences(FILE *out, const lines *a, const lines *b) {
    place p = {0, 0};
    while (p.a < a->n || p.b < b->n) {
        if (p.a < a->n && p.b < b->n && strcmp(a->at[p.a], b->at[p.b]) == 0) {
            p.a++, p.b++;
            continue;
        }
        const place q = meet_again(a, b, p);
        put_difference(out, a, b, p, q);
        p = q;
    }
}

static bool compare_texts(FILE *out, const char *was, const char *now) {
    lines a = {0}, b = {0};
    if (strcmp(was, now) == 0) return true;
    const bool ok = split_lines(&a, was) && split_lines(&b, now);
    if (ok) put_differences(out, &a, &b);
    drop_lines(&a);
    drop_lines(&b);
    return ok;
}

/* ---- the log ------------------------------------------------------------- */

/* One line, then what differs; false: no memory. */
static bool put_entry(FILE *out, const scree_case *c,
                      const scree_run_options *options, int ranks) {
    const scree_checkpoint *from = options->from;
    char when[40], on[40] = "";
    const time_t now = time(NULL);
    struct tm utc;
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    if (ranks > 1) snprintf(on, sizeof on, ", on %d ranks", ranks);
    char *changes = scree_run_list_changes(from, c);
    if (changes)
        fprintf(out,
                "%s scree %s (%s) from %s, step %" PRId64
                ", t = %.17g s%s%s%s\n",
                when, scree_build_version, scree_build_commit, from->path,
                from->step, from->time, on, *changes ? "; " : "", changes);
    const bool ok =
        changes && compare_texts(out, from->resolved, options->resolved);
    free(changes);
    return ok;
}

static char *entry_of(const scree_case *c, const scree_run_options *options,
                      int ranks) {
    scree_memo memo;
    FILE *out = scree_memo_open(&memo);
    if (!out) return NULL;
    const bool ok = put_entry(out, c, options, ranks);
    char *text = scree_memo_close(&memo);
    if (ok) return text;
    free(text);
    return NULL;
}

static scree_status append_entry(const char *path, const char *entry,
                                 scree_error *error) {
    int fd;
    TRY(scree_file_write(path, O_WRONLY | O_APPEND, &fd, error));
    const ssize_t size = (ssize_t)strlen(entry);
    errno = ENOSPC; /* if only a part finds room */
    bool ok = write(fd, entry, (size_t)size) == size;
    int reason = errno;
    if (close(fd) != 0) ok = false, reason = errno;
    if (ok) return SCREE_OK;
    return scree_fail(error, SCREE_IO_ERROR, "%.400s: cannot write: %s", path,
                      strerror(reason));
}

scree_status scree_run_log(const char *folder, const scree_case *c,
                           const scree_run_options *options, int ranks,
                           scree_error *error) {
    char *path;
    if (asprintf(&path, "%s/restarts.log", folder) < 0)
        return scree_run_no_memory(error);
    scree_status status = SCREE_OK;
    if (!options->resumes) scree_file_remove(path);
    if (options->from) {
        char *entry = entry_of(c, options, ranks);
        status = entry ? append_entry(path, entry, error)
                       : scree_run_no_memory(error);
        free(entry);
    }
    free(path);
    return status;
}
