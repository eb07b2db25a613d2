/* output_catalyst.c: the running state for ParaView scripts, in situ.
 *
 * Three channels, named as PVTrivialProducer(registrationName=...) asks for
 * them in a script:
 *
 *     bodies    a point each, in the order of their ids
 *     contacts  n points at the contacts, a vertex each, then 2n points that
 *               are the ends of n force lines, from centre to centre, or from
 *               the centre to the wall; data of a contact are on all three
 *     surfaces  the polygons of io/output/drawing_world.h, planes as far as the bodies
 *               reach; id -1 - k is wall k; thin walls of plane worlds are
 *               lines
 *
 * Of several ranks each hands over a part: the bodies of its block of ids,
 * which it draws too, the contacts that it owns, and rank 0 the walls.
 *
 * The state is gathered once, into arrays that ParaView then reads where they
 * are. Nothing is kept from one writing to the next. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/base/arena.h"
#include "engine/world/view.h"
#include "io/catalyst/catalyst.h"
#include "io/output/drawing_world.h"
#include "io/output/output.h"
#include "io/run/run_common.h"

/* ---- arrays -------------------------------------------------------------- */

enum { MOST_FIELDS = 10 };

/* Fields of the points or cells of a channel, all of the same length. */
typedef struct table {
    int n;
    scree_catalyst_field fields[MOST_FIELDS];
    void *data[MOST_FIELDS];
    int64_t room[MOST_FIELDS];
} table;

enum {
    POSITION,
    RADIUS,
    VELOCITY,
    SPEED,
    SPIN,
    TURN,
    VOLUME,
    BODY_ID,
    BODY_MATERIAL,
    BODY_SHAPE
};
static const table body_table = {
    .n = 10,
    .fields = {[POSITION] = {"position", SCREE_CATALYST_DOUBLE, 3},
               [RADIUS] = {"radius", SCREE_CATALYST_DOUBLE, 1},
               [VELOCITY] = {"velocity", SCREE_CATALYST_DOUBLE, 3},
               [SPEED] = {"speed", SCREE_CATALYST_DOUBLE, 1},
               [SPIN] = {"angular_velocity", SCREE_CATALYST_DOUBLE, 3},
               [TURN] = {"orientation", SCREE_CATALYST_DOUBLE, 4},
               [VOLUME] = {"volume", SCREE_CATALYST_DOUBLE, 1},
               [BODY_ID] = {"id", SCREE_CATALYST_INT64, 1},
               [BODY_MATERIAL] = {"material", SCREE_CATALYST_INT32, 1},
               [BODY_SHAPE] = {"shape", SCREE_CATALYST_INT32, 1}}};

enum { POINT, NORMAL, PERCUSSION, FORCE, GAP, A, B };
static const table contact_table = {
    .n = 7,
    .fields = {[POINT] = {"position", SCREE_CATALYST_DOUBLE, 3},
               [NORMAL] = {"normal", SCREE_CATALYST_DOUBLE, 3},
               [PERCUSSION] = {"percussion", SCREE_CATALYST_DOUBLE, 3},
               [FORCE] = {"force", SCREE_CATALYST_DOUBLE, 1},
               [GAP] = {"gap", SCREE_CATALYST_DOUBLE, 1},
               [A] = {"a", SCREE_CATALYST_INT64, 1},
               [B] = {"b", SCREE_CATALYST_INT64, 1}}};

enum { POLYGON_ID, POLYGON_SPEED, POLYGON_SHAPE, POLYGON_MATERIAL };
static const table polygon_table = {
    .n = 4,
    .fields = {[POLYGON_ID] = {"id", SCREE_CATALYST_INT64, 1},
               [POLYGON_SPEED] = {"speed", SCREE_CATALYST_DOUBLE, 1},
               [POLYGON_SHAPE] = {"shape", SCREE_CATALYST_INT32, 1},
               [POLYGON_MATERIAL] = {"material", SCREE_CATALYST_INT32, 1}}};

static scree_status reserve_rows(table *t, int64_t n) {
    for (int i = 0; i < t->n; i++) {
        scree_catalyst_field *field = &t->fields[i];
        const size_t size = field->type == SCREE_CATALYST_INT32 ? 4 : 8;
        TRY(scree_reserve(&t->data[i], &t->room[i], n + 1,
                          (size_t)field->columns * size));
        field->data = t->data[i];
    }
    return SCREE_OK;
}

static void free_table(table *t) {
    for (int i = 0; i < t->n; i++) free(t->data[i]);
}

/* ---- the sink ------------------------------------------------------------ */

/* Where a body is in the memory of this rank. */
typedef struct spot {
    int64_t id;
    int32_t place;
} spot;

typedef struct sink {
    scree_catalyst *catalyst;
    scree_catalyst_setup setup;
    const scree_case_catalyst *keys;
    const char **scripts; /* those of the case, and the one of `live` */
    char *live_script;    /* NULL: none */
    char *arguments[3];
    table bodies, contacts, polygons;
    scree_contact_view *views; /* (view_room) */
    int64_t view_room;
    spot *spots; /* (bodies on this rank) by id */
    int64_t spot_room;
    int64_t *counting, *even; /* 0, 1, 2, ...; 0, 2, 4, ... */
    int64_t counting_room, even_room;
    scree_shape_surfaces shapes;
    scree_drawing drawing;
    int64_t n_line;
    int64_t *ends;            /* (n_line x 2) */
    scree_label *line_labels; /* (n_line) */
    int64_t end_room, line_room;
    const scree_output_context *context; /* while something is under way */
    char failure[900];                   /* of the first script that failed */
} sink;

static const scree_case_catalyst *keys_of(const scree_case *c) {
    for (int i = 0; i < c->n_output; i++)
        if (strcmp(c->outputs[i].sink, "catalyst") == 0)
            return &c->outputs[i].catalyst;
    return NULL;
}

static void note_failure(sink *s, int script, const char *failure) {
    const bool first = !*s->failure;
    if (first) snprintf(s->failure, sizeof s->failure, "%.899s", failure);
    if (s->keys->on_error == SCREE_ON_ERROR_CONTINUE && (first || script >= 0))
        scree_output_warn(s->context,
                          "warning: catalyst: %s\n"
                          "  the run goes on without it",
                          failure);
}

static void explain_failure(const sink *s, int script, const char *text,
                            char *failure, size_t size) {
    if (script < 0)
        snprintf(failure, size, "%s", text);
    else
        scree_catalyst_blame(failure, size, s->setup.scripts[script], text);
}

static void take_complaint(void *to, int script, const char *text) {
    sink *s = to;
    char failure[sizeof s->failure];
    explain_failure(s, script, text, failure, sizeof failure);
    note_failure(s, script, failure);
}

static bool any_failed(void *to, int script, bool here, const char *text) {
    sink *s = to;
    scree_error failure = {0};
    if (here) explain_failure(s, script, text, failure.text, sizeof s->failure);
    if (scree_comm_agree(scree_output_comm(s->context),
                         here ? SCREE_IO_ERROR : SCREE_OK,
                         &failure) == SCREE_OK)
        return false;
    note_failure(s, script, failure.text);
    return true;
}

static void pass_warning(void *to, const char *text) {
    const sink *s = to;
    scree_output_warn(s->context, "warning: %s", text);
}

static bool write_arguments(sink *s, const scree_case *c) {
    const char *live = s->keys->live ? s->keys->live : "";
    return asprintf(&s->arguments[0], "name=%s", c->name) >= 0 &&
           asprintf(&s->arguments[1], "extracts=%s",
                    s->keys->extracts ? "on" : "off") >= 0 &&
           asprintf(&s->arguments[2], "live=%s", live) >= 0;
}

/* The connection to a client is a script of its own, after all others: those
 * that the GUI exported know nothing of it. */
static scree_status list_scripts(sink *s, scree_error *error) {
    const int n = s->keys->n_script;
    s->scripts = calloc((size_t)n + 1, sizeof *s->scripts);
    if (!s->scripts)
        return scree_fail(error, SCREE_OUT_OF_MEMORY,
                          "catalyst: out of memory");
    for (int i = 0; i < n; i++) s->scripts[i] = s->keys->scripts[i];
    if (!s->keys->live) return SCREE_OK;
    s->scripts[n] = s->live_script = scree_catalyst_ready("live.py");
    if (s->live_script) return SCREE_OK;
    return scree_fail(error, SCREE_UNSUPPORTED,
                      "catalyst: 'live' needs the script live.py, which comes "
                      "with the program in share/scree/catalyst, but is not "
                      "there: install again");
}

static scree_status close_catalyst(void *self, scree_error *error) {
    sink *s = self;
    (void)error;
    if (s->catalyst) scree_catalyst_close(s->catalyst);
    for (int i = 0; i < 3; i++) free(s->arguments[i]);
    free(s->scripts);
    free(s->live_script);
    free_table(&s->bodies);
    free_table(&s->contacts);
    free_table(&s->polygons);
    free(s->views);
    free(s->spots);
    free(s->counting);
    free(s->even);
    free(s->ends);
    free(s->line_labels);
    scree_shape_surfaces_free(&s->shapes);
    scree_drawing_free(&s->drawing);
    free(s);
    return SCREE_OK;
}

static scree_status make_tables(sink *s, const scree_output_context *context,
                                scree_error *error) {
    s->keys = keys_of(context->source);
    s->bodies = body_table;
    s->contacts = contact_table;
    s->polygons = polygon_table;
    if (!s->keys || !write_arguments(s, context->source))
        return scree_fail(error, SCREE_OUT_OF_MEMORY,
                          "catalyst: out of memory");
    TRY(list_scripts(s, error));
    return scree_shape_surfaces_open(&s->shapes, context->world, error);
}

static scree_status prepare_setup(sink *s, const scree_output_context *context,
                                  scree_error *error) {
    const scree_comm *comm = scree_output_comm(context);
    TRY(scree_comm_agree(comm, make_tables(s, context, error), error));
    s->setup = (scree_catalyst_setup){
        .n_script = s->keys->n_script + (s->live_script ? 1 : 0),
        .scripts = s->scripts,
        .n_argument = 3,
        .arguments = (const char *const *)s->arguments,
        .complain = take_complaint,
        .any_failed = any_failed,
        .warn = pass_warning,
        .to = s};
    s->context = context;
    const scree_status status = scree_catalyst_open(
        &s->catalyst, context->folder, comm, &s->setup, error);
    if (status != SCREE_OK && *s->failure)
        scree_run_append(error, "\n  %s", s->failure);
    return status;
}

static scree_status open_catalyst(const scree_output_context *context,
                                  void **self, scree_error *error) {
    sink *s = calloc(1, sizeof *s);
    scree_status status = SCREE_OK;
    if (!s)
        status =
            scree_fail(error, SCREE_OUT_OF_MEMORY, "catalyst: out of memory");
    /* What follows, all ranks do together. */
    status = scree_comm_agree(scree_output_comm(context), status, error);
    if (status == SCREE_OK) status = prepare_setup(s, context, error);
    if (status == SCREE_OK)
        *self = s;
    else if (s)
        close_catalyst(s, NULL);
    return status;
}

/* ---- gathering ----------------------------------------------------------- */

static scree_status count_to(sink *s, int64_t n) {
    const int64_t counted = s->counting_room, evened = s->even_room;
    TRY(scree_reserve(&s->counting, &s->counting_room, n + 1,
                      sizeof *s->counting));
    TRY(scree_reserve(&s->even, &s->even_room, n + 1, sizeof *s->even));
    for (int64_t i = counted; i < s->counting_room; i++) s->counting[i] = i;
    for (int64_t i = evened; i < s->even_room; i++) s->even[i] = 2 * i;
    return SCREE_OK;
}

static scree_status gather_bodies(sink *s, const scree_world *world,
                                  int64_t n) {
    table *t = &s->bodies;
    double *volume = t->data[VOLUME], *speed = t->data[SPEED];
    const scree_state_view view = {.id = t->data[BODY_ID],
                                   .position = t->data[POSITION],
                                   .orientation = t->data[TURN],
                                   .velocity = t->data[VELOCITY],
                                   .angular_velocity = t->data[SPIN],
                                   .radius = t->data[RADIUS],
                                   .mass = volume,
                                   .material = t->data[BODY_MATERIAL],
                                   .shape = t->data[BODY_SHAPE]};
    TRY(scree_world_read_state(world, &view));
    const scree_material_def *materials = scree_world_view_of(world).materials;
    for (int64_t i = 0; i < n; i++) {
        const double *v = view.velocity + 3 * i;
        speed[i] = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        volume[i] /= materials[view.material[i]].density;
    }
    return SCREE_OK;
}

/* Contact i becomes the rows i, n + 2i, n + 2i + 1. */
static void put_contact(table *t, int64_t row, const double *at,
                        const scree_contact_view *c, double dt) {
    const size_t vector = 3 * sizeof(double);
    memcpy((double *)t->data[POINT] + 3 * row, at, vector);
    memcpy((double *)t->data[NORMAL] + 3 * row, c->normal, vector);
    memcpy((double *)t->data[PERCUSSION] + 3 * row, c->percussion, vector);
    const double *P = c->percussion;
    ((double *)t->data[FORCE])[row] =
        sqrt(P[0] * P[0] + P[1] * P[1] + P[2] * P[2]) / dt;
    ((double *)t->data[GAP])[row] = c->gap;
    ((int64_t *)t->data[A])[row] = c->a;
    ((int64_t *)t->data[B])[row] = c->b;
}

/* Of several ranks each has the bodies of its contacts, but not their places by
 * id. */
static int by_id(const void *p, const void *q) {
    const spot *a = p, *b = q;
    return (a->id > b->id) - (a->id < b->id);
}

static scree_status find_spots(sink *s, const scree_world *world) {
    const scree_world_view view = scree_world_view_of(world);
    const scree_bodies *b = view.bodies;
    if (!view.spread) return SCREE_OK;
    TRY(scree_reserve(&s->spots, &s->spot_room, b->n + 1, sizeof *s->spots));
    for (int32_t i = 0; i < b->n; i++) s->spots[i] = (spot){b->id[i], i};
    qsort(s->spots, (size_t)b->n, sizeof *s->spots, by_id);
    return SCREE_OK;
}

static const double *centre_of(const sink *s, const scree_world *world,
                               int64_t id) {
    const scree_world_view view = scree_world_view_of(world);
    const scree_bodies *b = view.bodies;
    if (!view.spread) return &b->x[scree_bodies_place(b, id)].x.x;
    const spot key = {.id = id}, *found = bsearch(&key, s->spots, (size_t)b->n,
                                                  sizeof key, by_id);
    return &b->x[found->place].x.x;
}

static scree_status gather_contacts(sink *s, const scree_world *world,
                                    int64_t n) {
    const double dt = scree_world_step_size(world);
    TRY(reserve_rows(&s->contacts, 3 * n));
    TRY(scree_reserve(&s->views, &s->view_room, n + 1, sizeof *s->views));
    TRY(find_spots(s, world));
    scree_world_read_contacts(world, s->views);
    for (int64_t i = 0; i < n; i++) {
        const scree_contact_view *c = &s->views[i];
        const double *to = c->b < 0 ? c->point : centre_of(s, world, c->b);
        put_contact(&s->contacts, i, c->point, c, dt);
        put_contact(&s->contacts, n + 2 * i, centre_of(s, world, c->a), c, dt);
        put_contact(&s->contacts, n + 2 * i + 1, to, c, dt);
    }
    return SCREE_OK;
}

/* Takes the cells with two corners, thin walls of plane worlds, out of the
 * drawing: ends and labels of the lines go to arrays of their own. */
static scree_status take_lines(sink *s) {
    scree_series_cells *c = &s->drawing.cells;
    scree_label *labels = s->drawing.labels;
    const int64_t n = c->n;
    int64_t corner = 0;
    TRY(scree_reserve(&s->ends, &s->end_room, 2 * n + 2, sizeof *s->ends));
    TRY(scree_reserve(&s->line_labels, &s->line_room, n + 1, sizeof *labels));
    s->n_line = c->n = 0;
    for (int64_t i = 0, first = 0, past; i < n; i++, first = past) {
        past = c->offsets[i + 1];
        if (past - first == 2) {
            memcpy(s->ends + 2 * s->n_line, c->connectivity + first,
                   2 * sizeof *s->ends);
            s->line_labels[s->n_line++] = labels[i];
            continue;
        }
        for (int64_t k = first; k < past; k++)
            c->connectivity[corner++] = c->connectivity[k];
        labels[c->n] = labels[i];
        c->offsets[++c->n] = corner;
    }
    return SCREE_OK;
}

static void put_label(table *t, int64_t i, const scree_label *label) {
    ((int64_t *)t->data[POLYGON_ID])[i] = label->id;
    ((double *)t->data[POLYGON_SPEED])[i] = label->speed;
    ((int32_t *)t->data[POLYGON_SHAPE])[i] = label->id < 0 ? -1 : label->shape;
    ((int32_t *)t->data[POLYGON_MATERIAL])[i] = label->material;
}

static scree_status label_surfaces(sink *s, int64_t n_body) {
    scree_drawing *d = &s->drawing;
    for (int64_t i = n_body; i < d->cells.n; i++)
        d->labels[i].id = -1 - d->labels[i].id;
    TRY(take_lines(s));
    TRY(reserve_rows(&s->polygons, s->n_line + d->cells.n));
    for (int64_t i = 0; i < s->n_line; i++)
        put_label(&s->polygons, i, &s->line_labels[i]);
    for (int64_t i = 0; i < d->cells.n; i++)
        put_label(&s->polygons, s->n_line + i, &d->labels[i]);
    return count_to(s, 2 * s->n_line);
}

static scree_status make_room(sink *s, int64_t n_body, int64_t n_contact) {
    TRY(count_to(s, n_body > 3 * n_contact ? n_body : 3 * n_contact));
    TRY(reserve_rows(&s->bodies, n_body));
    return scree_drawing_clear(&s->drawing);
}

/* Bodies are read and drawn by all ranks together: none may be missing. */
static scree_status gather_arrays(sink *s, const scree_output_context *context,
                                  int64_t n_body, int64_t n_contact) {
    const scree_comm *comm = scree_output_comm(context);
    const scree_world *world = context->world;
    scree_drawing *d = &s->drawing;
#define TOGETHER(work) TRY(scree_comm_agree(comm, work, NULL))
    TOGETHER(make_room(s, n_body, n_contact));
    TOGETHER(gather_bodies(s, world, n_body));
    TOGETHER(gather_contacts(s, world, n_contact));
    TOGETHER(scree_draw_bodies(&s->shapes, d, world));
    const int64_t of_bodies = d->cells.n;
    TOGETHER(scree_draw_walls(d, world));
    TOGETHER(scree_draw_planes(d, world));
    TOGETHER(label_surfaces(s, of_bodies));
#undef TOGETHER
    return SCREE_OK;
}

/* ---- writing ------------------------------------------------------------- */

/* The first field of a table is the place of its points. */
static scree_catalyst_channel points_of(const char *name, const table *t,
                                        int64_t n) {
    return (scree_catalyst_channel){.name = name,
                                    .n_point = n,
                                    .points = t->data[0],
                                    .n_point_field = t->n - 1,
                                    .point_fields = t->fields + 1};
}

static scree_status execute_scripts(sink *s, const scree_world *world,
                                    int64_t n_body, int64_t n_contact,
                                    scree_error *error) {
    const scree_drawing *d = &s->drawing;
    scree_catalyst_channel channels[] = {
        points_of("bodies", &s->bodies, n_body),
        points_of("contacts", &s->contacts, 3 * n_contact),
        {.name = "surfaces",
         .n_point = d->n_point,
         .points = (const double *)d->points,
         .lines = {s->n_line, s->even, s->ends},
         .polygons = {d->cells.n, d->cells.offsets, d->cells.connectivity},
         .n_cell_field = s->polygons.n,
         .cell_fields = s->polygons.fields}};
    channels[0].vertices =
        (scree_catalyst_cells){n_body, s->counting, s->counting};
    channels[1].vertices =
        (scree_catalyst_cells){n_contact, s->counting, s->counting};
    channels[1].lines =
        (scree_catalyst_cells){n_contact, s->even, s->counting + n_contact};
    return scree_catalyst_execute(
        s->catalyst,
        &(scree_catalyst_state){scree_world_steps(world),
                                scree_world_time(world), 3, channels},
        error);
}

static scree_status write_catalyst(void *self,
                                   const scree_output_context *context,
                                   scree_error *error) {
    sink *s = self;
    const scree_world *world = context->world;
    const int64_t n_body = scree_world_block(world).n,
                  n_contact = scree_world_contact_count(world);
    if (gather_arrays(s, context, n_body, n_contact) != SCREE_OK)
        return scree_fail(error, SCREE_OUT_OF_MEMORY,
                          "catalyst: out of memory for %lld bodies",
                          (long long)n_body);
    s->context = context;
    TRY(execute_scripts(s, world, n_body, n_contact, error));
    if (*s->failure && s->keys->on_error == SCREE_ON_ERROR_STOP)
        return scree_fail(error, SCREE_IO_ERROR,
                          "catalyst: %s\n  with 'on_error: continue' the run "
                          "would go on without it",
                          s->failure);
    return SCREE_OK;
}

const scree_output_ops scree_output_catalyst = {
    .name = "catalyst",
    .counts = true,
    .about = "ParaView scripts on the running state, in situ",
    .open = open_catalyst,
    .write = write_catalyst,
    .close = close_catalyst};
