/* case_schema_ensemble.c: the section `ensemble`. */
#include "io/schema/case_rows.h"

static const char *format_name(int i, const char **about) {
    static const char *const names[] = {[SCREE_MAPS_ASC] = "asc",
                                        [SCREE_MAPS_GEOTIFF] = "geotiff",
                                        [SCREE_MAPS_BOTH] = "both"};
    (void)about;
    return i < (int)(sizeof names / sizeof *names) ? names[i] : NULL;
}

static const scree_field ensemble_rows[] = {
    {"trajectories", SCREE_FIELD_COUNT, AT(scree_case_ensemble, trajectories),
     SCREE_REQUIRED, .range = &scree_many,
     .about = "How many rocks fall, each alone, from the entries `release` of "
              "`bodies`. Each is drawn from its number: more of them leave the "
              "first ones as they are.",
     .example = "1000"},
    {"first", SCREE_FIELD_COUNT, AT(scree_case_ensemble, first),
     .range = &scree_not_negative,
     .about = "Number of the first trajectory, to run a part of an ensemble.",
     .example = "17"},
    {"rest_speed", SCREE_FIELD_NUMBER, AT(scree_case_ensemble, rest_speed),
     .range = &scree_positive, .unit = "m/s",
     .about = "A rock rests once no point of it has been faster than this for "
              "rest_for: |v| + r |w|, r the radius of the ball around it.",
     .example = "0.2"},
    {"rest_for", SCREE_FIELD_NUMBER, AT(scree_case_ensemble, rest_for),
     .range = &scree_positive, .unit = "s",
     .about = "How long it must be slow.", .example = "0.5"},
    {"every", SCREE_FIELD_NUMBER, AT(scree_case_ensemble, every),
     .range = &scree_not_negative, .unit = "s",
     .about = "Time between the rows of a rock in trajectories.csv; 0: every "
              "step.",
     .otherwise = "there is no such file", .example = "0.05"},
    {"maps", SCREE_FIELD_SWITCH, AT(scree_case_ensemble, maps),
     .about =
         "on: maps of passages, reach, deposits, speed, kinetic energy and "
         "height are written at the end.",
     .example = "off"},
    {"cell", SCREE_FIELD_NUMBER, AT(scree_case_ensemble, cell),
     .range = &scree_positive, .unit = "m",
     .about = "Size of the cells of the maps.",
     .otherwise = "that of the terrain", .example = "5"},
    {"format", SCREE_FIELD_OPTION, AT(scree_case_ensemble, format),
     .names = format_name,
     .about = "Files of the maps: ESRI ASCII grids (asc), GeoTIFF, which needs "
              "a program built with GDAL, or both.",
     .example = "both"},
};
const scree_table scree_ensemble_table = {ROWS(ensemble_rows)};
