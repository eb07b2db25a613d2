/* ensemble.c: trajectories of an ensemble: where they start, what is kept of their ways,
 * why they end, and that nobody else matters to them. */
#include "engine/ensemble/ensemble.h"

#include <stdlib.h>
#include <string.h>

#include "engine/ensemble/flight.h"
#include "engine/ensemble/maps.h"
#include "engine/ensemble/trace.h"
#include "engine/ensemble/trajectory.h"
#include "tests/support.h"

/* ---- places ------------------------------------------------------------------ */

static const double corners[] = {0, 0, 0, 10, 0, 0, 10, 30, 0};

static scree_release release_of(scree_release_kind kind, int64_t count) {
    return (scree_release){.kind = kind,
                           .n_point = 3,
                           .points = corners,
                           .height = 2,
                           .count = count,
                           .grain = {.radius.value = 0.5}};
}

static scree_launch draw(const scree_release *list, int n, int64_t k) {
    scree_launch start;
    scree_error error = {0};
    if (scree_release_draw(list, n, 7, k, &start, &error))
        fail_msg("%s", error.text);
    return start;
}

static void release__takes_turns_by_counts(void **state) {
    (void)state;
    const scree_release list[] = {release_of(SCREE_RELEASE_POINTS, 3),
                                  release_of(SCREE_RELEASE_LINE, 1)};
    static const int of[] = {0, 0, 0, 1, 0, 0, 0, 1};
    static const double x[] = {0, 10, 10, 0, 0, 10, 10, 0};
    for (int k = 0; k < 8; k++) {
        const scree_launch start = draw(list, 2, k);
        assert_int_equal(start.release, of[k]);
        if (of[k] == 0) assert_near(start.x, x[k], 0);
    }
}

static void release__draws_by_number_alone(void **state) {
    (void)state;
    scree_release list[] = {release_of(SCREE_RELEASE_POLYGON, 1)};
    list[0].velocity_deviation[0] = 1;
    list[0].grain.turn = SCREE_TURN_RANDOM;
    const scree_launch first = draw(list, 1, 17);
    for (int k = 0; k < 40; k++) draw(list, 1, k);
    const scree_launch again = draw(list, 1, 17);
    assert_memory_equal(&first, &again, sizeof first);
    /* Another velocity leaves the place. */
    list[0].grain.velocity[1] = 5;
    assert_near(draw(list, 1, 17).x, first.x, 0);
    assert_near(draw(list, 1, 17).v.y, first.v.y + 5, 1e-15);
    assert_true(draw(list, 1, 18).x != first.x);
}

/* The second edge is three times as long as the first: 3/4 of the places, and the mean of
 * all is that of the two middles by their lengths. */
static void line__is_even_along_its_length(void **state) {
    (void)state;
    enum { N = 20000 };
    const scree_release list[] = {release_of(SCREE_RELEASE_LINE, 1)};
    double x = 0, y = 0;
    int second = 0;
    for (int k = 0; k < N; k++) {
        const scree_launch s = draw(list, 1, k);
        assert_true(s.y == 0 || s.x == 10);
        x += s.x / N, y += s.y / N, second += s.y > 0;
    }
    assert_near(second / (double)N, 0.75, 0.01); /* 3 deviations */
    assert_near(x, 0.25 * 5 + 0.75 * 10, 0.06);
    assert_near(y, 0.75 * 15, 0.25);
}

/* The mean place of a triangle is that of its corners. */
static void polygon__is_even_over_its_area(void **state) {
    (void)state;
    enum { N = 20000 };
    const scree_release list[] = {release_of(SCREE_RELEASE_POLYGON, 1)};
    double x = 0, y = 0;
    for (int k = 0; k < N; k++) {
        const scree_launch s = draw(list, 1, k);
        assert_true(s.y <= 3 * s.x && s.x <= 10 && s.y >= 0);
        x += s.x / N, y += s.y / N;
    }
    assert_near(x, 20.0 / 3, 0.05);
    assert_near(y, 10, 0.16);
}

static void polygon__has_holes(void **state) {
    (void)state;
    static const double rings[] = {0, 0, 0, 9, 0, 0, 9, 9, 0, 0, 9, 0,
                                   3, 3, 0, 3, 6, 0, 6, 6, 0, 6, 3, 0};
    static const int begin[] = {0, 4, 8};
    scree_release list[] = {release_of(SCREE_RELEASE_POLYGON, 1)};
    list[0].points = rings, list[0].n_point = 8;
    list[0].begin = begin, list[0].n_part = 2;
    assert_null(scree_release_fault(&list[0]));
    for (int k = 0; k < 2000; k++) {
        const scree_launch s = draw(list, 1, k);
        assert_false(s.x > 3 && s.x < 6 && s.y > 3 && s.y < 6);
    }
}

static void velocity__has_its_deviation(void **state) {
    (void)state;
    enum { N = 20000 };
    scree_release list[] = {release_of(SCREE_RELEASE_POINTS, 1)};
    list[0].grain.velocity[0] = 3;
    list[0].velocity_deviation[0] = 0.5;
    list[0].spin_deviation[2] = 2;
    double sum = 0, squares = 0, spin = 0;
    for (int k = 0; k < N; k++) {
        const scree_launch s = draw(list, 1, k);
        sum += s.v.x / N, squares += (s.v.x - 3) * (s.v.x - 3) / N;
        spin += s.w.z * s.w.z / N;
        assert_near(s.v.y, 0, 0);
    }
    assert_near(sum, 3, 0.011);
    assert_near(sqrt(squares), 0.5, 0.01);
    assert_near(sqrt(spin), 2, 0.04);
}

static void faults__are_named(void **state) {
    (void)state;
    scree_release bad = release_of(SCREE_RELEASE_LINE, 1);
    bad.n_point = 1;
    assert_non_null(scree_release_fault(&bad));
    bad = release_of(SCREE_RELEASE_POLYGON, 1);
    bad.n_point = 2;
    assert_non_null(scree_release_fault(&bad));
}

/* ---- cells ------------------------------------------------------------------- */

static const scree_raster raster = {.nx = 4, .ny = 3, .cell = 10};

static scree_sample at_place(double t, double x, double y, double speed) {
    return (scree_sample){.t = t,
                          .x = {x, y, 0},
                          .v = {speed, 0, 0},
                          .translation = speed * speed,
                          .height = speed / 10};
}

static void way__visits_all_cells_it_crosses(void **state) {
    (void)state;
    const scree_ensemble e = {.raster = raster, .every = -1};
    scree_tracer tracer;
    scree_track track = {0};
    assert_ok(scree_tracer_open(&tracer, &e));
    const scree_sample a = at_place(0, 5, 5, 1), b = at_place(1, 35, 20.5, 2),
                       out = at_place(2, 55, 22, 3),
                       back = at_place(3, 5, 5, 4);
    assert_ok(scree_trace_begin(&tracer, &track, &a));
    assert_ok(scree_trace_step(&tracer, &track, &a, &b));
    /* y = 5 + 15.5 (x - 5) / 30 reaches 10 at x = 14.7, and 20 at x = 34.03. */
    static const int cells[] = {0, 1, 5, 6, 7, 11};
    assert_int_equal(track.n_visit, 6);
    for (int i = 0; i < 6; i++)
        assert_int_equal(track.visits[i].cell, cells[i]);
    assert_near(track.visits[0].speed, 1, 0);
    assert_near(track.visits[5].speed, 2, 0);
    assert_ok(scree_trace_step(&tracer, &track, &b, &out));
    assert_int_equal(track.n_visit, 6); /* beside the raster there are none */
    assert_ok(scree_trace_step(&tracer, &track, &out, &back));
    assert_near(track.visits[0].speed, 4, 0); /* the largest is kept */
    assert_ok(scree_trace_end(&tracer, &track, &back));
    assert_int_equal(track.n_sample, 0);
    scree_track_free(&track);
    scree_tracer_close(&tracer);
}

static void samples__are_every_so_often(void **state) {
    (void)state;
    const scree_ensemble e = {.every = 0.1};
    scree_tracer tracer;
    scree_track track = {0};
    assert_ok(scree_tracer_open(&tracer, &e));
    scree_sample before = at_place(0, 0, 0, 0);
    assert_ok(scree_trace_begin(&tracer, &track, &before));
    for (int i = 1; i <= 35; i++) {
        const scree_sample at = at_place(0.01 * i, 0, 0, 0);
        assert_ok(scree_trace_step(&tracer, &track, &before, &at));
        before = at;
    }
    assert_ok(scree_trace_end(&tracer, &track, &before));
    static const double times[] = {0, 0.1, 0.2, 0.3, 0.35};
    assert_int_equal(track.n_sample, 5);
    for (int i = 0; i < 5; i++)
        assert_near(track.samples[i].t, times[i], 1e-12);
    scree_track_free(&track);
    scree_tracer_close(&tracer);
}

/* Twenty trajectories come to cell 0 with the speeds 1 to 20, three of them to cell 5;
 * two end in cell 5 and one leaves from there. */
static void add_tracks(scree_maps *maps) {
    for (int k = 0; k < 20; k++) {
        scree_visit visits[] = {{0, (float)(k + 1), 10, 0.5F}, {5, 7, 4, 2}};
        scree_track track = {.visits = visits, .n_visit = k < 3 ? 2 : 1};
        track.it.end = k == 2 ? SCREE_END_LEFT : SCREE_END_REST;
        track.it.stop[0] = k < 3 ? 15 : 5;
        track.it.stop[1] = k < 3 ? 15 : 5;
        assert_ok(scree_maps_add(maps, &track));
    }
}

static void maps__are_those_of_a_small_example(void **state) {
    (void)state;
    /*                               cell 0, cell 5 */
    static const struct {
        scree_map map;
        double values[2];
    } rows[] = {{SCREE_MAP_PASSAGES, {20, 3}},
                {SCREE_MAP_REACH, {1, 0.15}},
                {SCREE_MAP_DEPOSITS, {17, 2}},
                {SCREE_MAP_SPEED_MAX, {20, 7}},
                {SCREE_MAP_SPEED_MEAN, {10.5, 7}},
                {SCREE_MAP_SPEED_P95, {19, 7}}, /* 19 of 20 are no faster */
                {SCREE_MAP_KINETIC_MEAN, {10, 4}},
                {SCREE_MAP_HEIGHT_MAX, {0.5, 2}},
                {SCREE_MAP_HEIGHT_P95, {0.5, 2}}};
    scree_maps maps;
    double values[12];
    assert_ok(scree_maps_open(&maps, &raster));
    add_tracks(&maps);
    assert_ok(scree_maps_sort(&maps));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_ok(scree_maps_draw(&maps, rows[i].map, values));
        for (int c = 0; c < 12; c++)
            if (c == 0 || c == 5)
                assert_near(values[c], rows[i].values[c == 5], 1e-15);
            else
                assert_true(isnan(values[c]));
    }
    scree_maps_close(&maps);
}

/* ---- trajectories ------------------------------------------------------------ */

/* A slope down along x from x = 0 to 100, flat beyond it up to 200. */
typedef struct hill {
    scree_world *scene;
    scree_ensemble e;
    scree_release release;
} hill;

static const double start_point[] = {20, 50, 0};

static void add_hill(scree_world *scene) {
    enum { NX = 41, NY = 21 };
    double z[NX * NY];
    for (int k = 0; k < NX * NY; k++)
        z[k] = k % NX < 20 ? 60 - 3.0 * (k % NX) : 0;
    scree_terrain_def def = scree_terrain_def_default();
    def.nx = NX, def.ny = NY, def.cell = 5, def.heights = z;
    assert_ok(scree_world_add_terrain(scene, &def, NULL));
}

static void make_hill_with(hill *h, const scree_contact_law *law) {
    scree_world_def def = scree_world_def_default();
    scree_shape_def box = scree_shape_def_default();
    static const double bounds[] = {0.8660254037844387}, volumes[] = {1};
    def.dt = 5e-3;
    h->scene = make_world(&def, *law);
    assert_ok(scree_world_add_shape(h->scene, &box, NULL));
    add_hill(h->scene);
    h->release = (scree_release){
        .n_point = 1,
        .points = start_point,
        .height = 3,
        .count = 1,
        .velocity_deviation = {1, 1, 1},
        .spin_deviation = {1, 1, 1},
        .grain = {.shapes = {.n = 1, .bounds = bounds, .volumes = volumes},
                  .turn = SCREE_TURN_RANDOM}};
    h->e = (scree_ensemble){.scene = h->scene,
                            .threads = 1,
                            .seed = 3,
                            .n_release = 1,
                            .releases = &h->release,
                            .end = 40,
                            .rest_speed = 0.1,
                            .rest_for = 0.5,
                            .every = 0.5};
    h->e.raster = scree_ensemble_cells(&h->e, 5);
}

static void make_hill(hill *h, double friction) {
    const scree_contact_law law = {.friction = friction, .e_n = 0.3};
    make_hill_with(h, &law);
}

static void run_hill(const hill *h, int64_t first, int n, scree_track *tracks) {
    scree_error error = {0};
    memset(tracks, 0, (size_t)n * sizeof *tracks);
    if (scree_ensemble_run(&h->e, first, 1, n, tracks, &error))
        fail_msg("%s", error.text);
}

static void free_tracks(scree_track *tracks, int n) {
    for (int i = 0; i < n; i++) scree_track_free(&tracks[i]);
}

static void assert_same(const scree_track *a, const scree_track *b) {
    assert_memory_equal(&a->it, &b->it, sizeof a->it);
    assert_int_equal(a->n_sample, b->n_sample);
    assert_int_equal(a->n_visit, b->n_visit);
    assert_memory_equal(a->samples, b->samples,
                        (size_t)a->n_sample * sizeof *a->samples);
    assert_memory_equal(a->visits, b->visits,
                        (size_t)a->n_visit * sizeof *a->visits);
}

static void trajectory__is_the_same_alone_and_in_threads(void **state) {
    (void)state;
    enum { N = 24 };
    hill h;
    scree_track many[N], other[N];
    make_hill(&h, 0.5);
    run_hill(&h, 0, N, many);
    assert_true(many[0].it.stop[0] != many[1].it.stop[0]);
    run_hill(&h, 17, 1, other);
    assert_same(&many[17], &other[0]);
    free_tracks(other, 1);
    for (h.e.threads = 2; h.e.threads <= 3; h.e.threads++) {
        run_hill(&h, 0, N, other);
        for (int i = 0; i < N; i++) assert_same(&many[i], &other[i]);
        free_tracks(other, N);
    }
    free_tracks(many, N);
    scree_world_destroy(h.scene);
}

static void trajectory__starts_at_its_height_and_keeps_its_books(void **state) {
    (void)state;
    enum { N = 8 };
    hill h;
    scree_track tracks[N];
    make_hill(&h, 0.5);
    run_hill(&h, 0, N, tracks);
    for (int i = 0; i < N; i++) {
        const scree_trajectory *t = &tracks[i].it;
        assert_near(t->start[0], 20, 0);
        assert_near(t->start[2], 48 + 3, 1e-12);
        assert_near(tracks[i].samples[0].height, 3, 1e-12);
        assert_int_equal(t->end, SCREE_END_REST);
        assert_near(t->mass / t->volume, 2500, 1e-9);
        assert_true(t->height >= 3 && t->speed > 5 && t->flying > 0);
        /* What it had and what gravity gave is left, or was taken. */
        assert_near(t->start_kinetic + t->fall + t->recovery_work +
                        t->scheme_error,
                    t->stop_kinetic + t->dissipated_normal +
                        t->dissipated_friction + t->dissipated_turning,
                    1e-9 * t->fall);
        /* Nothing sinks into the ground: the box stands half its edge above it. */
        assert_near(tracks[i].samples[tracks[i].n_sample - 1].height, 0.5,
                    0.15);
    }
    free_tracks(tracks, N);
    scree_world_destroy(h.scene);
}

static void trajectory__tells_why_it_ended(void **state) {
    (void)state;
    hill h;
    scree_track track;
    make_hill(&h, 0.02);
    run_hill(&h, 0, 1, &track);
    assert_int_equal(track.it.end, SCREE_END_LEFT);
    assert_true(track.it.stop[0] > 200 || track.it.stop[1] < 0 ||
                track.it.stop[1] > 100);
    free_tracks(&track, 1);
    h.e.end = 1;
    run_hill(&h, 0, 1, &track);
    assert_int_equal(track.it.end, SCREE_END_TIME);
    assert_near(track.it.time, 1, 1e-9);
    free_tracks(&track, 1);
    /* Slow at its start, and long enough: that is rest too. */
    h.e.end = 40, h.e.rest_speed = 1e3;
    run_hill(&h, 0, 1, &track);
    assert_int_equal(track.it.end, SCREE_END_REST);
    assert_near(track.it.time, 0.5, 1e-9);
    free_tracks(&track, 1);
    scree_world_destroy(h.scene);
}

static void trajectory__is_that_of_a_world_with_one_rock(void **state) {
    (void)state;
    hill h;
    scree_track track;
    make_hill(&h, 0.5);
    h.e.end = 3;
    run_hill(&h, 5, 1, &track);
    const scree_launch s = draw(&h.release, 1, 5);
    scree_launch start;
    scree_error error = {0};
    assert_ok(scree_trajectory_start(&h.e, 5, &start, &error));
    assert_near(start.height, s.height, 0);
    scree_body_def rock = scree_body_def_default();
    memcpy(rock.orientation, start.orientation, sizeof rock.orientation);
    vec_to(vec(20, 50, 51), rock.position);
    vec_to(start.v, rock.velocity);
    vec_to(start.w, rock.angular_velocity);
    assert_ok(scree_world_add_body(h.scene, &rock, NULL));
    run(h.scene, 600);
    double x[3];
    assert_ok(
        scree_world_read_state(h.scene, &(scree_state_view){.position = x}));
    for (int i = 0; i < 3; i++) assert_near(track.it.stop[i], x[i], 0);
    free_tracks(&track, 1);
    scree_world_destroy(h.scene);
}

/* High up, with a law that forgets in flight, a second wall and spin that keeps its energy
 * or does not: steps of flight are there to be missed by nobody. */
static void flight__has_the_bits_of_whole_steps(void **state) {
    (void)state;
    enum { N = 12 };
    const scree_contact_law law = {
        .friction = 0.8,
        .e_n = 0.7,
        .slippage = {.least = 0.3, .growth = 1, .decay = 5, .drag = 0.1}};
    hill h;
    scree_track whole[N], some[N];
    make_hill_with(&h, &law);
    add_plane(h.scene, vec(0, 90, 0), vec(0, -1, 0));
    h.release.height = 25;
    h.release.grain.velocity[1] = 5;
    h.e.every = 0;
    h.e.end = 10; /* several bounces */
    run_hill(&h, 0, N, whole);
    h.e.steepness = scree_ensemble_steepness(&h.e);
    assert_near(h.e.steepness, 0.6, 1e-12);
    run_hill(&h, 0, N, some);
    for (int i = 0; i < N; i++) assert_same(&whole[i], &some[i]);
    assert_true(whole[0].it.flying > 400);
    free_tracks(whole, N);
    free_tracks(some, N);
    scree_world_destroy(h.scene);
}

static void flight__is_clear_of_all_walls(void **state) {
    (void)state;
    hill h;
    make_hill(&h, 0.5);
    h.e.steepness = scree_ensemble_steepness(&h.e);
    assert_true(scree_flight_is_known(&h.e, h.scene));
    add_sphere(h.scene, 1, vec(50, 50, 40), vec(0, 0, -10), vec(0, 0, 0));
    /* 10 m above a slope of 0.6 there are 10 / sqrt(1.36) - 1 = 7.57 m of room. */
    assert_true(scree_flight_is_clear(&h.e, h.scene, 10));
    assert_false(scree_flight_is_clear(&h.e, h.scene, 1.2));
    add_plane(h.scene, vec(0, 0, 38.95), vec(0, 0, 1));
    assert_false(scree_flight_is_clear(&h.e, h.scene, 10));
    scree_plane_def moving = scree_plane_def_default();
    moving.motion.velocity[2] = 1;
    assert_ok(scree_world_add_plane(h.scene, &moving, NULL));
    assert_false(scree_flight_is_known(&h.e, h.scene));
    scree_world_destroy(h.scene);
}

static void start__in_the_ground_is_refused(void **state) {
    (void)state;
    hill h;
    scree_error error = {0};
    make_hill(&h, 0.5);
    assert_ok(scree_ensemble_check(&h.e, 0, 10, 1, &error));
    h.release.height = 0.4;
    assert_int_equal(scree_ensemble_check(&h.e, 0, 10, 1, &error),
                     SCREE_NO_ROOM);
    assert_non_null(
        strstr(error.text, "trajectory 0 would start in the ground"));
    static const double beside[] = {-20, 50, 0};
    h.release.points = beside;
    assert_int_equal(scree_ensemble_check(&h.e, 0, 10, 1, &error),
                     SCREE_NO_ROOM);
    assert_non_null(strstr(error.text, "beside the terrain"));
    scree_world_destroy(h.scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(release__takes_turns_by_counts),
        cmocka_unit_test(release__draws_by_number_alone),
        cmocka_unit_test(line__is_even_along_its_length),
        cmocka_unit_test(polygon__is_even_over_its_area),
        cmocka_unit_test(polygon__has_holes),
        cmocka_unit_test(velocity__has_its_deviation),
        cmocka_unit_test(faults__are_named),
        cmocka_unit_test(way__visits_all_cells_it_crosses),
        cmocka_unit_test(samples__are_every_so_often),
        cmocka_unit_test(maps__are_those_of_a_small_example),
        cmocka_unit_test(trajectory__is_the_same_alone_and_in_threads),
        cmocka_unit_test(trajectory__starts_at_its_height_and_keeps_its_books),
        cmocka_unit_test(trajectory__tells_why_it_ended),
        cmocka_unit_test(trajectory__is_that_of_a_world_with_one_rock),
        cmocka_unit_test(flight__has_the_bits_of_whole_steps),
        cmocka_unit_test(flight__is_clear_of_all_walls),
        cmocka_unit_test(start__in_the_ground_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
