/* output_contacts.c: the contacts of the last step as a ParaView series,
 * contacts_000000.hdf, ...: one point per contact. */
#include <stdlib.h>

#include "io/hdf5_file.h"

/* HDF5 picks the fields straight out of the array of contacts. All of them are
 * eight bytes wide, so a row of any field is this many elements long. */
enum { STRIDE = sizeof(scree_contact_view) / sizeof(double) };
_Static_assert(sizeof(scree_contact_view) % sizeof(double) == 0 &&
                   sizeof(double) == sizeof(int64_t),
               "a contact is a whole number of elements");

typedef struct contacts {
    scree_series series;
    int64_t room;
    scree_contact_view *rows; /* (room) */
} contacts;

static scree_status open_contacts(const scree_output_context *context,
                                  void **self, scree_error *error) {
    contacts *s = calloc(1, sizeof *s);
    if (!s)
        return scree_fail(error, SCREE_OUT_OF_MEMORY,
                          "contacts: out of memory");
    const scree_status status =
        scree_series_open(&s->series, context, "contacts", error);
    if (status == SCREE_OK)
        *self = s;
    else
        free(s);
    return status;
}

static scree_status close_contacts(void *self, scree_error *error) {
    (void)error;
    contacts *s = self;
    scree_series_close(&s->series);
    free(s->rows);
    free(s);
    return SCREE_OK;
}

static scree_status reserve(contacts *s, int64_t n, scree_error *error) {
    if (s->rows && n <= s->room) return SCREE_OK;
    const size_t room = (size_t)n + (size_t)n / 2 + 1;
    scree_contact_view *rows = realloc(s->rows, room * sizeof *rows);
    if (!rows)
        return scree_fail(error, SCREE_OUT_OF_MEMORY,
                          "contacts: out of memory for %lld contacts",
                          (long long)n);
    s->rows = rows;
    s->room = (int64_t)room;
    return SCREE_OK;
}

static scree_hdf5_rows field(hid_t type, int64_t n, int columns,
                             const void *first) {
    return (scree_hdf5_rows){type, n, columns, STRIDE, first};
}

static scree_status write_contacts(void *self,
                                   const scree_output_context *context,
                                   scree_error *error) {
    contacts *s = self;
    const int64_t n = scree_world_contact_count(context->world);
    TRY(reserve(s, n, error));
    scree_world_read_contacts(context->world, s->rows);

    const scree_contact_view *c = s->rows;
    const scree_hdf5_rows point = field(H5T_NATIVE_DOUBLE, n, 3, c->point),
                          normal = field(H5T_NATIVE_DOUBLE, n, 3, c->normal),
                          p = field(H5T_NATIVE_DOUBLE, n, 3, c->percussion),
                          gap = field(H5T_NATIVE_DOUBLE, n, 1, &c->gap),
                          a = field(H5T_NATIVE_INT64, n, 1, &c->a),
                          b = field(H5T_NATIVE_INT64, n, 1, &c->b);
    scree_hdf5_file *file = scree_series_begin(&s->series, context, &point);
    scree_series_data(file, "normal", &normal);
    scree_series_data(file, "percussion", &p);
    scree_series_data(file, "gap", &gap);
    scree_series_data(file, "a", &a);
    scree_series_data(file, "b", &b);
    return scree_series_end(&s->series, file, scree_world_time(context->world),
                            error);
}

static void archive_contacts(void *self, scree_archive *a) {
    scree_series_archive(&((contacts *)self)->series, a);
}

const scree_output_ops scree_output_contacts = {
    .name = "contacts",
    .about = "contacts for ParaView: contacts.hdf.series, as the frames",
    .open = open_contacts,
    .write = write_contacts,
    .close = close_contacts,
    .archive = archive_contacts};
