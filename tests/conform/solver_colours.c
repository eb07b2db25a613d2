/* Colours of contacts that come and go: who keeps one, who chooses, and that places
 * follow from colours, whoever works on them. */
#include <stdlib.h>
#include <string.h>

#include "engine/base/parallel.h"
#include "engine/world/world.h"
#include "solvers/problem/colours.h"
#include "tests/conform/solver_fixture.h"

enum { N = 300, M = 901, NONE = 255 };

typedef struct bed {
    fixture f;
    scree_spot spots[M];
    uint8_t colours[M];
    int64_t n;
} bed;

static scree_spot random_spot(scree_random *rng) {
    const int32_t a = (int32_t)(scree_random_unit(rng) * N);
    const int32_t b = (int32_t)(scree_random_unit(rng) * (N + 20));
    const int32_t wall = b >= N || b == a ? N : b;
    return (scree_spot){a, wall, scree_random_unit(rng) < 0.3};
}

static void place(bed *k, int threads) {
    const int64_t worth = scree_worth_threads(1);
    k->f.p.threads = threads;
    assert_ok(scree_problem_clear(&k->f.p, M, M));
    assert_ok(scree_problem_place_all(&k->f.p, k->spots, k->colours, k->n,
                                      &k->f.scratch));
    scree_worth_threads(worth);
}

static bed *random_spots(int threads) {
    scree_random rng = scree_random_stream(17, 4);
    bed *k = malloc(sizeof *k);
    assert_non_null(k);
    *k = (bed){.f = new_kind(N, M, true), .n = M};
    memset(k->colours, NONE, M);
    for (int i = 0; i < M; ++i) k->spots[i] = random_spot(&rng);
    place(k, threads);
    return k;
}

static void free_bed(bed *k) {
    free_fixture(&k->f);
    free(k);
}

/* Every `each`-th goes, and as many come. */
static void come_and_go(bed *k, int each) {
    scree_random rng = scree_random_stream(18, (uint64_t)each);
    for (int i = 0; i < M; i += each) {
        k->spots[i] = random_spot(&rng);
        k->colours[i] = NONE;
    }
}

/* ---- who has which ---------------------------------------------------------- */

/* Colours that those contacts of a body have that are in `of`. */
static uint64_t used_by(const bed *k, const bool *of, int32_t which) {
    uint64_t used = 0;
    for (int64_t i = 0; i < k->n && which < N; ++i)
        if (of[i] && (k->spots[i].a == which || k->spots[i].b == which) &&
            k->colours[i] < SCREE_OVERFLOW) {
            const uint64_t bit = UINT64_C(1) << k->colours[i];
            assert_false(used & bit); /* two contacts of a body in one colour */
            used |= bit;
        }
    return used;
}

static void check_colours(const bed *k) {
    bool all[M];
    memset(all, true, sizeof all);
    for (int32_t i = 0; i < N; ++i) used_by(k, all, i);
}

/* Those that came have the least colour that was left to them, in their order. */
static void
place_all__contacts_come_and_go__others_keep_their_colours(void **state) {
    (void)state;
    bed *k = random_spots(1);
    check_colours(k);
    assert_int_equal(k->f.p.n_chosen, M);
    for (int round = 2; round < 12; ++round) {
        uint8_t before[M];
        bool has[M];
        come_and_go(k, round);
        memcpy(before, k->colours, M);
        place(k, 1);
        int64_t came = 0;
        for (int i = 0; i < M; ++i) {
            has[i] = before[i] != NONE;
            came += !has[i];
            if (has[i]) assert_int_equal(k->colours[i], before[i]);
        }
        assert_int_equal(k->f.p.n_chosen, came);
        for (int i = 0; i < M; ++i) {
            if (has[i]) continue;
            const uint64_t used =
                used_by(k, has, k->spots[i].a) | used_by(k, has, k->spots[i].b);
            assert_int_equal(k->colours[i], __builtin_ctzll(~used));
            has[i] = true;
        }
        check_colours(k);
    }
    free_bed(k);
}

/* Contacts that all choose have the colours of contacts added one by one. */
static void place_all__all_are_new__as_one_by_one(void **state) {
    (void)state;
    bed *k = random_spots(2);
    fixture one = new_kind(N, M, true);
    for (int i = 0; i < M; ++i) {
        const scree_spot *s = &k->spots[i];
        const scree_row row = {
            .a = s->a, .b = s->b, .general = s->general, .n = vec(0, 0, 1)};
        add_row(&one.p, &row);
        const scree_shelf *shelf = s->general ? &one.p.general : &one.p.round;
        const int32_t at = s->general ? ~one.p.slot[i] : one.p.slot[i];
        assert_int_equal(k->colours[i], shelf->colour[at / SCREE_LANES]);
    }
    free_fixture(&one);
    free_bed(k);
}

/* One body with more contacts than there are colours: what flowed over comes back as
 * soon as others have gone. */
static void place_all__hub__overflow_finds_room_later(void **state) {
    (void)state;
    enum { HUB = 100, GONE = 30 };
    bed *k = random_spots(1);
    k->n = HUB;
    memset(k->colours, NONE, HUB);
    for (int i = 0; i < HUB; ++i) k->spots[i] = (scree_spot){0, i + 1, i % 2};
    place(k, 1);
    for (int i = 0; i < HUB; ++i)
        assert_int_equal(k->colours[i], i < SCREE_COLOURS ? i : SCREE_OVERFLOW);
    k->n = HUB - GONE;
    memmove(k->spots, k->spots + GONE, (size_t)k->n * sizeof *k->spots);
    memmove(k->colours, k->colours + GONE, (size_t)k->n);
    place(k, 1);
    for (int i = 0; i < SCREE_COLOURS - GONE; ++i)
        assert_int_equal(k->colours[i], i + GONE);
    for (int i = SCREE_COLOURS - GONE; i < SCREE_COLOURS; ++i)
        assert_int_equal(k->colours[i], i - (SCREE_COLOURS - GONE));
    for (int64_t i = SCREE_COLOURS; i < k->n; ++i)
        assert_int_equal(k->colours[i], SCREE_OVERFLOW);
    free_bed(k);
}

/* Some bodies are shared with other ranks, then others: contacts that come to the
 * border, or leave it, change to its colours, or back; the others keep theirs. */
static void place_all__border_moves__colours_of_each_side(void **state) {
    (void)state;
    int32_t slot[N];
    scree_coupling coupling = {.slot = slot};
    bed *k = random_spots(1);
    memset(k->colours, NONE, M);
    k->f.p.coupling = &coupling;
    for (int round = 0; round < 6; ++round) {
        int64_t kept = 0;
        uint8_t before[M];
        memcpy(before, k->colours, M);
        for (int i = 0; i < N; ++i) slot[i] = i % 10 < 3 + round % 2 ? 0 : -1;
        place(k, 1 + round % 3);
        for (int i = 0; i < M; ++i) {
            const bool border =
                scree_problem_at_border(&k->f.p, k->spots[i].a, k->spots[i].b);
            assert_int_equal(k->colours[i] <= SCREE_AT_BORDER, border);
            if (before[i] == NONE) continue;
            const bool was = before[i] <= SCREE_AT_BORDER;
            if (was == border) assert_int_equal(k->colours[i], before[i]);
            kept += was == border;
        }
        assert_int_equal(k->f.p.n_chosen, M - kept);
        check_colours(k);
    }
    k->f.p.coupling = NULL;
    free_bed(k);
}

/* ---- places ------------------------------------------------------------------ */

/* Colour after colour, in each in the order of contacts, without holes. */
static void check_places(const bed *k, bool general) {
    const scree_problem *p = &k->f.p;
    const scree_shelf *shelf = general ? &p->general : &p->round;
    int32_t next = 0;
    for (int colour = 0; colour <= SCREE_OVERFLOW; ++colour) {
        next = (next + SCREE_LANES - 1) / SCREE_LANES * SCREE_LANES;
        for (int64_t i = 0; i < k->n; ++i) {
            if (k->spots[i].general != general || k->colours[i] != colour)
                continue;
            assert_int_equal(p->slot[i], general ? ~next : next);
            assert_int_equal(shelf->colour[next / SCREE_LANES], colour);
            ++next;
        }
    }
    assert_int_equal(shelf->n_block, (next + SCREE_LANES - 1) / SCREE_LANES);
}

static void place_all__any_team__same_colours_and_places(void **state) {
    (void)state;
    const int teams[] = {1, 2, 3, 4, 8};
    for (int t = 0; t < 5; ++t) {
        bed *alone = random_spots(1), *team = random_spots(teams[t]);
        for (int round = 2; round < 9; ++round) {
            check_places(team, false);
            check_places(team, true);
            assert_memory_equal(alone->colours, team->colours, M);
            assert_memory_equal(alone->f.p.slot, team->f.p.slot,
                                M * sizeof *alone->f.p.slot);
            come_and_go(alone, round);
            come_and_go(team, round);
            place(alone, 1);
            place(team, teams[t]);
        }
        free_bed(alone);
        free_bed(team);
    }
}

/* ---- worlds ------------------------------------------------------------------ */

typedef struct memory {
    int64_t n;
    scree_contact *list;
    uint8_t *colours;
} memory;

static memory remember(const scree_world *world) {
    const scree_contacts *c = &world->state.contacts;
    const size_t n = (size_t)c->n;
    memory m = {.n = c->n,
                .list = malloc(n * sizeof *m.list + 1),
                .colours = malloc(n + 1)};
    assert_true(m.list && m.colours);
    if (n) memcpy(m.list, c->list, n * sizeof *m.list);
    if (n) memcpy(m.colours, c->colours, n);
    return m;
}

static void forget(memory *m) {
    free(m->list);
    free(m->colours);
}

/* Contacts whose pair had as many before have the colours that it had. Returns how
 * many those are. */
static int64_t count_kept(const scree_world *world, const memory *m) {
    const scree_contacts *c = &world->state.contacts;
    int64_t kept = 0, at = 0, number = 0;
    for (int64_t i = 0; i < c->n; ++i) {
        const int32_t pair = c->list[i].pair;
        number = i > 0 && c->list[i - 1].pair == pair ? number + 1 : 0;
        while (at < m->n && m->list[at].pair < pair) ++at;
        const int64_t was = at + number;
        if (was >= m->n || m->list[was].pair != pair) continue;
        assert_int_equal(c->colours[i], m->colours[was]);
        ++kept;
    }
    return kept;
}

static void check_world(const scree_world *world) {
    uint64_t used[1000] = {0};
    const scree_contacts *c = &world->state.contacts;
    assert_true(world->state.bodies.n < 1000);
    for (int64_t i = 0; i < c->n; ++i) {
        const int32_t ends[2] = {c->list[i].a, c->list[i].b};
        const uint64_t bit = UINT64_C(1) << c->colours[i];
        for (int e = 0; e < 2; ++e) {
            if (ends[e] < 0) continue;
            assert_false(used[ends[e]] & bit);
            used[ends[e]] |= bit;
        }
    }
}

/* Spheres that bounce have contacts that are found but do not act yet. */
static scree_world *heap(const char *stepper, bool cubes) {
    scree_world_def def = scree_world_def_default();
    def.stepper = stepper;
    def.dt = 2e-3;
    def.threads = 2;
    scree_world *world = make_world(
        &def, (scree_contact_law){.friction = 0.5, .e_n = cubes ? 0 : 0.3});
    add_box(world, 0.25);
    add_cloud(world, cubes ? 40 : 150, 0.25, 0.03, 0.04, 3);
    if (!cubes) return world;
    scree_shape_def shape = scree_shape_def_default();
    shape.kind = SCREE_SHAPE_BOX;
    for (int i = 0; i < 3; ++i) shape.size[i] = 0.06;
    scree_body_def cube = scree_body_def_default();
    assert_ok(scree_world_add_shape(world, &shape, &cube.shape));
    for (int i = 0; i < 27; ++i) {
        const double x[3] = {0.1 * (i % 3) - 0.1, 0.1 * (i / 3 % 3) - 0.1,
                             0.6 + 0.1 * (i / 9)};
        memcpy(cube.position, x, sizeof x);
        assert_ok(scree_world_add_body(world, &cube, NULL));
    }
    return world;
}

/* Between two rebuilds of the pair list only new contacts choose; after one all do.
 * Steps in which a stepper solves more than once are not followed through. */
static void check_heap(const char *stepper, bool cubes) {
    scree_world *world = heap(stepper, cubes);
    const bool moreau = strcmp(stepper, "moreau") == 0;
    int64_t kept = 0, chosen = 0, calm = 0;
    for (int step = 0; step < 600; ++step) {
        const int64_t rebuilds = world->accounts.cost.rebuilds;
        const int64_t rounds = world->accounts.cost.rounds;
        const int64_t parts = world->accounts.cost.parts;
        memory before = remember(world);
        run(world, 1);
        const bool once = moreau && world->accounts.cost.rounds == rounds &&
                          world->accounts.cost.parts == parts;
        const scree_problem *p = &world->state.problem;
        const bool rebuilt = world->accounts.cost.rebuilds > rebuilds;
        check_world(world);
        if (once && rebuilt) assert_int_equal(p->n_chosen, p->n_contact);
        if (once && !rebuilt) {
            const int64_t old = count_kept(world, &before);
            assert_int_equal(p->n_chosen, p->n_contact - old);
        }
        calm += !rebuilt;
        kept += rebuilt ? 0 : p->n_contact - p->n_chosen;
        chosen += rebuilt ? 0 : p->n_chosen;
        forget(&before);
    }
    print_message("%s: %d steps between rebuilds, %.1f contacts kept their "
                  "colours, %.1f chose\n",
                  stepper, (int)calm, (double)kept / (double)calm,
                  (double)chosen / (double)calm);
    assert_true(calm > 200 && kept > 10 * chosen);
    scree_world_destroy(world);
}

static void world__heap_comes_to_rest__few_choose(void **state) {
    (void)state;
    check_heap("moreau", false);
    check_heap("moreau", true);
    check_heap("rattle", false);
    check_heap("rattle", true);
}

/* Colours chosen while others came and went are hardly more than those chosen
 * together. */
static void world__at_rest__hardly_more_colours(void **state) {
    (void)state;
    scree_world *world = heap("moreau", false);
    int most = 0, least = SCREE_COLOURS;
    for (int step = 0; step < 600; ++step) {
        const int64_t rebuilds = world->accounts.cost.rebuilds;
        run(world, 1);
        int colours = 0;
        for (int64_t i = 0; i < world->state.contacts.n; ++i)
            if (world->state.contacts.colours[i] >= colours)
                colours = world->state.contacts.colours[i] + 1;
        if (step < 300) continue;
        if (world->accounts.cost.rebuilds > rebuilds && colours < least)
            least = colours;
        most = colours > most ? colours : most;
    }
    print_message("%d colours together, at most %d\n", least, most);
    assert_true(most <= least + 3);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            place_all__contacts_come_and_go__others_keep_their_colours),
        cmocka_unit_test(place_all__all_are_new__as_one_by_one),
        cmocka_unit_test(place_all__hub__overflow_finds_room_later),
        cmocka_unit_test(place_all__border_moves__colours_of_each_side),
        cmocka_unit_test(place_all__any_team__same_colours_and_places),
        cmocka_unit_test(world__heap_comes_to_rest__few_choose),
        cmocka_unit_test(world__at_rest__hardly_more_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
