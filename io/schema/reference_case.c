/* reference_case.c: a case with every key.
 *
 * What a case must have stands there, and of alternatives the first. All else is behind
 * a # at the start of its line: without it the key is as in a file. */
#include "io/schema/reference.h"

#include <string.h>

typedef struct writer {
    FILE *out;
    const char *file; /* "" or "#": behind what all lines are */
    bool model;
} writer;

static bool is_required(const scree_table *table, int i) {
    const unsigned flags = table->fields[i].flags;
    const unsigned group = flags & (SCREE_ONE_OF | SCREE_ALSO_ONE_OF);
    if (flags & SCREE_REQUIRED) return true;
    if (!group) return false;
    for (int k = 0; k < i; k++)
        if (table->fields[k].flags & group) return false;
    return true;
}

/* The first line of a list's entry begins with its dash. */
static void put_line(const writer *w, bool off, int indent, bool dash,
                     const scree_field *field, const char *value) {
    char sentence[400], line[400];
    scree_first_sentence(field->about, sentence, sizeof sentence);
    snprintf(line, sizeof line, "%s%*s%s%s: %s", off ? "#" : "",
             dash ? indent - 2 : indent, "", dash ? "- " : "", field->key,
             value);
    fprintf(w->out, "%s%-44s # %s%s%s%s\n", w->file, line, sentence,
            field->unit ? " [" : "", field->unit ? field->unit : "",
            field->unit ? "]" : "");
}

static void put_table(const writer *w, const scree_table *table, bool off,
                      int indent, bool list);

static bool opens_up(const scree_field *field) {
    return field->type == SCREE_FIELD_LIST ||
           (field->type == SCREE_FIELD_MAP && !field->table->shorthand);
}

static void put_field(const writer *w, const scree_table *table, int i,
                      bool off, int indent, bool dash) {
    const scree_field *field = &table->fields[i];
    const bool list = field->type == SCREE_FIELD_LIST;
    off = off || !is_required(table, i);
    put_line(w, off, indent, dash, field,
             opens_up(field)  ? ""
             : field->example ? field->example
                              : "");
    if (opens_up(field))
        put_table(w, field->table, off, indent + (list ? 4 : 2), list);
}

/* The dash goes to the first line that is not commented out. */
static int first_line(const scree_table *table) {
    for (int i = 0; i < table->n; i++)
        if (is_required(table, i)) return i;
    return 0;
}

static void put_table(const writer *w, const scree_table *table, bool off,
                      int indent, bool list) {
    const int first = first_line(table);
    put_field(w, table, first, off, indent, list);
    for (int i = 0; i < table->n; i++)
        if (i != first) put_field(w, table, i, off, indent, false);
}

static void put_file(const writer *w, const scree_table *table) {
    for (int i = 0; i < table->n; i++)
        if (w->model || table->fields[i].type != SCREE_FIELD_MODEL)
            put_field(w, table, i, false, 0, false);
}

void scree_reference_case(FILE *out) {
    fputs("# Every key of a case file. Lines that begin with # are keys that "
          "need "
          "not be there:\n# take the # away to use one (of alternatives, one "
          "at a "
          "time). scree help KEY tells more.\n\n",
          out);
    put_file(&(writer){.out = out, .file = ""}, &scree_case_table);
    fputs("\n# ---- a model by formula instead of bodies: a file of its own "
          "------------------\n",
          out);
    put_file(&(writer){.out = out, .file = "#", .model = true},
             &scree_model_case_table);
}
