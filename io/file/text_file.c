#include "io/file/text_file.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "io/file/safe_file.h"

/* ---- the file ------------------------------------------------------------ */

static scree_status cannot_read(const char *path, const char *why,
                                scree_error *error) {
    return scree_fail(error, SCREE_IO_ERROR, "%s: %s", path, why);
}

/* All n bytes, or fewer if the file ends before. */
static size_t read_all(int fd, char *to, size_t n) {
    size_t done = 0;
    ssize_t got = 1;
    while (done < n && got != 0) {
        got = read(fd, to + done, n - done);
        if (got < 0 && errno != EINTR) break;
        if (got > 0) done += (size_t)got;
    }
    return done;
}

static scree_status read_bytes(scree_text *text, int fd, size_t n,
                               scree_error *error) {
    text->bytes = malloc(n + 1);
    if (!text->bytes)
        return scree_fail(error, SCREE_OUT_OF_MEMORY,
                          "%s: no memory for a file of %zu bytes", text->path,
                          n);
    text->n = read_all(fd, text->bytes, n);
    text->bytes[text->n] = '\0';
    if (text->n == n) return SCREE_OK;
    scree_text_free(text);
    return cannot_read(text->path, "the file could not be read to its end",
                       error);
}

scree_status scree_text_read(scree_text *text, const char *path,
                             scree_error *error) {
    int fd;
    size_t size;
    *text = (scree_text){.path = path};
    TRY(scree_file_open(path, "a file", &fd, &size, error));
    const scree_status status =
        size > INT_MAX
            ? cannot_read(path, "larger than 2 GiB, too large for Scree", error)
            : read_bytes(text, fd, size, error);
    close(fd);
    return status;
}

void scree_text_free(scree_text *text) {
    free(text->bytes);
    text->bytes = NULL;
    text->n = 0;
}

bool scree_name_ends(const char *name, const char *ending) {
    const size_t n = strlen(name), m = strlen(ending);
    return n > m && strcasecmp(name + n - m, ending) == 0;
}

/* ---- words --------------------------------------------------------------- */

scree_cursor scree_cursor_start(const scree_text *text) {
    return (scree_cursor){text->bytes, text->bytes + text->n, 1};
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

scree_word scree_next_on_line(scree_cursor *c) {
    while (c->at < c->end && is_space(*c->at)) c->at++;
    const char *first = c->at;
    while (c->at < c->end && !is_space(*c->at) && *c->at != '\n') c->at++;
    return (scree_word){first, (int)(c->at - first), c->line};
}

bool scree_next_line(scree_cursor *c) {
    while (c->at < c->end && *c->at != '\n') c->at++;
    if (c->at == c->end) return false;
    c->at++;
    c->line++;
    return c->at < c->end;
}

scree_word scree_next_word(scree_cursor *c) {
    scree_word word;
    do word = scree_next_on_line(c);
    while (word.n == 0 && scree_next_line(c));
    return word;
}

bool scree_word_is(scree_word word, const char *text) {
    return (size_t)word.n == strlen(text) &&
           strncasecmp(word.text, text, strlen(text)) == 0;
}

/* strtod alone would take hexadecimals, nan and infinity as well. */
bool scree_word_number(scree_word word, double *x) {
    char copy[64], *end;
    if (word.n < 1 || word.n >= (int)sizeof copy) return false;
    memcpy(copy, word.text, (size_t)word.n);
    copy[word.n] = '\0';
    if (copy[strspn(copy, "+-.eE0123456789")] || strlen(copy) != (size_t)word.n)
        return false;
    *x = strtod(copy, &end);
    return !*end && isfinite(*x);
}

bool scree_word_integer(scree_word word, int *k) {
    double x;
    if (!scree_word_number(word, &x) || x != floor(x) || fabs(x) > INT_MAX)
        return false;
    *k = (int)x;
    return true;
}

scree_quoted scree_quote_word(scree_word word) {
    char copy[80];
    snprintf(copy, sizeof copy, "%.*s", word.n, word.text);
    return scree_quote(copy);
}
