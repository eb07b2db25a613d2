/* case_schema_outputs.h: rows that entries of `outputs` share. */
#ifndef SCREE_IO_CASE_SCHEMA_OUTPUTS_H
#define SCREE_IO_CASE_SCHEMA_OUTPUTS_H

#include "io/output/output.h"
#include "io/schema/case_rows.h"

extern const scree_range scree_levels; /* of compression */

#define IN(member) AT(scree_output_entry, output.member)

#define EVERY_ROW(unless)                                                      \
    {                                                                          \
        "every", SCREE_FIELD_NUMBER, IN(schedule.every),                       \
            .range = &scree_not_negative, .unit = "s",                         \
            .about = "Simulated time between two of them; 0: every step.",     \
            .otherwise = unless, .example = "0.02"                             \
    }
#define SCHEDULE_ROWS(unless)                                                  \
    EVERY_ROW(unless),                                                         \
        {"from",                                                               \
         SCREE_FIELD_NUMBER,                                                   \
         IN(schedule.from),                                                    \
         .range = &scree_not_negative,                                         \
         .unit = "s",                                                          \
         .about = "Nothing is written before this time, and `every` counts "   \
                  "from it.",                                                  \
         .example = "0.5"},                                                    \
        {"until",                                                              \
         SCREE_FIELD_NUMBER,                                                   \
         IN(schedule.until),                                                   \
         .range = &scree_not_negative,                                         \
         .unit = "s",                                                          \
         .about = "Nothing is written after this time.",                       \
         .otherwise = "the end of the run",                                    \
         .example = "2"},                                                      \
    {                                                                          \
        "times", SCREE_FIELD_NUMBERS, IN(schedule.times),                      \
            .range = &scree_not_negative, .unit = "s",                         \
            .count = offsetof(scree_output_entry, output.schedule.n_time),     \
            .about =                                                           \
                "Times at which it is written, rising, instead of `every`.",   \
            .otherwise = "none", .example = "[0.1, 0.2, 0.5]"                  \
    }
#define FIELDS_ROW(sink, some) FIELDS_ROW_OF(sink, some, "all of them")
#define FIELDS_ROW_OF(sink, some, which)                                       \
    {                                                                          \
        "fields", SCREE_FIELD_CHOICES, IN(fields),                             \
            .names = sink##_field, .about = "Fields that are written.",        \
            .otherwise = which, .example = some                                \
    }
#define COMPRESSION_ROW                                                        \
    {                                                                          \
        "compression", SCREE_FIELD_INTEGER, IN(compression),                   \
            .range = &scree_levels,                                            \
            .about = "Level of compression of the HDF5 files; 1 halves dense " \
                     "flows, more gains little.",                              \
            .example = "1"                                                     \
    }

/* Means over time: scree_case_sampling. */
#define SAMPLING_ROWS                                                          \
    {"sample",                                                                 \
     SCREE_FIELD_NUMBER,                                                       \
     IN(sampling.every),                                                       \
     .range = &scree_not_negative,                                             \
     .unit = "s",                                                              \
     .about =                                                                  \
         "Simulated time between states of which the mean is written; 0: "     \
         "every step.",                                                        \
     .otherwise = "none: the state at the time of writing alone",              \
     .example = "0.001"},                                                      \
    {                                                                          \
        "mean", SCREE_FIELD_OPTION, IN(sampling.mean),                         \
            .names = scree_mean_name,                                          \
            .about =                                                           \
                "With `sample`, what the mean is over: the interval since "    \
                "the last writing, or the run since `from`.",                  \
            .example = "run"                                                   \
    }
const char *scree_mean_name(int i, const char **about);

/* Of sinks that measure (case_schema_measures.c). */
extern const scree_table scree_flux_table;
extern const scree_table scree_fields_table;
extern const scree_table scree_walls_table;
extern const scree_table scree_network_table;
extern const scree_table scree_history_table;

#endif
