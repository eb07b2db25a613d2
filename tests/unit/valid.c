/* What must hold of the main structs: checkers see each break, and an assert that
 * fails ends the program with a sentence. */
#ifndef SCREE_CHECKS
#define SCREE_CHECKS
#endif
#include "engine/base/assert.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "contact/narrow/valid.h"
#include "engine/world/valid.h"
#include "solvers/problem/problem_valid.h"
#include "tests/support.h"

/* Spheres and boxes that lie on each other and on a floor. */
static scree_world *heap_of_bodies(void) {
    scree_world_def def = scree_world_def_default();
    def.threads = 1;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_floor(world);
    scree_shape_def box = scree_shape_def_default();
    int32_t shape;
    box.kind = SCREE_SHAPE_BOX;
    for (int k = 0; k < 3; ++k) box.size[k] = 0.2;
    assert_int_equal(scree_world_add_shape(world, &box, &shape), SCREE_OK);
    for (int i = 0; i < 12; ++i) {
        const int column = i % 3, row = i / 3 % 2, layer = i / 6;
        add_sphere(world, 0.1,
                   vec(0.19 * column, 0.19 * row, 0.1 + 0.19 * layer),
                   vec(0, 0, 0), vec(0, 0, 0));
    }
    scree_body_def cube = scree_body_def_default();
    cube.shape = shape;
    vec_to(vec(2, 2, 0.1), cube.position);
    assert_int_equal(scree_world_add_body(world, &cube, NULL), SCREE_OK);
    run(world, 10);
    return world;
}

static scree_scene scene_of(const scree_world *world) {
    return (scree_scene){.n = world->state.bodies.n,
                         .x = world->state.bodies.x,
                         .n_wall = world->scene.n_wall};
}

/* True before and after, false while `place` holds `wrong`. */
#define ASSERT_SEES(valid, place, wrong)                                       \
    do {                                                                       \
        assert_true(valid);                                                    \
        const __typeof__(place) right_ = (place);                              \
        (place) = (wrong);                                                     \
        assert_false(valid);                                                   \
        (place) = right_;                                                      \
        assert_true(valid);                                                    \
    } while (0)

static void bodies__broken__seen(void **state) {
    (void)state;
    scree_world *world = heap_of_bodies();
    scree_bodies *b = &world->state.bodies;
    ASSERT_SEES(scree_bodies_is_valid(b), b->x[3].r, 0);
    ASSERT_SEES(scree_bodies_is_valid(b), b->u[3].inv_m, NAN);
    ASSERT_SEES(scree_bodies_is_valid(b), b->place[b->id[2]], 5);
    ASSERT_SEES(scree_bodies_is_valid(b), b->id[0], b->id[1]);
    ASSERT_SEES(scree_world_is_valid(world), b->id[0], b->n);
    scree_world_destroy(world);
}

static void pairs__out_of_order__seen(void **state) {
    (void)state;
    scree_world *world = heap_of_bodies();
    scree_broad *broad = &world->state.broad;
    const scree_scene scene = scene_of(world);
    assert_true(broad->n_pair > 10);
    scree_pair *last = &broad->pairs[broad->n_pair - 1];
    ASSERT_SEES(scree_pairs_is_valid(broad, &scene), broad->pairs[0].a,
                scene.n);
    ASSERT_SEES(scree_pairs_is_valid(broad, &scene), last->b, -2);
    ASSERT_SEES(scree_pairs_is_valid(broad, &scene), last->b, last->a);
    ASSERT_SEES(scree_pairs_is_valid(broad, &scene), *last, broad->pairs[0]);
    scree_world_destroy(world);
}

static void kept__out_of_order__seen(void **state) {
    (void)state;
    scree_world *world = heap_of_bodies();
    scree_broad *broad = &world->state.broad;
    const scree_contacts *c = &world->state.contacts;
    assert_int_equal(
        scree_broad_keep(broad, c->list, NULL, c->colours, c->n, 1), SCREE_OK);
    assert_true(broad->n_kept > 10);
    ASSERT_SEES(scree_kept_is_valid(broad), broad->kept[0].pair, -1);
    ASSERT_SEES(scree_kept_is_valid(broad), broad->kept[1].pair,
                broad->kept[broad->n_kept - 1].pair);
    ASSERT_SEES(scree_kept_is_valid(broad),
                broad->pairs[broad->kept[0].pair].count, 0);
    ASSERT_SEES(scree_kept_is_valid(broad), broad->n_state, 3);
    scree_world_destroy(world);
}

static void contacts__broken__seen(void **state) {
    (void)state;
    scree_world *world = heap_of_bodies();
    const scree_scene scene = scene_of(world);
    const scree_broad *broad = &world->state.broad;
    scree_contacts *c = &world->state.contacts;
    scree_contact *first = &c->list[0], *last = &c->list[c->n - 1];
    assert_true(c->n > 10);
    ASSERT_SEES(scree_contacts_is_valid(c, broad, &scene), first->g, INFINITY);
    ASSERT_SEES(scree_contacts_is_valid(c, broad, &scene), first->n,
                vec(0, 0, 1.1));
    ASSERT_SEES(scree_contacts_is_valid(c, broad, &scene), first->a,
                first->a + 1);
    ASSERT_SEES(scree_contacts_is_valid(c, broad, &scene), *last, *first);
    ASSERT_SEES(scree_contacts_is_valid(c, broad, &scene), last->pair, -1);
    ASSERT_SEES(scree_contacts_is_valid(c, broad, &scene), last->state,
                1 << 20);
    ASSERT_SEES(scree_world_is_valid(world), first->b, first->a);
    scree_world_destroy(world);
}

/* A body with a place that is lost is told of by its name, not by an assert. */
static void contacts__body_lost__left_alone(void **state) {
    (void)state;
    scree_world *world = heap_of_bodies();
    const scree_scene scene = scene_of(world);
    scree_contact *c = &world->state.contacts.list[0];
    world->state.bodies.x[c->a].x.x = NAN;
    c->g = NAN;
    assert_true(scree_contacts_is_valid(&world->state.contacts,
                                        &world->state.broad, &scene));
    scree_world_destroy(world);
}

/* Two contacts of one body. */
static void find_twins(const scree_contacts *c, int64_t *i, int64_t *k) {
    for (*i = 0; *i < c->n; ++*i)
        for (*k = 0; *k < *i; ++*k)
            if (c->list[*i].a == c->list[*k].a) return;
    fail();
}

static void colours__of_one_body__seen(void **state) {
    (void)state;
    scree_world *world = heap_of_bodies();
    scree_contacts *c = &world->state.contacts;
    int64_t i = 0, k = 0;
    find_twins(c, &i, &k);
    ASSERT_SEES(scree_world_colours_is_valid(world), c->colours[i],
                c->colours[k]);
    ASSERT_SEES(scree_world_is_valid(world), c->colours[i], c->colours[k]);
    c->colours[i] = c->colours[k] = SCREE_OVERFLOW;
    assert_true(scree_world_colours_is_valid(world));
    scree_world_destroy(world);
}

/* A lane that no contact has. */
static int find_spare(const scree_problem *p, int64_t *block) {
    for (*block = 0; *block < p->round.n_block; ++*block)
        for (int l = 0; l < SCREE_LANES; ++l)
            if (p->blocks[*block].a[l] == p->n_body) return l;
    fail();
    return 0;
}

static void problem__spare_lane__must_be_empty(void **state) {
    (void)state;
    scree_world *world = heap_of_bodies();
    scree_problem *p = &world->state.problem;
    int64_t k = 0;
    const int l = find_spare(p, &k);
    assert_true(p->sorted);
    ASSERT_SEES(scree_problem_is_valid(p), p->blocks[k].P_n[l], 1);
    ASSERT_SEES(scree_problem_is_valid(p), p->blocks[k].rho_n[l], 1);
    ASSERT_SEES(scree_problem_is_valid(p), p->blocks[k].P_t[2][l], 1);
    assert_true(p->general.n_block > 0);
    scree_world_destroy(world);
}

static void problem__lanes_of_one_body__seen(void **state) {
    (void)state;
    scree_world *world = heap_of_bodies();
    scree_problem *p = &world->state.problem;
    scree_block *x = &p->blocks[p->round.order[0]];
    assert_true(x->a[1] < p->n_body); /* two lanes are taken */
    ASSERT_SEES(scree_problem_is_valid(p), x->a[1], x->a[0]);
    ASSERT_SEES(scree_world_is_valid(world), x->b[0], x->a[1]);
    scree_world_destroy(world);
}

static void parts__broken__seen(void **state) {
    (void)state;
    scree_world *world = heap_of_bodies();
    scree_problem *p = &world->state.problem;
    scree_shelf *s = &p->round;
    scree_part_run *run = s->run;
    while (run->first == run->last) ++run; /* a colour with blocks */
    const int32_t first = p->blocks[s->list[run->inner]].a[0];
    ASSERT_SEES(scree_parts_is_valid(p), run->last, run->last + 1);
    ASSERT_SEES(scree_parts_is_valid(p), p->parts.common[first], 1);
    ASSERT_SEES(scree_parts_is_valid(p), p->parts.run[0].last, 1);
    ASSERT_SEES(scree_problem_is_valid(p), p->parts.common[first], 1);
    scree_world_destroy(world);
}

static void row__broken__seen(void **state) {
    (void)state;
    scree_world *world = heap_of_bodies();
    const scree_problem *p = &world->state.problem;
    scree_row row = scree_problem_row(p, 0);
    ASSERT_SEES(scree_row_is_valid(p, &row), row.n, vec(0, 0, 1.1));
    ASSERT_SEES(scree_row_is_valid(p, &row), row.a, p->n_body + 1);
    ASSERT_SEES(scree_row_is_valid(p, &row), row.b, -1);
    ASSERT_SEES(scree_row_is_valid(p, &row), row.mu, -0.5);
    row.general = true;
    ASSERT_SEES(scree_row_is_valid(p, &row), row.laws, SCREE_ELLIPSE);
    ASSERT_SEES(scree_row_is_valid(p, &row), row.laws, SCREE_ROLLING);
    row.laws = SCREE_ROLLING, row.roll = 0.1;
    ASSERT_SEES(scree_row_is_valid(p, &row), row.general, false);
    scree_world_destroy(world);
}

/* A body owned here with contacts here and elsewhere, and a copy. */
static void coupling__broken__seen(void **state) {
    (void)state;
    int32_t slot[] = {-1, 0, 1};
    scree_shared shared[] = {{.place = 1, .weight = 0.5, .degree = 4},
                             {.place = 2, .weight = 1, .degree = 2}};
    scree_coupling c = {
        .n_shared = 2, .n_owned = 1, .shared = shared, .slot = slot};
    ASSERT_SEES(scree_coupling_is_valid(&c), slot[1], 1);
    ASSERT_SEES(scree_coupling_is_valid(&c), shared[0].weight, 1.5);
    ASSERT_SEES(scree_coupling_is_valid(&c), shared[0].weight, NAN);
    ASSERT_SEES(scree_coupling_is_valid(&c), shared[1].degree, 0);
    ASSERT_SEES(scree_coupling_is_valid(&c), c.n_owned, 3);
}

static void blocks__broken__seen(void **state) {
    (void)state;
    scree_fc3d p;
    assert_int_equal(scree_fc3d_create(&p, 2, 4), SCREE_OK);
    for (int i = 0; i < 2; ++i) {
        p.row[i] = 2 * i;
        p.column[2 * i] = i, p.column[2 * i + 1] = 1 - i;
    }
    p.row[2] = 4;
    ASSERT_SEES(scree_fc3d_is_valid(&p), p.row[2], 3);
    ASSERT_SEES(scree_fc3d_is_valid(&p), p.row[1], 4);
    ASSERT_SEES(scree_fc3d_is_valid(&p), p.column[2], 0);
    ASSERT_SEES(scree_fc3d_is_valid(&p), p.column[3], 2);
    scree_fc3d_free(&p);
}

static void dense__broken__seen(void **state) {
    (void)state;
    scree_set sets[] = {
        {.kind = SCREE_SET_HALFLINE, .row = 0, .n = 1},
        {.kind = SCREE_SET_BALL, .row = 1, .n = 2, .normal = 0, .mu = 0.3}};
    scree_delassus d = {.n = 3, .n_set = 2, .sets = sets};
    ASSERT_SEES(scree_delassus_is_valid(&d), sets[1].row, 0);
    ASSERT_SEES(scree_delassus_is_valid(&d), sets[1].n, 1);
    ASSERT_SEES(scree_delassus_is_valid(&d), sets[1].normal, 3);
    ASSERT_SEES(scree_delassus_is_valid(&d), d.n, 4);
    ASSERT_SEES(scree_delassus_is_valid(&d), d.n_set, 1);
}

/* ---- the assert ----------------------------------------------------------- */

static void fail_apart(int to) {
    dup2(to, STDERR_FILENO);
    signal(SIGABRT, SIG_DFL);
    scree_assert(1 + 1 == 3);
    _exit(0);
}

static void assert__fails__says_where_and_aborts(void **state) {
    (void)state;
    int ends[2], status;
    char text[500] = "";
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) fail_apart(ends[1]);
    close(ends[1]);
    assert_true(read(ends[0], text, sizeof text - 1) > 0);
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_non_null(strstr(text, "valid.c"));
    assert_non_null(strstr(text, "1 + 1 == 3"));
}

static void assert__holds__does_nothing(void **state) {
    (void)state;
    int looked = 0;
    scree_assert(++looked == 1);
    assert_int_equal(looked, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies__broken__seen),
        cmocka_unit_test(pairs__out_of_order__seen),
        cmocka_unit_test(kept__out_of_order__seen),
        cmocka_unit_test(contacts__broken__seen),
        cmocka_unit_test(contacts__body_lost__left_alone),
        cmocka_unit_test(colours__of_one_body__seen),
        cmocka_unit_test(problem__spare_lane__must_be_empty),
        cmocka_unit_test(problem__lanes_of_one_body__seen),
        cmocka_unit_test(parts__broken__seen),
        cmocka_unit_test(row__broken__seen),
        cmocka_unit_test(coupling__broken__seen),
        cmocka_unit_test(blocks__broken__seen),
        cmocka_unit_test(dense__broken__seen),
        cmocka_unit_test(assert__fails__says_where_and_aborts),
        cmocka_unit_test(assert__holds__does_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
