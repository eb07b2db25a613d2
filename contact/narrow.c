#include "contact/narrow.h"

#include <stdlib.h>

#include "contact/shapes/plane.h"
#include "contact/shapes/sphere.h"
#include "engine/base/error.h"

void scree_contacts_free(scree_contacts *contacts) {
    free(contacts->list);
    *contacts = (scree_contacts){0};
}

static bool within_reach(const scree_scene *scene, double g, double gamma_n) {
    if (g <= scene->slack) return true;
    if (!scene->foresee) return false;
    return g + scene->dt * fmin(gamma_n, 0.0) <= scene->slack + scene->fall;
}

static bool stays(const scree_scene *scene, const scree_pair *p) {
    return scene->keep_loaded && scree_pair_bears_load(p);
}

static bool touch_body(const scree_scene *scene, const scree_pair *p,
                       scree_contact *c) {
    scree_sphere_sphere(&scene->x[p->a], &scene->x[p->b], c);
    const scree_vec3 dv = sub(scene->u[p->a].v, scene->u[p->b].v);
    return within_reach(scene, c->g, dot(c->n, dv)) || stays(scene, p);
}

static bool touch_wall(const scree_scene *scene, const scree_pair *p,
                       scree_contact *c) {
    const scree_plane *plane = &scene->walls[-1 - p->b];
    if (!plane->exists) return false;
    scree_sphere_plane(&scene->x[p->a], plane, c);
    /* The wall may come towards the body at its full speed. */
    const double approach =
        plane->v_max + fabs(plane->rate) * norm(sub(scene->x[p->a].x, plane->o));
    return within_reach(scene, c->g,
                        dot(c->n, scene->u[p->a].v) - approach) ||
           stays(scene, p);
}

scree_status scree_narrow(scree_broad *broad, const scree_scene *scene,
                          scree_contacts *contacts) {
    contacts->n = 0;
    for (int64_t k = 0; k < broad->n_pair; ++k) {
        scree_pair *p = &broad->pairs[k];
        TRY(scree_reserve(&contacts->list, &contacts->capacity,
                          contacts->n + 1, sizeof *contacts->list));
        scree_contact *c = &contacts->list[contacts->n];
        if (p->b >= 0 ? touch_body(scene, p, c) : touch_wall(scene, p, c)) {
            c->a = p->a, c->b = p->b, c->pair = (int32_t)k;
            ++contacts->n;
        } else {
            p->P = vec(0, 0, 0);
        }
    }
    return SCREE_OK;
}
