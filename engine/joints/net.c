/* net.c: nets and chains: small spheres joined by cables, held by anchors. */
#include "engine/base/error.h"
#include "engine/joints/joints.h"
#include "engine/world/ranks.h"
#include "engine/world/view.h"

scree_net_def scree_net_def_default(void) {
    return (scree_net_def){
        .columns = 1, .radius = 0.05, .slack = 1, .cookie = SCREE_COOKIE};
}

typedef struct weaving {
    scree_world *world;
    const scree_net_def *def;
    int64_t first; /* id of the first node */
} weaving;

/* ---- nodes ------------------------------------------------------------------------ */

static scree_vec3 node_at(const scree_net_def *def, int column, int row) {
    const double s = (double)column / def->columns;
    const double t = def->rows > 0 ? (double)row / def->rows : 0;
    return add_scaled(
        add_scaled(vec_from(def->corner), s, vec_from(def->along)), t,
        vec_from(def->across));
}

static int64_t node_id(const weaving *w, int column, int row) {
    return w->first + (int64_t)row * (w->def->columns + 1) + column;
}

static scree_status add_nodes(weaving *w) {
    w->first = scree_world_id_count(w->world);
    for (int row = 0; row <= w->def->rows; ++row)
        for (int column = 0; column <= w->def->columns; ++column) {
            scree_sphere_def node = scree_sphere_def_default();
            node.radius = w->def->radius;
            node.material = w->def->material;
            vec_to(node_at(w->def, column, row), node.position);
            TRY(scree_world_add_sphere(w->world, &node, NULL));
        }
    return SCREE_OK;
}

/* ---- cables ----------------------------------------------------------------------- */

static scree_joint_def cable_of(const weaving *w, const scree_strand *strand,
                                int64_t a, scree_vec3 x, int64_t b,
                                scree_vec3 y) {
    scree_joint_def def = scree_joint_def_default();
    def.kind = SCREE_JOINT_CABLE;
    def.a = a, def.b = b;
    def.group = w->def->group;
    def.length = w->def->slack * norm(sub(x, y));
    def.stiffness = strand->stiffness, def.damping = strand->damping;
    def.breaks_at = strand->breaks_at;
    vec_to(x, def.point_a);
    vec_to(y, def.point_b);
    return def;
}

/* Its border is a rope, if it has one. */
static scree_status tie_nodes(const weaving *w, int column, int row, int right,
                              int down) {
    const scree_net_def *n = w->def;
    const bool border = right ? row == 0 || row == n->rows
                              : column == 0 || column == n->columns;
    const scree_strand *strand = border && n->roped ? &n->rope : &n->mesh;
    const int c = column + right, r = row + down;
    const scree_joint_def def =
        cable_of(w, strand, node_id(w, column, row), node_at(n, column, row),
                 node_id(w, c, r), node_at(n, c, r));
    return scree_world_add_joint(w->world, &def, NULL);
}

static scree_status add_cables(const weaving *w) {
    for (int row = 0; row <= w->def->rows; ++row)
        for (int column = 0; column <= w->def->columns; ++column) {
            if (column < w->def->columns) TRY(tie_nodes(w, column, row, 1, 0));
            if (row < w->def->rows) TRY(tie_nodes(w, column, row, 0, 1));
        }
    return SCREE_OK;
}

/* ---- anchors ---------------------------------------------------------------------- */

static bool is_anchored(const scree_net_def *n, int column, int row) {
    const bool side = column == 0 || column == n->columns;
    const bool end = row == 0 || row == n->rows;
    switch (n->anchors) {
    case SCREE_ANCHOR_CORNERS:
        return side && end;
    case SCREE_ANCHOR_SIDES:
        return side;
    case SCREE_ANCHOR_EDGES:
        return side || end;
    default:
        return false;
    }
}

/* Away from the middle of the net. */
static scree_vec3 outward_of(const scree_net_def *n, scree_vec3 x) {
    const scree_vec3 half = add(vec_from(n->along), vec_from(n->across));
    const scree_vec3 d = sub(x, add_scaled(vec_from(n->corner), 0.5, half));
    return scale(1 / norm(d), d);
}

/* At the ground: without a length the node itself is held. */
static scree_status add_anchor(const weaving *w, int column, int row) {
    const scree_net_def *n = w->def;
    const scree_vec3 x = node_at(n, column, row);
    scree_joint_def def = scree_joint_def_default();
    def.kind = SCREE_JOINT_BALL;
    def.a = node_id(w, column, row);
    def.group = n->group;
    def.breaks_at = n->anchor.breaks_at;
    vec_to(x, def.point_a);
    if (n->anchor_length > 0) {
        def = cable_of(w, &n->anchor, def.a, x, SCREE_GROUND,
                       add_scaled(x, n->anchor_length, outward_of(n, x)));
        def.length = n->anchor_length;
        def.slips_at = n->brake;
    }
    return scree_world_add_joint(w->world, &def, NULL);
}

static scree_status add_anchors(const weaving *w) {
    for (int row = 0; row <= w->def->rows; ++row)
        for (int column = 0; column <= w->def->columns; ++column)
            if (is_anchored(w->def, column, row))
                TRY(add_anchor(w, column, row));
    return SCREE_OK;
}

/* ---- the net ------------------------------------------------------------------------ */

static scree_status check_net(const scree_net_def *def, scree_error *error) {
    const scree_vec3 along = vec_from(def->along),
                     across = vec_from(def->across);
    REQUIRE(def->columns >= 1 && def->rows >= 0 && def->columns <= 100000 &&
                def->rows <= 100000,
            "net: %d columns and %d rows of cells cannot be", def->columns,
            def->rows);
    REQUIRE(norm(along) > 0, "net: along is zero");
    REQUIRE(def->rows == 0 || norm(cross(along, across)) > 0,
            "net: along and across must span it");
    REQUIRE(def->slack >= 1 && isfinite(def->slack),
            "net: slack %g is not >= 1", def->slack);
    REQUIRE(def->anchor_length >= 0 && isfinite(def->anchor_length),
            "net: length of anchors %g is not >= 0", def->anchor_length);
    REQUIRE(def->brake == 0 || def->anchor_length > 0,
            "net: a brake needs anchors with a length");
    return SCREE_OK;
}

scree_status scree_world_add_net(scree_world *world, const scree_net_def *def,
                                 int64_t *first_body, int64_t *first_joint) {
    scree_error *error = &world->error;
    weaving w = {.world = world, .def = def};
    REQUIRE(def && def->cookie == SCREE_COOKIE,
            "net definition does not come from scree_net_def_default()");
    TRY(check_net(def, error));
    if (first_joint) *first_joint = world->joints.n;
    TRY(add_nodes(&w));
    if (first_body) *first_body = w.first;
    TRY(add_cables(&w));
    return add_anchors(&w);
}
