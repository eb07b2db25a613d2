/* case_check.h: defaults of list entries, and rules that span several keys.
 * The tables of case_schema.c point to these functions. */
#ifndef SCREE_IO_CASE_CHECK_H
#define SCREE_IO_CASE_CHECK_H

#include "io/schema/case_schema.h"

void scree_prepare_case(scree_case *c);
void scree_prepare_material(void *entry);
void scree_prepare_pair(void *entry);
void scree_prepare_shape(void *entry);
void scree_prepare_wall(void *entry);
void scree_prepare_body(void *entry);
void scree_prepare_output(void *entry);
void scree_prepare_outlet(void *entry);
void scree_prepare_joint(void *entry);
void scree_prepare_net(void *entry);
void scree_prepare_force(void *entry);

/* scree_body_entry to scree_case_body and back. */
void scree_pack_body(const void *entry, void *body);
void scree_unpack_body(const void *body, void *entry);

#define SCREE_CHECK_LIST(X)                                                    \
    X(time)          /* the step fits into the end */                          \
    X(material)      /* names differ */                                        \
    X(pair)          /* given once; missing values follow the mixing rule */   \
    X(polyhedron)    /* a scale only with a file */                            \
    X(polygon)       /* a radius only with sides */                            \
    X(shape)         /* names differ; the shape can be made */                 \
    X(wall)          /* name by default; names differ; until > from */         \
    X(servo)         /* keys that go together */                               \
    X(wall_box)      /* min < max */                                           \
    X(region_box)    /* min < max */                                           \
    X(radius_bounds) /* min <= max */                                          \
    X(list)          /* as many weights as values, not all zero */             \
    X(pour)          /* ends with the run by default; start < stop */          \
    X(body)          /* the spheres fit into their place */                    \
    X(domain)        /* min < max */                                           \
    X(cell)          /* min < max; what goes with its directions */            \
    X(outlet_box)    /* min < max */                                           \
    X(outlet)        /* names differ */                                        \
    X(joint)         /* keys that its kind has; ends */                        \
    X(net)           /* names differ; a brake has a cable */                   \
    X(drag)          /* a density where it is needed */                        \
    X(force_box)     /* min < max */                                           \
    X(force)         /* a field or drag */                                     \
    X(stop)          /* something to stop by */                                \
    X(release)       /* a line has a length, a polygon an area */              \
    X(crop)          /* min < max */                                           \
    X(ensemble)      /* what it can be with: releases on one terrain */        \
    X(catalyst)      /* a schedule by default; live: host:port */              \
    X(gate)          /* the sides of a rectangle span one */                   \
    X(gate_name)     /* names differ */                                        \
    X(flux)          /* sizes rise */                                          \
    X(fields)        /* a grid that fits into memory; planar: a box */         \
    X(history)       /* ids are whole numbers that rise */                     \
    X(extent)        /* min < max */                                           \
    X(walls)         /* cells and box together; not too many */                \
    X(output)        /* each sink once; its times rise */                      \
    X(world)         /* the stepper runs worlds */                             \
    X(model)         /* dt_min fits into the step */

/* The largest step, if steps choose themselves (case_step.c). */
scree_status scree_check_step(scree_reader *r, const scree_node *map,
                              scree_draft *draft);

/* Does any material, or pair, obey Poisson's law? */
bool scree_case_asks_poisson(const scree_case *c);

/* What goes with a cell, and what with none (case_check_cell.c). */
scree_status scree_check_in_cell(scree_reader *r, const scree_node *map,
                                 scree_draft *draft);

#define X(name)                                                                \
    scree_status scree_check_##name(scree_reader *reader,                      \
                                    const scree_node *map, void *entry);
SCREE_CHECK_LIST(X)
#undef X

/* Of a material: what its ground has by name is filled in (case_ground.c). */
scree_status scree_check_ground(scree_reader *r, const scree_node *map,
                                scree_case_material *material);

/* Limits of a material or pair. */
scree_status scree_check_bond(scree_reader *r, const scree_node *map,
                              const scree_bond *bond);
/* Has any material or pair cohesion or a bond? */
bool scree_case_attracts(const scree_case *c);
/* Cohesion and bonds, with a stepper and a contact that know them (case_cohesion.c). */
scree_status scree_check_cohesion(scree_reader *r, const scree_node *map,
                                  const scree_case *c);

#endif
