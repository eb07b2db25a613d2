/* case_ground.c: ground for rockfall by name: the categories of RAMMS::ROCKFALL with
 * mu_min, mu_max, kappa, beta, nu; restitution is 0. The rows extra-soft, hard and
 * extra-hard are in print (Leine and others 2014; the program's manual), the others are
 * as its users quote them. */
#include "io/case/case.h"

#include "io/case/case_check.h"
#include "io/case/case_reader.h"
#include "io/case/yaml/case_message.h"
#include "io/schema/case_rows.h"

typedef struct ground {
    const char *name, *about;
    double least, most, decay, growth, drag;
} ground;

static const ground grounds[] = {
    {"none", "no such ground", 0, 0, 0, 0, 0},
    {"extra-soft", "very wet ground, swamp", 0.20, 2, 50, 1, 0.9},
    {"soft", "deep loose ground", 0.25, 2, 100, 1.25, 0.8},
    {"medium-soft", "meadow with deep ground", 0.30, 2, 125, 1.5, 0.7},
    {"medium", "meadow", 0.35, 2, 150, 2, 0.6},
    {"medium-hard", "meadow with stones, paths", 0.40, 2, 175, 2.5, 0.55},
    {"hard", "scree, roads", 0.55, 2, 185, 3, 0.5},
    {"extra-hard", "rock", 0.80, 2, 200, 4, 0.3},
    {"snow", "snow", 0.10, 0.35, 150, 2, 0.7},
};
enum { GROUNDS = sizeof grounds / sizeof *grounds };

const char *scree_ground_name(int i, const char **about) {
    if (i < 0 || i >= GROUNDS) return NULL;
    if (about) *about = grounds[i].about;
    return grounds[i].name;
}

/* What keys give is left as it is. */
static void fill_law(const scree_node *map, const ground *g,
                     scree_contact_law *law) {
    const scree_node *own = scree_node_value(map, "slippage");
    scree_slippage *s = &law->slippage;
    if (!scree_node_value(map, "friction")) law->friction = g->most;
    if (!own || !scree_node_value(own, "least")) s->least = g->least;
    if (!own || !scree_node_value(own, "growth")) s->growth = g->growth;
    if (!own || !scree_node_value(own, "decay")) s->decay = g->decay;
    if (!own || !scree_node_value(own, "drag")) s->drag = g->drag;
}

static scree_status refuse_slippage(scree_reader *r, const scree_node *map,
                                    const char *key, const char *why) {
    if (!scree_node_value(map, "slippage"))
        return scree_reader_refuse(r, map, "friction", "%s", why);
    scree_reader_enter(r, "slippage");
    return scree_reader_refuse(r, scree_node_value(map, "slippage"), key, "%s",
                               why);
}

scree_status scree_check_ground(scree_reader *r, const scree_node *map,
                                scree_case_material *material) {
    scree_contact_law *law = &material->def.law;
    const scree_slippage *s = &law->slippage;
    if (material->ground > 0) fill_law(map, &grounds[material->ground], law);
    if (s->growth == 0 && (s->least > 0 || s->decay > 0 || s->drag > 0))
        return refuse_slippage(r, map, "growth",
                               "growth must be > 0 where other values of "
                               "slippage are given");
    if (s->least > law->friction) {
        refuse_slippage(
            r, map, "least",
            "the least friction is more than friction, which it grows to");
        scree_hint(r->error, "least %.12g, friction %.12g", s->least,
                   law->friction);
        return SCREE_BAD_INPUT;
    }
    return SCREE_OK;
}
