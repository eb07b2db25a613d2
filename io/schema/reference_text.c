/* reference_text.c: the reference on a terminal. */
#include "io/case/yaml/case_message.h"
#include "io/schema/reference.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 79, MOST_NEAR = 5, MOST_USES = 4, SENTENCE = 400 };

/* ---- lines --------------------------------------------------------------- */

/* Breaks the text between words; lines after the first begin at `indent`. */
static void print_wrapped(const char *text, int indent, FILE *out) {
    int column = indent;
    while (*text) {
        const int n = (int)strcspn(text, " ");
        if (column > indent && column + n >= WIDTH) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', out);
            column++;
        }
        fprintf(out, "%.*s", n, text);
        column += n;
        text += n;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

static void print_item(const char *lead, const char *text, FILE *out) {
    if (!*text) return;
    fprintf(out, "  %-10s", lead);
    print_wrapped(text, 12, out);
}

static void print_row(const char *name, int width, const char *about,
                      FILE *out) {
    char sentence[SENTENCE];
    scree_first_sentence(about, sentence, sizeof sentence);
    fprintf(out, "  %-*s ", width, name);
    print_wrapped(sentence, 3 + width, out);
}

/* ---- one key ------------------------------------------------------------- */

static void print_parts(const scree_reference *r,
                        const scree_reference_key *parent, FILE *out) {
    bool any = false;
    for (int i = 0; i < r->n; i++) {
        const scree_reference_key *key = &r->keys[i];
        if (!scree_key_is_part(key, parent)) continue;
        if (!any) fprintf(out, "  keys\n");
        any = true;
        fprintf(out, "  ");
        print_row(key->field->key, 22, key->field->about, out);
    }
}

static void print_choices(const scree_field *field, FILE *out) {
    const char *about = "", *name;
    if (!field->names) return;
    for (int i = 0; (name = field->names(i, &about)); i++)
        if (about && *about) print_row(name, 16, about, out);
}

static bool is_use_of(const scree_use *use, const scree_reference_key *key) {
    return strcmp(use->path, key->path) == 0 &&
           (use->is_model ? key->of_models : key->of_worlds);
}

/* Ready cases that have the key, the plainest first. */
static void print_uses(const scree_reference *r, const scree_reference_key *key,
                       FILE *out) {
    char words[SENTENCE] = "";
    int n = 0;
    for (int i = 0; i < r->n_use; i++) {
        if (!is_use_of(&r->uses[i], key) || ++n > MOST_USES) continue;
        const size_t used = strlen(words);
        snprintf(words + used, sizeof words - used, "%s%s", n > 1 ? ", " : "",
                 r->uses[i].file);
    }
    const size_t used = strlen(words);
    if (n > MOST_USES)
        snprintf(words + used, sizeof words - used, " and %d more",
                 n - MOST_USES);
    print_item("used in",
               n > 0          ? words
               : r->n_use > 0 ? "no ready case"
                              : "",
               out);
}

static void print_key(const scree_reference *r, const scree_reference_key *key,
                      FILE *out) {
    char words[SENTENCE];
    fprintf(out, "%s\n  ", key->path);
    print_wrapped(key->field->about, 2, out);
    fputc('\n', out);
    scree_key_allowed(key, words, sizeof words);
    print_item("value", words, out);
    print_choices(key->field, out);
    print_item("default", key->unless, out);
    if (key->field->flags & SCREE_SPACE)
        print_item("", "has no meaning with planar: on", out);
    scree_key_example(key, words, sizeof words);
    print_item("example", words, out);
    if (!scree_field_table(key->field)) {
        char option[SCREE_PATH_BYTES + 4];
        scree_key_option(key, option);
        snprintf(words, sizeof words, "--set '%s=%s'", option,
                 key->field->example);
        print_item("or", words, out);
    }
    print_item("of", scree_key_kinds(key), out);
    print_uses(r, key, out);
    print_parts(r, key, out);
}

/* "bodies[2].pour.rate" is asked of as bodies.pour.rate. */
static void strip_items(const char *name, char out[SCREE_PATH_BYTES]) {
    size_t n = 0;
    for (; *name && n + 1 < SCREE_PATH_BYTES; name++) {
        if (*name == '[') name += strcspn(name, "]");
        if (*name && *name != ']') out[n++] = *name;
    }
    out[n] = '\0';
}

static bool ends_with(const char *path, const char *name) {
    const size_t n = strlen(path), m = strlen(name);
    return n > m && path[n - m - 1] == '.' && strcmp(path + n - m, name) == 0;
}

static int print_all_of(const scree_reference *r, const char *path, FILE *out) {
    int n = 0;
    for (int i = 0; i < r->n; i++) {
        if (strcmp(r->keys[i].path, path) != 0) continue;
        if (n++ > 0) fputc('\n', out);
        print_key(r, &r->keys[i], out);
    }
    return n;
}

static void print_summary(const scree_reference_key *key, FILE *out) {
    print_row(key->path, 34, key->field->about, out);
}

/* Paths that end with the name; the only one, or NULL. */
static const scree_reference_key *only_ending(const scree_reference *r,
                                              const char *name, int *n) {
    const scree_reference_key *found = NULL;
    *n = 0;
    for (int i = 0; i < r->n; i++) {
        if (!ends_with(r->keys[i].path, name)) continue;
        if (!found || strcmp(found->path, r->keys[i].path) != 0) ++*n;
        found = &r->keys[i];
    }
    return *n == 1 ? found : NULL;
}

bool scree_reference_explain(const scree_reference *r, const char *name,
                             FILE *out) {
    char path[SCREE_PATH_BYTES];
    int n;
    strip_items(name, path);
    if (print_all_of(r, path, out) > 0) return true;
    const scree_reference_key *only = only_ending(r, path, &n);
    if (only) return print_all_of(r, only->path, out) > 0;
    if (n == 0) return false;
    fprintf(out, "%d keys are called '%s':\n", n, path);
    for (int i = 0; i < r->n; i++)
        if (ends_with(r->keys[i].path, path)) print_summary(&r->keys[i], out);
    return true;
}

/* ---- many keys ----------------------------------------------------------- */

/* Of the whole path or of its last word: who types "rates" means some rate. */
static int distance_to(const scree_reference_key *key, const char *name) {
    const int whole = scree_edit_distance(key->path, name);
    const int last = scree_edit_distance(key->field->key, name);
    return last < whole ? last : whole;
}

typedef struct near_key {
    int distance, i;
} near_key;

static int compare_near(const void *a, const void *b) {
    const near_key *x = a, *y = b;
    return x->distance != y->distance ? x->distance - y->distance : x->i - y->i;
}

void scree_reference_suggest(const scree_reference *r, const char *name,
                             FILE *out) {
    near_key *near = calloc((size_t)r->n + 1, sizeof *near);
    if (!near) return;
    for (int i = 0; i < r->n; i++)
        near[i] = (near_key){distance_to(&r->keys[i], name), i};
    qsort(near, (size_t)r->n, sizeof *near, compare_near);
    for (int i = 0; i < r->n && i < MOST_NEAR; i++)
        if (near[i].distance < INT_MAX) print_summary(&r->keys[near[i].i], out);
    free(near);
}

static bool has_word(const char *text, const char *word) {
    return text && strcasestr(text, word);
}

int scree_reference_search(const scree_reference *r, const char *word,
                           FILE *out) {
    int n = 0;
    for (int i = 0; i < r->n; i++) {
        const scree_field *field = r->keys[i].field;
        const bool hit = has_word(r->keys[i].path, word) ||
                         has_word(field->about, word) ||
                         has_word(r->keys[i].unless, word);
        if (!hit) continue;
        print_summary(&r->keys[i], out);
        n++;
    }
    return n;
}

void scree_reference_sections(const scree_reference *r, FILE *out) {
    for (int i = 0; i < r->n; i++)
        if (scree_key_opens_section(r, i))
            print_row(r->keys[i].path, 14, r->keys[i].field->about, out);
}
