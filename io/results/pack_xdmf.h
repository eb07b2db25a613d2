/* pack_xdmf.h: the XDMF file beside a packed file. */
#ifndef SCREE_IO_PACK_XDMF_H
#define SCREE_IO_PACK_XDMF_H

#include "io/output/frame_file.h"

/* Where all frames lie in the packed file. */
typedef struct scree_pack_plan {
    const char *name; /* of the series */
    const char *file; /* name of the packed file, without its folder */
    int n_frame, n_field;
    const scree_frame_place *frames; /* (n_frame) */
    const scree_frame_field *fields; /* (n_field) */
    int64_t points, cells, ids;      /* of all frames */
    /* Every cell is a vertex. Otherwise the cells are, for XDMF, in the dataset
     * scree/topology: for each its kind, its corners' number and themselves. */
    bool vertices;
} scree_pack_plan;

enum { SCREE_XDMF_POLYVERTEX = 1, SCREE_XDMF_POLYLINE, SCREE_XDMF_POLYGON };

scree_status scree_pack_xdmf(const scree_pack_plan *plan, const char *path,
                             scree_error *error);

#endif
