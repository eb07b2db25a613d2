/* What stands and what falls: pyramids, cards and houses of them, arches, dominoes. */
#include <stdlib.h>
#include <time.h>

#include "tests/analytic/shapes_fixture.h"

static double cpu(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

/* ---- pyramids ------------------------------------------------------------- */

/* Steps for 10 s; returns how far any body has moved. */
static double drift_of(scree_world *world, double dt, const char *name) {
    enum { MOST = 210 };
    const int n = (int)scree_world_body_count(world);
    scree_vec3 begin[MOST];
    assert_true(n <= MOST);
    for (int i = 0; i < n; ++i) begin[i] = read_body(world, i).x;
    const double start = cpu();
    run(world, (int)(10 / dt + 0.5));
    double most = 0;
    for (int i = 0; i < n; ++i)
        most = fmax(most, norm(sub(read_body(world, i).x, begin[i])));
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    print_message("%s: %d bodies, %.1f s, drift %.2g, %.1f sweeps, %.0f "
                  "contacts, %d steps unconverged\n",
                  name, n, cpu() - start, most,
                  (double)cost.iterations * dt / 10,
                  (double)cost.contacts * dt / 10, (int)cost.unconverged);
    return most;
}

/* Square layers 5 x 5, 4 x 4, ..., 1. */
static void pyramid__of_55_boxes__stands(void **state) {
    (void)state;
    const scree_world_def def = firm_def(5e-3);
    const double s = 0.2;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_floor(world);
    const int box = add_box_shape(world, s, s, s);
    for (int n = 5; n > 0; --n)
        for (int i = 0; i < n * n; ++i)
            put_body(world, (put){box, .x = vec((i % n - 0.5 * (n - 1)) * s,
                                                (i / n - 0.5 * (n - 1)) * s,
                                                (5.5 - n) * s)});
    assert_true(drift_of(world, def.dt, "boxes") < 1e-3 * s);
    scree_world_destroy(world);
}

/* Rows of 20, 19, ..., 1. */
static void pyramid__of_210_squares__stands(void **state) {
    (void)state;
    enum { ROWS = 20 };
    const scree_world_def def = plane_def(5e-3);
    const double s = 0.2;
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.5});
    add_plane(world, vec(0, 0, 0), vec(0, 1, 0));
    const int square = add_rectangle(world, s, s, 0);
    for (int n = ROWS; n > 0; --n)
        for (int i = 0; i < n; ++i)
            put_body(world, (put){square, .x = vec((i - 0.5 * (n - 1)) * s,
                                                   (ROWS + 0.5 - n) * s, 0)});
    assert_true(drift_of(world, def.dt, "squares") < 1e-3 * s);
    scree_world_destroy(world);
}

/* ---- cards ------------------------------------------------------------------ */

/* Two cards of length L and thickness t with round corners lean against each
 * other, at an angle theta from the vertical. With the foot at F, the top at A
 * and the centre at C the moments about F balance if the cards press with
 * H = W (x_C - x_F) / (y_A - y_F); the foot carries W and H: it holds for
 *     mu >= (x_C - x_F) / (y_A - y_F),
 * tan(theta) / 2 for thin cards. */
typedef struct cards {
    double theta, x, y; /* of the right card: leans to the left */
    double limit;
} cards;

static const double L = 0.5, T = 0.01, ROUND = 0.004;

static cards lean(double theta) {
    const double s = sin(theta), c = cos(theta);
    const double l = L / 2 - ROUND, t = T / 2 - ROUND; /* of the core */
    cards k = {.theta = theta};
    /* The corners of the core that carry, both on its left. */
    const scree_vec3 foot = vec(l * s - t * c, -l * c - t * s, 0);
    const scree_vec3 top = vec(-l * s - t * c, l * c - t * s, 0);
    k.y = ROUND - foot.y;
    k.x = ROUND - top.x;
    k.limit = foot.x / (top.y - (foot.y - ROUND));
    return k;
}

static double slid(double theta, double share) {
    const cards k = lean(theta);
    const scree_world_def def = plane_def(2e-3);
    scree_world *world =
        make_world(&def, (scree_contact_law){.friction = share * k.limit});
    add_plane(world, vec(0, 0, 0), vec(0, 1, 0));
    const int card = add_rectangle(world, T - 2 * ROUND, L - 2 * ROUND, ROUND);
    put_body(world,
             (put){card, .x = vec(k.x, k.y, 0), .turn = vec(0, 0, theta)});
    put_body(world,
             (put){card, .x = vec(-k.x, k.y, 0), .turn = vec(0, 0, -theta)});
    run(world, 1500);
    const double moved = fabs(read_body(world, 0).x.x - k.x);
    print_message("cards: theta %.2f, mu %.4f (thin %.4f), moved %.2g\n", theta,
                  share * k.limit, tan(theta) / 2, moved);
    scree_world_destroy(world);
    return moved;
}

static void cards__about_the_friction_limit__hold_and_slide(void **state) {
    (void)state;
    const double thetas[] = {0.3, 0.6};
    for (int i = 0; i < 2; ++i) {
        assert_true(slid(thetas[i], 1.03) < 1e-4 * L);
        assert_true(slid(thetas[i], 0.97) > 0.2 * L);
    }
}

/* With sharp corners an edge meets an edge, and the normal is that of a card's face:
 * turned by theta from the horizontal force that the cards exchange. So they stand
 * for mu > tan(theta); in the plane, and in space on edges 0.3 long. */
static double sharp_cards_move(double theta, double mu, bool planar) {
    const scree_world_def def = planar ? plane_def(2e-3) : firm_def(2e-3);
    const double x = 0.5 * (L * sin(theta) + T * cos(theta));
    const double high = 0.5 * (L * cos(theta) + T * sin(theta));
    scree_world *world = make_world(&def, (scree_contact_law){.friction = mu});
    const scree_vec3 up = planar ? vec(0, 1, 0) : vec(0, 0, 1);
    const scree_vec3 turn = planar ? vec(0, 0, theta) : vec(0, -theta, 0);
    add_plane(world, vec(0, 0, 0), up);
    const int card = planar ? add_rectangle(world, T, L, 0)
                            : add_box_shape(world, T, 0.3, L);
    for (int side = -1; side <= 1; side += 2)
        put_body(world,
                 (put){card, .x = add_scaled(vec(side * x, 0, 0), high, up),
                       .turn = scale(side, turn)});
    const scree_vec3 begin = read_body(world, 0).x;
    run(world, 1500);
    const double moved = norm(sub(read_body(world, 0).x, begin));
    scree_world_destroy(world);
    return moved;
}

static void cards__with_sharp_edges__stand(void **state) {
    (void)state;
    const double thetas[] = {0.1, 0.3, 0.6};
    for (int i = 0; i < 3; ++i)
        for (int planar = 0; planar < 2; ++planar)
            assert_true(sharp_cards_move(thetas[i], 1.1 * tan(thetas[i]),
                                         planar) < 1e-5 * L);
}

/* ---- house of cards ------------------------------------------------------------ */

/* Three storeys of leaning pairs: 3, 2 and 1 of them, a lying card across the tops
 * of every two neighbours, the next storey on those. 15 cards, all alike. In the
 * plane, or in space on edges 0.3 long. */
enum { STOREYS = 3 };

typedef struct house {
    scree_world *world;
    bool planar;
    int card;
} house;

static void put_card(const house *h, double x, double y, double turn) {
    const scree_vec3 at = h->planar ? vec(x, y, 0) : vec(x, 0, y);
    put_body(h->world,
             (put){h->card, .x = at,
                   .turn = h->planar ? vec(0, 0, turn) : vec(0, -turn, 0)});
}

static int add_card(scree_world *world, bool planar) {
    if (planar)
        return add_rectangle(world, T - 2 * ROUND, L - 2 * ROUND, ROUND);
    scree_shape_def def = scree_shape_def_default();
    def.size[0] = T - 2 * ROUND, def.size[1] = 0.3, def.size[2] = L - 2 * ROUND;
    def.rounding = ROUND;
    return add_shape(world, &def);
}

/* Lying cards end just short of the middle of a pair that two of them share. */
static scree_world *build_house(double mu, bool planar) {
    const cards k = lean(0.45);
    const double pitch = 0.94 * L, apart = 0.001 * L;
    const double high = k.y + (L / 2 - ROUND) * cos(k.theta) +
                        (T / 2 - ROUND) * sin(k.theta) + ROUND;
    const scree_world_def def = planar ? plane_def(2e-3) : firm_def(2e-3);
    house h = {make_world(&def, (scree_contact_law){.friction = mu}), planar,
               0};
    add_plane(h.world, vec(0, 0, 0), planar ? vec(0, 1, 0) : vec(0, 0, 1));
    h.card = add_card(h.world, planar);
    for (int storey = 0; storey < STOREYS; ++storey) {
        const double floor = storey * (high + T);
        const int pairs = STOREYS - storey;
        for (int i = 0; i < pairs; ++i) {
            const double x = (i - 0.5 * (pairs - 1)) * pitch;
            put_card(&h, x + k.x, floor + k.y, k.theta);
            put_card(&h, x - k.x, floor + k.y, -k.theta);
        }
        for (int i = 0; i + 1 < pairs; ++i) {
            const int side = 2 * i - (pairs - 2); /* -1, 1; 0: the only one */
            put_card(&h, side * (L / 2 + apart), floor + high + T / 2,
                     SCREE_PI / 2);
        }
    }
    return h.world;
}

static void cards__house_of_three_storeys__stands(void **state) {
    (void)state;
    for (int planar = 0; planar < 2; ++planar) {
        scree_world *world = build_house(0.6, planar);
        assert_true(drift_of(world, 2e-3,
                             planar ? "house in the plane" : "house of cards") <
                    1e-3 * T);
        scree_world_destroy(world);
    }
}

static void cards__house_with_little_friction__falls(void **state) {
    (void)state;
    for (int planar = 0; planar < 2; ++planar) {
        scree_world *world = build_house(0.2, planar);
        const int top =
            STOREYS * (STOREYS + 1) + STOREYS * (STOREYS - 1) / 2 - 1;
        const scree_vec3 begin = read_body(world, top).x;
        run(world, 500);
        assert_true(norm(sub(read_body(world, top).x, begin)) > 0.5 * L);
        scree_world_destroy(world);
    }
}

/* ---- arch -------------------------------------------------------------------- */

/* A half circle of voussoirs, mean radius 1, on the floor. Returns how far its
 * highest point has sunk after 5 s. */
static double sunk(int n, double thickness) {
    scree_world_def def = plane_def(2e-3);
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.7});
    add_plane(world, vec(0, 0, 0), vec(0, 1, 0));
    const double in = 1 - thickness / 2, out = 1 + thickness / 2;
    double top = 0, now = 0;
    for (int i = 0; i < n; ++i) {
        const double a = SCREE_PI * i / n, b = SCREE_PI * (i + 1) / n;
        const double p[] = {
            in * cos(a),  in * sin(a),  0, out * cos(a), out * sin(a), 0,
            out * cos(b), out * sin(b), 0, in * cos(b),  in * sin(b),  0};
        const double h = b - a; /* centre of mass of the slice, chord-cut */
        const double r = (2.0 / 3) * cos(h / 2) *
                         (in * in + in * out + out * out) / (in + out);
        const double m = (a + b) / 2;
        put_body(world,
                 (put){add_points_shape(world, SCREE_SHAPE_POLYGON, p, 4, 0),
                       .x = vec(r * cos(m), r * sin(m), 0)});
        top = fmax(top, r * sin(m));
    }
    run(world, (int)(5 / def.dt));
    for (int i = 0; i < n; ++i) now = fmax(now, read_body(world, i).x.y);
    scree_cost cost;
    scree_world_read_cost(world, &cost);
    print_message("arch of %d, t/R %.4f: sunk %.3g, %.0f sweeps, %d "
                  "unconverged\n",
                  n, thickness, top - now, (double)cost.iterations * def.dt / 5,
                  (int)cost.unconverged);
    scree_world_destroy(world);
    return top - now;
}

/* The least thickness of a half circle is 0.1075 of its mean radius (Milankovitch
 * 1907). */
static void arch__about_the_least_thickness__stands_and_falls(void **state) {
    (void)state;
    const int counts[] = {15, 18, 21};
    for (int i = 0; i < 3; ++i) {
        assert_true(sunk(counts[i], 0.109) < 1e-3);
        assert_true(sunk(counts[i], 0.1045) > 0.3);
    }
}

/* ---- dominoes ----------------------------------------------------------------- */

enum { DOMINOES = 20 };
static const double HIGH = 0.05, THIN = 0.008, PITCH = 0.02;

/* Times at which each domino has turned by the angle of its first hit. */
static void domino_times(double dt, double *times) {
    scree_world_def def = plane_def(dt);
    scree_world *world = make_world(&def, (scree_contact_law){.friction = 0.3});
    add_plane(world, vec(0, 0, 0), vec(0, 1, 0));
    const int domino = add_rectangle(world, THIN, HIGH, 0);
    for (int i = 0; i < DOMINOES; ++i) /* the first turns about its foot */
        put_body(world, (put){domino, .x = vec(PITCH * i, HIGH / 2, 0),
                              .v = scale(i ? 0 : 2, vec(HIGH, THIN, 0)),
                              .w = vec(0, 0, i ? 0 : -4)});
    const double angle = 0.9 * asin((PITCH - THIN) / HIGH);
    int fallen = 0;
    double before = 0;
    while (fallen < DOMINOES && scree_world_time(world) < 3) {
        run(world, 1);
        const double turned = turned_by(read_body(world, fallen).q);
        if (turned > angle) {
            const double share = (angle - before) / (turned - before);
            times[fallen++] = scree_world_time(world) - (1 - share) * dt;
            before = turned_by(read_body(world, fallen % DOMINOES).q);
        } else {
            before = turned;
        }
    }
    assert_int_equal(fallen, DOMINOES);
    scree_world_destroy(world);
}

static double wave_speed(double dt) {
    double t[DOMINOES], least = INFINITY, most = 0;
    domino_times(dt, t);
    for (int i = DOMINOES / 2; i + 4 < DOMINOES; ++i) {
        const double speed = 4 * PITCH / (t[i + 4] - t[i]);
        least = fmin(least, speed), most = fmax(most, speed);
    }
    const double mean = (DOMINOES - 1 - DOMINOES / 2) * PITCH /
                        (t[DOMINOES - 1] - t[DOMINOES / 2]);
    print_message("dominoes: dt %g, speed %.4f in [%.4f, %.4f]\n", dt, mean,
                  least, most);
    assert_true(most - least < 0.1 * mean);
    return mean;
}

static void dominoes__wave__has_one_speed(void **state) {
    (void)state;
    const double coarse = wave_speed(2e-3), fine = wave_speed(1e-3);
    assert_near(coarse / fine, 1, 0.1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pyramid__of_55_boxes__stands),
        cmocka_unit_test(pyramid__of_210_squares__stands),
        cmocka_unit_test(cards__about_the_friction_limit__hold_and_slide),
        cmocka_unit_test(cards__with_sharp_edges__stand),
        cmocka_unit_test(cards__house_of_three_storeys__stands),
        cmocka_unit_test(cards__house_with_little_friction__falls),
        cmocka_unit_test(arch__about_the_least_thickness__stands_and_falls),
        cmocka_unit_test(dominoes__wave__has_one_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
