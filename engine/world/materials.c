/* materials.c: adding materials, setting pairs, finding laws (materials.h). */
#include "engine/world/materials.h"

#include <stdlib.h>

#include "engine/world/make.h"
#include "engine/world/world.h"

void scree_pair_laws_free(scree_pair_laws *laws) {
    free(laws->table);
    free(laws->set);
    free(laws->slots);
    *laws = (scree_pair_laws){0};
}

/* ---- pairs that were set ------------------------------------------------- */

/* Where the search for a pair begins, whatever its order (splitmix64). */
static int64_t first_slot(const scree_pair_laws *laws, int a, int b) {
    const uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a ^ b);
    uint64_t x = (low << 32 | high) + 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return (int64_t)(x ^ x >> 31) & (laws->n_slot - 1);
}

static bool is_pair(const scree_pair_law *law, int a, int b) {
    return (law->a == a && law->b == b) || (law->a == b && law->b == a);
}

/* The pair's slot, or the free one where it belongs; n_slot > 0. */
static int64_t *slot_of(const scree_pair_laws *laws, int a, int b) {
    int64_t i = first_slot(laws, a, b);
    while (laws->slots[i] && !is_pair(&laws->set[laws->slots[i] - 1], a, b))
        i = (i + 1) & (laws->n_slot - 1);
    return &laws->slots[i];
}

static const scree_pair_law *find_set(const scree_pair_laws *laws, int a,
                                      int b) {
    if (laws->n_set == 0) return NULL;
    const int64_t place = *slot_of(laws, a, b);
    return place ? &laws->set[place - 1] : NULL;
}

/* Room for one pair more, with slots at most half full. */
static scree_status reserve_set(scree_pair_laws *laws) {
    const int64_t n = laws->n_set + 1;
    TRY(scree_reserve(&laws->set, &laws->set_capacity, n, sizeof *laws->set));
    if (2 * n < laws->n_slot) return SCREE_OK;
    const int64_t n_slot = laws->n_slot ? 2 * laws->n_slot : 16;
    int64_t *slots = calloc((size_t)n_slot, sizeof *slots);
    if (!slots) return SCREE_OUT_OF_MEMORY;
    free(laws->slots);
    laws->slots = slots;
    laws->n_slot = n_slot;
    for (int64_t i = 0; i < laws->n_set; ++i)
        *slot_of(laws, laws->set[i].a, laws->set[i].b) = i + 1;
    return SCREE_OK;
}

/* ---- laws of rows -------------------------------------------------------- */

scree_law_terms scree_contact_law_terms(const scree_contact_law *law) {
    return (scree_law_terms){.friction = law->friction,
                             .rolling = law->rolling,
                             .drilling = law->drilling,
                             .ratio = law->anisotropy.ratio,
                             .least = law->slippage.least,
                             .growth = law->slippage.growth,
                             .decay = law->slippage.decay,
                             .tension = law->bond.normal,
                             .shear = law->bond.tangential,
                             .moment = law->bond.moment,
                             .own = law->own};
}

static unsigned laws_of(const scree_contact_law *law) {
    const scree_law_terms terms = scree_contact_law_terms(law);
    unsigned laws = 0;
    for (int k = 0; scree_row_laws[k]; ++k)
        if (scree_row_laws[k]->acts && scree_row_laws[k]->acts(&terms))
            laws |= 1u << k;
    return laws;
}

/* The pair's law, with the laws of its rows. */
static void put_law(scree_pair_law *pair, const scree_contact_law *law) {
    pair->law = *law;
    pair->laws = (uint16_t)laws_of(law);
    pair->general = false;
    for (int k = 0; scree_row_laws[k]; ++k)
        if (pair->laws & 1u << k) pair->general |= scree_row_laws[k]->general;
}

/* ---- any pair ------------------------------------------------------------ */

static scree_pair_law mix_pair(const scree_world *world, int a, int b) {
    const int first = a < b ? a : b, second = a < b ? b : a;
    bool of_second;
    scree_pair_law mixed = {.a = a, .b = b};
    const scree_contact_law both = scree_contact_law_mixed(
        &world->scene.materials[first].law, &world->scene.materials[second].law,
        &of_second);
    mixed.grain = of_second ? second : first;
    put_law(&mixed, a == b ? &world->scene.materials[a].law : &both);
    return mixed;
}

const scree_pair_law *scree_world_find_law(const scree_world *world, int a,
                                           int b) {
    static _Thread_local scree_pair_law mixed;
    const scree_pair_law *set = find_set(&world->scene.pair_laws, a, b);
    if (set) return set;
    mixed = mix_pair(world, a, b);
    return &mixed;
}

static bool any_in_table(const scree_world *world,
                         bool has(const scree_contact_law *)) {
    for (int a = 0; a < world->scene.n_material; ++a)
        for (int b = a; b < world->scene.n_material; ++b)
            if (has(&scree_pair_table_entry(&world->scene.pair_laws, a, b)
                         ->law))
                return true;
    return false;
}

bool scree_world_any_law(const scree_world *world,
                         bool has(const scree_contact_law *)) {
    const scree_pair_laws *laws = &world->scene.pair_laws;
    if (laws->table) return any_in_table(world, has);
    for (int i = 0; i < world->scene.n_material; ++i)
        if (has(&world->scene.materials[i].law)) return true;
    for (int64_t i = 0; i < laws->n_set; ++i)
        if (has(&laws->set[i].law)) return true;
    return false;
}

static bool any_obeys(const scree_world *world, unsigned laws) {
    for (int a = 0; a < world->scene.n_material; ++a)
        for (int b = a; b < world->scene.n_material; ++b)
            if (scree_pair_table_entry(&world->scene.pair_laws, a, b)->laws &
                laws)
                return true;
    return false;
}

bool scree_world_obeys(const scree_world *world, unsigned laws) {
    const scree_pair_laws *pairs = &world->scene.pair_laws;
    unsigned all = 0;
    if (pairs->table) return any_obeys(world, laws);
    for (int i = 0; i < world->scene.n_material; ++i)
        all |= laws_of(&world->scene.materials[i].law);
    for (int64_t i = 0; i < pairs->n_set; ++i) all |= pairs->set[i].laws;
    return all & laws;
}

/* ---- the table of few ---------------------------------------------------- */

static void put_set(const scree_pair_laws *laws, const scree_pair_law *set) {
    *scree_pair_table_entry(laws, set->a, set->b) = *set;
    *scree_pair_table_entry(laws, set->b, set->a) = *set;
}

/* Pairs of materials from `from` on. */
static void fill_table(const scree_world *world, int from) {
    const scree_pair_laws *laws = &world->scene.pair_laws;
    for (int a = 0; a < world->scene.n_material; ++a)
        for (int b = from; b < world->scene.n_material; ++b) {
            *scree_pair_table_entry(laws, a, b) = mix_pair(world, a, b);
            *scree_pair_table_entry(laws, b, a) = mix_pair(world, b, a);
        }
}

static scree_status widen_table(scree_world *world) {
    scree_pair_laws *laws = &world->scene.pair_laws;
    const int stride = laws->stride ? 2 * laws->stride : 4;
    free(laws->table);
    laws->table = NULL;
    laws->stride = stride;
    if (stride > SCREE_TABLE_MATERIALS) return SCREE_OK;
    laws->table = calloc((size_t)stride * (size_t)stride, sizeof *laws->table);
    if (!laws->table) return SCREE_OUT_OF_MEMORY;
    fill_table(world, 0);
    for (int64_t i = 0; i < laws->n_set; ++i) put_set(laws, &laws->set[i]);
    return SCREE_OK;
}

/* After the last material was added. */
static scree_status extend_table(scree_world *world) {
    const scree_pair_laws *laws = &world->scene.pair_laws;
    if (laws->stride > 0 && !laws->table) return SCREE_OK; /* too many */
    if (world->scene.n_material > laws->stride) return widen_table(world);
    fill_table(world, world->scene.n_material - 1);
    return SCREE_OK;
}

/* ---- checks -------------------------------------------------------------- */

static scree_status check_slippage(const scree_world *world,
                                   const scree_contact_law *law,
                                   scree_error *error) {
    const scree_slippage *s = &law->slippage;
    REQUIRE(isfinite(s->least) && s->least >= 0 && isfinite(s->growth) &&
                s->growth >= 0 && isfinite(s->decay) && s->decay >= 0 &&
                isfinite(s->drag) && s->drag >= 0,
            "least, growth, decay or drag of slippage is not >= 0");
    REQUIRE(s->growth > 0 || (s->decay == 0 && s->drag == 0 && s->least == 0),
            "slippage with growth 0 has no other values");
    REQUIRE(s->least <= law->friction,
            "the least friction of slippage, %g, is more than the friction %g",
            s->least, law->friction);
    REQUIRE(s->drag == 0 || world->scene.stepper->drag,
            "the stepper %s does not know drag of the ground, which moreau "
            "does",
            world->scene.stepper->name);
    return SCREE_OK;
}

static scree_status check_cohesion(const scree_world *world,
                                   const scree_contact_law *law,
                                   scree_error *error) {
    const scree_cohesion *c = &law->cohesion;
    REQUIRE(isfinite(c->force) && c->force >= 0 && isfinite(c->energy) &&
                c->energy >= 0 && isfinite(c->range) && c->range >= 0,
            "force, energy or range of cohesion is not >= 0");
    REQUIRE(c->energy == 0 || !world->def.planar,
            "the energy of cohesion is that of spheres, not of a plane world; "
            "give its force");
    REQUIRE(!scree_law_attracts(law) ||
                (world->scene.stepper->cohesion && world->def.gap_control),
            "cohesion and bonds are for the stepper moreau with gap control");
    return SCREE_OK;
}

static bool is_poisson(const scree_contact_law *law) {
    return law->impact == SCREE_IMPACT_POISSON;
}

static bool is_bonded(const scree_contact_law *law) {
    return law->bond.normal > 0;
}

/* Looked at for each law that is given: all of them would take a time that grows with the
 * square of their number. */
static void note_kinds(scree_pair_laws *laws, const scree_contact_law *law) {
    laws->bonds |= is_bonded(law);
    laws->poisson |= is_poisson(law);
}

static scree_status check_bond(const scree_world *world,
                               const scree_contact_law *law,
                               scree_error *error) {
    const scree_bond *b = &law->bond;
    REQUIRE(isfinite(b->normal) && b->normal >= 0 && isfinite(b->tangential) &&
                b->tangential >= 0 && isfinite(b->moment) && b->moment >= 0 &&
                isfinite(b->range) && b->range >= 0 && isfinite(b->from),
            "a limit, the range or the time of a bond is not finite and >= 0");
    REQUIRE((b->normal > 0) == (b->tangential > 0),
            "a bond has a normal and a tangential limit, both > 0");
    REQUIRE(b->normal > 0 || b->moment == 0,
            "a bond with a moment has a normal and a tangential limit");
    scree_pair_laws all = world->scene.pair_laws;
    note_kinds(&all, law);
    REQUIRE(!(all.bonds && all.poisson),
            "bonds do not know Poisson's impact law");
    return SCREE_OK;
}

static scree_status check_law(const scree_world *world,
                              const scree_contact_law *law,
                              scree_error *error) {
    REQUIRE(isfinite(law->friction) && law->friction >= 0,
            "friction %g is not >= 0", law->friction);
    REQUIRE(law->e_n >= 0 && law->e_n <= 1 && law->e_t >= 0 && law->e_t <= 1,
            "restitution is not in [0, 1]");
    REQUIRE(law->impact == SCREE_IMPACT_NEWTON ||
                law->impact == SCREE_IMPACT_POISSON,
            "no impact law %d", (int)law->impact);
    REQUIRE(law->impact == SCREE_IMPACT_NEWTON || world->scene.stepper->poisson,
            "the stepper %s does not know Poisson's impact law, which moreau "
            "does",
            world->scene.stepper->name);
    REQUIRE(isfinite(law->rolling) && law->rolling >= 0 &&
                isfinite(law->drilling) && law->drilling >= 0,
            "rolling or drilling is not >= 0");
    for (int k = 0; k < SCREE_OWN_TERMS; ++k)
        REQUIRE(isfinite(law->own[k]) && law->own[k] >= 0,
                "own[%d] of a law is not >= 0", k);
    TRY(check_slippage(world, law, error));
    TRY(check_cohesion(world, law, error));
    TRY(check_bond(world, law, error));
    const char *fault =
        scree_anisotropy_fault(&law->anisotropy, world->def.planar);
    REQUIRE(!fault, "%s", fault);
    return SCREE_OK;
}

scree_status scree_material_check(const scree_world *world, int material,
                                  scree_error *error) {
    REQUIRE(material >= 0 && material < world->scene.n_material,
            "no material %d (there are %d)", material, world->scene.n_material);
    return SCREE_OK;
}

/* ---- materials and pairs ------------------------------------------------- */

scree_material_def scree_material_def_default(void) {
    return (scree_material_def){.density = 2500, .cookie = SCREE_COOKIE};
}

scree_status scree_world_add_material(scree_world *world,
                                      const scree_material_def *def,
                                      int *material) {
    scree_error *error = &world->error;
    REQUIRE(def && def->cookie == SCREE_COOKIE,
            "material definition does not come from "
            "scree_material_def_default()");
    REQUIRE(isfinite(def->density) && def->density > 0, "density %g is not > 0",
            def->density);
    REQUIRE(world->scene.n_material < INT32_MAX, "too many materials");
    TRY(check_law(world, &def->law, error));

    const int n = world->scene.n_material + 1;
    TRY(scree_reserve(&world->scene.materials, &world->scene.material_capacity,
                      n, sizeof *world->scene.materials));
    world->scene.materials[n - 1] = *def;
    world->scene.materials[n - 1].law = scree_contact_law_tidy(&def->law);
    world->scene.n_material = n;
    const scree_status status = extend_table(world);
    if (status != SCREE_OK)
        world->scene.n_material = n - 1;
    else
        note_kinds(&world->scene.pair_laws, &def->law);
    if (status == SCREE_OK && material) *material = n - 1;
    return status;
}

scree_status scree_world_set_pair(scree_world *world, int a, int b,
                                  const scree_contact_law *law) {
    scree_pair_laws *laws = &world->scene.pair_laws;
    TRY(scree_material_check(world, a, &world->error));
    TRY(scree_material_check(world, b, &world->error));
    TRY(check_law(world, law, &world->error));
    TRY(reserve_set(laws));
    int64_t *place = slot_of(laws, a, b);
    if (!*place) *place = ++laws->n_set;
    const scree_contact_law tidy = scree_contact_law_tidy(law);
    laws->set[*place - 1] = (scree_pair_law){a, b, .grain = a};
    put_law(&laws->set[*place - 1], &tidy);
    note_kinds(laws, &tidy);
    if (laws->table) put_set(laws, &laws->set[*place - 1]);
    return SCREE_OK;
}
