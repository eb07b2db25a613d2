/* reference_pages.c: the whole reference as Markdown, and as the page scree-case(5). */
#include "io/schema/reference.h"

#include <string.h>

enum { WORDS = 400 };

/* ---- Markdown ------------------------------------------------------------ */

/* A bar would end the cell of the table. */
static void put_cell(const char *text, FILE *out) {
    fputs(" ", out);
    for (; *text; text++) fprintf(out, *text == '|' ? "\\%c" : "%c", *text);
    fputs(" |", out);
}

static void put_code(const char *text, FILE *out) {
    char code[WORDS];
    snprintf(code, sizeof code, "`%s`", text);
    put_cell(*text ? code : "", out);
}

static void put_markdown_row(const scree_reference_key *key, FILE *out) {
    char words[WORDS];
    fputs("|", out);
    put_code(key->path, out);
    put_cell(key->field->about, out);
    scree_key_allowed(key, words, sizeof words);
    put_cell(words, out);
    if (*key->value)
        put_code(key->value, out);
    else
        put_cell(key->unless, out);
    put_code(key->field->example, out);
    put_cell(scree_key_kinds(key), out);
    fputc('\n', out);
}

static bool is_under(const scree_reference_key *key,
                     const scree_reference_key *root) {
    const size_t n = strlen(root->path);
    return strncmp(key->path, root->path, n) == 0 &&
           (key->path[n] == '.' || key->path[n] == '\0');
}

void scree_reference_markdown(const scree_reference *r, FILE *out) {
    fputs("# Keys of a case file\n\nWritten by `scree help --all`. A key that "
          "is not given has its default; `scree help KEY` tells of one key.\n",
          out);
    for (int i = 0; i < r->n; i++) {
        if (!scree_key_opens_section(r, i)) continue;
        fprintf(out,
                "\n## %s\n\n| key | meaning | value | default | example | used "
                "in |\n|---|---|---|---|---|---|\n",
                r->keys[i].path);
        for (int k = 0; k < r->n; k++)
            if (is_under(&r->keys[k], &r->keys[i]))
                put_markdown_row(&r->keys[k], out);
    }
}

/* ---- the manual page ----------------------------------------------------- */

void scree_put_roff(const char *text, FILE *out) {
    bool begins = true;
    for (; *text; text++) {
        if (begins && (*text == '.' || *text == '\'')) fputs("\\&", out);
        if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else
            fputc(*text, out);
        begins = *text == '\n';
    }
}

static void put_roff_line(const char *lead, const char *text, FILE *out) {
    if (!*text) return;
    fprintf(out, ".br\n%s: ", lead);
    scree_put_roff(text, out);
    fputc('\n', out);
}

static void put_man_key(const scree_reference_key *key, FILE *out) {
    char words[WORDS];
    fputs(".TP\n.B ", out);
    scree_put_roff(key->path, out);
    fputc('\n', out);
    scree_put_roff(key->field->about, out);
    fputc('\n', out);
    scree_key_allowed(key, words, sizeof words);
    put_roff_line("Value", words, out);
    put_roff_line("Default", key->unless, out);
    put_roff_line("Example", key->field->example, out);
    put_roff_line("Used in", scree_key_kinds(key), out);
}

void scree_reference_man(const scree_reference *r, const char *version,
                         FILE *out) {
    fprintf(out, ".TH SCREE\\-CASE 5 \"\" \"scree %s\" \"Scree\"\n", version);
    fputs(
        ".SH NAME\nscree\\-case \\- the case file of scree\n"
        ".SH DESCRIPTION\n"
        "A case file is YAML. It describes a world of bodies or, with the key "
        "\\fBmodel\\fR, a small\nsystem by formula. An unknown key is an "
        "error. Files that a case names are looked up\nbeside it. Any key can "
        "be set on the command line,\n\\fB\\-\\-set "
        "bodies.pour.rate=200\\fR; of a list the entry that has the key is "
        "meant.\n.SH KEYS\n",
        out);
    for (int i = 0; i < r->n; i++) {
        if (!scree_key_opens_section(r, i)) continue;
        fputs(".SS ", out);
        scree_put_roff(r->keys[i].path, out);
        fputc('\n', out);
        for (int k = 0; k < r->n; k++)
            if (is_under(&r->keys[k], &r->keys[i]))
                put_man_key(&r->keys[k], out);
    }
    fputs(".SH SEE ALSO\n.BR scree (1)\n", out);
}
