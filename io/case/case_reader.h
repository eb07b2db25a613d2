/* case_reader.h: the reader at work; shared by the files that make it up.
 *
 *     case_read.c    the file, the overrides, the order of things
 *     case_table.c   a mapping or a list, as its table says
 *     case_value.c   a single value, as its row says
 *     case_allowed.c what a message says is allowed
 *     case_refusals.c going on behind what was refused, to show all of it
 *     case_check.c, case_check_bodies.c  defaults, and what rows cannot say
 *     case_shapes.c  shapes from their keys and files
 *     case_walls.c   boxes and prisms into planes
 *     case_servo.c   walls that forces drive
 *     case_surfaces.c meshes and terrain from their files
 *     case_model.c   a model's parameters as rows
 */
#ifndef SCREE_IO_CASE_READER_H
#define SCREE_IO_CASE_READER_H

#include "io/case/yaml/case_index.h"
#include "io/case/yaml/case_message.h"
#include "io/schema/case_schema.h"

struct scree_reader {
    scree_pool *pool; /* for what the case keeps */
    scree_draft draft;
    scree_index materials, shapes, walls; /* by name */
    scree_index outlets, gates;
    scree_index pairs; /* by the numbers of both: "2 7" */
    bool looks; /* is not to make more rocks than these points are enough for */
    int64_t points;   /* left */
    int64_t overlaps; /* pairs of balls, of all clumps (contact/solid/mass.h) */
    int item;         /* number of the list entry at hand */
    char key[256];    /* path to the value at hand: bodies[2].radius */
    scree_error *error; /* the refusal at hand */
    scree_error *all;   /* what the caller is told */
    int n_refused;      /* values, and what holds them */
    int n_shown;        /* refusals in `all` */
    bool lost_names;    /* a list was refused whose entries others name */
};

/* ---- going on ------------------------------------------------------------ */

/* After a value that may have been refused: adds the refusal to all others, takes the
 * key path back to `mark`, and lets the reader go on behind it. Returns what ends the
 * reading: any other failure, and more refusals than are shown. */
scree_status scree_reader_pass(scree_reader *reader, scree_status status,
                               size_t mark);
/* Refuses without words what only follows from another refusal. */
scree_status scree_reader_follow(scree_reader *reader);
/* Tells the caller why the file was not read. */
scree_status scree_reader_tell(scree_reader *reader, scree_status status);

/* The key path. Entering returns the mark to leave with. After a failure
 * nothing is left: the path stays where the failure was, until the reader goes on. */
size_t scree_reader_enter(scree_reader *reader, const char *key);
size_t scree_reader_enter_item(scree_reader *reader, int i);
void scree_reader_leave(scree_reader *reader, size_t mark);

scree_status scree_reader_map(scree_reader *reader, const scree_table *table,
                              const scree_node *node, void *base);
scree_status scree_reader_list(scree_reader *reader, const scree_field *field,
                               const scree_node *node, void *base);
/* Reads any type: `value` is where the field's offset points to. */
scree_status scree_reader_value(scree_reader *reader, const scree_field *field,
                                const scree_node *node, void *value);

/* ---- messages ------------------------------------------------------------ */

/* "expected a number, found the text 'fast'", with what is allowed. */
scree_status scree_reader_wrong_type(scree_reader *reader,
                                     const scree_field *field,
                                     const char *expected,
                                     const scree_node *node);
/* Refuses the value of `key` in `map`, or the map itself if it has no such key.
 * The caller may add hints. */
scree_status scree_reader_refuse(scree_reader *reader, const scree_node *map,
                                 const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Refuses a scalar as it was written; the caller adds the limits. */
scree_status scree_reader_out_of_range(scree_reader *reader,
                                       const scree_node *map, const char *key);
/* min < max, in the plane in x and y. */
scree_status scree_reader_check_box(scree_reader *reader, const scree_node *map,
                                    const double min[3], const double max[3]);
/* The name of entry i of a list must be its own; `list` is what holds it. */
scree_status scree_reader_add_name(scree_reader *reader, const scree_node *map,
                                   scree_index *index, const char *list, int i,
                                   const char *name);
scree_status scree_reader_no_memory(scree_reader *reader);

/* Makes `model` that of the case, with its parameters at their defaults. */
scree_status scree_reader_model(scree_reader *reader,
                                const scree_model_ops *model);

void scree_hint_allowed(scree_reader *reader, const scree_field *field);
/* What a message expects of a type: "a number". */
const char *scree_field_expected(const scree_field *field);

scree_names scree_names_keys(const scree_table *table);
scree_names scree_names_choices(const scree_field *field);
scree_names scree_names_materials(const scree_draft *draft);
scree_names scree_names_shapes(const scree_draft *draft);

/* ---- from the entries to the case ---------------------------------------- */

scree_status scree_reader_resolve_walls(scree_reader *reader);

/* Walls that forces drive: no servo; what rows of a wall with one cannot say; that of a
 * face of a box; and from the keys to the definitions, when all walls are known. */
scree_case_servo scree_case_servo_none(void);
scree_status scree_reader_check_servo(scree_reader *reader,
                                      const scree_node *map,
                                      const scree_wall_entry *wall);
struct scree_stepper_ops;
scree_status scree_reader_check_drives(scree_reader *reader,
                                       const scree_node *map,
                                       const struct scree_stepper_ops *stepper);
void scree_servo_of_face(scree_case_servo *servo, const scree_wall_entry *wall,
                         int face);
scree_status scree_reader_resolve_servos(scree_reader *reader);

/* Are the points of segments such that they can be a wall? */
scree_status scree_reader_check_segments(scree_reader *reader,
                                         const scree_node *map,
                                         const scree_wall_entry *wall);
scree_status scree_reader_check_turned(scree_reader *reader,
                                       const scree_node *map,
                                       const scree_wall_entry *wall);

/* Reads the file of a mesh or terrain; `map` is the wall's. */
scree_status scree_reader_load_surface(scree_reader *reader,
                                       const scree_node *map,
                                       scree_wall_entry *wall);
/* Refuses `key` of `map` with the sentence of a file's reader as a hint. */
scree_status scree_reader_bad_file(scree_reader *reader, const scree_node *map,
                                   const char *key, const scree_error *why);

#endif
