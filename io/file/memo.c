#include "io/file/memo.h"

#include <stdlib.h>
#include <string.h>

/* One byte more, for the zero at the end. */
static bool make_room(scree_memo *memo, size_t size) {
    if (size < memo->room) return true;
    const size_t room = 2 * size + 1;
    char *text = realloc(memo->text, room);
    if (!text) return false;
    memo->text = text;
    memo->room = room;
    return true;
}

static ssize_t append_bytes(void *cookie, const char *bytes, size_t n) {
    scree_memo *memo = cookie;
    if (memo->torn || !make_room(memo, memo->size + n)) {
        memo->torn = true;
        return 0; /* the stream's word for an error */
    }
    memcpy(memo->text + memo->size, bytes, n);
    memo->size += n;
    return (ssize_t)n;
}

FILE *scree_memo_open(scree_memo *memo) {
    *memo = (scree_memo){0};
    if (make_room(memo, 0))
        memo->out = fopencookie(memo, "w",
                                (cookie_io_functions_t){.write = append_bytes});
    if (!memo->out) free(memo->text);
    return memo->out;
}

char *scree_memo_close(scree_memo *memo) {
    if (!memo->out) return NULL;
    const bool whole = fclose(memo->out) == 0 && !memo->torn;
    memo->out = NULL;
    if (!whole) {
        free(memo->text);
        return NULL;
    }
    memo->text[memo->size] = '\0';
    return memo->text;
}
