/* partition_zoltan.c: partition.h by Zoltan (Devine and others 2002): recursive coordinate
 * bisection on all ranks, which keeps its cuts and finds points and boxes in them. */
#include "engine/domain/partition.h"

#include <mpi.h>
#include <stdlib.h>
#include <zoltan.h>

struct scree_partition {
    const scree_comm *comm;
    struct Zoltan_Struct *zoltan;
    bool is_cut;
    scree_vec3 lo, hi; /* of this rank's box */
    /* While Zoltan asks: */
    int32_t n;
    const scree_ball *points;
    const float *weights;
};

/* Longer boxes than needed by this share of the radius: rounding must not hide a
 * point of the ball from a box. */
static const double SPARE = 1e-9;

/* ---- what Zoltan asks --------------------------------------------------------- */

static int point_count(void *data, int *error) {
    *error = ZOLTAN_OK;
    return ((const scree_partition *)data)->n;
}

static void list_points(void *data, int n_gid, int n_lid, ZOLTAN_ID_PTR gid,
                        ZOLTAN_ID_PTR lid, int n_weight, float *weight,
                        int *error) {
    (void)n_gid, (void)n_lid, (void)n_weight;
    const scree_partition *p = data;
    for (int32_t i = 0; i < p->n; ++i) {
        gid[i] = lid[i] = (ZOLTAN_ID_TYPE)i;
        weight[i] = p->weights[i];
    }
    *error = ZOLTAN_OK;
}

static int count_dimensions(void *data, int *error) {
    (void)data;
    *error = ZOLTAN_OK;
    return 3;
}

static void read_coordinates(void *data, int n_gid, int n_lid, int n,
                             ZOLTAN_ID_PTR gid, ZOLTAN_ID_PTR lid, int n_dim,
                             double *out, int *error) {
    (void)n_gid, (void)n_lid, (void)gid, (void)n_dim;
    const scree_partition *p = data;
    for (int k = 0; k < n; ++k) {
        const scree_vec3 x = p->points[lid[k]].x;
        out[3 * k] = x.x, out[3 * k + 1] = x.y, out[3 * k + 2] = x.z;
    }
    *error = ZOLTAN_OK;
}

/* ---- cuts --------------------------------------------------------------------- */

static scree_status set_up(scree_partition *p) {
    static const char *const parameters[][2] = {
        {"DEBUG_LEVEL", "0"}, /* first: the others are told on the terminal */
        {"LB_METHOD", "RCB"},
        {"RCB_OUTPUT_LEVEL", "0"},
        {"RCB_RECTILINEAR_BLOCKS", "1"}, /* all points of a cut on one side */
        {"KEEP_CUTS", "1"},
        {"REMAP", "0"},
        {"RETURN_LISTS", "NONE"},
        {"OBJ_WEIGHT_DIM", "1"},
        {"NUM_GID_ENTRIES", "1"},
        {"NUM_LID_ENTRIES", "1"}};
    float version;
    if (Zoltan_Initialize(0, NULL, &version) != ZOLTAN_OK ||
        !(p->zoltan = Zoltan_Create(MPI_COMM_WORLD)))
        return SCREE_OUT_OF_MEMORY;
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; ++i)
        Zoltan_Set_Param(p->zoltan, parameters[i][0], parameters[i][1]);
    Zoltan_Set_Num_Obj_Fn(p->zoltan, point_count, p);
    Zoltan_Set_Obj_List_Fn(p->zoltan, list_points, p);
    Zoltan_Set_Num_Geom_Fn(p->zoltan, count_dimensions, p);
    Zoltan_Set_Geom_Multi_Fn(p->zoltan, read_coordinates, p);
    return SCREE_OK;
}

scree_status scree_partition_create(const scree_comm *comm,
                                    scree_partition **partition) {
    scree_partition *p = calloc(1, sizeof *p);
    scree_status status =
        scree_comm_agree(comm, p ? SCREE_OK : SCREE_OUT_OF_MEMORY, NULL);
    if (status == SCREE_OK) {
        p->comm = comm;
        status = scree_comm_agree(comm, set_up(p), NULL);
    }
    if (status != SCREE_OK) { /* Zoltan takes back what all ranks have only */
        free(p);
        p = NULL;
    }
    *partition = p;
    return status;
}

void scree_partition_destroy(scree_partition *p) {
    if (!p) return;
    Zoltan_Destroy(&p->zoltan);
    free(p);
}

scree_status scree_partition_cut(scree_partition *p, int32_t n,
                                 const scree_ball *points, const float *weights,
                                 scree_error *error) {
    int64_t all = n;
    scree_comm_sum_counts(p->comm, &all, 1);
    if (all == 0) return SCREE_OK; /* nothing to go by: the cuts stay */
    p->n = n, p->points = points, p->weights = weights;
    int changes, n_gid, n_lid, n_in, n_out, *ranks_in, *ranks_out, *to_in,
        *to_out;
    ZOLTAN_ID_PTR gid_in, lid_in, gid_out, lid_out;
    const int code = Zoltan_LB_Partition(
        p->zoltan, &changes, &n_gid, &n_lid, &n_in, &gid_in, &lid_in, &ranks_in,
        &to_in, &n_out, &gid_out, &lid_out, &ranks_out, &to_out);
    scree_status status = SCREE_OK;
    int dim;
    if ((code != ZOLTAN_OK && code != ZOLTAN_WARN) ||
        Zoltan_RCB_Box(p->zoltan, p->comm->rank, &dim, &p->lo.x, &p->lo.y,
                       &p->lo.z, &p->hi.x, &p->hi.y, &p->hi.z) != ZOLTAN_OK)
        status = scree_fail(error, SCREE_OUT_OF_MEMORY,
                            "space could not be cut into %d parts (Zoltan %d)",
                            p->comm->size, code);
    TRY(scree_comm_agree(p->comm, status, error));
    p->is_cut = true;
    return SCREE_OK;
}

const char *scree_partition_method(void) {
    return "Zoltan";
}

bool scree_partition_is_cut(const scree_partition *p) {
    return p->is_cut;
}

int scree_partition_rank_of(const scree_partition *p, scree_vec3 x) {
    double at[3] = {x.x, x.y, x.z};
    int rank = 0, part;
    if (p->is_cut) Zoltan_LB_Point_PP_Assign(p->zoltan, at, &rank, &part);
    return rank;
}

bool scree_partition_has(const scree_partition *p, const scree_ball *ball) {
    const double r = (1 + SPARE) * ball->r;
    const scree_vec3 x = ball->x;
    if (!p->is_cut) return p->comm->rank == 0;
    return x.x - r > p->lo.x && x.y - r > p->lo.y && x.z - r > p->lo.z &&
           x.x + r < p->hi.x && x.y + r < p->hi.y && x.z + r < p->hi.z;
}

static int compare_ints(const void *a, const void *b) {
    return *(const int *)a - *(const int *)b;
}

int scree_partition_ranks_near(const scree_partition *p, const scree_ball *ball,
                               int *ranks) {
    const double r = (1 + SPARE) * ball->r;
    const scree_vec3 x = ball->x;
    int n = 0;
    if (!p->is_cut) {
        ranks[0] = 0;
        return 1;
    }
    Zoltan_LB_Box_Assign(p->zoltan, x.x - r, x.y - r, x.z - r, x.x + r, x.y + r,
                         x.z + r, ranks, &n);
    qsort(ranks, (size_t)n, sizeof *ranks, compare_ints);
    return n;
}
