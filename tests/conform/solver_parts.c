/* Problems cut into parts: who works on what, and that nothing depends on it. */
#include <string.h>

#include "engine/base/parallel.h"
#include "solvers/methods/pgs.h"
#include "tests/conform/solver_fixture.h"

enum { N = 300, M = 901 };

/* Sorted for so many threads, however small it is. */
static void sort_for(scree_problem *p, int threads) {
    const int64_t worth = scree_worth_threads(1);
    p->threads = threads;
    assert_ok(scree_problem_sort(p));
    assert_int_equal(p->parts.n, threads);
    scree_worth_threads(worth);
}

/* Every body touches the next three, as sorted contacts do. */
static fixture chain(void) {
    fixture f = new_fixture(N, 3 * N);
    for (int i = 0; i < N; ++i)
        set_body(&f, i, 1, 0.1, vec(0, 0, -0.01), vec(0, 0, 0));
    for (int i = 0; i < N; ++i)
        for (int k = 1; k <= 3; ++k)
            if (i + k < N)
                add_contact(&f, i, i + k, vec(0, 0, 1), 0.1, 0.1, 0.5,
                            vec(0, 0, 0));
    keep_u_free(&f);
    return f;
}

/* ---- who works on what --------------------------------------------------------- */

typedef struct census {
    const scree_problem *p;
    const scree_shelf *shelf;
    int times[M];        /* that a block is listed */
    bool touched[N + 1]; /* by blocks of a part that the body is not of */
    int64_t inner, all;
} census;

static int part_of_body(const scree_parts *parts, int32_t i) {
    int k = 0;
    while (i >= parts->cut[k + 1]) ++k;
    return k;
}

static void count_body(census *c, int32_t i, int part, bool inner) {
    if (i == N) return; /* the static one */
    const bool abroad = part_of_body(&c->p->parts, i) != part;
    c->touched[i] |= abroad;
    assert_true(c->p->parts.common[i] || !abroad);
    if (inner) assert_false(c->p->parts.common[i]);
}

static void count_run(census *c, const scree_part_run *run, int part) {
    assert_true(run->first <= run->inner && run->inner <= run->last);
    for (int64_t i = run->first; i < run->last; ++i) {
        const int32_t k = c->shelf->list[i];
        const bool round = c->shelf == &c->p->round;
        const int32_t *a = round ? c->p->blocks[k].a : c->p->generals[k].a;
        const int32_t *b = round ? c->p->blocks[k].b : c->p->generals[k].b;
        ++c->times[k];
        for (int l = 0; l < SCREE_LANES; ++l) {
            count_body(c, a[l], part, i >= run->inner);
            count_body(c, b[l], part, i >= run->inner);
        }
    }
    c->inner += run->last - run->inner, c->all += run->last - run->first;
}

static void count_shelf(census *c, const scree_shelf *shelf) {
    c->shelf = shelf;
    memset(c->times, 0, sizeof c->times);
    for (int colour = 0; colour < SCREE_COLOURS; ++colour)
        for (int k = 0; k < c->p->parts.n; ++k)
            count_run(c, &shelf->run[colour * c->p->parts.n + k], k);
    for (int64_t k = 0; k < shelf->n_block; ++k)
        assert_int_equal(c->times[k], 1);
}

/* Runs of a part follow each other, and behind the last comes the first again. */
static void check_list(const scree_shelf *shelf, int parts, int part) {
    const scree_part_run *run = &shelf->run[part];
    const int64_t begin = run->first;
    int64_t end = begin;
    for (int colour = 0; colour < SCREE_COLOURS; ++colour, run += parts) {
        assert_int_equal(run->first, end);
        end = run->last;
    }
    for (int64_t i = 0; begin < end && i < SCREE_AHEAD; ++i)
        assert_int_equal(shelf->list[end + i],
                         shelf->list[begin + i % (end - begin)]);
}

/* Each once, in its part; those that are common first. */
static void check_bodies(const scree_parts *parts) {
    int times[N] = {0};
    assert_int_equal(parts->cut[0], 0);
    assert_int_equal(parts->cut[parts->n], N);
    for (int k = 0; k < parts->n; ++k) {
        const scree_part_run *run = &parts->run[k];
        for (int64_t i = run->first; i < run->last; ++i) {
            const int32_t which = parts->bodies[i];
            ++times[which];
            assert_int_equal(part_of_body(parts, which), k);
            assert_int_equal(parts->common[which], i < run->inner);
        }
    }
    for (int i = 0; i < N; ++i) assert_int_equal(times[i], 1);
}

static census check_parts(fixture *f, int threads) {
    sort_for(&f->p, threads);
    census c = {.p = &f->p};
    count_shelf(&c, &f->p.round);
    count_shelf(&c, &f->p.general);
    for (int k = 0; k < threads; ++k) {
        check_list(&f->p.round, threads, k);
        check_list(&f->p.general, threads, k);
    }
    for (int i = 0; i < N; ++i)
        assert_int_equal(f->p.parts.common[i], c.touched[i]);
    check_bodies(&f->p.parts);
    return c;
}

static void
parts__contacts_in_any_order__all_blocks_and_bodies_once(void **state) {
    (void)state;
    for (int threads = 1; threads <= 7; ++threads) {
        fixture f = random_kind(N, M, 0.5, threads % 2);
        check_parts(&f, threads);
        free_fixture(&f);
    }
}

static void parts__sorted_contacts__even_and_mostly_inner(void **state) {
    (void)state;
    for (int threads = 2; threads <= 4; ++threads) {
        fixture f = chain();
        const census c = check_parts(&f, threads);
        assert_true(c.inner * 10 > c.all * 8);
        for (int k = 0; k < threads; ++k) {
            const int32_t *cut = &f.p.parts.cut[k];
            assert_near(cut[1] - cut[0], (double)N / threads, 0.05 * N);
        }
        free_fixture(&f);
    }
}

static void parts__no_contacts__one_part_has_all(void **state) {
    (void)state;
    fixture f = new_fixture(N, 4);
    f.p.threads = 4;
    assert_ok(scree_problem_sort(&f.p));
    assert_int_equal(f.p.parts.n, 1);
    check_bodies(&f.p.parts);
    free_fixture(&f);
}

/* ---- nothing depends on it -------------------------------------------------------- */

static const scree_pass sweep = {scree_pgs_wide, scree_pgs_one_by_one,
                                 scree_pgs_general,
                                 scree_pgs_general_one_by_one};

static void stir(scree_problem *p, const int32_t *list, int64_t first,
                 int64_t last, const void *context) {
    (void)context;
    for (int64_t i = first; i < last; ++i)
        p->u[list[i]].v = scale(1.01, p->u[list[i]].v);
}

static void sweep_often(void *context, const scree_team *team) {
    scree_problem *p = context;
    for (int k = 0; k < 30; ++k) {
        const scree_pgs g = {.omega = 1.1, .momentum = 0.05 * (k % 3)};
        scree_problem_pass_bodies(p, team, stir, NULL);
        scree_problem_pass(p, team, &sweep, &g);
    }
}

/* 30 sweeps of a problem in `parts` by `members`, held against one of each. */
static void check_bits(bool general, int parts, int members) {
    fixture f = random_kind(N, M, 0.5, general);
    fixture g = random_kind(N, M, 0.5, general);
    sort_for(&f.p, 1);
    sort_for(&g.p, parts);
    scree_team_run(1, sweep_often, &f.p);
    scree_team_run(members, sweep_often, &g.p);
    assert_same_bits(&f, &g);
    free_fixture(&f);
    free_fixture(&g);
}

static void pass__members_of_parts__same_bits(void **state) {
    (void)state;
    for (int parts = 2; parts <= 5; ++parts) {
        check_bits(false, parts, parts);
        check_bits(true, parts, parts);
    }
}

static void pass__fewer_members_than_parts__same_bits(void **state) {
    (void)state;
    check_bits(false, 5, 1);
    check_bits(true, 5, 2);
    check_bits(true, 4, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            parts__contacts_in_any_order__all_blocks_and_bodies_once),
        cmocka_unit_test(parts__sorted_contacts__even_and_mostly_inner),
        cmocka_unit_test(parts__no_contacts__one_part_has_all),
        cmocka_unit_test(pass__members_of_parts__same_bits),
        cmocka_unit_test(pass__fewer_members_than_parts__same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
