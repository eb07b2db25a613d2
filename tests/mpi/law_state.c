/* law_state.c: what laws keep of contacts and of bodies goes along with bodies to other
 * ranks: boxes whose friction weakens with slip (tests/laws/weakening.c), or grows with
 * it (scarring.c), or with their way on ground that drags them (slippage), or with the
 * ground's attraction (cohesion), slide over cuts, with the bits of one rank; and so do
 * pairs of spheres that are glued to each other. */
#include <string.h>

#include "tests/mpi/ranks.h"

/* Boxes come past the cut between them: half of them change their rank. */
enum { BOXES = 24, STEPS = 120 };

/* Two spheres that turn about each other. */
static void add_dumbbell(scree_world *world, scree_vec3 x, double speed) {
    for (int k = 0; k < 2; ++k) {
        scree_sphere_def ball = scree_sphere_def_default();
        const double side = k ? 0.05 : -0.05;
        ball.radius = 0.05;
        vec_to(vec(x.x, x.y + side, x.z), ball.position);
        ball.velocity[0] = speed - 3 * side, ball.angular_velocity[2] = 3;
        CHECK_OK(scree_world_add_sphere(world, &ball, NULL));
    }
}

static scree_world *make_slide(scree_contact_law law) {
    scree_world_def def = def_of("moreau", "pgs", 200, 1e-8);
    scree_world *world;
    def.reproducible = true;
    CHECK_OK(scree_world_create(&def, &world));
    scree_material_def material = scree_material_def_default();
    material.law = law;
    CHECK_OK(scree_world_add_material(world, &material, NULL));
    add_plane(world, vec(0, 0, 0), vec(0, 0, 1));
    const int cube = add_cube(world, 0.1);
    for (int i = 0; i < BOXES; ++i) {
        if (law.bond.normal > 0) {
            add_dumbbell(world, vec(0.2 * (i % 6), 0.25 * (i / 6), 0.06),
                         i / 6 % 2 ? 2 : -2);
            continue;
        }
        scree_body_def body = scree_body_def_default();
        body.shape = cube;
        body.position[0] = 0.2 * (i % 6), body.position[1] = 0.2 * (i / 6);
        body.position[2] = 0.05;
        body.velocity[0] = i / 6 % 2 ? 2 : -2;
        CHECK_OK(scree_world_add_body(world, &body, NULL));
    }
    return world;
}

/* New cuts whenever the list is built. */
static uint64_t run_slide(scree_world *world) {
    for (int k = 0; k < STEPS; ++k) {
        if (world->ranks.domain) world->ranks.domain->best = 0;
        CHECK_OK(scree_world_step(world));
    }
    const uint64_t hash = scree_world_hash(world);
    return hash;
}

static uint64_t alone_hash(scree_contact_law law) {
    scree_world *world = make_slide(law);
    const uint64_t hash = run_slide(world);
    scree_world_destroy(world);
    return hash;
}

static void slide_over_cuts(const scree_comm *comm, scree_contact_law law) {
    const uint64_t expected = alone_hash(law);
    const scree_contact_law plain = {.friction = law.friction};
    CHECK(expected != alone_hash(plain)); /* the law matters */
    scree_world *world = make_slide(law);
    CHECK_OK(scree_world_distribute(world, comm));
    CHECK(run_slide(world) == expected);
    if (comm->size > 1) CHECK(world->ranks.domain->cuts > 1);
    scree_world_destroy(world);
}

static void
weakening__boxes_over_cuts__bits_of_one_rank(const scree_comm *comm) {
    slide_over_cuts(comm,
                    (scree_contact_law){.friction = 0.6, .own = {0.2, 0.02}});
}

static void
scarring__boxes_over_cuts__bits_of_one_rank(const scree_comm *comm) {
    slide_over_cuts(
        comm, (scree_contact_law){.friction = 0.6, .own = {0.2, 0, 20, 5}});
}

static void
slippage__boxes_over_cuts__bits_of_one_rank(const scree_comm *comm) {
    slide_over_cuts(comm, (scree_contact_law){.friction = 0.6,
                                              .slippage = {.least = 0.1,
                                                           .growth = 20,
                                                           .decay = 50,
                                                           .drag = 0.9}});
}

static void
cohesion__boxes_over_cuts__bits_of_one_rank(const scree_comm *comm) {
    slide_over_cuts(
        comm, (scree_contact_law){.friction = 0.2, .cohesion = {.force = 20}});
}

static void
bonds__dumbbells_over_cuts__bits_of_one_rank(const scree_comm *comm) {
    slide_over_cuts(
        comm, (scree_contact_law){.friction = 0.2, .bond = {2e3, 2e3, 50}});
}

int main(int argc, char **argv) {
    static const scree_trial trials[] = {
        {"weakening__boxes_over_cuts__bits_of_one_rank",
         weakening__boxes_over_cuts__bits_of_one_rank},
        {"scarring__boxes_over_cuts__bits_of_one_rank",
         scarring__boxes_over_cuts__bits_of_one_rank},
        {"slippage__boxes_over_cuts__bits_of_one_rank",
         slippage__boxes_over_cuts__bits_of_one_rank},
        {"cohesion__boxes_over_cuts__bits_of_one_rank",
         cohesion__boxes_over_cuts__bits_of_one_rank},
        {"bonds__dumbbells_over_cuts__bits_of_one_rank",
         bonds__dumbbells_over_cuts__bits_of_one_rank},
    };
    return scree_trials_run(argc, argv, trials, 5);
}
