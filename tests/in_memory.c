#include "tests/in_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support.h"

static kept_array *find_array(in_memory *m, const char *name) {
    for (int k = 0; k < m->n; ++k)
        if (!strcmp(m->list[k].name, name) &&
            (!m->lost || strcmp(name, m->lost)))
            return &m->list[k];
    return NULL;
}

static size_t bytes_of(const scree_rows *rows) {
    return (size_t)rows->n * (size_t)rows->columns *
           scree_number_size(rows->type);
}

static scree_status put_array(void *self, const scree_rows *rows,
                              const void *data, scree_error *error) {
    in_memory *m = self;
    (void)error;
    assert_true(m->n < 200);
    kept_array *to = &m->list[m->n++];
    *to = (kept_array){.n = rows->n, .bytes = bytes_of(rows)};
    snprintf(to->name, sizeof to->name, "%s", rows->name);
    to->data = malloc(to->bytes + 1);
    if (to->bytes) memcpy(to->data, data, to->bytes);
    return SCREE_OK;
}

static scree_status get_array(void *self, const scree_rows *rows, void *data,
                              scree_error *error) {
    const kept_array *from = find_array(self, rows->name);
    if (!from || from->bytes != bytes_of(rows))
        return scree_fail(error, SCREE_BAD_INPUT, "no %s", rows->name);
    if (from->bytes) memcpy(data, from->data, from->bytes);
    return SCREE_OK;
}

static int64_t count_array(void *self, const char *name) {
    const kept_array *from = find_array(self, name);
    return from ? from->n : SCREE_NO_ARRAY;
}

const scree_archive_ops in_memory_ops = {put_array, get_array, count_array,
                                         NULL, NULL};

void in_memory_clear(in_memory *m) {
    for (int k = 0; k < m->n; ++k) free(m->list[k].data);
    m->n = 0;
}
