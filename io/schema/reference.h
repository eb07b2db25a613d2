/* reference.h: what the tables say of every key, for people and for editors.
 *
 *     rows of case_schema*.c ──> scree_reference ──> scree help KEY     (text)
 *                                                    scree help --all   (Markdown)
 *                                                    scree help --json-schema
 *                                                    scree check --all-keys
 *                                                    scree-case.5
 *
 * Meaning, unit, range and example are those of the row; the default is read from the
 * struct that the reader begins with. Nothing is said twice. */
#ifndef SCREE_IO_REFERENCE_H
#define SCREE_IO_REFERENCE_H

#include "io/schema/case_schema.h"

#include <stdio.h>

enum { SCREE_PATH_BYTES = 120, SCREE_DEFAULT_BYTES = 120 };

typedef struct scree_reference_key {
    char path[SCREE_PATH_BYTES]; /* bodies.pour.rate */
    const scree_field *field;
    const scree_table *table; /* that the row is in */
    bool of_worlds, of_models;
    char value[SCREE_DEFAULT_BYTES];  /* by default, as in a file, or "" */
    char unless[SCREE_DEFAULT_BYTES]; /* what holds if it is not given */
} scree_reference_key;

/* A ready case that has the key. */
typedef struct scree_use {
    const char *path, *file; /* bodies.pour.rate, cases/pour.yaml */
    bool is_model;
} scree_use;

typedef struct scree_reference {
    int n;
    scree_reference_key
        *keys;             /* (n) in the order of the tables, parents first */
    const scree_use *uses; /* (n_use) by path, or none: set by the program */
    int n_use;
    scree_pool *pool;
} scree_reference;

scree_status scree_reference_make(scree_reference *reference);
void scree_reference_free(scree_reference *reference);

/* The table of what a mapping, a list of them, or an orientation holds; or NULL. */
const scree_table *scree_field_table(const scree_field *field);
/* What the value may be, in words. */
void scree_key_allowed(const scree_reference_key *key, char *out, size_t size);
/* "worlds", "models", "worlds and models" */
const char *scree_key_kinds(const scree_reference_key *key);
/* How a file has the example: "bodies: [{pour: {rate: 200}}]". */
void scree_key_example(const scree_reference_key *key, char *out, size_t size);
/* The key as --set takes it: "bodies[0].velocity", "bodies.pour.rate". */
void scree_key_option(const scree_reference_key *key,
                      char out[SCREE_PATH_BYTES + 4]);
/* The first sentence, without its full stop. */
void scree_first_sentence(const char *about, char *out, size_t size);
/* Is `key` a direct part of `parent` (NULL: of the file)? */
bool scree_key_is_part(const scree_reference_key *key,
                       const scree_reference_key *parent);
/* Is key i the first of its section of the file? Models may have one of that name. */
bool scree_key_opens_section(const scree_reference *reference, int i);

/* ---- reference_text.c: for a terminal ------------------------------------ */

/* Tells of the key `name`: a whole path, or its end. False if there is none. */
bool scree_reference_explain(const scree_reference *reference, const char *name,
                             FILE *out);
/* Lists the keys near to `name` on one line each. */
void scree_reference_suggest(const scree_reference *reference, const char *name,
                             FILE *out);
/* Lists all keys whose path or text has the word; returns how many. */
int scree_reference_search(const scree_reference *reference, const char *word,
                           FILE *out);
/* The keys of the file itself, with a sentence each. */
void scree_reference_sections(const scree_reference *reference, FILE *out);

/* ---- others -------------------------------------------------------------- */

void scree_reference_markdown(const scree_reference *reference, FILE *out);
/* Text as roff has it: no line begins with a request, a hyphen is the character -. */
void scree_put_roff(const char *text, FILE *out);
void scree_reference_man(const scree_reference *reference, const char *version,
                         FILE *out);
/* A case with every key, those that need not be there as comments. */
void scree_reference_case(FILE *out);
/* A JSON schema of case files (draft 2020-12). */
scree_status scree_reference_json(FILE *out);

#endif
