/* tippedisk.c: 000 section 5.4, Fig. 10: an eccentric disk turns upside down.
 *
 * mu is not given in 000; 0.3 here. The angle of Fig. 10 is the last one of the
 * Euler angles z-x-z: from the line of nodes, e_z x e_z^K, to e_x^K, on which
 * the centre of gravity lies. -90 degrees: S is below G; -270: above. */
#include <math.h>
#include <stdio.h>

#include "cases/studies/study.h"
#include "engine/base/vec.h"

static const double radius = 0.045, z_end = 0.0474599, t_inversion = 0.3954;
/* Of rattle midslip and of moreau in the limit of small steps [degrees]. */
static const double angle_inversion = -199.437, angle_end = -277.6475;

/* Within half a turn of `before`: a history without jumps. */
static double inclination(const double *q, double before) {
    const scree_quat p = {q[3], q[4], q[5], q[6]};
    const scree_vec3 ex = quat_rotate(p, vec(1, 0, 0));
    const scree_vec3 ez = quat_rotate(p, vec(0, 0, 1));
    const scree_vec3 nodes = cross(vec(0, 0, 1), ez);
    const scree_vec3 up = cross(ez, nodes);
    const double angle = scree_atan2(dot(ex, up), dot(ex, nodes));
    return angle + 2 * M_PI * round((before - angle) / (2 * M_PI));
}

typedef struct result {
    double t_up;           /* z first exceeds r */
    double z_up, angle_up; /* at t_inversion [m], [degrees] */
    double z, angle, deepest;
} result;

/* `every`: steps between the rows that are written. */
static result simulate(study *st, trial *r, int every, const char *file) {
    result seen = {0};
    series out = {0};
    double z = 0, angle = -M_PI / 2;
    while (trial_step(r, 1)) {
        const scree_dense *s = r->s;
        if (seen.t_up == 0 && z < radius && s->q[2] >= radius)
            seen.t_up = study_crossing(s->t - s->dt, z, s->t, s->q[2], radius);
        const double next = inclination(s->q, angle);
        if (s->t - s->dt < t_inversion && s->t >= t_inversion) {
            const double part = (t_inversion - s->t + s->dt) / s->dt;
            seen.z_up = z + (s->q[2] - z) * part;
            seen.angle_up = (angle + (next - angle) * part) * 180 / M_PI;
        }
        z = s->q[2];
        angle = next;
        seen.deepest = fmax(seen.deepest, -s->g[0]);
        if (s->steps % every == 0)
            series_add(st, &out, s->t, z, angle * 180 / M_PI, s->u[3], s->u[4],
                       s->u[5]);
    }
    seen.z = z, seen.angle = angle * 180 / M_PI;
    series_write(st, &out, file, "t,z,inclination,omega_x,omega_y,omega_z");
    return seen;
}

/* Table 1 counts Newton steps on the whole of (41): at most 3 and 2. */
static void compare_work(study *st, const scree_dense *s) {
    study_work(st, s, 0, 2, 2.4103);
    study_work(st, s, 1, 2, 2.0);
}

/* The centre rises by 5e-3 m; each scheme is judged by 1 to 5 times what it leaves. */
typedef struct tolerances {
    double z_up, z, up, end; /* [m], [m], [degrees], [degrees] */
} tolerances;

static void compare_paths(study *st, const result *seen, const tolerances *to) {
    study_near(st, seen->z_up, radius, to->z_up, "z(0.3954) [m]");
    study_show(st, seen->t_up, t_inversion, "  z passes r = 0.045 m at [s]");
    study_near(st, seen->z, z_end, to->z, "z(1) [m]");
    study_near(st, seen->angle_up, angle_inversion, to->up,
               "inclination(0.3954) [degrees]");
    study_near(st, seen->angle, angle_end, to->end, "inclination(1) [degrees]");
}

static void study_rattle(study *st, scree_friction_law law, const char *name,
                         const tolerances *to) {
    char file[40];
    snprintf(file, sizeof file, "rattle-%s.csv", name);
    trial r = trial_make(st, "tippedisk", "rattle", 1e-3);
    r.options.friction = law;
    r.options.tolerance = 1e-8;
    const result seen = simulate(st, &r, 1, file);
    study_heading("rattle, dt = 1e-3 s, friction: %s", name);
    compare_paths(st, &seen, to);
    study_at_most(st, seen.deepest, 1e-10, "deepest penetration [m]");
    if (r.s && law == SCREE_FRICTION_TOTAL) compare_work(st, r.s);
    trial_end(&r);
}

/* The third curve of Fig. 10, with its step and its rho_inf. */
static void study_alpha(study *st, scree_friction_law law, const char *name,
                        const tolerances *to) {
    char file[40];
    snprintf(file, sizeof file, "alpha-%s.csv", name);
    trial r = trial_make(st, "tippedisk", "generalized-alpha", 1e-3);
    r.options.friction = law;
    r.options.rho_inf = 0.9;
    r.options.tolerance = 1e-8;
    const result seen = simulate(st, &r, 1, file);
    study_heading("generalized-alpha, dt = 1e-3 s, rho_inf = 0.9, friction: %s",
                  name);
    compare_paths(st, &seen, to);
    study_at_most(st, seen.deepest, 1e-9, "deepest penetration [m]");
    trial_end(&r);
}

static void study_moreau(study *st) {
    trial r = trial_make(st, "tippedisk", "moreau", 1e-5);
    const result seen = simulate(st, &r, 100, "moreau.csv");
    study_heading("moreau, dt = 1e-5 s");
    compare_paths(st, &seen, &(tolerances){1e-5, 1e-5, 0.2, 0.04});
    study_show(st, seen.deepest, NAN, "deepest penetration [m]");
    trial_end(&r);
}

static const char script[] =
    "set multiplot layout 1,3 title "
    "'Tippedisk, mu = 0.3 (Breuling et al. 2024, Fig. 10)'\n"
    "set tmargin 3\n"
    "set style line 8 linecolor rgb '#bbbbbb' linewidth 3\n"
    "m = 'moreau.csv'\n"
    "a = 'rattle-total.csv'\n"
    "b = 'rattle-midslip.csv'\n"
    "c = 'alpha-midslip.csv'\n"
    "set xlabel 't [s]'\n"
    "set key below maxcols 1\n"
    "set bmargin 8.5\n"
    "set ylabel 'height z of the centre of gravity [m]'\n"
    "plot m using 't':'z' with lines linestyle 8 title 'moreau, 1e-5 s',\\\n"
    "     a using 't':'z' with lines linestyle 2 dashtype 2 "
    "title 'rattle, 1e-3 s',\\\n"
    "     b using 't':'z' with lines linestyle 3 dashtype 4 "
    "title 'rattle midslip, 1e-3 s',\\\n"
    "     c using 't':'z' with lines linestyle 4 dashtype 3 "
    "title 'generalized-alpha midslip, 1e-3 s'\n"
    "set ylabel 'inclination, last angle of z-x-z [degrees]'\n"
    "set ytics 30\n"
    "plot m using 't':'inclination' with lines linestyle 8 "
    "title 'moreau, 1e-5 s',\\\n"
    "     a using 't':'inclination' with lines linestyle 2 dashtype 2 "
    "title 'rattle, 1e-3 s',\\\n"
    "     b using 't':'inclination' with lines linestyle 3 dashtype 4 "
    "title 'rattle midslip, 1e-3 s',\\\n"
    "     c using 't':'inclination' with lines linestyle 4 dashtype 3 "
    "title 'generalized-alpha midslip, 1e-3 s'\n"
    "set ytics autofreq\n"
    "set ylabel 'angular velocity about e_x^K [rad/s]'\n"
    "plot m using 't':'omega_x' with lines linestyle 8 "
    "title 'moreau, 1e-5 s',\\\n"
    "     a using 't':'omega_x' with lines linestyle 2 dashtype 2 "
    "title 'rattle, 1e-3 s',\\\n"
    "     b using 't':'omega_x' with lines linestyle 3 dashtype 4 "
    "title 'rattle midslip, 1e-3 s',\\\n"
    "     c using 't':'omega_x' with lines linestyle 4 dashtype 3 "
    "title 'generalized-alpha midslip, 1e-3 s'\n"
    "unset multiplot\n";

static void run(study *st) {
    study_rattle(st, SCREE_FRICTION_TOTAL, "total",
                 &(tolerances){2e-4, 4e-6, 6, 2.5});
    study_rattle(st, SCREE_FRICTION_MIDSLIP, "midslip",
                 &(tolerances){5e-6, 1.5e-7, 0.1, 0.04});
    study_alpha(st, SCREE_FRICTION_TOTAL, "total",
                &(tolerances){1.5e-4, 8e-6, 4, 2.5});
    study_alpha(st, SCREE_FRICTION_MIDSLIP, "midslip",
                &(tolerances){3e-6, 5e-7, 0.03, 0.04});
    study_moreau(st);
    study_plot(st, "tippedisk", 1500, 560, script);
}

const scree_study_ops scree_study_tippedisk = {
    .name = "tippedisk",
    .about = "an eccentric disk turns upside down (Breuling et al. 2024, 5.4)",
    .run = run,
};
