#include "io/report/trouble.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static void note_first(scree_trouble *trouble, scree_status status,
                       const scree_error *why) {
    if (trouble->status != SCREE_OK) return;
    trouble->status = status;
    trouble->error = *why;
}

void scree_trouble_memory(scree_trouble *trouble) {
    scree_error why = {0};
    scree_fail(&why, SCREE_OUT_OF_MEMORY, "report: out of memory");
    note_first(trouble, SCREE_OUT_OF_MEMORY, &why);
}

void scree_trouble_folder(scree_trouble *trouble, const char *folder,
                          int reason) {
    scree_error why = {0};
    const scree_status status =
        reason == ENOMEM ? SCREE_OUT_OF_MEMORY : SCREE_IO_ERROR;
    scree_fail(&why, status, "%.500s: cannot read: %s", folder,
               strerror(reason));
    note_first(trouble, status, &why);
}

static bool is_missing(const char *path) {
    return access(path, F_OK) != 0 && errno == ENOENT;
}

bool scree_trouble_heed(scree_trouble *trouble, const char *path,
                        scree_status status, const scree_error *why) {
    if (status == SCREE_OK) return true;
    if (status == SCREE_OUT_OF_MEMORY || !is_missing(path))
        note_first(trouble, status, why);
    return false;
}

bool scree_trouble_read(scree_trouble *trouble, scree_text *text,
                        const char *path) {
    scree_error why = {0};
    return scree_trouble_heed(trouble, path, scree_text_read(text, path, &why),
                              &why);
}

scree_status scree_trouble_end(const scree_trouble *trouble,
                               scree_error *error) {
    if (trouble->status != SCREE_OK && error) *error = trouble->error;
    return trouble->status;
}
