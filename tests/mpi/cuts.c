/* cuts.c: the bisection of our own beside Zoltan's, on the same points: both keep the
 * bound that weights allow, and find the same ranks for points and boxes. */
#include "tests/mpi/bisection.h"
#include "tests/mpi/ranks.h"

enum { POINTS = 4000, MOST_RANKS = 64, SCENES = 4 };

static const scree_partitioner ZOLTAN = {
    scree_partition_method,    scree_partition_create,  scree_partition_destroy,
    scree_partition_cut,       scree_partition_rank_of, scree_partition_has,
    scree_partition_ranks_near};

typedef struct cloud {
    scree_ball points[POINTS];
    float weights[POINTS];
    float heaviest;
} cloud;

/* The same on every rank. No two points have a coordinate in common, and no two axes are
 * about as long: the cuts follow up to the gap between two points. */
static cloud *make_cloud(int scene) {
    static cloud c;
    scree_random rng = scree_random_stream(11, (uint64_t)scene);
    c.heaviest = 0;
    for (int i = 0; i < POINTS; ++i) {
        const scree_vec3 d = random_vec(&rng, 1);
        const scree_vec3 at = {10 * d.x, 3.3 * d.y, 0.9 * d.z};
        c.points[i].x = scene == 0   ? at
                        : scene == 1 ? vec(100 * d.x, d.y, 0.1 * d.z)
                        : scene == 2 ? scale(pow(10, 4 * d.z), at)
                                     : add(vec(1e6, -1e6, 0), at);
        c.points[i].r = 0.03;
        c.weights[i] =
            scene == 0 ? 1 : (float)(0.01 + pow(scree_random_unit(&rng), 6));
        c.heaviest = fmaxf(c.heaviest, c.weights[i]);
    }
    return &c;
}

/* This rank's points begin with another one when `turn` changes. */
static scree_partition *cut_cloud(const scree_comm *comm,
                                  const scree_partitioner *how, const cloud *c,
                                  int turn) {
    static scree_ball points[POINTS];
    static float weights[POINTS];
    scree_partition *p;
    int32_t n = 0;
    for (int i = 0; i < POINTS; ++i) {
        if ((turn ? i + turn : i * comm->size / POINTS) % comm->size !=
            comm->rank)
            continue;
        points[n] = c->points[i], weights[n++] = c->weights[i];
    }
    CHECK_OK(how->create(comm, &p));
    CHECK_OK(how->cut(p, n, points, weights, NULL));
    return p;
}

/* The largest weight of a rank. */
static double most_weight(const scree_comm *comm, const scree_partitioner *how,
                          const scree_partition *p, const cloud *c) {
    double weight[MOST_RANKS] = {0}, most = 0;
    for (int i = 0; i < POINTS; ++i)
        weight[how->rank_of(p, c->points[i].x)] += (double)c->weights[i];
    for (int r = 0; r < comm->size; ++r) most = fmax(most, weight[r]);
    return most;
}

/* Of all points over the ranks. */
static double mean_weight(const scree_comm *comm, const cloud *c) {
    double all = 0;
    for (int i = 0; i < POINTS; ++i) all += (double)c->weights[i];
    return all / comm->size;
}

/* A cut errs by half of the heaviest point at most, and its halves share that. */
static void cuts__weights__as_even_as_points_allow(const scree_comm *comm) {
    for (int scene = 0; scene < SCENES; ++scene) {
        const cloud *c = make_cloud(scene);
        const double bound = mean_weight(comm, c) + 1.0 * (double)c->heaviest;
        scree_partition *ours = cut_cloud(comm, &scree_bisection, c, 0);
        scree_partition *zoltans = cut_cloud(comm, &ZOLTAN, c, 0);
        const double most = most_weight(comm, &scree_bisection, ours, c);
        CHECK(most <= bound);
        CHECK(most <= most_weight(comm, &ZOLTAN, zoltans, c) +
                          0.5 * (double)c->heaviest);
        scree_bisection.destroy(ours);
        ZOLTAN.destroy(zoltans);
    }
}

static bool are_ranks_equal(const scree_partition *ours,
                            const scree_partition *zoltans,
                            const scree_ball *ball) {
    int near[MOST_RANKS], theirs[MOST_RANKS];
    const int n = scree_bisection.ranks_near(ours, ball, near);
    if (ZOLTAN.ranks_near(zoltans, ball, theirs) != n) return false;
    for (int k = 0; k < n; ++k)
        if (near[k] != theirs[k]) return false;
    return true;
}

/* Zoltan may leave some points on the other side of a cut: 1 % are allowed. */
static void cuts__points_and_boxes__as_zoltan(const scree_comm *comm) {
    for (int scene = 0; scene < SCENES; ++scene) {
        const cloud *c = make_cloud(scene);
        scree_partition *ours = cut_cloud(comm, &scree_bisection, c, 0);
        scree_partition *zoltans = cut_cloud(comm, &ZOLTAN, c, 0);
        int points = 0, boxes = 0;
        for (int i = 0; i < POINTS; ++i) {
            const scree_ball *ball = &c->points[i];
            points += scree_bisection.rank_of(ours, ball->x) !=
                      ZOLTAN.rank_of(zoltans, ball->x);
            boxes += !are_ranks_equal(ours, zoltans, ball);
        }
        CHECK_NEAR(points, 0, 0.01 * POINTS);
        CHECK_NEAR(boxes, 0, 0.01 * POINTS);
        scree_bisection.destroy(ours);
        ZOLTAN.destroy(zoltans);
    }
}

typedef struct box {
    double lo[3], hi[3];
} box;

/* The ball's box, and that of a rank: open below, closed above. */
static bool boxes_meet(const box *b, const scree_ball *ball) {
    const double x[3] = {ball->x.x, ball->x.y, ball->x.z};
    for (int k = 0; k < 3; ++k)
        if (x[k] + ball->r <= b->lo[k] || x[k] - ball->r > b->hi[k])
            return false;
    return true;
}

/* What goes down the tree is what looks at the boxes of all ranks. */
static void cuts__points_and_boxes__as_by_all_boxes(const scree_comm *comm) {
    scree_random rng = scree_random_stream(12, 0);
    for (int scene = 0; scene < SCENES; ++scene) {
        const cloud *c = make_cloud(scene);
        scree_partition *p = cut_cloud(comm, &scree_bisection, c, 0);
        box mine, all[MOST_RANKS];
        scree_bisection_box(p, mine.lo, mine.hi);
        scree_comm_gather(comm, &mine, sizeof mine, all);
        int n_split = 0;
        for (int i = 0; i < POINTS; ++i) {
            int near[MOST_RANKS], n = 0;
            scree_ball ball = c->points[i];
            const scree_ball point = {ball.x, 0};
            ball.r = pow(10, scree_random_range(&rng, -3, 1));
            CHECK(boxes_meet(&all[scree_bisection.rank_of(p, ball.x)], &point));
            const int found = scree_bisection.ranks_near(p, &ball, near);
            for (int r = 0; r < comm->size; ++r)
                if (boxes_meet(&all[r], &ball))
                    CHECK(n < found && near[n++] == r);
            CHECK(n == found);
            CHECK(scree_bisection.has(p, &ball) ==
                  (n == 1 && near[0] == comm->rank));
            n_split += n > 1;
        }
        CHECK(n_split > 10);
        scree_bisection.destroy(p);
    }
}

/* The cuts are those of the points, whoever has them. */
static void cuts__points_on_other_ranks__same_bits(const scree_comm *comm) {
    for (int scene = 0; scene < SCENES; ++scene) {
        const cloud *c = make_cloud(scene);
        scree_partition *p = cut_cloud(comm, &scree_bisection, c, 0);
        scree_partition *q = cut_cloud(comm, &scree_bisection, c, 1);
        for (int i = 0; i < POINTS; ++i)
            for (int side = -1; side < 2; ++side) {
                const scree_vec3 x = c->points[i].x;
                const scree_vec3 beside = {nextafter(x.x, side * INFINITY),
                                           nextafter(x.y, side * INFINITY),
                                           x.z};
                CHECK(scree_bisection.rank_of(p, side ? beside : x) ==
                      scree_bisection.rank_of(q, side ? beside : x));
            }
        scree_bisection.destroy(p);
        scree_bisection.destroy(q);
    }
}

#define TRIAL(name)                                                            \
    { #name, name }
int main(int argc, char **argv) {
    static const scree_trial trials[] = {
        TRIAL(cuts__weights__as_even_as_points_allow),
        TRIAL(cuts__points_and_boxes__as_zoltan),
        TRIAL(cuts__points_and_boxes__as_by_all_boxes),
        TRIAL(cuts__points_on_other_ranks__same_bits),
    };
    return scree_trials_run(argc, argv, trials, sizeof trials / sizeof *trials);
}
