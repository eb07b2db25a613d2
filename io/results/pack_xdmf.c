/* pack_xdmf.c: XDMF 3, a temporal collection of grids. Each array of a grid is
 * a hyperslab of an array of the packed file. */
#include "io/results/pack_xdmf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "io/file/memo.h"
#include "io/file/whole_file.h"
#include "io/report/svg_plot.h"

/* An array of the packed file, of `all` rows. */
typedef struct source {
    const char *group, *name;
    bool integer;
    int columns; /* 0: one-dimensional */
    int64_t all;
} source;

/* The hyperslab as XDMF 3 writes it itself,
 * "file:array|start:stride:count:all": its reader then takes no more from the
 * file than the slab. */
static void put_slab(FILE *out, const scree_pack_plan *plan, const source *s,
                     int64_t first, int64_t n) {
    char more[16] = "";
    if (s->columns > 0) snprintf(more, sizeof more, " %d", s->columns);
    const char *zero = s->columns > 0 ? " 0" : "",
               *one = s->columns > 0 ? " 1" : "";
    fprintf(out,
            "     <DataItem Format=\"HDF\" NumberType=\"%s\" Precision=\"8\" "
            "Dimensions=\"%" PRId64 "%s\">",
            s->integer ? "Int" : "Float", n, more);
    scree_put_xml(out, plan->file);
    fprintf(out,
            ":/%s/%s|%" PRId64 "%s:1%s:%" PRId64 "%s:%" PRId64
            "%s</DataItem>\n",
            s->group, s->name, first, zero, one, n, more, s->all, more);
}

static void put_topology(FILE *out, const scree_pack_plan *plan,
                         const scree_frame_place *f) {
    if (plan->vertices) {
        const source ids = {"VTKHDF", "Connectivity", true, 0, plan->ids};
        fprintf(out,
                "    <Topology TopologyType=\"Polyvertex\" "
                "NodesPerElement=\"1\" NumberOfElements=\"%" PRId64 "\">\n",
                f->cells);
        put_slab(out, plan, &ids, f->first_id, f->ids);
    } else {
        const source kinds = {"scree", "topology", true, 0,
                              plan->ids + 2 * plan->cells};
        fprintf(out,
                "    <Topology TopologyType=\"Mixed\" "
                "NumberOfElements=\"%" PRId64 "\">\n",
                f->cells);
        put_slab(out, plan, &kinds, f->first_id + 2 * f->first_cell,
                 f->ids + 2 * f->cells);
    }
    fprintf(out, "    </Topology>\n");
}

static void put_field(FILE *out, const scree_pack_plan *plan,
                      const scree_frame_place *f,
                      const scree_frame_field *field) {
    const char *kind = field->columns == 1   ? "Scalar"
                       : field->columns == 3 ? "Vector"
                                             : "Matrix";
    const source data = {
        field->on_cells ? "VTKHDF/CellData" : "VTKHDF/PointData", field->name,
        field->integer, field->columns > 1 ? field->columns : 0,
        field->on_cells ? plan->cells : plan->points};
    fprintf(out,
            "    <Attribute Name=\"%s\" Center=\"%s\" AttributeType=\"%s\">\n",
            field->name, field->on_cells ? "Cell" : "Node", kind);
    put_slab(out, plan, &data, field->on_cells ? f->first_cell : f->first_point,
             field->on_cells ? f->cells : f->points);
    fprintf(out, "    </Attribute>\n");
}

static void put_grid(FILE *out, const scree_pack_plan *plan,
                     const scree_frame_place *f) {
    const source points = {"VTKHDF", "Points", false, 3, plan->points};
    fprintf(out, "   <Grid Name=\"%s\" GridType=\"Uniform\">\n", plan->name);
    fprintf(out, "    <Time Value=\"%.17g\"/>\n", f->time);
    put_topology(out, plan, f);
    fprintf(out, "    <Geometry GeometryType=\"XYZ\">\n");
    put_slab(out, plan, &points, f->first_point, f->points);
    fprintf(out, "    </Geometry>\n");
    for (int i = 0; i < plan->n_field; i++)
        put_field(out, plan, f, &plan->fields[i]);
    fprintf(out, "   </Grid>\n");
}

static void put_document(FILE *out, const scree_pack_plan *plan) {
    fprintf(out, "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n <Domain>\n"
                 "  <Grid Name=\"");
    scree_put_xml(out, plan->name);
    fprintf(out, "\" GridType=\"Collection\" CollectionType=\"Temporal\">\n");
    for (int k = 0; k < plan->n_frame; k++)
        put_grid(out, plan, &plan->frames[k]);
    fprintf(out, "  </Grid>\n </Domain>\n</Xdmf>\n");
}

scree_status scree_pack_xdmf(const scree_pack_plan *plan, const char *path,
                             scree_error *error) {
    scree_memo memo;
    FILE *out = scree_memo_open(&memo);
    if (out) put_document(out, plan);
    char *text = scree_memo_close(&memo);
    const scree_status status =
        text ? scree_file_replace(path, text, memo.size, error)
             : scree_fail(error, SCREE_OUT_OF_MEMORY, "%.500s: out of memory",
                          path);
    free(text);
    return status;
}
