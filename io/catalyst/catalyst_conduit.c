/* catalyst_conduit.c: the backend for the Catalyst 2 library.
 *
 * Channels become conduit nodes in the mesh blueprint, with the arrays where
 * they are. Which implementation is at work is up to the user's environment
 * (CATALYST_IMPLEMENTATION_NAME=paraview, CATALYST_IMPLEMENTATION_PATHS). The
 * library tells neither which script failed nor which ParaView it is, of which
 * those before 6 draw only with an X display. */
#include <catalyst.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/catalyst/catalyst_mpi.h"
#include "io/catalyst/catalyst_plugin.h"

enum { PATH = 256 };

/* VTK's numbers of the cells, which ParaView takes as they are. */
enum { VERTEX = 1, LINE = 3, POLYGON = 7 };

static const scree_catalyst_setup *setup;
static scree_catalyst_mpi mpi;

/* Cells of several kinds in one list, made for each channel of an execute. */
typedef struct mixture {
    int64_t *shapes, *sizes, *offsets, *connectivity;
} mixture;

/* ---- fields -------------------------------------------------------------- */

static void set_column(conduit_node *node, const char *path,
                       const scree_catalyst_field *f, int64_t n, int column) {
    void *data = (void *)f->data;
    const int64_t size = f->type == SCREE_CATALYST_INT32 ? 4 : 8;
    const int64_t offset = column * size, stride = f->columns * size;
    const int64_t order = CONDUIT_ENDIANNESS_DEFAULT_ID;
    switch (f->type) {
    case SCREE_CATALYST_DOUBLE:
        conduit_node_set_path_external_float64_ptr_detailed(
            node, path, data, n, offset, stride, size, order);
        break;
    case SCREE_CATALYST_INT32:
        conduit_node_set_path_external_int32_ptr_detailed(
            node, path, data, n, offset, stride, size, order);
        break;
    case SCREE_CATALYST_INT64:
        conduit_node_set_path_external_int64_ptr_detailed(
            node, path, data, n, offset, stride, size, order);
        break;
    }
}

/* x, y, z; of a quaternion w comes first. One column has no name. */
static void set_values(conduit_node *node, const char *path,
                       const scree_catalyst_field *f, int64_t n) {
    const char *names = f->columns == 4 ? "wxyz" : "xyz";
    char column[PATH];
    for (int i = 0; i < f->columns; i++) {
        if (f->columns == 1)
            snprintf(column, sizeof column, "%s", path);
        else
            snprintf(column, sizeof column, "%s/%c", path, names[i]);
        set_column(node, column, f, n, i);
    }
}

static void set_fields(conduit_node *mesh, const char *association,
                       const scree_catalyst_field *fields, int n_field,
                       int64_t n) {
    char path[PATH];
    for (int i = 0; i < n_field; i++) {
        snprintf(path, sizeof path, "fields/%s", fields[i].name);
        conduit_node *field = conduit_node_fetch(mesh, path);
        conduit_node_set_path_char8_str(field, "association", association);
        conduit_node_set_path_char8_str(field, "topology", "mesh");
        conduit_node_set_path_char8_str(field, "volume_dependent", "false");
        set_values(field, "values", &fields[i], n);
    }
}

/* ---- cells --------------------------------------------------------------- */

static int64_t corners_of(const scree_catalyst_cells *cells) {
    return cells->n > 0 ? cells->offsets[cells->n] - cells->offsets[0] : 0;
}

static int64_t cells_of(const scree_catalyst_channel *c) {
    return c->vertices.n + c->lines.n + c->polygons.n;
}

static void free_mixture(mixture *m) {
    free(m->shapes);
    free(m->sizes);
    free(m->offsets);
    free(m->connectivity);
}

static bool make_room(mixture *m, int64_t cells, int64_t corners) {
    m->shapes = calloc((size_t)cells + 1, sizeof *m->shapes);
    m->sizes = calloc((size_t)cells + 1, sizeof *m->sizes);
    m->offsets = calloc((size_t)cells + 1, sizeof *m->offsets);
    m->connectivity = calloc((size_t)corners + 1, sizeof *m->connectivity);
    return m->shapes && m->sizes && m->offsets && m->connectivity;
}

/* Appends the cells of one kind to the first `n` of the list. */
static int64_t append_cells(mixture *m, int64_t n, int shape,
                            const scree_catalyst_cells *cells) {
    for (int64_t i = 0; i < cells->n; i++, n++) {
        const int64_t first = cells->offsets[i];
        m->shapes[n] = shape;
        m->sizes[n] = cells->offsets[i + 1] - first;
        for (int64_t k = 0; k < m->sizes[n]; k++)
            m->connectivity[m->offsets[n] + k] = cells->connectivity[first + k];
        m->offsets[n + 1] = m->offsets[n] + m->sizes[n];
    }
    return n;
}

static bool mix_cells(mixture *m, const scree_catalyst_channel *c) {
    const int64_t corners = corners_of(&c->vertices) + corners_of(&c->lines) +
                            corners_of(&c->polygons);
    if (!make_room(m, cells_of(c), corners)) return false;
    int64_t n = append_cells(m, 0, VERTEX, &c->vertices);
    n = append_cells(m, n, LINE, &c->lines);
    append_cells(m, n, POLYGON, &c->polygons);
    return true;
}

static void set_cells(conduit_node *mesh, const mixture *m, int64_t n) {
    conduit_node *elements =
        conduit_node_fetch(mesh, "topologies/mesh/elements");
    conduit_node_set_path_char8_str(mesh, "topologies/mesh/type",
                                    "unstructured");
    conduit_node_set_path_char8_str(mesh, "topologies/mesh/coordset", "coords");
    conduit_node_set_path_char8_str(elements, "shape", "mixed");
    conduit_node_set_path_int32(elements, "shape_map/point", VERTEX);
    conduit_node_set_path_int32(elements, "shape_map/line", LINE);
    conduit_node_set_path_int32(elements, "shape_map/polygonal", POLYGON);
    conduit_node_set_path_external_int64_ptr(elements, "shapes", m->shapes, n);
    conduit_node_set_path_external_int64_ptr(elements, "sizes", m->sizes, n);
    conduit_node_set_path_external_int64_ptr(elements, "offsets", m->offsets,
                                             n);
    conduit_node_set_path_external_int64_ptr(elements, "connectivity",
                                             m->connectivity, m->offsets[n]);
}

static bool set_channel(conduit_node *root, const scree_catalyst_channel *c,
                        mixture *m) {
    if (!mix_cells(m, c)) return false;
    char path[PATH];
    snprintf(path, sizeof path, "catalyst/channels/%s", c->name);
    conduit_node *channel = conduit_node_fetch(root, path);
    conduit_node_set_path_char8_str(channel, "type", "mesh");
    conduit_node *mesh = conduit_node_fetch(channel, "data");
    const scree_catalyst_field points = {"points", SCREE_CATALYST_DOUBLE, 3,
                                         c->points};
    conduit_node_set_path_char8_str(mesh, "coordsets/coords/type", "explicit");
    set_values(mesh, "coordsets/coords/values", &points, c->n_point);
    set_cells(mesh, m, cells_of(c));
    set_fields(mesh, "vertex", c->point_fields, c->n_point_field, c->n_point);
    set_fields(mesh, "element", c->cell_fields, c->n_cell_field, cells_of(c));
    return true;
}

/* ---- the plug-in --------------------------------------------------------- */

static void set_script(conduit_node *root, int i) {
    char path[PATH];
    snprintf(path, sizeof path, "catalyst/scripts/script%d", i);
    conduit_node *script = conduit_node_fetch(root, path);
    conduit_node_set_path_char8_str(script, "filename", setup->scripts[i]);
    conduit_node *arguments = conduit_node_fetch(script, "args");
    for (int k = 0; k < setup->n_argument; k++)
        conduit_node_set_char8_str(conduit_node_append(arguments),
                                   setup->arguments[k]);
}

/* Without a name in the environment the library falls back on an implementation
 * that does nothing: that is not what a case with scripts asks for. */
static bool does_nothing(void) {
    const char *asked = getenv("CATALYST_IMPLEMENTATION_NAME");
    conduit_node *about = conduit_node_create();
    catalyst_about(about);
    const char *found = conduit_node_has_path(about, "catalyst/implementation")
                            ? conduit_node_fetch_path_as_char8_str(
                                  about, "catalyst/implementation")
                            : "";
    const bool nothing =
        strcmp(found, "stub") == 0 && !(asked && strcmp(asked, found) == 0);
    conduit_node_destroy(about);
    return nothing;
}

static bool open_conduit(const scree_catalyst_setup *given) {
    setup = given;
    conduit_node *root = conduit_node_create();
    for (int i = 0; i < setup->n_script; i++) set_script(root, i);
    scree_catalyst_begin_mpi(&mpi);
    conduit_node_set_path_int64(root, "catalyst/mpi_comm",
                                MPI_Comm_c2f(mpi.comm));
    const enum catalyst_status status = catalyst_initialize(root);
    conduit_node_destroy(root);
    if (status == catalyst_status_ok && !does_nothing()) return true;
    setup->complain(setup->to, -1,
                    "no implementation is at work: set "
                    "CATALYST_IMPLEMENTATION_NAME=paraview and "
                    "CATALYST_IMPLEMENTATION_PATHS to the folder of ParaView's "
                    "libcatalyst-paraview.so");
    return false;
}

static void execute_conduit(const scree_catalyst_state *state) {
    conduit_node *root = conduit_node_create();
    mixture *m = calloc((size_t)state->n_channel + 1, sizeof *m);
    conduit_node_set_path_int64(root, "catalyst/state/timestep", state->step);
    conduit_node_set_path_float64(root, "catalyst/state/time", state->time);
    bool ok = m != NULL;
    for (int i = 0; i < state->n_channel && ok; i++)
        ok = set_channel(root, &state->channels[i], &m[i]);
    /* None goes in alone: scripts speak to the other ranks. */
    if (!setup->any_failed(setup->to, -1, !ok, "out of memory"))
        setup->any_failed(setup->to, -1,
                          catalyst_execute(root) != catalyst_status_ok,
                          "catalyst_execute failed; ParaView has said why");
    conduit_node_destroy(root);
    for (int i = 0; i < state->n_channel && m; i++) free_mixture(&m[i]);
    free(m);
}

static void close_conduit(void) {
    conduit_node *root = conduit_node_create();
    catalyst_finalize(root);
    conduit_node_destroy(root);
    scree_catalyst_end_mpi(&mpi);
}

extern const scree_catalyst_plugin scree_catalyst_entry;
const scree_catalyst_plugin scree_catalyst_entry = {
    .version = SCREE_CATALYST_VERSION,
    .name = "Catalyst 2",
    .display = SCREE_DISPLAY_WANTED,
    .open = open_conduit,
    .execute = execute_conduit,
    .close = close_conduit};
