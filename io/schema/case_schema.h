/* case_schema.h: the tables that say what a case file may hold.
 *
 * A table describes one mapping of the file: its keys, and for each key the
 * type of the value, its limits and its place in a struct. The reader fills the
 * struct, the printer writes it, and messages list what is allowed, all from
 * the same rows; so does the reference: scree help, the manual pages, the JSON schema.
 * A new key is a new row in case_schema.c, or in the file of its section. */
#ifndef SCREE_IO_CASE_SCHEMA_H
#define SCREE_IO_CASE_SCHEMA_H

#include "io/case/case.h"
#include "io/case/yaml/case_node.h"

/* ---- the structs that the tables fill ------------------------------------ */

enum { SCREE_ENTRY_BYTES = 2048 }; /* at most, of an entry that is packed */
enum { SCREE_NAME_BYTES = 200 };   /* at most, of a name */
enum { SCREE_FACES = 6 };          /* of a box: x-, x+, y-, y+, z-, z+ */

typedef enum scree_wall_kind {
    SCREE_WALL_PLANE,
    SCREE_WALL_BOX,
    SCREE_WALL_PRISM,
    SCREE_WALL_MESH,
    SCREE_WALL_TERRAIN,
    SCREE_WALL_SEGMENTS,
    SCREE_WALL_CYLINDER,
    SCREE_WALL_CONE,
    SCREE_WALL_PROFILE,
} scree_wall_kind;

/* An entry of `walls`, before boxes and prisms become planes. */
typedef struct scree_wall_entry {
    char *name;
    scree_wall_kind kind;
    scree_plane_def plane; /* material, motion and times are of all kinds */
    scree_case_servo servo;
    struct {
        double min[3], max[3];
        uint32_t open; /* bit i: face i is left out */
    } box;
    struct {
        double center[3], axis[3];
        double radius, length;
        int sides;
    } prism;
    scree_case_surface surface;
} scree_wall_entry;

/* An entry of `bodies`. What all kinds share is in `grain`. */
typedef struct scree_body_entry {
    scree_case_body_kind kind;
    int line;
    scree_sphere_def sphere;
    scree_lattice lattice;
    scree_fill fill;
    scree_pour pour;
    scree_single single;
    scree_pyramid pyramid;
    scree_case_release release;
    scree_grain grain;
} scree_body_entry;

/* A rotation, as an orientation may be given. */
typedef struct scree_axis_angle {
    double axis[3];
    double angle; /* [rad] */
} scree_axis_angle;

/* An entry of `outputs`. */
typedef struct scree_output_entry {
    int sink; /* row of scree_outputs_of */
    scree_case_output output;
} scree_output_entry;

typedef struct scree_table scree_table;

/* The whole file. Walls and outputs of `c` come from the entries. */
typedef struct scree_draft {
    scree_case c;
    int n_wall, n_output;
    scree_wall_entry *walls;
    scree_output_entry *outputs;
    scree_table *parameters; /* rows of the model's parameters */
} scree_draft;

/* ---- the tables ---------------------------------------------------------- */

/* X(type, what a message expects, what a message allows). In C the values are:
 */
#define SCREE_FIELD_TYPE_LIST(X)                                                 \
    X(NUMBER, "a number", "number")         /* double */                         \
    X(AUTO, "a number or 'auto'", "number") /* double, -1 for auto */            \
    X(INTEGER, "an integer", "integer")     /* int */                            \
    X(COUNT, "an integer", "integer")       /* int64_t or uint64_t */            \
    X(SWITCH, "on or off", "on, off, true, false, yes, no") /* bool */           \
    X(TEXT, "text", "text")                                 /* char * */         \
    X(NAME, "a name", "text of 1 to 200 bytes on one line") /* char * */         \
    X(VECTOR, "a list of 3 numbers", "list of 3 numbers")   /* double[3] */      \
    X(QUATERNION, "a list of 4 numbers",                                         \
      "list of 4 numbers (w, x, y, z) of unit length, or axis and "              \
      "angle")                                              /* double[4] */      \
    X(COUNTS, "a list of 3 integers", "list of 3 integers") /* int64_t[3] */     \
    X(NUMBERS, "a list of numbers",                                              \
      "list of numbers") /* const double *, int */                               \
    X(POINTS, "a list of [x, y, z]",                                             \
      "list of [x, y, z]") /* const double * (n x 3), int */                     \
    X(CORNERS, "a list of [x, y]",                                               \
      "list of [x, y]") /* const double * (n x 3), z = 0, int */                 \
    X(BALLS, "a list of [x, y, z, radius]",                                      \
      "list of [x, y, z, radius], radius > 0") /* const double * (n x 4), int  \
                                                */ \
    X(FILE, "the name of a file",                                                \
      "name of a file, looked up beside the case file") /* char *: its path */   \
    X(FILES, "a list of files",                                                  \
      "list of at least one name of a file, looked up beside the case "          \
      "file")                           /* char **, int */                       \
    X(CHOICE, "a name", "")             /* const char * */                       \
    X(OPTION, "a name", "")             /* enum: number of the name */           \
    X(CHOICES, "a list of names", "")   /* uint32_t, bit i: name i */            \
    X(MODEL, "the name of a model", "") /* const scree_model_ops * */            \
    X(PARAMETERS, "a mapping", "")      /* double *, as the model says */        \
    X(MATERIAL, "the name of a material", "")    /* int */                       \
    X(MATERIALS, "a list of 2 materials", "")    /* int[2] */                    \
    X(SOME_MATERIALS, "a list of materials", "") /* const int *, int */          \
    X(SHAPE, "the name of a shape", "")          /* int, -1: none */             \
    X(MAP, "a mapping", "")                      /* as the table says */         \
    X(LIST, "a list", "")                        /* array of structs, int */

typedef enum scree_field_type {
#define X(type, expected, allowed) SCREE_FIELD_##type,
    SCREE_FIELD_TYPE_LIST(X)
#undef X
} scree_field_type;

/* " > 0 and <= 0.6", or nothing for a range without limits. */
void scree_range_words(const scree_range *range, char out[80]);
/* Whether x lies in the range; NULL is the range of everything. */
bool scree_range_contains(const scree_range *range, double x);

enum {
    SCREE_REQUIRED = 1,
    SCREE_ONE_OF = 2, /* exactly one of these keys; table.which says which */
    SCREE_ALSO_ONE_OF = 4, /* exactly one of these keys as well */
    SCREE_DIRECTION = 8,   /* a vector that is not zero */
    SCREE_BROADCAST = 16,  /* a vector for which one number may stand; it is a
                              size, no place: in the plane z does not count */
    SCREE_AXIAL = 32,      /* a vector that in the plane is along z */
    SCREE_SPACE = 64,      /* not in the plane */
    SCREE_DECIDES = 128,   /* what follows means something else by it */
    SCREE_NAMED = 256,     /* a list whose entries others name */
    SCREE_ANY_WAY = 512,   /* a vector that in the plane may be along z */
};

/* A value outside the limits of its own row means "not given" (an infinite
 * time, a count of 0): the reader accepts no such value, the printer leaves it
 * out. */
typedef struct scree_field {
    const char *key;
    scree_field_type type;
    size_t offset; /* of the value in the struct */
    unsigned flags;
    const scree_range *range; /* of each number; NULL: any */
    const char *unit;         /* of each number; NULL: none */
    /* CHOICE, CHOICES, OPTION, MODEL */
    const char *(*names)(int i, const char **about);
    /* CHOICE: is the name known elsewhere, and why not here? NULL: no */
    bool (*why_not)(const char *name, char *text, size_t size);
    const scree_table *table; /* MAP, LIST */
    int most;                 /* NUMBERS, POINTS, ...: so many; 0: any number */
    size_t count; /* NUMBERS, POINTS, ..., LIST: offset of the int that counts
                     the items */
    /* What the reference says (scree help): sentences on the meaning, what holds if
     * the key is not given and the struct has no value for that, and a value as it is
     * written in a file. */
    const char *about, *otherwise, *example;
} scree_field;

/* "number > 0 [m], or one number": what a value without names may be. */
void scree_value_words(const scree_field *field, bool planar, char out[300]);

typedef struct scree_reader scree_reader;

struct scree_table {
    const scree_field *fields;
    int n;
    size_t size;   /* of an entry, if the table is that of a LIST */
    size_t packed; /* of what the list keeps of an entry; 0: all of it */
    void (*pack)(const void *entry, void *kept);
    void (*unpack)(const void *kept, void *entry);
    bool has_which; /* the ONE_OF key is stored, counted from the first */
    size_t which;   /* where: offset of an int or enum */
    bool shorthand; /* a bare value stands for the first key's */
    /* A key of that table is no typing error; the words say why it is not
     * allowed here. */
    const scree_table *elsewhere;
    const char *why_not;
    void (*prepare)(void *entry); /* defaults of an entry */
    /* What one row cannot say; called when all rows are read. */
    scree_status (*check)(scree_reader *reader, const scree_node *map,
                          void *entry);
};

extern const scree_table scree_case_table;       /* the file: a world */
extern const scree_table scree_model_case_table; /* the file: a model */
extern const scree_table scree_wall_table;       /* an entry of walls */
extern const scree_table scree_shape_table;      /* an entry of shapes */
extern const scree_table scree_radius_table;     /* radius, diameter */
extern const scree_table scree_axis_angle_table;
extern const scree_table scree_output_table;       /* an entry of outputs */
extern const scree_table scree_model_output_table; /* the same, of a model */
/* Sinks that such a case may have. */
const scree_table *scree_outputs_of(const scree_case *c);

/* case_model.c: the rows of a model's parameters, for an array of doubles. */
scree_table *scree_parameter_table(const scree_model_ops *model,
                                   scree_pool *pool);
const char *scree_model_name(int i, const char **about);

/* case_print.c: the value of a row in its struct, as a file has it; "" if it was not
 * given. Not for names of materials and shapes, nor for mappings and lists of them. */
scree_status scree_value_print(const scree_field *field, const void *base,
                               char out[120]);

/* Name of face i of a box: left, right, front, back, bottom, top. */
const char *scree_face_name(int i, const char **about);

#endif
