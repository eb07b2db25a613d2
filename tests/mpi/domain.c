/* domain.c: bodies and pairs of a world over several ranks: cuts, copies,
 * migration; contacts are those of one rank. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/step/step.h"
#include "engine/world/make.h"
#include "engine/world/valid.h"
#include "tests/mpi/ranks.h"

/* ---- partition ----------------------------------------------------------- */

/* All ranks ask the same. A ball has the rank of its centre near it, and that
 * of each of its points; who has it whole has it alone. */
static void check_ball(const scree_comm *comm, const scree_partition *p,
                       const scree_ball *ball, scree_random *rng, int *near) {
    const int n = scree_partition_ranks_near(p, ball, near);
    bool is_near[64] = {false};
    CHECK(n > 0 && n <= comm->size);
    for (int k = 0; k < n; ++k) {
        CHECK(near[k] >= 0 && near[k] < comm->size);
        CHECK(k == 0 || near[k] > near[k - 1]);
        is_near[near[k]] = true;
    }
    CHECK(is_near[scree_partition_rank_of(p, ball->x)]);
    for (int k = 0; k < 20; ++k) {
        const scree_vec3 d = random_vec(rng, 1);
        const scree_vec3 at =
            add_scaled(ball->x, ball->r / fmax(1, norm(d)), d);
        CHECK(is_near[scree_partition_rank_of(p, at)]);
    }
    int64_t whole = scree_partition_has(p, ball);
    CHECK(!whole || (n == 1 && near[0] == comm->rank));
    scree_comm_sum_counts(comm, &whole, 1);
    CHECK(whole <= 1);
}

static bool is_among(int r, const int *list, int n) {
    for (int k = 0; k < n; ++k)
        if (list[k] == r) return true;
    return false;
}

static void check_partition(const scree_comm *comm, const scree_partition *p,
                            uint64_t seed) {
    scree_random rng = scree_random_stream(seed, 1);
    int *near = calloc((size_t)comm->size, sizeof *near);
    int64_t *found = calloc((size_t)comm->size, sizeof *found);
    CHECK(near && found && comm->size <= 64);
    for (int k = 0; k < 300; ++k) {
        scree_ball ball = {random_vec(&rng, 12), 0};
        ball.r = 4 * pow(scree_random_unit(&rng), 4);
        check_ball(comm, p, &ball, &rng, near);
        int64_t rank = scree_partition_rank_of(p, ball.x);
        const int64_t here = rank;
        scree_comm_sum_counts(comm, &rank, 1);
        CHECK(rank == here * comm->size);
        ++found[here];
    }
    const scree_ball far[] = {{{1e99, 0, 0}, 1},
                              {{0, -1e99, 0}, 1e9},
                              {{0, 0, 1e30}, 1e-30},
                              {{0, 0, 0}, 1e30},
                              {{0, 0, 0}, 0}};
    for (size_t k = 0; k < sizeof far / sizeof *far; ++k)
        check_ball(comm, p, &far[k], &rng, near);
    const scree_ball all = {{0, 0, 0}, 1e9};
    const int n = scree_partition_ranks_near(p, &all, near);
    for (int r = 0; r < comm->size; ++r)
        if (found[r] > 0) CHECK(is_among(r, near, n));
    free(near);
    free(found);
}

/* Points on a lattice stand exactly on cuts. */
static void fill_points(const scree_comm *comm, int kind, scree_random *rng,
                        int32_t *n, scree_ball *points, float *weights) {
    *n = 0;
    for (int i = 0; i < 1000; ++i) {
        const scree_vec3 grid = {i % 10, i / 10 % 10, (int)(i / 100)};
        const scree_vec3 x = kind == 0   ? random_vec(rng, 10)
                             : kind == 1 ? grid
                             : kind == 2 ? vec(1, 2, 3)
                                         : vec(grid.x, 0, 0);
        const float w = (float)pow(scree_random_unit(rng), 6);
        if (i * comm->size / 1000 != comm->rank) continue;
        points[*n] = (scree_ball){x, 0.5};
        weights[(*n)++] = w;
    }
}

static void partition__points_and_balls__consistent(const scree_comm *comm) {
    scree_partition *p;
    static scree_ball points[1000];
    static float weights[1000];
    scree_random rng = scree_random_stream(5, 0);
    if (comm->size == 1) return; /* it has no partition */
    CHECK_OK(scree_partition_create(comm, &p));
    check_partition(comm, p, 1);
    CHECK_OK(scree_partition_cut(p, 0, points, weights, NULL));
    check_partition(comm, p, 2);
    for (int kind = 0; kind < 4; ++kind)
        for (int k = 0; k < 3; ++k) {
            int32_t n;
            fill_points(comm, kind, &rng, &n, points, weights);
            CHECK_OK(scree_partition_cut(p, n, points, weights, NULL));
            check_partition(comm, p, (uint64_t)(10 + 3 * kind + k));
            for (int32_t i = 0; i < n; ++i)
                CHECK(scree_partition_rank_of(p, points[i].x) < comm->size);
        }
    scree_partition_destroy(p);
}

/* ---- what goes wrong ------------------------------------------------------- */

static void agree__one_fails__all_have_its_sentence(const scree_comm *comm) {
    const int last = comm->size - 1;
    scree_error error = {0};
    scree_status status = SCREE_OK;
    CHECK_OK(scree_comm_agree(comm, SCREE_OK, &error));
    CHECK(!error.agreed);
    if (comm->rank == last)
        status = scree_fail(&error, SCREE_NO_ROOM, "rank %d", last);
    CHECK(!error.agreed); /* it alone knows */
    CHECK(scree_comm_agree(comm, status, &error) == SCREE_NO_ROOM);
    char sentence[20];
    snprintf(sentence, sizeof sentence, "rank %d", last);
    CHECK(error.status == SCREE_NO_ROOM && !strcmp(error.text, sentence));
    CHECK(error.agreed == (comm->size > 1));
    scree_fail(&error, SCREE_OUT_OF_MEMORY, "another");
    CHECK(!error.agreed);
}

/* ---- mail ----------------------------------------------------------------- */

/* A number to everyone, oneself too, again and again; what one has for oneself is
 * large, and memory does not grow with the rounds. */
static void mail__again_and_again__all_arrives(const scree_comm *comm) {
    enum { OWN = 1000 };
    scree_mail mail = {0};
    size_t held = 0;
    for (int round = 0; round < 40; ++round) {
        CHECK_OK(scree_mail_clear(&mail, comm));
        for (int r = 0; r < comm->size; ++r)
            for (int k = 0; k < (r == comm->rank ? OWN : 1); ++k) {
                const int64_t word = 100 * comm->rank + r + round;
                void *to = scree_mail_put(&mail, r, sizeof word);
                CHECK(to);
                memcpy(to, &word, sizeof word);
            }
        CHECK_OK(scree_mail_send(&mail, comm));
        CHECK(mail.n_in == comm->size);
        for (int r = 0; r < comm->size; ++r) {
            const scree_parcel *in = &mail.in[r];
            int64_t word;
            CHECK(in->rank == r);
            CHECK(in->n == sizeof word * (r == comm->rank ? OWN : 1));
            memcpy(&word, in->data + in->n - sizeof word, sizeof word);
            CHECK(word == 100 * r + comm->rank + round);
        }
        if (round == 1) held = scree_mail_memory(&mail);
        CHECK(round < 1 || scree_mail_memory(&mail) == held);
    }
    CHECK(held < 2 * OWN * sizeof(int64_t)); /* one copy of one's own */
    CHECK(mail.messages == 40 * (comm->size - 1));
    scree_mail_trim(&mail);
    CHECK(scree_mail_memory(&mail) == 0);
    CHECK(mail.messages == 40 * (comm->size - 1));
    scree_mail_free(&mail);
}

/* ---- contacts ------------------------------------------------------------ */

/* Dense at random: overlaps are contacts too. */
static void add_random(scree_world *world, int n, double half, double lo,
                       double hi, scree_random *rng) {
    for (int i = 0; i < n; ++i) {
        const scree_vec3 x = random_vec(rng, half);
        add_sphere(world, scree_random_range(rng, lo, hi),
                   vec(x.x, x.y, x.z + half), random_vec(rng, 1));
    }
}

static void packing(scree_world *world, uint64_t seed) {
    scree_random rng = scree_random_stream(seed, 2);
    add_box(world, 1);
    add_random(world, 1500, 1, 0.03, 0.1, &rng);
}

static void boulder(scree_world *world, uint64_t seed) {
    scree_random rng = scree_random_stream(seed, 3);
    add_box(world, 1);
    add_random(world, 600, 1, 0.02, 0.05, &rng);
    add_sphere(world, 0.8, vec(0.1, -0.1, 0.9), random_vec(&rng, 1));
    add_random(world, 600, 1, 0.02, 0.05, &rng);
    add_sphere(world, 0.4, vec(0.5, 0.6, 1.5), random_vec(&rng, 1));
}

static void mixture(scree_world *world, uint64_t seed) {
    scree_random rng = scree_random_stream(seed, 4);
    add_box(world, 1);
    const int small = add_cube(world, 0.1), large = add_cube(world, 0.7);
    add_random(world, 300, 1, 0.03, 0.1, &rng);
    for (int i = 0; i < 300; ++i) {
        const scree_vec3 x = random_vec(&rng, 1);
        add_body(world, small, vec(x.x, x.y, x.z + 1), &rng);
    }
    add_body(world, large, vec(0.2, 0.1, 0.8), &rng);
}

/* Hills, and a tetrahedron of triangles in the air. */
static void surfaces(scree_world *world, uint64_t seed) {
    enum { N = 21 };
    double heights[N * N];
    scree_random rng = scree_random_stream(seed, 5);
    for (int i = 0; i < N * N; ++i) heights[i] = 0.2 * scree_random_unit(&rng);
    scree_terrain_def terrain = scree_terrain_def_default();
    terrain.nx = terrain.ny = N;
    terrain.x0 = terrain.y0 = -1.5, terrain.cell = 0.15;
    terrain.heights = heights;
    CHECK_OK(scree_world_add_terrain(world, &terrain, NULL));
    const double corners[] = {0, 0, 0.5, 0.9, 0, 0.5, 0, 0.9, 0.5, 0, 0, 1.4};
    const int32_t triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    scree_mesh_def mesh = scree_mesh_def_default();
    mesh.vertices = corners, mesh.n_vertex = 4;
    mesh.corners = triangles, mesh.n_triangle = 4;
    mesh.two_sided = true;
    CHECK_OK(scree_world_add_mesh(world, &mesh, NULL));
    const int cube = add_cube(world, 0.1);
    add_random(world, 400, 1, 0.03, 0.1, &rng);
    for (int i = 0; i < 200; ++i) {
        const scree_vec3 x = random_vec(&rng, 1);
        add_body(world, cube, vec(x.x, x.y, x.z + 1), &rng);
    }
}

static void discs(scree_world *world, uint64_t seed) {
    scree_random rng = scree_random_stream(seed, 6);
    add_plane(world, vec(0, -1, 0), vec(0, 1, 0));
    scree_shape_def def = scree_shape_def_default();
    const double corners[] = {0.1, 0, 0, 0, 0.1, 0, -0.1, 0, 0, 0, -0.12, 0};
    int shape;
    def.kind = SCREE_SHAPE_POLYGON;
    def.points = corners, def.n_point = 4;
    CHECK_OK(scree_world_add_shape(world, &def, &shape));
    for (int i = 0; i < 300; ++i) {
        const scree_vec3 x = random_vec(&rng, 1), v = random_vec(&rng, 1);
        if (i % 3 == 0)
            add_body(world, shape, vec(x.x, x.y, 0), &rng);
        else
            add_sphere(world, scree_random_range(&rng, 0.02, 0.08),
                       vec(x.x, x.y, 0), vec(v.x, v.y, 0));
    }
}

static void contacts__packing__of_one_rank(const scree_comm *comm) {
    try_scene(comm, packing, false, 1e-13);
}
static void contacts__boulder__of_one_rank(const scree_comm *comm) {
    try_scene(comm, boulder, false, 1e-13);
}
static void contacts__mixture__of_one_rank(const scree_comm *comm) {
    try_scene(comm, mixture, false, 1e-13);
}
static void contacts__surfaces__of_one_rank(const scree_comm *comm) {
    try_scene(comm, surfaces, false, 1e-13);
}
static void contacts__plane__of_one_rank(const scree_comm *comm) {
    try_scene(comm, discs, true, 1e-13);
}

/* ---- migration ----------------------------------------------------------- */

static void shake(scree_world *world, scree_vec3 normal, scree_vec3 point,
                  double x) {
    scree_plane_def def = scree_plane_def_default();
    vec_to(point, def.point);
    vec_to(normal, def.normal);
    def.motion.amplitude[0] = x;
    def.motion.frequency = 4;
    CHECK_OK(scree_world_add_plane(world, &def, NULL));
}

/* A box that swings wide, cut anew again and again. */
static void migrate__shaken_box__nothing_lost(const scree_comm *comm) {
    scree_world_def def = def_of("moreau", "pgs", 60, 1e-5);
    scree_world *world = make_world(&def, 0.3, 0.2);
    add_plane(world, vec(0, 0, 0), vec(0, 0, 1));
    add_plane(world, vec(0, -0.5, 0), vec(0, 1, 0));
    add_plane(world, vec(0, 0.5, 0), vec(0, -1, 0));
    shake(world, vec(1, 0, 0), vec(-0.5, 0, 0), 0.3);
    shake(world, vec(-1, 0, 0), vec(0.5, 0, 0), 0.3);
    add_cloud(world, 250, 0.5, 0, 0.04, 0.06, 1, 1);
    CHECK_OK(scree_world_distribute(world, comm));
    scree_random rng = scree_random_stream(8, 8);
    for (int k = 0; k < 8; ++k) {
        cut_at_random(world, &rng);
        check_balance(world, 40);
    }
    scree_world_destroy(world);
}

/* A column that falls apart over the floor. */
static void migrate__collapse__nothing_lost(const scree_comm *comm) {
    scree_world_def def = def_of("moreau", "pgs", 60, 1e-5);
    scree_world *world = make_world(&def, 0.2, 0.3);
    add_plane(world, vec(0, 0, 0), vec(0, 0, 1));
    add_cloud(world, 400, 0.25, 0, 0.03, 0.05, 0.2, 2);
    CHECK_OK(scree_world_distribute(world, comm));
    check_balance(world, 300);
    scree_world_destroy(world);
}

/* A prism that turns about its axis, half full: bodies go round and round. */
static void migrate__drum__nothing_lost(const scree_comm *comm) {
    scree_world_def def = def_of("moreau", "pgs", 60, 1e-5);
    scree_world *world = make_world(&def, 0.6, 0.1);
    add_drum(world, 0.3, 0.12, 6);
    add_cloud(world, 150, 0.2, -0.2, 0.02, 0.03, 0.5, 3);
    CHECK_OK(scree_world_distribute(world, comm));
    check_balance(world, 300);
    CHECK(!world->ranks.domain || world->ranks.domain->cuts > 1);
    const scree_scalars now = scalars_of(world);
    CHECK(now.wall_work > 0 && now.contacts > 100);
    scree_world_destroy(world);
}

static void migrate__rattle__nothing_lost(const scree_comm *comm) {
    scree_world_def def = def_of("rattle", "pgs", 100, 1e-6);
    scree_world *world = make_world(&def, 0.3, 0.2);
    add_box(world, 0.3);
    add_cloud(world, 150, 0.3, 0, 0.04, 0.06, 1.5, 4);
    CHECK_OK(scree_world_distribute(world, comm));
    for (int k = 0; k < 100; ++k) {
        step(world, 1);
        check_bodies(world);
    }
    /* the scheme's own error */
    CHECK_NEAR(energy_defect(world), 0,
               1e-4 * (1 + scalars_of(world).inserted));
    scree_world_destroy(world);
}

/* Percussions and moments that the coming step starts from, in one number each.
 */
static double moments_of(const scree_world *world) {
    double sum = 0;
    for (int64_t i = 0; i < world->state.contacts.n; ++i)
        sum += norm(scree_world_moment(world, &world->state.contacts.list[i]));
    return scree_world_total(world, sum);
}

static void compare_guesses(const scree_contact_view *x,
                            const scree_contact_view *y, int64_t n) {
    double most = 0;
    for (int64_t i = 0; i < n; ++i)
        for (int k = 0; k < 3; ++k) {
            CHECK(x[i].a == y[i].a && x[i].b == y[i].b);
            CHECK(x[i].percussion[k] == y[i].percussion[k]);
            most = fmax(most, fabs(x[i].percussion[k]));
        }
    CHECK(most > 0);
}

/* What pairs bore goes along with them when space is cut anew. */
static void migrate__new_cuts__percussions_come_along(const scree_comm *comm) {
    scree_world_def def = def_of("moreau", "pgs", 60, 1e-5);
    scree_world *world = make_world(&def, 0.3, 0);
    const scree_contact_law law = {.friction = 0.3, .rolling = 0.01};
    CHECK_OK(scree_world_set_pair(world, 0, 0, &law));
    mixture(world, 5);
    CHECK_OK(scree_world_distribute(world, comm));
    scree_random rng = scree_random_stream(4, 9);
    step(world, 3);
    CHECK_OK(scree_world_detect(world, def.dt, true));
    const double M = moments_of(world);
    int64_t n, m;
    scree_contact_view *before = all_contacts(world, &n);
    for (int k = 0; k < 5; ++k) {
        cut_at_random(world, &rng);
        CHECK_OK(scree_world_detect(world, def.dt, true));
        scree_contact_view *after = all_contacts(world, &m);
        CHECK(m == n && n > 300);
        compare_guesses(before, after, n);
        free(after);
        CHECK(M > 0);
        CHECK_NEAR(moments_of(world), M, 1e-12 * M);
    }
    free(before);
    scree_world_destroy(world);
}

/* ---- load ---------------------------------------------------------------- */

/* Two cubes of EDGE^3 spheres, far apart in x: in the first one they touch, in the
 * second they do not. A layer of the first has LAYER spheres, 2 EDGE (EDGE - 1)
 * contacts in it and LAYER with the next one. */
enum { EDGE = 8, LAYER = EDGE * EDGE };

static void add_cubes(scree_world *world) {
    for (int i = 0; i < 2 * LAYER * EDGE; ++i) {
        const bool apart = i >= LAYER * EDGE;
        const double pitch = apart ? 0.3 : 0.1999;
        const int x = i / LAYER % EDGE, y = i / EDGE % EDGE, z = i % EDGE;
        const double tilt = 1e-7 * (i % LAYER); /* a layer can be cut */
        add_sphere(
            world, 0.1,
            vec((apart ? 20 : 0) + pitch * x + tilt, pitch * y, pitch * z),
            vec(0, 0, 0));
    }
}

/* Of bodies that this rank owns. */
static int owned_before(const scree_world *world, double x) {
    int n = 0;
    for (int32_t i = 0; i < world->state.bodies.n; ++i)
        n += scree_world_owns(world, i) && world->state.bodies.x[i].x.x < x;
    return n;
}

static void look_anew(scree_world *world) {
    world->state.broad.valid = false;
    CHECK_OK(scree_world_detect(world, world->def.dt, true));
}

/* The first cuts know no contacts. With them the first cube weighs
 * 512 + 1344 = 1856 and the second 512. Half of both, 1184, is what five layers of
 * the first cube weigh: 208 + 4 x 240 = 1168. */
static void balance__contacts_on_one_side__cut_by_them(const scree_comm *comm) {
    scree_world_def def = def_of("moreau", "pgs", 1, 1e-3);
    scree_world *world = make_world(&def, 0, 0);
    add_cubes(world);
    CHECK_OK(scree_world_distribute(world, comm));
    const scree_domain *d = world->ranks.domain;
    look_anew(world);
    CHECK(d->cuts == 1);
    const int first = owned_before(world, 1e9);
    if (comm->size == 2) CHECK_NEAR(first, LAYER * EDGE, 0.5 * LAYER);
    look_anew(world);
    CHECK(d->cuts == 2 && d->imbalance > 1.4);
    int64_t contacts = world->state.contacts.n;
    scree_comm_sum_counts(comm, &contacts, 1);
    CHECK(contacts == EDGE * 2 * EDGE * (EDGE - 1) + (EDGE - 1) * LAYER);
    const int n = owned_before(world, 10);
    if (comm->size == 2)
        CHECK_NEAR(n, (comm->rank ? 3 : 5) * LAYER, 0.5 * LAYER);
    for (int k = 0; k < 5; ++k) look_anew(world); /* it is even, and stays so */
    CHECK(d->cuts == 2 && d->imbalance < 1.25);
    scree_world_destroy(world);
}

/* A push to the other side, and space is cut anew. */
static void balance__bodies_gather__cut_again(const scree_comm *comm) {
    scree_world_def def = def_of("moreau", "pgs", 1, 1e-3);
    scree_world *world = make_world(&def, 0, 0);
    add_cubes(world);
    CHECK_OK(scree_world_distribute(world, comm));
    for (int k = 0; k < 3; ++k) look_anew(world);
    CHECK(world->ranks.domain->cuts == 2);
    for (int32_t i = 0; i < world->state.bodies.n; ++i)
        if (world->state.bodies.x[i].x.x < 10)
            world->state.bodies.x[i].x.x += 40;
    for (int k = 0; k < 4; ++k) look_anew(world);
    CHECK(world->ranks.domain->cuts > 2 &&
          world->ranks.domain->imbalance < 1.25);
    check_bodies(world);
    scree_world_destroy(world);
}

/* ---- few bodies ---------------------------------------------------------- */

/* n bodies in a row, fast enough to leave; then on one rank. */
static void try_few(const scree_comm *comm, int n, double apart, double speed,
                    const char *stepper) {
    scree_world_def def = def_of(stepper, "pgs", 100, 1e-12);
    scree_world *alone = make_world(&def, 0.3, 0.5);
    scree_world *spread = make_world(&def, 0.3, 0.5);
    for (int k = 0; k < 2; ++k) {
        scree_world *world = k == 0 ? alone : spread;
        add_plane(world, vec(0, 0, 0), vec(0, 0, 1));
        for (int i = 0; i < n; ++i)
            add_sphere(world, 0.1, vec(apart * i, 0, 0.1 + 0.01 * i),
                       vec(speed * (i - n / 2), speed * (i % 3), 0));
    }
    CHECK_OK(scree_world_distribute(spread, comm));
    for (int k = 0; k < 60; ++k) {
        step(alone, 1);
        step(spread, 1);
        check_bodies(spread);
    }
    CHECK_NEAR(far_apart(alone, spread), 0, 1e-10 * (1 + speed));
    scree_world_destroy(alone);
    scree_world_destroy(spread);
}

static void few__any_number__as_one_rank(const scree_comm *comm) {
    static const char *const steppers[] = {"moreau", "rattle"};
    for (int s = 0; s < 2; ++s) {
        for (int n = 0; n < 4; ++n) try_few(comm, n, 1, 0.3, steppers[s]);
        try_few(comm, comm->size, 1, 0.3, steppers[s]);
        try_few(comm, 2 * comm->size, 0.21, 0, steppers[s]);
    }
}

static void few__to_infinity__as_one_rank(const scree_comm *comm) {
    try_few(comm, 7, 0.25, 1e3, "moreau");
    try_few(comm, 7, 0.25, 1e7, "moreau");
}

/* Points on one another cannot be cut apart. */
static void few__in_one_corner__all_there(const scree_comm *comm) {
    scree_world_def def = def_of("moreau", "pgs", 50, 1e-5);
    scree_world *world = make_world(&def, 0.3, 0);
    add_box(world, 1000);
    add_cloud(world, 200, 0.3, 0, 0.03, 0.05, 0.1, 9);
    add_sphere(world, 1, vec(900, 900, 1), vec(0, 0, 0));
    for (int i = 0; i < 5; ++i)
        add_sphere(world, 0.1, vec(5, 5, 5), vec(0, 0, 0));
    CHECK_OK(scree_world_distribute(world, comm));
    check_balance(world, 60);
    scree_world_destroy(world);
}

/* The first copy that this rank has of another's body, or -1. */
static int32_t first_copy(const scree_world *world) {
    for (int32_t i = 0; i < world->state.bodies.n; ++i)
        if (!scree_world_owns(world, i)) return i;
    return -1;
}

/* A bit of one copy changes on each rank that has any. */
static void copies__one_differs__seen(const scree_comm *comm) {
    scree_world_def def = def_of("moreau", "pgs", 50, 1e-5);
    scree_world *world = make_world(&def, 0.3, 0);
    add_box(world, 0.3);
    add_cloud(world, 150, 0.3, 0, 0.04, 0.06, 0.5, 6);
    CHECK_OK(scree_world_distribute(world, comm));
    step(world, 20);
    CHECK(!scree_world_any(world, !scree_world_is_valid(world)));
    const int32_t copy = first_copy(world);
    const bool any = scree_world_any(world, copy >= 0);
    CHECK(any == (comm->size > 1));
    double *w = copy >= 0 ? &world->state.bodies.u[copy].w.y : NULL;
    if (w) *w = nextafter(*w, INFINITY);
    CHECK(scree_world_any(world, !scree_copies_is_valid(world)) == any);
    CHECK(scree_world_any(world, !scree_world_is_valid(world)) == any);
    if (w) *w = nextafter(*w, -INFINITY);
    CHECK(!scree_world_any(world, !scree_world_is_valid(world)));
    if (world->ranks.domain) world->ranks.domain->coupling.is_split = true;
    CHECK(scree_world_is_valid(world) == !world->ranks.domain);
    if (world->ranks.domain) world->ranks.domain->coupling.is_split = false;
    scree_world_destroy(world);
}

#define TRIAL(name)                                                            \
    { #name, name }
int main(int argc, char **argv) {
    static const scree_trial trials[] = {
        TRIAL(partition__points_and_balls__consistent),
        TRIAL(agree__one_fails__all_have_its_sentence),
        TRIAL(mail__again_and_again__all_arrives),
        TRIAL(contacts__packing__of_one_rank),
        TRIAL(contacts__boulder__of_one_rank),
        TRIAL(contacts__mixture__of_one_rank),
        TRIAL(contacts__surfaces__of_one_rank),
        TRIAL(contacts__plane__of_one_rank),
        TRIAL(balance__contacts_on_one_side__cut_by_them),
        TRIAL(balance__bodies_gather__cut_again),
        TRIAL(few__any_number__as_one_rank),
        TRIAL(few__to_infinity__as_one_rank),
        TRIAL(few__in_one_corner__all_there),
        TRIAL(copies__one_differs__seen),
        TRIAL(migrate__new_cuts__percussions_come_along),
        TRIAL(migrate__shaken_box__nothing_lost),
        TRIAL(migrate__collapse__nothing_lost),
        TRIAL(migrate__drum__nothing_lost),
        TRIAL(migrate__rattle__nothing_lost),
    };
    return scree_trials_run(argc, argv, trials, sizeof trials / sizeof *trials);
}
