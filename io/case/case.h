/* case.h: a case file, read, checked and resolved.
 *
 * The reader is strict: an unknown key, a wrong type, a value out of range, a
 * reference to nothing are errors that name file, line, key, what is allowed
 * and the nearest valid key. Nothing is created before the whole file is valid.
 * Every section of the file is described by one row in the schema tables of
 * io/schema/case_schema.c; the reader, the printer and the messages follow from them.
 *
 * A case describes a world of bodies or, with the key `model`, a small system
 * by formula (engine/scree_model.h). */
#ifndef SCREE_IO_CASE_H
#define SCREE_IO_CASE_H

#include "contact/solid/rock.h"
#include "contact/surface/heights.h"
#include "engine/base/comm.h"
#include "engine/base/error.h"
#include "engine/ensemble/release.h"
#include "engine/generate/generate.h"
#include "engine/scree.h"
#include "engine/scree_forces.h"
#include "engine/scree_joints.h"
#include "engine/system/dense.h"
#include "io/scree_case.h"

#include <stdio.h>

typedef struct scree_case_material {
    char *name;
    scree_material_def def;
    int ground; /* by name (case_ground.c); 0: none */
} scree_case_material;

typedef struct scree_case_pair {
    int a, b; /* indices of materials */
    scree_contact_law law;
    bool collide; /* off: they pass each other */
} scree_case_pair;

typedef enum scree_case_wall_kind {
    SCREE_CASE_PLANE,
    SCREE_CASE_MESH,
    SCREE_CASE_TERRAIN,
    SCREE_CASE_SEGMENTS,
    SCREE_CASE_REVOLVED,
} scree_case_wall_kind;

/* A cylinder, a cone or a profile that is turned about an axis (scree_revolved_def). */
typedef struct scree_case_turned {
    double point[3], axis[3];
    double radius, top_radius; /* of a cylinder and cone [m] */
    double length;             /* INFINITY: a cylinder without ends [m] */
    bool outside;
    int n_point;
    const double *profile; /* (n_point x 3) r, z, 0 [m] */
} scree_case_turned;

/* Its profile as new memory, (n_point x 2) r, z; of cylinders and cones 2 points. NULL: no
 * memory. */
double *scree_case_profile(const scree_case_turned *turned);

/* A part of a terrain. */
typedef struct scree_case_crop {
    double low[3], high[3]; /* z does not count [m] */
    bool given;
} scree_case_crop;

/* A wall from a file, and what the file held; or segments; or a surface of revolution,
 * whatever it was given by. */
typedef struct scree_case_surface {
    char *file;               /* whole path */
    double scale;             /* mesh */
    bool two_sided;           /* mesh */
    int n_vertex, n_triangle; /* mesh */
    const double *vertices;   /* (n_vertex x 3) scaled [m] */
    const int32_t *corners;   /* (n_triangle x 3) */
    scree_heights heights;    /* terrain */
    const char *crs;          /* of it, as a .prj file has it; NULL: none */
    scree_case_crop crop;     /* what is taken of it */
    double cell;              /* it is resampled to; 0: its own [m] */
    int smooth;               /* passes */
    int n_point;              /* segments, and those below */
    const double *points;     /* (n_point x 3) z = 0 [m] */
    bool closed;
    double thickness; /* [m] */
    scree_case_turned turned;
} scree_case_surface;

/* What drives a wall, as the keys say it; those that are not given are as
 * scree_servo_default, infinite or not a number. */
typedef struct scree_case_servo {
    int goal; /* force, pressure or torque; -1: nothing drives it */
    double target;
    double direction[3], axis[3], origin[3];
    double area;
    char *room;     /* planes ROOM.* span the area; or NULL */
    uint32_t faces; /* of a box, bit i: face i is driven; 0: all */
    double mass, inertia, speed, damping, until, then;
} scree_case_servo;

/* Boxes and prisms are resolved into their planes: one entry per plane. */
typedef struct scree_case_wall {
    char *name; /* "floor"; "box.bottom" for the planes of a compound */
    scree_plane_def def; /* of a surface: material, motion, servo and times */
    scree_case_servo servo; /* the same of def, as it is printed */
    scree_case_wall_kind kind;
    scree_case_surface surface;
} scree_case_wall;

/* Kinds of shapes: those of scree_shape_kind, and rocks. */
enum { SCREE_CASE_ROCK = SCREE_SHAPE_POLYGON + 1 };

/* A name for one shape or, of rocks, for several. */
typedef struct scree_case_shape {
    char *name;
    int kind;
    scree_shape_def given;     /* what the keys say; points and balls may be */
    char *file;                /* polyhedron: whole path, or NULL */
    double scale;              /* of the file; 0: no file */
    int sides;                 /* regular polygon of given.radius, or 0 */
    scree_rock_def rock;       /* its diameter is drawn for each variant */
    scree_radius_law diameter; /* of rocks [m] */
    int variants;              /* rocks of this name, or 0 */
    /* what follows from the keys */
    scree_shape_def *defs; /* (set.n) */
    scree_shape_set set;
} scree_case_shape;

/* Where an ensemble's rocks start, and how the case says it. */
typedef enum scree_case_place {
    SCREE_CASE_POINTS,
    SCREE_CASE_LINE,
    SCREE_CASE_POLYGON,
    SCREE_CASE_PLACES, /* of a file */
} scree_case_place;

typedef struct scree_case_release {
    scree_case_place place;
    char *file; /* whole path */
    scree_release it;
} scree_case_release;

typedef enum scree_case_body_kind {
    SCREE_CASE_SPHERE,
    SCREE_CASE_LATTICE,
    SCREE_CASE_FILL,
    SCREE_CASE_POUR,
    SCREE_CASE_SINGLE,
    SCREE_CASE_PYRAMID,
    SCREE_CASE_RELEASE, /* of an ensemble: no body of the world */
} scree_case_body_kind;

typedef struct scree_case_body {
    scree_case_body_kind kind;
    int line; /* in the case file, for messages while the bodies are made */
    union {
        scree_sphere_def sphere;
        scree_lattice lattice;
        scree_fill fill;
        scree_pour pour;
        scree_single single;
        scree_pyramid pyramid;
        scree_case_release release;
    } as;
} scree_case_body;

/* When an output is written: at `from` and every `every` after it, or at given
 * times. Times are simulated ones [s]. */
typedef struct scree_schedule {
    double every;        /* 0: every step */
    double from, until;  /* nothing is written before and after */
    const double *times; /* (n_time) rising, instead of `every`; NULL: none */
    int n_time;
} scree_schedule;

/* What becomes of a run when a Catalyst script fails. */
typedef enum scree_on_error {
    SCREE_ON_ERROR_STOP,
    SCREE_ON_ERROR_CONTINUE, /* without the script */
} scree_on_error;

/* The keys of the sink `catalyst`. */
typedef struct scree_case_catalyst {
    const char *const *scripts; /* (n_script) whole paths */
    int n_script;
    scree_on_error on_error;
    bool extracts; /* ready scripts write data beside their pictures */
    char *live;    /* host:port of a ParaView client; NULL: none */
} scree_case_catalyst;

/* A surface that the sink `flux` counts through (engine/measure/gate.h). */
typedef struct scree_case_gate {
    char *name;
    int kind;           /* a scree_gate_kind */
    double point[3];    /* on the plane, centre of the disc, corner [m] */
    double normal[3];   /* of a plane or disc */
    double radius;      /* of a disc [m] */
    double sides[2][3]; /* of a rectangle [m] */
} scree_case_gate;

/* The keys of the sinks that measure. */
typedef struct scree_case_flux {
    const scree_case_gate *gates; /* (n_gate) */
    int n_gate;
    bool materials;      /* each material by itself too */
    const double *sizes; /* (n_size) diameters between classes [m] */
    int n_size;
} scree_case_flux;

/* States that a mean over time is of. */
typedef enum scree_mean_of {
    SCREE_MEAN_OF_INTERVAL, /* since the last writing */
    SCREE_MEAN_OF_RUN,      /* since the first sample */
} scree_mean_of;

typedef struct scree_case_sampling {
    double
        every; /* [s] between samples, 0: every step; < 0: only what is written */
    scree_mean_of mean;
} scree_case_sampling;

typedef struct scree_case_fields {
    scree_region region;
    int64_t cells[3];
    double width; /* reach of the kernel [m]; 0: none */
} scree_case_fields;

typedef struct scree_case_network {
    int bins;    /* of each histogram */
    double most; /* upper end of that of forces over their mean */
    int largest; /* forces that are listed */
} scree_case_network;

typedef struct scree_case_walls {
    double cells;          /* size of squares on planes [m]; 0: no cells */
    double min[3], max[3]; /* how far planes reach [m] */
} scree_case_walls;

/* One entry of `outputs`: a sink of outputs.def, its schedule and options. */
typedef struct scree_case_output {
    const char *sink; /* name in outputs.def */
    scree_schedule schedule;
    uint32_t fields; /* bit i: field i of the sink; 0: all of them */
    int compression; /* of HDF5 files, 0: none ... 9 */
    bool spheres;    /* surfaces: spheres too */
    bool unwrapped;  /* frames: positions as if there were no cell */
    bool lines;      /* contacts: the network too */
    bool idle;       /* contacts: those that bear no load too */
    scree_case_catalyst catalyst;
    scree_case_flux flux;
    scree_case_sampling sampling; /* of sinks that can take means */
    scree_case_fields mean;       /* fields */
    scree_case_network network;
    scree_case_walls walls;
    const double *ids; /* (n_id) history: bodies */
    int n_id;
} scree_case_output;

/* When the state of a run is saved so that it can go on from there. */
typedef struct scree_case_checkpoint {
    double every;      /* [s] simulated; 0: not by this */
    double every_wall; /* [s] of the clock; 0: not by this */
    int keep;          /* so many, the newest */
} scree_case_checkpoint;

/* A box in which bodies leave. */
typedef struct scree_case_outlet {
    char *name;
    scree_outlet_def def;
} scree_case_outlet;

/* A periodic cell. */
typedef struct scree_case_cell {
    scree_cell_def def;
    int periodic; /* bits of its directions; 0: there is none */
} scree_case_cell;
/* A joint, as its keys say it (engine/scree_joints.h); points that are not given are
 * NAN. */
typedef struct scree_case_limits {
    double from, to;
} scree_case_limits;
typedef struct scree_case_motor {
    double speed, strength;
} scree_case_motor;
typedef struct scree_case_joint {
    int line;
    scree_joint_def def;
    scree_case_limits limits;
    scree_case_motor motor;
} scree_case_joint;

/* Fields, drag, buoyancy; low[0] NAN: everywhere. */
typedef struct scree_case_force {
    scree_force_def def;
} scree_case_force;

typedef struct scree_case_net {
    int line;
    char *name;
    scree_net_def def;
} scree_case_net;

/* A run that ends before its time. */
typedef struct scree_case_stop {
    double kinetic;   /* [J]; 0: not by this */
    double speed;     /* [m/s]; 0: not by this */
    double hold;      /* so long both must be below [s] */
    bool all_removed; /* once no body is left */
} scree_case_stop;

/* Files that maps are written as. */
typedef enum scree_map_format {
    SCREE_MAPS_ASC,
    SCREE_MAPS_GEOTIFF,
    SCREE_MAPS_BOTH,
} scree_map_format;

/* Many rocks, each alone (engine/ensemble/ensemble.h). */
typedef struct scree_case_ensemble {
    int64_t trajectories;        /* 0: the case has no ensemble */
    int64_t first;               /* number of the first one */
    double rest_speed, rest_for; /* [m/s] [s] */
    double
        every; /* between samples of trajectories [s]; < 0: none are written */
    bool maps;
    double cell; /* of the maps [m]; 0: as the terrain's */
    int format;  /* a scree_map_format */
} scree_case_ensemble;

/* What becomes of a run whose audit finds errors (io/run/audit.h). */
typedef enum scree_audit_rule {
    SCREE_AUDIT_STOP, /* it does not begin */
    SCREE_AUDIT_WARN,
} scree_audit_rule;

struct scree_case {
    char *path; /* as given, for messages */
    char *text; /* the whole file, as read */
    char
        *overrides; /* the --set options, one "key=value" per line; may be "" */
    char *name;
    char *units;
    uint64_t seed;
    double end;  /* [s] */
    double step; /* [s]; < 0: steps choose themselves, and */
    double
        motion; /* no body moves by more than this share of its size in one */
    scree_case_checkpoint checkpoint;
    scree_outlet_def domain; /* its outside; low[0] NAN: it has none */
    scree_case_cell cell;
    scree_case_stop stop;
    scree_case_ensemble ensemble;
    scree_audit_rule audit; /* of a world */
    bool report;            /* write report.html at the end of the run */
    /* Of a model case `dt` and `stepper` have a meaning, nothing else. `dt` is `step`,
     * or the largest that may be chosen (case_step.c). */
    scree_world_def world;
    const scree_model_ops *model; /* NULL: the case describes a world */
    double *parameters;           /* (model->n_parameter), NULL for a world */
    scree_dense_options stepping; /* of a world as in scree_world_def */
    int n_material, n_pair, n_shape, n_wall, n_body, n_outlet, n_output;
    scree_case_material *materials;
    scree_case_pair *pairs;
    scree_case_shape *shapes;
    scree_case_wall *walls;
    scree_case_body *bodies;
    int n_joint, n_net, n_force;
    scree_case_force *forces;
    scree_case_joint *joints;
    scree_case_net *nets;
    scree_case_outlet *outlets; /* in the world the domain follows them */
    scree_case_output *outputs;
    int64_t n_unmade; /* forms of rocks that a look leaves out */
    void *memory;     /* owner of all of the above */
};

/* As scree_case_read, in a short time: of the rocks only some forms are made, and all others are
 * counted (n_unmade). For looking at a case, not for running it. */
scree_status scree_case_look(const char *path, int n_set,
                             const char *const *sets, scree_case **out,
                             scree_error *error);
/* Prints the resolved case as YAML that the reader accepts and that gives the
 * same case again. Boxes and prisms are printed as their planes, files with
 * their whole path. */
scree_status scree_case_print(const scree_case *c, FILE *file);

/* Builds the world that a case describes. `pours` (n_body entries, only those
 * of kind POUR are used) receives the initial state of the pours. */
scree_status scree_case_build(const scree_case *c, scree_world **world,
                              scree_pour_state *pours, scree_error *error);
/* The same world spread over ranks, all of which call this (engine/generate/generate.h).
 * Without `pours` it has no bodies and is not spread: it is for a checkpoint, whose
 * numbers are loaded before. */
scree_status scree_case_build_over(const scree_case *c, const scree_comm *comm,
                                   scree_world **world, scree_pour_state *pours,
                                   scree_error *error);
/* Of an ensemble: its wall that is the terrain; of another case -1. */
int scree_case_ground(const scree_case *c);
/* Where the world's x and y are 0, in the coordinates of the case: of an ensemble whole
 * kilometres near the corner of its terrain, so that coordinates of a country's grid
 * lose no digits; else 0, 0 [m]. */
void scree_case_origin(const scree_case *c, double origin[2]);
/* Spreads a world over the ranks, with a user's sentence if that cannot be. */
scree_status scree_case_spread(scree_world *world, const scree_comm *comm,
                               scree_error *error);

#endif
