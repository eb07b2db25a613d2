/* case_rows.h: what the files with rows share: how a row is written, ranges, and the
 * tables that one of them has and another one names. */
#ifndef SCREE_IO_CASE_ROWS_H
#define SCREE_IO_CASE_ROWS_H

#include "io/case/case_check.h"
#include "io/schema/case_schema.h"

#define AT(type, member) .offset = offsetof(type, member)
#define ROWS(rows) .fields = rows, .n = (int)(sizeof rows / sizeof *rows)
#define WHICH(type, member) .has_which = true, .which = offsetof(type, member)

extern const scree_range scree_positive;     /* > 0 */
extern const scree_range scree_not_negative; /* >= 0 */
extern const scree_range scree_ratio;        /* 0 to 1 */
extern const scree_range scree_many;         /* 1 to a billion */

/* Impact laws of materials, pairs and models. */
const char *scree_impact_name(int i, const char **about);
/* Ground for rockfall. */
const char *scree_ground_name(int i, const char **about);

extern const scree_table scree_time_table;
extern const scree_table scree_checkpoint_table;
extern const scree_table scree_solver_table;
extern const scree_table scree_model_solver_table;
extern const scree_table scree_stepping_table;
extern const scree_table scree_model_stepping_table;
extern const scree_table scree_contact_table;
extern const scree_table scree_region_box_table; /* of scree_region */
extern const scree_table scree_region_cylinder_table;
extern const scree_table scree_body_table; /* an entry of bodies */
extern const scree_table scree_cell_table;
extern const scree_table scree_domain_table;
extern const scree_table scree_outlet_table; /* an entry of outlets */
extern const scree_table scree_joint_table;  /* an entry of joints */
extern const scree_table scree_net_table;
extern const scree_table scree_force_table; /* an entry of forces */
extern const scree_table scree_stop_table;
extern const scree_table scree_ensemble_table;

#endif
