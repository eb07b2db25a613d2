/* output_contacts.c: the contacts of the last step as ParaView series.
 *
 * contacts_000000.hdf, ... have one point per contact. With `lines: on`,
 * network_000000.hdf, ... have one line per contact, from the centre of a to
 * the centre of b or, if b is a wall, to the contact point: the chains of
 * force, to be drawn with a tube of radius or colour by `force`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/world/view.h"
#include "io/hdf5/hdf5_file.h"

/* HDF5 picks the fields straight out of the array of contacts. All of them are
 * eight bytes wide, so a row of any field is this many elements long. */
enum { STRIDE = sizeof(scree_contact_view) / sizeof(double) };
_Static_assert(sizeof(scree_contact_view) % sizeof(double) == 0 &&
                   sizeof(double) == sizeof(int64_t),
               "a contact is a whole number of elements");

enum { VTK_LINE = 3 };

/* In this order a case numbers them. */
enum { NORMAL, PERCUSSION, FORCE, GAP, A, B, FIELDS };
static const char *const fields[FIELDS + 1] = {"normal", "percussion", "force",
                                               "gap",    "a",          "b"};

typedef struct contacts {
    scree_series series, network;
    bool lines, idle;
    scree_contact_view *rows; /* (n) of this rank's block of bodies */
    int64_t n;
    double *force; /* (force_room) |P| / dt [N] */
    int64_t force_room;
    /* the network: points are the bodies, of all ranks, then one per contact
     * with a wall */
    double *points; /* (n_point x 3) */
    int64_t n_point;
    scree_series_cells cells; /* lines */
    int64_t point_room, type_room, offset_room, end_room;
} contacts;

/* ---- opening and closing ------------------------------------------------- */

static scree_status close_contacts(void *self, scree_error *error) {
    (void)error;
    contacts *s = self;
    scree_series_close(&s->series);
    scree_series_close(&s->network);
    void *const rooms[] = {s->rows,          s->force,
                           s->points,        s->cells.types,
                           s->cells.offsets, s->cells.connectivity};
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) free(rooms[i]);
    free(s);
    return SCREE_OK;
}

static scree_status open_series(contacts *s,
                                const scree_output_context *context,
                                scree_error *error) {
    TRY(scree_series_open(&s->series, context, "contacts", error));
    /* Also without lines: those of an earlier run do not belong here. */
    return scree_series_open(&s->network, context, "network", error);
}

static scree_status open_contacts(const scree_output_context *context,
                                  void **self, scree_error *error) {
    contacts *s = calloc(1, sizeof *s);
    if (!s)
        return scree_fail(error, SCREE_OUT_OF_MEMORY,
                          "contacts: out of memory");
    s->lines = context->output && context->output->lines;
    s->idle = context->output && context->output->idle;
    const scree_status status = open_series(s, context, error);
    if (status == SCREE_OK)
        *self = s;
    else
        close_contacts(s, NULL);
    return status;
}

/* ---- points -------------------------------------------------------------- */

static scree_status no_memory(scree_error *error, int64_t n) {
    return scree_fail(error, SCREE_OUT_OF_MEMORY,
                      "contacts: out of memory for %lld contacts",
                      (long long)n);
}

static bool bears_load(const scree_contact_view *contact) {
    const double *p = contact->percussion;
    return p[0] != 0 || p[1] != 0 || p[2] != 0;
}

/* Keeps those that bear load, in their order. */
static void drop_idle(contacts *s) {
    int64_t n = 0;
    for (int64_t i = 0; i < s->n; i++)
        if (bears_load(&s->rows[i])) s->rows[n++] = s->rows[i];
    s->n = n;
}

/* The contacts, and the size of the mean force over the step in each. */
static scree_status gather_contacts(contacts *s,
                                    const scree_output_context *context) {
    free(s->rows);
    s->rows = NULL;
    TRY(scree_world_list_contacts(context->world, &s->rows, &s->n));
    if (!s->idle) drop_idle(s);
    TRY(scree_reserve(&s->force, &s->force_room, s->n + 1, sizeof *s->force));
    const double dt = scree_world_step_size(context->world);
    for (int64_t i = 0; i < s->n; i++) {
        const double *p = s->rows[i].percussion;
        s->force[i] = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) / dt;
    }
    return SCREE_OK;
}

static void list_fields(const contacts *s, scree_hdf5_rows data[FIELDS]) {
    const scree_contact_view *c = s->rows;
    const int64_t n = s->n;
    const hid_t real = H5T_NATIVE_DOUBLE, id = H5T_NATIVE_INT64;
    data[NORMAL] = (scree_hdf5_rows){real, n, 3, STRIDE, c->normal};
    data[PERCUSSION] = (scree_hdf5_rows){real, n, 3, STRIDE, c->percussion};
    data[FORCE] = (scree_hdf5_rows){real, n, 1, 0, s->force};
    data[GAP] = (scree_hdf5_rows){real, n, 1, STRIDE, &c->gap};
    data[A] = (scree_hdf5_rows){id, n, 1, STRIDE, &c->a};
    data[B] = (scree_hdf5_rows){id, n, 1, STRIDE, &c->b};
}

/* What the laws of the world keep, under their names. */
static void write_states(const contacts *s, const scree_output_context *context,
                         scree_hdf5_file *file) {
    const scree_state_fields f = scree_world_state_fields(context->world);
    for (int k = 0; k < f.n; k++) {
        const scree_hdf5_rows rows = {
            H5T_NATIVE_DOUBLE, s->n, f.list[k].columns, STRIDE,
            s->rows->state + f.list[k].offset / sizeof(double)};
        scree_series_data(file, f.list[k].name, &rows);
    }
}

static scree_status write_points(contacts *s,
                                 const scree_output_context *context,
                                 const scree_hdf5_rows data[FIELDS],
                                 scree_error *error) {
    const scree_hdf5_rows point = {H5T_NATIVE_DOUBLE, s->n, 3, STRIDE,
                                   s->rows->point};
    scree_hdf5_file *file = scree_series_begin(&s->series, context, &point);
    for (int i = 0; i < FIELDS; i++)
        if (scree_output_wants(context, i))
            scree_series_data(file, fields[i], &data[i]);
    if (!context->output || !context->output->fields) /* all */
        write_states(s, context, file);
    return scree_series_end(&s->series, file, scree_world_time(context->world),
                            error);
}

/* ---- lines --------------------------------------------------------------- */

static scree_status reserve_lines(contacts *s, int64_t bodies, int64_t n) {
    scree_series_cells *c = &s->cells;
    TRY(scree_reserve(&s->points, &s->point_room, bodies + n + 1,
                      3 * sizeof *s->points));
    TRY(scree_reserve(&c->types, &s->type_room, n + 1, sizeof *c->types));
    TRY(scree_reserve(&c->offsets, &s->offset_room, n + 1, sizeof *c->offsets));
    return scree_reserve(&c->connectivity, &s->end_room, 2 * n + 1,
                         sizeof *c->connectivity);
}

static int64_t count_wall_contacts(const contacts *s) {
    int64_t n = 0;
    for (int64_t i = 0; i < s->n; i++) n += s->rows[i].b < 0;
    return n;
}

/* From body to body, or to the next of the points at walls, the first of which
 * has the number `wall` in the frame. Bodies have the numbers of their rows. */
static void draw_lines(contacts *s, const scree_bodies *b, int64_t wall) {
    scree_series_cells *c = &s->cells;
    c->n = s->n;
    c->offsets[0] = 0;
    for (int64_t i = 0; i < s->n; i++) {
        const scree_contact_view *contact = &s->rows[i];
        c->types[i] = VTK_LINE;
        c->offsets[i + 1] = 2 * i + 2;
        c->connectivity[2 * i] = scree_bodies_row(b, contact->a);
        c->connectivity[2 * i + 1] =
            contact->b >= 0 ? scree_bodies_row(b, contact->b) : wall++;
        if (contact->b < 0)
            memcpy(s->points + 3 * s->n_point++, contact->point,
                   sizeof contact->point);
    }
}

static scree_status gather_lines(contacts *s,
                                 const scree_output_context *context,
                                 scree_error *error) {
    const scree_world *world = context->world;
    const scree_comm *comm = scree_output_comm(context);
    const int64_t bodies = scree_world_block(world).n;
    scree_status status = reserve_lines(s, bodies, s->n);
    if (status != SCREE_OK) no_memory(error, s->n);
    TRY(scree_comm_agree(comm, status, error));
    status = scree_world_read_state(world,
                                    &(scree_state_view){.position = s->points});
    if (status != SCREE_OK) no_memory(error, s->n);
    TRY(scree_comm_agree(comm, status, error));
    s->n_point = bodies;
    draw_lines(s, scree_world_view_of(world).bodies,
               scree_world_body_count(world) +
                   scree_comm_before(comm, count_wall_contacts(s)));
    scree_series_shift(&s->cells, comm, 0);
    return SCREE_OK;
}

static scree_status write_lines(contacts *s,
                                const scree_output_context *context,
                                const scree_hdf5_rows data[FIELDS],
                                scree_error *error) {
    TRY(gather_lines(s, context, error));
    const scree_hdf5_rows points = {H5T_NATIVE_DOUBLE, s->n_point, 3, 0,
                                    s->points};
    scree_hdf5_file *file = scree_series_begin_cells(
        &s->network, context, &points, count_wall_contacts(s), &s->cells);
    for (int i = 0; i < FIELDS; i++)
        if (scree_output_wants(context, i))
            scree_series_cell_data(file, fields[i], &data[i]);
    return scree_series_end(&s->network, file, scree_world_time(context->world),
                            error);
}

static scree_status write_contacts(void *self,
                                   const scree_output_context *context,
                                   scree_error *error) {
    contacts *s = self;
    const scree_status status = gather_contacts(s, context);
    if (status != SCREE_OK)
        no_memory(error, scree_world_contact_count(context->world));
    TRY(scree_comm_agree(scree_output_comm(context), status, error));
    scree_hdf5_rows data[FIELDS];
    list_fields(s, data);
    TRY(write_points(s, context, data, error));
    return s->lines ? write_lines(s, context, data, error) : SCREE_OK;
}

static void archive_contacts(void *self, scree_archive *a) {
    contacts *s = self;
    scree_series_archive(&s->series, a);
    if (s->lines) scree_series_archive(&s->network, a);
}

const scree_output_ops scree_output_contacts = {
    .name = "contacts",
    .about = "contacts for ParaView: contacts.hdf.series; force chains: "
             "network.hdf.series",
    .fields = fields,
    .open = open_contacts,
    .write = write_contacts,
    .close = close_contacts,
    .archive = archive_contacts};
