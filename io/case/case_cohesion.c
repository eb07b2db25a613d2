/* case_cohesion.c: cohesion and bonds: what they need, and where they are not known. */
#include "engine/system/stepper.h"
#include "engine/world/materials.h"
#include "io/case/case_check.h"
#include "io/case/case_reader.h"
#include "io/case/yaml/case_message.h"

static bool has_energy(const scree_contact_law *law) {
    return law->cohesion.energy > 0;
}

static bool has_bond(const scree_contact_law *law) {
    return law->bond.normal > 0;
}

static bool is_poisson(const scree_contact_law *law) {
    return law->impact == SCREE_IMPACT_POISSON;
}

/* Has any material or pair such a law? */
static bool any_law(const scree_case *c, bool has(const scree_contact_law *)) {
    for (int i = 0; i < c->n_material; ++i)
        if (has(&c->materials[i].def.law)) return true;
    for (int i = 0; i < c->n_pair; ++i)
        if (has(&c->pairs[i].law)) return true;
    return false;
}

bool scree_case_attracts(const scree_case *c) {
    return any_law(c, scree_law_attracts);
}

scree_status scree_check_bond(scree_reader *r, const scree_node *map,
                              const scree_bond *bond) {
    const bool pulls = bond->normal > 0, shears = bond->tangential > 0;
    if (pulls == shears && (pulls || bond->moment == 0)) return SCREE_OK;
    scree_reader_enter(r, "bond");
    return scree_reader_refuse(r, scree_node_value(map, "bond"),
                               pulls ? "tangential" : "normal",
                               "must be > 0 where other limits of the bond "
                               "are");
}

static scree_status refuse_off(scree_reader *r, const scree_node *map,
                               const char *key) {
    scree_reader_enter(r, "contact");
    scree_reader_refuse(r, scree_node_value(map, "contact"), "gap_control",
                        "off does not go with %s, which a material or pair has",
                        key);
    scree_hint(r->error, "take gap_control: on");
    return SCREE_BAD_INPUT;
}

scree_status scree_check_cohesion(scree_reader *r, const scree_node *map,
                                  const scree_case *c) {
    const scree_stepper_ops *stepper = scree_stepper_find(c->world.stepper);
    const char *key = any_law(c, has_bond) ? "bond" : "cohesion";
    if (!scree_case_attracts(c)) return SCREE_OK;
    if (!stepper->cohesion) {
        scree_reader_refuse(r, map, "stepper",
                            "'%s' does not know %s, which a material or pair "
                            "has",
                            stepper->name, key);
        scree_hint(r->error, "take moreau");
        return SCREE_BAD_INPUT;
    }
    if (!c->world.gap_control) return refuse_off(r, map, key);
    if (c->world.planar && any_law(c, has_energy))
        return scree_reader_refuse(r, map, "planar",
                                   "the energy of cohesion is that of spheres, "
                                   "not of discs: give its force");
    if (any_law(c, has_bond) && any_law(c, is_poisson))
        return scree_reader_refuse(r, map, "materials",
                                   "bonds do not know the impact law poisson: "
                                   "take newton");
    return SCREE_OK;
}
