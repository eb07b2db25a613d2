#include "engine/system/world_dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engine/step/step.h"
#include "engine/world/state.h"

/* A law of the system, and where it was last seen. */
typedef struct tracked {
    int64_t id[2]; /* of a and b; a wall: -1 - wall */
    uint32_t key;
    bool seen; /* at (t, q); else it is farther than reach */
    double g;
    scree_vec3 n, arm[2], chi; /* of a and b; at the contact point */
} tracked;

struct scree_world_dense {
    scree_world *world;
    scree_dense *system;
    scree_model_ops ops;
    double reach;
    tracked *laws; /* (ops.n_law) */
    double t, *q;  /* where the laws were measured last; (n_q) */
    bool measured, failed;
};

/* The only parameter is the system itself, as bits. */
_Static_assert(sizeof(void *) == sizeof(double), "a pointer fits a parameter");
static scree_world_dense *self_of(const double *p) {
    scree_world_dense *w;
    memcpy(&w, p, sizeof w);
    return w;
}

static const scree_parameter world_parameter[] = {{.name = "world"}};

static int body_count(const scree_world_dense *w) {
    return w->ops.n_u / 6;
}

static int32_t place_of(const scree_world_dense *w, int id) {
    return w->world->state.bodies.place[id];
}

static scree_quat quat_at(const double *q) {
    return quat_unit((scree_quat){q[3], q[4], q[5], q[6]});
}

/* ---- laws at (t, q) ---------------------------------------------------------- */

static void place_bodies(scree_world_dense *w, double t, const double *q) {
    scree_bodies *b = &w->world->state.bodies;
    for (int id = 0; id < body_count(w); ++id) {
        const int32_t i = place_of(w, id);
        b->x[i].x = vec_from(&q[7 * id]);
        b->q[i] = quat_at(&q[7 * id]);
    }
    w->world->state.t = t;
}

static int64_t id_of(const scree_world *world, int32_t body) {
    const scree_bodies *b = &world->state.bodies;
    return body >= 0 ? scree_bodies_row(b, b->id[body]) : body;
}

static tracked track_contact(const scree_world *world, const scree_contact *c) {
    const scree_row row = scree_world_row(world, c);
    return (tracked){
        .id = {id_of(world, c->a), id_of(world, c->b)},
        .key = c->key,
        .seen = true,
        .g = c->g,
        .n = c->n,
        .arm = {scree_row_arm(&row, true), scree_row_arm(&row, false)},
        .chi = scree_world_chi(world, c)};
}

/* The list may name the bodies of a pair the other way round since it was rebuilt. */
static tracked turned_round(const tracked *x) {
    return (tracked){.id = {x->id[1], x->id[0]},
                     .key = scree_key_swapped(x->key),
                     .seen = x->seen,
                     .g = x->g,
                     .n = scale(-1, x->n),
                     .arm = {x->arm[1], x->arm[0]},
                     .chi = scale(-1, x->chi)};
}

static bool is_same(const tracked *x, const tracked *y) {
    return x->id[0] == y->id[0] && x->id[1] == y->id[1] && x->key == y->key;
}

/* The law that a contact is, or -1; *seen: the contact as the law names its bodies. */
static int find_law(const scree_world_dense *w, const tracked *found,
                    tracked *seen) {
    const tracked round = turned_round(found);
    for (int k = 0; k < w->ops.n_law; ++k) {
        const bool turned = is_same(&w->laws[k], &round);
        if (!turned && !is_same(&w->laws[k], found)) continue;
        *seen = turned ? round : *found;
        return k;
    }
    return -1;
}

static void see_law(scree_world_dense *w, const tracked *found) {
    tracked seen;
    const int k = find_law(w, found, &seen);
    if (k >= 0) w->laws[k] = seen;
}

static void measure_laws(scree_world_dense *w, double t, const double *q) {
    const size_t size = (size_t)w->ops.n_q * sizeof *q;
    if (w->measured && w->t == t && memcmp(w->q, q, size) == 0) return;
    const scree_reach reach = {.slack = w->reach};
    scree_world *world = w->world;
    place_bodies(w, t, q);
    w->failed = scree_world_find_contacts(world, 0, &reach) != SCREE_OK;
    for (int k = 0; k < w->ops.n_law; ++k) w->laws[k].seen = false;
    for (int64_t i = 0; i < world->state.contacts.n && !w->failed; ++i) {
        const tracked found =
            track_contact(world, &world->state.contacts.list[i]);
        see_law(w, &found);
    }
    memcpy(w->q, q, size);
    w->t = t, w->measured = true;
}

/* ---- the formulas --------------------------------------------------------- */

static void world_start(const double *p, double *q, double *u) {
    const scree_world_dense *w = self_of(p);
    const scree_bodies *b = &w->world->state.bodies;
    for (int id = 0; id < body_count(w); ++id) {
        const int32_t i = place_of(w, id);
        vec_to(b->x[i].x, &q[7 * id]);
        q[7 * id + 3] = b->q[i].w, q[7 * id + 4] = b->q[i].x;
        q[7 * id + 5] = b->q[i].y, q[7 * id + 6] = b->q[i].z;
        vec_to(b->u[i].v, &u[6 * id]);
        vec_to(b->u[i].w, &u[6 * id + 3]);
    }
}

static void world_mass(const double *p, double t, const double *q, double *M) {
    const scree_world_dense *w = self_of(p);
    const int n = w->ops.n_u;
    (void)t;
    memset(M, 0, (size_t)(n * n) * sizeof *M);
    for (int id = 0; id < body_count(w); ++id) {
        const int32_t i = place_of(w, id);
        const scree_sym3 J =
            scree_world_inertia(w->world, i, quat_at(&q[7 * id]));
        const double rows[3][3] = {
            {J.xx, J.xy, J.xz}, {J.xy, J.yy, J.yz}, {J.xz, J.yz, J.zz}};
        for (int k = 0; k < 3; ++k) {
            const int at = 6 * id + k;
            M[at * n + at] = 1.0 / w->world->state.bodies.u[i].inv_m;
            memcpy(&M[(at + 3) * n + 6 * id + 3], rows[k], sizeof rows[k]);
        }
    }
}

static void world_force(const double *p, double t, const double *q,
                        const double *u, double *h) {
    const scree_world_dense *w = self_of(p);
    (void)t;
    for (int id = 0; id < body_count(w); ++id) {
        const int32_t i = place_of(w, id);
        const scree_vec3 spin = vec_from(&u[6 * id + 3]);
        const scree_sym3 J =
            scree_world_inertia(w->world, i, quat_at(&q[7 * id]));
        const double m = 1.0 / w->world->state.bodies.u[i].inv_m;
        vec_to(scale(m, w->world->state.gravity), &h[6 * id]);
        vec_to(cross(sym3_mul(&J, spin), spin), &h[6 * id + 3]);
    }
}

static void world_kinematics(const double *p, double t, const double *q,
                             const double *u, double *qdot) {
    const scree_world_dense *w = self_of(p);
    (void)t;
    for (int id = 0; id < body_count(w); ++id) {
        const double *o = &q[7 * id + 3], *spin = &u[6 * id + 3];
        const scree_quat now = {o[0], o[1], o[2], o[3]};
        const scree_quat rate =
            quat_mul((scree_quat){0, spin[0], spin[1], spin[2]}, now);
        double *to = &qdot[7 * id];
        memcpy(to, &u[6 * id], 3 * sizeof *to);
        to[3] = 0.5 * rate.w, to[4] = 0.5 * rate.x;
        to[5] = 0.5 * rate.y, to[6] = 0.5 * rate.z;
    }
}

static void world_normalise(const double *p, double *q) {
    const scree_world_dense *w = self_of(p);
    for (int id = 0; id < body_count(w); ++id) {
        const scree_quat unit = quat_at(&q[7 * id]);
        double *to = &q[7 * id + 3];
        to[0] = unit.w, to[1] = unit.x, to[2] = unit.y, to[3] = unit.z;
    }
}

static void world_gaps(const double *p, double t, const double *q, double *g) {
    scree_world_dense *w = self_of(p);
    measure_laws(w, t, q);
    for (int k = 0; k < w->ops.n_law; ++k)
        g[k] = w->failed ? NAN : w->laws[k].seen ? w->laws[k].g : w->reach;
}

/* gamma . d as a row over the velocities of both bodies. */
static void write_row(const tracked *law, scree_vec3 d, double *row,
                      double *chi) {
    for (int k = 0; k < 2; ++k) {
        const int64_t id = law->id[k];
        const scree_vec3 push = scale(k == 0 ? 1 : -1, d);
        if (id < 0) continue;
        vec_to(push, &row[6 * id]);
        vec_to(cross(law->arm[k], push), &row[6 * id + 3]);
    }
    *chi = dot(d, law->chi);
}

/* Normal and tangents, the directions of a law's rows. */
static void set_directions(const scree_world_dense *w, const tracked *law,
                           scree_vec3 d[3]) {
    d[0] = law->n;
    d[1] = w->world->def.planar ? vec(-law->n.y, law->n.x, 0)
                                : perpendicular(law->n);
    d[2] = cross(law->n, d[1]);
}

static void world_rows(const double *p, double t, const double *q, double *Wt,
                       double *chi) {
    scree_world_dense *w = self_of(p);
    const int n = w->ops.n_u;
    measure_laws(w, t, q);
    memset(Wt, 0, (size_t)(w->ops.n_row * n) * sizeof *Wt);
    for (int k = 0; k < w->ops.n_law; ++k) {
        const tracked *law = &w->laws[k];
        const int row = w->system->laws[k].row, n_f = w->system->laws[k].n_f;
        scree_vec3 d[3];
        set_directions(w, law, d);
        for (int i = 0; i <= n_f; ++i)
            write_row(law, d[i], &Wt[(row + i) * n], &chi[row + i]);
    }
}

static double world_energy(const double *p, double t, const double *q,
                           const double *u) {
    const scree_world_dense *w = self_of(p);
    double sum = 0;
    (void)t;
    for (int id = 0; id < body_count(w); ++id) {
        const int32_t i = place_of(w, id);
        const double m = 1.0 / w->world->state.bodies.u[i].inv_m;
        const scree_vec3 v = vec_from(&u[6 * id]), s = vec_from(&u[6 * id + 3]);
        const scree_sym3 J =
            scree_world_inertia(w->world, i, quat_at(&q[7 * id]));
        sum += 0.5 * m * dot(v, v) + 0.5 * dot(s, sym3_mul(&J, s)) -
               m * dot(w->world->state.gravity, vec_from(&q[7 * id]));
    }
    return sum;
}

/* ---- making ----------------------------------------------------------------- */

static int friction_rows(const scree_world *world, const scree_contact *c) {
    if (scree_world_law(world, c)->friction == 0) return 0;
    return world->def.planar ? 1 : 2;
}

static void world_laws(const double *p, scree_law *laws) {
    const scree_world_dense *w = self_of(p);
    int row = 0;
    for (int k = 0; k < w->ops.n_law; ++k) {
        const scree_contact *c = &w->world->state.contacts.list[k];
        const scree_contact_law *law = scree_world_law(w->world, c);
        laws[k] = (scree_law){.name = "contact",
                              .kind = SCREE_LAW_CONTACT,
                              .row = row,
                              .n_f = friction_rows(w->world, c),
                              .mu = law->friction,
                              .e_n = law->e_n,
                              .e_f = law->e_t};
        row += scree_law_rows(&laws[k]);
    }
}

static const char *why_not(const scree_world *world) {
    if (world->ranks.domain) return "worlds over several ranks";
    if (scree_world_resists_turning(world)) return "rolling and drilling";
    for (int64_t i = 0; i < world->state.contacts.n; ++i) {
        const scree_contact *c = &world->state.contacts.list[i];
        if (scree_world_law(world, c)->anisotropy.ratio > 0)
            return "anisotropic friction";
        if (scree_world_law(world, c)->slippage.growth > 0)
            return "friction with slippage";
    }
    return NULL;
}

/* The laws are the contacts of now; sizes, then memory for them. */
static scree_status size_up(scree_world_dense *w) {
    const scree_world *world = w->world;
    scree_model_ops *o = &w->ops;
    *o = (scree_model_ops){.name = "world",
                           .about = "a small world",
                           .n_q = 7 * world->state.bodies.n,
                           .n_u = 6 * world->state.bodies.n,
                           .n_law = (int)world->state.contacts.n,
                           .n_parameter = 1,
                           .parameters = world_parameter,
                           .laws = world_laws,
                           .start = world_start,
                           .mass = world_mass,
                           .force = world_force,
                           .kinematics = world_kinematics,
                           .gaps = world_gaps,
                           .rows = world_rows,
                           .normalise = world_normalise,
                           .energy = world_energy};
    for (int k = 0; k < o->n_law; ++k)
        o->n_row += 1 + friction_rows(world, &world->state.contacts.list[k]);
    w->laws = calloc((size_t)o->n_law + 1, sizeof *w->laws);
    w->q = calloc((size_t)o->n_q + 1, sizeof *w->q);
    if (!w->laws || !w->q) return SCREE_OUT_OF_MEMORY;
    for (int k = 0; k < o->n_law; ++k)
        w->laws[k] = track_contact(world, &world->state.contacts.list[k]);
    return SCREE_OK;
}

/* To unit length once more could change its last bit, and a run after a restart would not be
 * the one that did not stop. */
static void put_back_orientations(scree_world_dense *w) {
    scree_bodies *b = &w->world->state.bodies;
    for (int id = 0; id < body_count(w); ++id) {
        const double *q = &w->system->q[7 * id + 3];
        b->q[place_of(w, id)] = (scree_quat){q[0], q[1], q[2], q[3]};
    }
}

static scree_status make_system(scree_world_dense *w, scree_error *error) {
    const scree_reach reach = {.slack = w->reach};
    double bits;
    const char *why = why_not(w->world);
    if (!why) TRY(scree_world_find_contacts(w->world, 0, &reach));
    if (!why) why = why_not(w->world);
    if (why)
        return scree_fail(error, SCREE_UNSUPPORTED,
                          "a world as a dense system does not know %s", why);
    TRY(size_up(w));
    memcpy(&bits, &w, sizeof bits);
    const double t = w->world->state.t;
    TRY(scree_dense_create(&w->ops, &bits, &w->system));
    w->system->t = t; /* a model begins at 0 */
    scree_dense_gaps(w->system, t, w->system->q, w->system->g);
    put_back_orientations(w);
    return SCREE_OK;
}

scree_status scree_world_dense_create(scree_world *world, double reach,
                                      scree_world_dense **out,
                                      scree_error *error) {
    scree_world_dense *w = calloc(1, sizeof *w);
    *out = w;
    if (!w) return SCREE_OUT_OF_MEMORY;
    w->world = world, w->reach = reach;
    const scree_status status = make_system(w, error);
    if (status == SCREE_OK) return SCREE_OK;
    scree_world_dense_destroy(w);
    *out = NULL;
    return status;
}

void scree_world_dense_destroy(scree_world_dense *w) {
    if (!w) return;
    scree_dense_destroy(w->system);
    free(w->laws);
    free(w->q);
    free(w);
}

/* ---- step after step --------------------------------------------------------- */

/* In the same order and the same way round: a system that is made anew, as after a restart,
 * would be the same. */
static bool has_laws_of_now(const scree_world_dense *w) {
    const scree_world *world = w->world;
    bool same = w->ops.n_u == 6 * world->state.bodies.n &&
                w->ops.n_law == world->state.contacts.n;
    for (int k = 0; same && k < w->ops.n_law; ++k) {
        const tracked found =
            track_contact(world, &world->state.contacts.list[k]);
        same = is_same(&w->laws[k], &found);
    }
    return same;
}

/* P as the rows of the law have it; a and b may be the other way round. */
static void take_percussion(scree_world_dense *w, const scree_contact *c) {
    scree_dense *s = w->system;
    const tracked found = track_contact(w->world, c);
    tracked seen;
    scree_vec3 d[3];
    const int k = find_law(w, &found, &seen);
    if (k < 0) return;
    const double sign = seen.id[0] == found.id[0] ? 1 : -1;
    set_directions(w, &seen, d);
    for (int i = 0; i <= s->laws[k].n_f; ++i)
        s->P[s->laws[k].row + i] = sign * dot(d[i], c->P);
}

static void take_state(scree_world_dense *w) {
    scree_dense *s = w->system;
    const scree_world *world = w->world;
    s->t = world->state.t;
    s->dt = world->state.steps > 0 ? world->state.dt : 0;
    w->ops.start(s->p, s->q, s->u);
    memset(s->P, 0, (size_t)s->ops->n_row * sizeof *s->P);
    for (int64_t i = 0; i < world->state.contacts.n; ++i)
        take_percussion(w, &world->state.contacts.list[i]);
    w->measured = false;
}

scree_status scree_world_dense_renew(scree_world *world, double reach,
                                     scree_world_dense **w,
                                     scree_error *error) {
    const scree_reach near = {.slack = reach};
    TRY(scree_world_find_contacts(world, 0, &near));
    const bool same = *w && (*w)->ops.n_u == 6 * world->state.bodies.n;
    if (*w && !(same && has_laws_of_now(*w))) {
        scree_world_dense_destroy(*w);
        *w = NULL;
    }
    if (!*w) TRY(scree_world_dense_create(world, reach, w, error));
    (*w)->reach = reach;
    take_state(*w);
    return SCREE_OK;
}

scree_vec3 scree_world_dense_vector(const scree_world_dense *w, int k,
                                    const double *rows) {
    const scree_law *law = &w->system->laws[k];
    scree_vec3 d[3], sum = vec(0, 0, 0);
    set_directions(w, &w->laws[k], d);
    for (int i = 0; i <= law->n_f; ++i)
        sum = add_scaled(sum, rows[law->row + i], d[i]);
    return sum;
}

void scree_world_dense_components(const scree_world_dense *w, int k,
                                  scree_vec3 vector, double *rows) {
    const scree_law *law = &w->system->laws[k];
    scree_vec3 d[3];
    set_directions(w, &w->laws[k], d);
    for (int i = 0; i <= law->n_f; ++i) rows[law->row + i] = dot(d[i], vector);
}

scree_vec3 scree_world_dense_percussion(const scree_world_dense *w, int k,
                                        bool *of_wall) {
    *of_wall = w->laws[k].id[1] < 0;
    return scree_world_dense_vector(w, k, w->system->P);
}

void scree_world_dense_measure(scree_world_dense *w) {
    measure_laws(w, w->system->t, w->system->q);
}

scree_law_place scree_world_dense_place(const scree_world_dense *w, int k) {
    const tracked *law = &w->laws[k];
    return (scree_law_place){.row = {law->id[0], law->id[1]},
                             .key = law->key,
                             .arm = {law->arm[0], law->arm[1]}};
}

int scree_world_dense_find(const scree_world_dense *w,
                           const scree_law_place *place, bool *turned) {
    const tracked found = {.id = {place->row[0], place->row[1]},
                           .key = place->key};
    tracked seen;
    const int k = find_law(w, &found, &seen);
    *turned = k >= 0 && seen.id[0] != found.id[0];
    return k;
}

/* Of a contact of the world, on its first body. */
static scree_vec3 percussion_of(const scree_world_dense *w,
                                const scree_contact *c) {
    const tracked found = track_contact(w->world, c);
    tracked seen;
    bool of_wall;
    const int k = find_law(w, &found, &seen);
    if (k < 0) return vec(0, 0, 0);
    const double sign = seen.id[0] == found.id[0] ? 1 : -1;
    return scale(sign, scree_world_dense_percussion(w, k, &of_wall));
}

scree_status scree_world_dense_store_contacts(scree_world_dense *w,
                                              double slack) {
    scree_world *world = w->world;
    scree_contacts *contacts = &world->state.contacts;
    int64_t n = 0;
    scree_world_dense_store(w);
    measure_laws(w, w->system->t, w->system->q);
    if (w->failed) return SCREE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < contacts->n; ++i) {
        scree_contact *c = &contacts->list[i];
        c->P = percussion_of(w, c);
        if (!scree_bears_load(c->P) && c->g > slack) continue;
        if (n < i) scree_contacts_move(contacts, i, n);
        ++n;
    }
    contacts->n = world->ranks.n_contact = n;
    return scree_world_load_walls(world);
}

scree_dense *scree_world_dense_system(scree_world_dense *w) {
    return w->system;
}

void scree_world_dense_store(scree_world_dense *w) {
    const scree_dense *s = w->system;
    scree_bodies *b = &w->world->state.bodies;
    place_bodies(w, s->t, s->q);
    w->measured = false;
    for (int id = 0; id < body_count(w); ++id) {
        scree_twist *u = &b->u[place_of(w, id)];
        u->v = vec_from(&s->u[6 * id]);
        u->w = vec_from(&s->u[6 * id + 3]);
    }
    scree_world_begin_epoch(w->world, s->t);
}
