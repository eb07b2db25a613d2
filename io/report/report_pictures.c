#include "io/report/report_pictures.h"

#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/safe_file.h"
#include "io/file/text_file.h"
#include "io/report/svg_plot.h"

/* Base64 (RFC 4648): three bytes are four letters. */
static void put_base64(FILE *out, const unsigned char *bytes, size_t n) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < n; i += 3) {
        const uint32_t three = (uint32_t)bytes[i] << 16 |
                               (i + 1 < n ? (uint32_t)bytes[i + 1] << 8 : 0) |
                               (i + 2 < n ? bytes[i + 2] : 0);
        fputc(letters[three >> 18], out);
        fputc(letters[three >> 12 & 63], out);
        fputc(i + 1 < n ? letters[three >> 6 & 63] : '=', out);
        fputc(i + 2 < n ? letters[three & 63] : '=', out);
    }
}

static void put_picture(FILE *out, const char *path, const char *caption,
                        scree_trouble *trouble) {
    scree_text file;
    if (!scree_trouble_read(trouble, &file, path)) return;
    fprintf(out, "<figure><img alt=\"");
    scree_put_xml(out, caption);
    fprintf(out, "\" src=\"data:image/png;base64,");
    put_base64(out, (const unsigned char *)file.bytes, file.n);
    fprintf(out, "\"><figcaption>");
    scree_put_xml(out, caption);
    fprintf(out, "</figcaption></figure>\n");
    scree_text_free(&file);
}

/* ---- those of the folder ------------------------------------------------- */

typedef struct names {
    char **list;
    size_t n, room;
} names;

/* The report has plots of its own. */
static bool is_picture(const char *name) {
    return scree_name_ends(name, ".png") && strcmp(name, "plot.png") != 0;
}

static bool add_name(names *all, const char *name) {
    if (all->n == all->room) {
        const size_t room = 2 * all->room + 16;
        char **list = realloc(all->list, room * sizeof *list);
        if (!list) return false;
        all->list = list;
        all->room = room;
    }
    char *copy = strdup(name);
    if (copy) all->list[all->n++] = copy;
    return copy != NULL;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static names list_pictures(const char *folder, scree_trouble *trouble) {
    names all = {0};
    DIR *entries = scree_folder_list(folder);
    if (!entries) {
        scree_trouble_folder(trouble, folder, errno);
        return all;
    }
    bool ok = true;
    errno = 0;
    for (struct dirent *entry; ok && (entry = readdir(entries)); errno = 0)
        if (is_picture(entry->d_name)) ok = add_name(&all, entry->d_name);
    if (!ok || errno)
        scree_trouble_folder(trouble, folder, ok ? errno : ENOMEM);
    closedir(entries);
    if (all.n > 1) qsort(all.list, all.n, sizeof *all.list, compare_names);
    return all;
}

static void put_named(FILE *out, const char *folder, const char *name,
                      scree_trouble *trouble) {
    char *path;
    if (asprintf(&path, "%s/%s", folder, name) < 0) {
        scree_trouble_memory(trouble);
        return;
    }
    put_picture(out, path, name, trouble);
    free(path);
}

static void put_folder(FILE *out, const char *folder, const names *all,
                       scree_trouble *trouble) {
    const size_t n = all->n, chosen[] = {0, n / 2, n - 1};
    for (size_t i = 0; i < 3 && n > 0; i++)
        if (i == 0 || chosen[i] > chosen[i - 1])
            put_named(out, folder, all->list[chosen[i]], trouble);
}

void scree_page_put_pictures(FILE *out, const char *folder,
                             const scree_page_options *options,
                             scree_trouble *trouble) {
    names all = list_pictures(folder, trouble);
    if (options->n_picture + all.n > 0)
        fprintf(out, "<h2>Pictures</h2>\n<div class=\"pictures\">\n");
    for (int i = 0; i < options->n_picture; i++)
        put_picture(out, options->pictures[i].path,
                    options->pictures[i].caption, trouble);
    put_folder(out, folder, &all, trouble);
    if (options->n_picture + all.n > 0)
        fprintf(out, "</div>\n");
    else if (options->no_pictures) {
        fprintf(out, "<p>No pictures: ");
        scree_put_xml(out, options->no_pictures);
        fprintf(out, "</p>\n");
    }
    for (size_t i = 0; i < all.n; i++) free(all.list[i]);
    free(all.list);
}
