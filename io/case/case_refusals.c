/* case_refusals.c: all that a file is refused for, in one message.
 *
 * The tables and values write a refusal to reader->error and return. What holds the
 * value adds it to the others and goes on with the next one, so that a file with five
 * mistakes is answered once. Three rules keep out what only follows from a mistake:
 *
 *     rules that span several keys are not asked of a mapping that was refused
 *     a key that is missing beside an unknown one is the unknown one, misspelt
 *     names of a list that was refused may be unknown
 */
#include "io/case/case_reader.h"

#include <stdio.h>
#include <string.h>

enum {
    MOST_SHOWN = 20,
    LAST_BYTES = 100, /* for the line that there are more */
};

static void add_line(scree_error *to, const char *text) {
    const size_t used = strlen(to->text);
    snprintf(to->text + used, sizeof to->text - used, "%s%s", used ? "\n" : "",
             text);
}

/* Adds the refusal at hand to those shown. False if there is no room for it. */
static bool show_refusal(scree_reader *r) {
    const char *words = r->error->text;
    const size_t room = sizeof r->all->text - LAST_BYTES - strlen(r->all->text);
    if (!words[0]) return true;
    if (r->n_shown >= MOST_SHOWN || strlen(words) + 1 > room) {
        char more[LAST_BYTES];
        snprintf(more, sizeof more,
                 "  there are more errors than these %d: mend them and look "
                 "again",
                 r->n_shown);
        add_line(r->all, more);
        return false;
    }
    add_line(r->all, words);
    r->all->status = SCREE_BAD_INPUT;
    r->n_shown++;
    return true;
}

scree_status scree_reader_pass(scree_reader *r, scree_status status,
                               size_t mark) {
    if (status == SCREE_OK) return SCREE_OK;
    if (status != SCREE_BAD_INPUT) return status;
    const bool shown = show_refusal(r);
    r->error->text[0] = '\0';
    r->n_refused++;
    scree_reader_leave(r, mark);
    return shown ? SCREE_OK : SCREE_BAD_INPUT;
}

scree_status scree_reader_follow(scree_reader *r) {
    return scree_fail(r->error, SCREE_BAD_INPUT, "%s", "");
}

scree_status scree_reader_tell(scree_reader *r, scree_status status) {
    if (status == SCREE_BAD_INPUT)
        show_refusal(r);
    else
        *r->all = *r->error;
    return status;
}
