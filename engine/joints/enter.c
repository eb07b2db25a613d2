/* enter.c: rows of joints into the problem, behind those of contacts, and percussions
 * back. */
#include "engine/base/error.h"
#include "engine/joints/joints.h"

#include <string.h>

#include "solvers/problem/kernel.h"

static int64_t first_row(const scree_world *world) {
    return world->state.problem.n_contact - world->joints.n_row;
}

/* ---- which rows there are ---------------------------------------------------------- */

static int rows_of(const scree_joint *j) {
    return 1 +
           (j->limited || (j->kind == SCREE_JOINT_SPRING && j->prestress > 0));
}

static bool is_centre(scree_vec3 on) {
    return dot(on, on) == 0;
}

/* An inextensible cable between centres that holds whatever comes, and acts in all
 * solves: those of rattle, and of moreau to the letter, leave slack ones out. */
static bool is_round(const scree_world *world, const scree_joint *j) {
    return world->def.gap_control &&
           strcmp(world->def.stepper, "moreau") == 0 &&
           j->kind == SCREE_JOINT_CABLE && j->stiffness == 0 &&
           j->breaks_at == 0 && j->slips_at == 0 && is_centre(j->on_a) &&
           (j->b < 0 || is_centre(j->on_b));
}

bool scree_joints_turn_bodies(const scree_world *world) {
    for (int64_t k = 0; k < world->joints.n; ++k)
        if (!is_round(world, &world->joints.list[k])) return true;
    return false;
}

static void add_row(scree_world *world, int32_t k, int32_t row) {
    const scree_joint *j = &world->joints.list[k];
    const scree_bodies *b = &world->state.bodies;
    world->joints.rows[world->joints.n_row++] = (struct scree_joint_row){
        .joint = k,
        .row = row,
        .a = scree_bodies_place(b, j->a),
        .b = j->b >= 0 ? scree_bodies_place(b, j->b) : b->n + b->walls,
        .round = is_round(world, j)};
}

scree_status scree_joints_begin(scree_world *world) {
    scree_joints *joints = &world->joints;
    if (joints->n == 0) return SCREE_OK;
    TRY(scree_reserve_anew(&joints->rows, &joints->row_capacity,
                           SCREE_JOINT_ROWS * joints->n, sizeof *joints->rows));
    joints->n_row = 0;
    for (int32_t k = 0; k < joints->n; ++k)
        for (int row = 0;
             row < rows_of(&joints->list[k]) && !joints->list[k].broken; ++row)
            add_row(world, k, row);
    return scree_problem_reserve_bars(&world->state.problem, joints->n_row);
}

void scree_joints_spots(const scree_world *world, scree_spot *spots) {
    for (int64_t i = 0; i < world->joints.n_row; ++i) {
        const struct scree_joint_row *r = &world->joints.rows[i];
        spots[i] = (scree_spot){.a = r->a, .b = r->b, .general = !r->round};
    }
}

/* Numbers above those of any contact of the pair. */
void scree_joints_items(const scree_world *world, scree_item *items) {
    enum { BEYOND = 1 << 28 };
    const int64_t *id = world->state.bodies.id;
    for (int64_t i = 0; i < world->joints.n_row; ++i) {
        const struct scree_joint_row *r = &world->joints.rows[i];
        const scree_joint *j = &world->joints.list[r->joint];
        items[i] = (scree_item){.a = r->a,
                                .b = r->b,
                                .number = BEYOND + (int32_t)i,
                                .general = !r->round,
                                .id_a = id[r->a],
                                .id_b = j->b >= 0 ? j->b : INT64_MIN};
    }
}

void scree_joints_colours(scree_world *world, uint8_t *colours, bool read) {
    for (int64_t i = 0; i < world->joints.n_row; ++i) {
        const struct scree_joint_row *r = &world->joints.rows[i];
        uint8_t *own = &world->joints.list[r->joint].colours[r->row];
        if (read)
            *own = colours[i];
        else
            colours[i] = *own;
    }
}

void scree_joints_count(const scree_world *world, double *count) {
    const scree_bodies *b = &world->state.bodies;
    for (int64_t k = 0; k < world->joints.n; ++k) {
        const scree_joint *j = &world->joints.list[k];
        if (j->broken) continue;
        count[scree_bodies_place(b, j->a)] += 2;
        if (j->b >= 0) count[scree_bodies_place(b, j->b)] += 2;
    }
}

/* ---- rows ---------------------------------------------------------------------------- */

/* Percussions to begin with, in the bars' sets. */
static void start_row(const scree_joint *j, int row, scree_row *to) {
    scree_vec3 P = vec(0, 0, 0);
    for (int k = 0; k < to->bars->n; ++k) {
        const scree_bar *b = &to->bars->bar[k];
        const double p =
            bar_clip(b, row > 0 ? j->more : dot(b->d, b->turns ? j->M : j->P));
        if (b->turns)
            to->M = add_scaled(to->M, p, b->d);
        else
            P = add_scaled(P, p, b->d);
    }
    to->P_n = dot(to->n, P);
    to->P_t = add_scaled(P, -to->P_n, to->n);
}

/* Some direction: that of the first bar. */
static scree_row general_row(scree_world *world, int64_t i,
                             const scree_joint_look *look) {
    return (scree_row){.a = look->a,
                       .b = look->b,
                       .general = true,
                       .laws = SCREE_JOINT,
                       .n = look->bar[0].d,
                       .r_a = look->r_a,
                       .r_b = look->r_b,
                       .bars = &world->state.problem.bars[i]};
}

/* Its only bar as the normal of a contact, P_n pulls. */
static void make_round(const scree_joint *j, bool warm, scree_row *row) {
    const scree_bar *b = &row->bars->bar[0];
    const double p = row->P_n;
    row->general = false, row->laws = 0;
    row->c = scale(b->c, row->n);
    row->P_n = warm && b->hi > 0 ? p : 0;
    row->bars = NULL;
    (void)j;
}

static void fill_row(scree_world *world, int64_t i, scree_joint_stage stage,
                     bool warm) {
    const struct scree_joint_row *r = &world->joints.rows[i];
    const scree_joint *j = &world->joints.list[r->joint];
    const bool at_begin = stage == SCREE_STAGE_POSITION;
    scree_joint_look look;
    scree_joint_look_at(world, j, r->row, at_begin, &look);
    scree_row row = general_row(world, i, &look);
    scree_joint_write_bars(world, j, r->row, stage, &look, row.bars);
    if (warm) start_row(j, r->row, &row);
    if (r->round) make_round(j, warm, &row);
    scree_problem_fill(&world->state.problem, first_row(world) + i, &row);
}

typedef struct filling {
    scree_world *world;
    scree_joint_stage stage;
    bool warm;
} filling;

static void fill_chunk(void *context, int64_t first, int64_t last) {
    const filling *f = context;
    for (int64_t i = first; i < last; ++i)
        fill_row(f->world, i, f->stage, f->warm);
}

/* What was booked does not act after all: the step begins again. */
static void forget_work(scree_joints *joints) {
    for (int64_t k = 0; k < joints->n; ++k)
        joints->list[k].taken = joints->list[k].given = 0;
}

void scree_joints_fill(scree_world *world, scree_joint_stage stage, bool warm) {
    if (stage == SCREE_STAGE_MOREAU) forget_work(&world->joints);
    filling f = {world, stage, warm};
    scree_parallel_for(world->joints.n_row, world->def.threads, fill_chunk, &f);
}

/* ---- percussions back ------------------------------------------------------------------ */

static void keep_row(scree_world *world, int64_t i, bool add_to) {
    const struct scree_joint_row *r = &world->joints.rows[i];
    scree_joint *j = &world->joints.list[r->joint];
    const scree_row row =
        scree_problem_row(&world->state.problem, first_row(world) + i);
    const scree_vec3 P = row_force(&row);
    if (r->row > 0) {
        const double p = bar_of(&row.bars->bar[0], P, row.M);
        j->more = add_to ? j->more + p : p;
        return;
    }
    j->P = add_to ? add(j->P, P) : P;
    j->M = add_to ? add(j->M, row.M) : row.M;
}

void scree_joints_keep(scree_world *world, bool add_to) {
    for (int64_t i = 0; i < world->joints.n_row; ++i)
        keep_row(world, i, add_to);
}

void scree_joints_scale(scree_world *world, double by) {
    for (int64_t k = 0; k < world->joints.n; ++k) {
        scree_joint *j = &world->joints.list[k];
        j->P = scale(by, j->P), j->M = scale(by, j->M);
        j->more *= by;
    }
}
