/* pack.h: a series of frames as one temporal file.
 *
 * The file is VTKHDF 2.0 for ParaView 5.13 and newer: the arrays of all frames
 * one after the other, and a group Steps that says where each frame begins.
 *
 *     /VTKHDF            Version {2, 0}, Type "UnstructuredGrid"
 *         NumberOfPoints, NumberOfCells, NumberOfConnectivityIds   [frames]
 *         Points, Connectivity, Offsets, Types, PointData, CellData
 *         Steps          NSteps
 *             Values [frames] times; NumberOfParts [frames] all 1
 *             PartOffsets, PointOffsets [frames]
 *             CellOffsets, ConnectivityIdOffsets [frames,1]
 *             PointDataOffsets/<field>, CellDataOffsets/<field> [frames]
 *     /scree             that of the last frame; steps, state_hashes [frames]
 *
 * Offsets are counted from 0 in each frame, one more than it has cells; readers
 * find them at CellOffsets + PartOffsets. Older readers get an XDMF 3 file that
 * names the same arrays, frame by frame. */
#ifndef SCREE_IO_PACK_H
#define SCREE_IO_PACK_H

#include "io/results/results.h"

typedef struct scree_pack_options {
    int compression; /* 0 ... 9 */
    /* Told after each frame; NULL: nobody. */
    void (*progress)(void *self, int done, int all);
    void *self;
} scree_pack_options;

/* Writes `path`, and beside it the XDMF file with the ending .xmf instead. Both
 * appear when they are complete. *xdmf is its path, which the caller frees. */
scree_status scree_pack(const scree_result_series *series, const char *path,
                        const scree_pack_options *options, char **xdmf,
                        scree_error *error);

#endif
