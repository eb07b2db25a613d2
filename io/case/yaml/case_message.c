/* case_message.c: putting messages together within a fixed buffer. */
#include "io/case/yaml/case_message.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    SOURCE_BYTES = 300, /* of the file's path or the option */
    LIST_BYTES = 300,   /* of the names in one hint */
    WORD_BYTES = 64,
};

/* ---- text ---------------------------------------------------------------- */

/* Bytes of `text` up to `most` that do not cut a UTF-8 character in two. */
static size_t clipped_length(const char *text, size_t most) {
    size_t n = strnlen(text, most + 1);
    if (n <= most) return n;
    n = most;
    while (n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80) n--;
    return n;
}

scree_quoted scree_quote(const char *text) {
    scree_quoted quoted = {0};
    const size_t n = clipped_length(text, sizeof quoted.text - 4);
    for (size_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)text[i];
        quoted.text[i] = c < 0x20 || c == 0x7F ? ' ' : text[i];
    }
    if (text[n]) memcpy(quoted.text + n, "...", 4);
    return quoted;
}

__attribute__((format(printf, 2, 0))) static void
append(scree_error *error, const char *format, va_list arguments) {
    const size_t used = strlen(error->text);
    vsnprintf(error->text + used, sizeof error->text - used, format, arguments);
}

/* ---- the first line ------------------------------------------------------ */

/* An option "--set a.b=1" has already named the key a.b. */
static bool names_key(const char *source, const char *key_path) {
    const size_t lead = strlen("--set "), n = strlen(key_path);
    return strlen(source) > lead + n && source[lead + n] == '=' &&
           strncmp(source + lead, key_path, n) == 0;
}

scree_status scree_complain(scree_error *error, scree_origin at,
                            const char *key_path, const char *format, ...) {
    const char *source = at.source;
    const int n = (int)clipped_length(source, SOURCE_BYTES);
    if (at.line > 0)
        scree_fail(error, SCREE_BAD_INPUT, "%.*s:%d: ", n, source, at.line);
    else
        scree_fail(error, SCREE_BAD_INPUT, "%.*s: ", n, source);
    const bool named = at.line == 0 && names_key(source, key_path);
    const size_t used = strlen(error->text);
    if (key_path[0] && !named)
        snprintf(error->text + used, sizeof error->text - used,
                 "%s: ", key_path);
    va_list arguments;
    va_start(arguments, format);
    append(error, format, arguments);
    va_end(arguments);
    return SCREE_BAD_INPUT;
}

/* ---- hints --------------------------------------------------------------- */

void scree_hint(scree_error *error, const char *format, ...) {
    if (!error) return;
    const size_t used = strlen(error->text);
    snprintf(error->text + used, sizeof error->text - used, "\n  ");
    va_list arguments;
    va_start(arguments, format);
    append(error, format, arguments);
    va_end(arguments);
}

void scree_hint_names(scree_error *error, const char *lead, scree_names names) {
    char list[LIST_BYTES + sizeof(scree_quoted) + 8] = "";
    size_t used = 0;
    const char *name;
    for (int i = 0; (name = names.at(names.from, i)) != NULL; i++) {
        const char *comma = i > 0 ? ", " : "";
        if (used > LIST_BYTES) {
            strcpy(list + used, ", ...");
            break;
        }
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", comma,
                                 scree_quote(name).text);
    }
    scree_hint(error, "%s: %s", lead, used ? list : "none");
}

/* ---- nearest name -------------------------------------------------------- */

static int least_of(int a, int b) {
    return a < b ? a : b;
}

int scree_edit_distance(const char *a, const char *b) {
    const size_t n = strlen(a), m = strlen(b);
    if (n >= WORD_BYTES || m >= WORD_BYTES) return INT_MAX;
    int d[WORD_BYTES][WORD_BYTES];
    for (size_t i = 0; i <= n; i++) d[i][0] = (int)i;
    for (size_t j = 0; j <= m; j++) d[0][j] = (int)j;
    for (size_t i = 1; i <= n; i++)
        for (size_t j = 1; j <= m; j++) {
            const int replace = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            d[i][j] = least_of(replace, least_of(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least_of(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[n][m];
}

void scree_hint_nearest(scree_error *error, const char *word,
                        scree_names names) {
    const char *nearest = NULL, *name;
    int distance = (int)(strnlen(word, WORD_BYTES) / 3) + 1;
    for (int i = 0; (name = names.at(names.from, i)) != NULL; i++) {
        const int d = scree_edit_distance(word, name);
        if (d < distance || (d == distance && !nearest)) {
            nearest = name;
            distance = d;
        }
    }
    if (nearest)
        scree_hint(error, "did you mean '%s'?", scree_quote(nearest).text);
}
