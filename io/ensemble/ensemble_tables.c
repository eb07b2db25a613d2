#include "io/ensemble/ensemble_tables.h"

#include <inttypes.h>
#include <math.h>

/* ---- deposits -------------------------------------------------------------- */

static void name_deposits(scree_csv *csv) {
    scree_csv_add(csv, "k,release,form,reason,steps,flying,unconverged,mass,"
                       "volume,start_x,start_y,start_z,stop_x,stop_y,stop_z,"
                       "runout,way,time,speed_max,spin_max,kinetic_max,"
                       "height_max,kinetic_start,kinetic_stop,fall,"
                       "dissipated_normal,dissipated_friction,"
                       "dissipated_turning,recovery_work,scheme_error");
}

/* Straight on the map, from the start to the stop [m]. */
static double runout_of(const scree_trajectory *it) {
    return scree_hypot(it->stop[0] - it->start[0], it->stop[1] - it->start[1]);
}

static scree_status add_deposit(const scree_ensemble_tables *t, scree_csv *csv,
                                const scree_trajectory *it,
                                scree_error *error) {
    const double *o = t->origin;
    const double row[] = {it->mass,
                          it->volume,
                          it->start[0] + o[0],
                          it->start[1] + o[1],
                          it->start[2],
                          it->stop[0] + o[0],
                          it->stop[1] + o[1],
                          it->stop[2],
                          runout_of(it),
                          it->way,
                          it->time,
                          it->speed,
                          it->spin,
                          it->kinetic,
                          it->height,
                          it->start_kinetic,
                          it->stop_kinetic,
                          it->fall,
                          it->dissipated_normal,
                          it->dissipated_friction,
                          it->dissipated_turning,
                          it->recovery_work,
                          it->scheme_error};
    scree_csv_add(csv,
                  "%" PRId64 ",%" PRId64 ",%" PRId64 ",%s,%" PRId64 ",%" PRId64
                  ",%" PRId64,
                  it->k, it->release, it->shape,
                  scree_end_name((scree_end)it->end), it->steps, it->flying,
                  it->unconverged);
    scree_csv_numbers(csv, row, (int)(sizeof row / sizeof *row));
    return scree_csv_write(csv, error);
}

/* ---- samples --------------------------------------------------------------- */

static void name_samples(scree_csv *csv) {
    scree_csv_add(csv, "k,time,x,y,z,velocity_x,velocity_y,velocity_z,spin_x,"
                       "spin_y,spin_z,translation,rotation,height,slippage,"
                       "contact");
}

static scree_status add_sample(const scree_ensemble_tables *t, scree_csv *csv,
                               int64_t k, const scree_sample *s,
                               scree_error *error) {
    const double row[] = {s->t,
                          s->x[0] + t->origin[0],
                          s->x[1] + t->origin[1],
                          s->x[2],
                          s->v[0],
                          s->v[1],
                          s->v[2],
                          s->w[0],
                          s->w[1],
                          s->w[2],
                          s->translation,
                          s->rotation,
                          isfinite(s->height) ? s->height : NAN,
                          s->slippage,
                          s->touches};
    scree_csv_add(csv, "%" PRId64, k);
    scree_csv_numbers(csv, row, (int)(sizeof row / sizeof *row));
    return scree_csv_write(csv, error);
}

/* ---- both ------------------------------------------------------------------ */

static scree_status begin_table(scree_csv *csv, const char *folder,
                                const char *name, void (*head)(scree_csv *),
                                scree_error *error) {
    TRY(scree_csv_open(csv, folder, name, error));
    head(csv);
    return scree_csv_write(csv, error);
}

static scree_status go_on(scree_csv *csv, const char *folder, const char *name,
                          int64_t length, scree_error *error) {
    TRY(scree_csv_reopen(csv, folder, name, error));
    return scree_csv_cut(csv, length, error);
}

scree_status scree_ensemble_tables_open(scree_ensemble_tables *t,
                                        const char *folder, bool samples,
                                        bool resumes, scree_error *error) {
    static const char deposits[] = "deposits.csv", ways[] = "trajectories.csv";
    /* Before the first batch there is nothing to go on behind. */
    const bool goes_on = resumes && t->lengths[0] > 0;
    t->open = true;
    t->deposits.fd = t->samples.fd = -1;
    if (goes_on)
        TRY(go_on(&t->deposits, folder, deposits, t->lengths[0], error));
    else
        TRY(begin_table(&t->deposits, folder, deposits, name_deposits, error));
    if (!samples) return SCREE_OK;
    return goes_on
               ? go_on(&t->samples, folder, ways, t->lengths[1], error)
               : begin_table(&t->samples, folder, ways, name_samples, error);
}

scree_status scree_ensemble_tables_add(scree_ensemble_tables *t,
                                       const scree_track *track,
                                       scree_error *error) {
    for (int64_t i = 0; i < track->n_sample; i++)
        TRY(add_sample(t, &t->samples, track->it.k, &track->samples[i], error));
    return add_deposit(t, &t->deposits, &track->it, error);
}

scree_status scree_ensemble_tables_close(scree_ensemble_tables *t,
                                         scree_error *error) {
    if (!t->open) return SCREE_OK;
    t->open = false;
    const scree_status status = scree_csv_close(&t->deposits, error);
    const scree_status other =
        scree_csv_close(&t->samples, status == SCREE_OK ? error : NULL);
    return status == SCREE_OK ? other : status;
}

void scree_ensemble_tables_archive(scree_ensemble_tables *t, scree_archive *a) {
    if (!a->loads && t->open) {
        t->lengths[0] = scree_csv_settle(&t->deposits, a);
        if (t->samples.path) t->lengths[1] = scree_csv_settle(&t->samples, a);
    }
    scree_archive_array(a, "lengths", SCREE_I64, 2, 1, t->lengths);
}
