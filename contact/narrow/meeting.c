#include "contact/narrow/meeting.h"

#include "contact/narrow/touch.h"
#include "contact/shapes/sphere.h"
#include "contact/solid/form.h"

/* Looks at most, one after the other; refinements of the touch. */
enum { LOOKS = 60, REFINEMENTS = 8 };
/* How far one looks, in the sum of the radii; gap that counts as none, likewise. */
static const double FAR = 0.25, NONE = 1e-12;

/* The two alone, a somewhere on its way. */
typedef struct approach {
    scree_scene scene;
    scree_ball x[2]; /* b in the origin */
    scree_quat q[2];
    int32_t form[2];
    scree_vec3 from, way;
    double reach; /* [m] */
    bool clump;   /* of several parts, each with touches of its own */
} approach;

static void set_body(const scree_scene *scene, int32_t body, approach *p,
                     int to) {
    p->x[to].r = scene->x[body].r;
    p->form[to] = scene->general ? scene->form[body] : -1;
    if (p->form[to] < 0) return;
    p->q[to] = scene->q[body];
    p->clump |= scene->forms[p->form[to]].n_ball > 0;
}

static void set_approach(const scree_scene *scene, const scree_pair *pair,
                         scree_vec3 d, scree_vec3 way, approach *p) {
    *p = (approach){.from = d, .way = way};
    set_body(scene, pair->a, p, 0);
    set_body(scene, pair->b, p, 1);
    p->reach = FAR * (p->x[0].r + p->x[1].r);
    p->scene = (scree_scene){.n = 2,
                             .x = p->x,
                             .q = p->q,
                             .form = p->form,
                             .forms = scene->forms,
                             .general = true};
}

/* What is seen at a share of the way. */
typedef struct sight {
    double g;     /* least gap, INFINITY: none within reach [m] */
    double rate;  /* at which it closes, per way [m] */
    double ahead; /* share that may be gone on without overlap of `depth` */
} sight;

static sight look_at(approach *p, double share, double depth) {
    scree_touch t[SCREE_TOUCHES];
    scree_separation apart = {.gap = 0};
    p->x[0].x = add_scaled(p->from, share, p->way);
    const int n = scree_pair_touch(&p->scene, &(scree_pair){0, 1, 0, 0},
                                   p->reach, &apart, t);
    sight s = {.g = INFINITY,
               .ahead =
                   n == 0 || p->clump ? p->reach / norm(p->way) : INFINITY};
    for (int i = 0; i < n; ++i) {
        const double rate = -dot(t[i].n, p->way);
        if (t[i].g < s.g) s.g = t[i].g, s.rate = rate;
        if (rate > 0) s.ahead = fmin(s.ahead, (t[i].g + depth) / rate);
    }
    return s;
}

/* Back to where the gap is none, from where they overlap. */
static double touch_before(approach *p, double share, sight s) {
    const double none = NONE * (p->x[0].r + p->x[1].r);
    for (int k = 0; k < REFINEMENTS && fabs(s.g) > none && s.rate > 0; ++k) {
        share += s.g / s.rate;
        if (share <= 0) return 0;
        s = look_at(p, share, 0);
    }
    return share;
}

double scree_pair_meeting(const scree_scene *scene, const scree_pair *pair,
                          scree_vec3 d, scree_vec3 way, double depth) {
    approach p;
    set_approach(scene, pair, d, way, &p);
    const double radii = p.x[0].r + p.x[1].r;
    const bool near = dot(d, d) <= radii * radii;
    double share = near ? 0 : scree_touch_on_way(d, way, radii);
    for (int k = 0; k < LOOKS && share <= 1; ++k) {
        const sight s = look_at(&p, share, depth);
        if (s.g <= -0.999 * depth) return touch_before(&p, share, s);
        share += s.ahead;
    }
    return INFINITY;
}
