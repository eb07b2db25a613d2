/* case_shapes_bad.c: what the case reader refuses of shapes, of bodies that
 * have them, of walls from files and of plane worlds, and in which words. */
#include "tests/unit/case/case_rows.h"

#define DATA SCREE_SOURCE_DIR "/tests/data/shapes/"
#define TIME "time: {end: 1, step: 0.01}\n"
#define MATERIALS "materials: [{name: glass, density: 2500}]\n"
#define BODIES "bodies: [{sphere: {position: [0, 0, 1]}, radius: 0.1}]\n"
#define BASE TIME MATERIALS BODIES
/* One entry of its list, on line 5; in the plane, of a world with `planar`. */
#define SHAPE(entry) BASE "shapes:\n  - " entry "\n"
#define WALL(entry) BASE "walls:\n  - " entry "\n"
#define PLANE                                                                  \
    TIME MATERIALS "planar: on\n"                                              \
                   "bodies: [{sphere: {position: [0, 1]}, radius: 0.1}]\n"
#define PLANE_WALL(entry) PLANE "walls:\n  - " entry "\n"
#define PLANE_SHAPE(entry) PLANE "shapes:\n  - " entry "\n"
/* One body on line 8, with shapes to choose from. */
#define SHAPES                                                                 \
    "shapes:\n"                                                                \
    "  - {name: brick, box: {size: [0.2, 0.1, 0.1]}}\n"                        \
    "  - {name: rod, capsule: {radius: 0.1, length: 1}}\n"
#define BODY(entry) TIME MATERIALS SHAPES "bodies:\n  - " entry "\n"
#define PLANE_BODY(entry)                                                      \
    TIME MATERIALS "planar: on\n"                                              \
                   "shapes: [{name: s, polygon: {sides: 5, radius: 0.1}}]\n"   \
                   "bodies:\n  - " entry "\n"

#define SHAPE_KINDS "box, capsule, cylinder, polyhedron, clump, polygon, rock"

static const bad_case rows[] = {
    /* keys of shapes */
    {"shape__no_name", SHAPE("box: {size: 1}"),
     .first = ":5: shapes[0]: missing key 'name'"},
    {"shape__no_kind", SHAPE("name: a"),
     .first = ":5: shapes[0]: missing key: one of " SHAPE_KINDS},
    {"shape__two_kinds",
     SHAPE("{name: a, box: {size: 1}, rock: {diameter: 1}}"),
     .first = ":5: shapes[0].rock: cannot be with 'box' in one entry",
     .hints = {"\n  allowed: exactly one of " SHAPE_KINDS}},
    {"shape__misspelt_kind", SHAPE("{name: a, capsul: {radius: 1}}"),
     .first = ":5: shapes[0].capsul: unknown key",
     .hints = {"\n  allowed here: name, " SHAPE_KINDS ", rounding",
               "\n  did you mean 'capsule'?"}},
    {"shape__misspelt_key",
     SHAPE("{name: a, rock: {diameter: 1, elongaton: 0.5}}"),
     .first = ":5: shapes[0].rock.elongaton: unknown key",
     .hints = {"\n  allowed here: diameter, elongation, flatness, points, "
               "jitter, variants\n",
               "\n  did you mean 'elongation'?"}},
    {"shape__same_name",
     SHAPE("{name: a, box: {size: 1}}\n  - {name: a, box: {size: 2}}"),
     .first = ":6: shapes[1].name: shapes[0] has the name 'a' already"},
    {"shape__no_list", BASE "shapes: {name: a}\n",
     .first = ":4: shapes: expected a list, found a mapping"},
    {"shape__flat_box", SHAPE("{name: a, box: {size: [1, 1, 0]}}"),
     .first = ":5: shapes[0].box.size[2]: 0 is out of range",
     .hints = {"\n  allowed: list of 3 numbers > 0 [m], or one number"}},
    {"shape__short_size", SHAPE("{name: a, box: {size: [1, 1]}}"),
     .first = ":5: shapes[0].box.size: expected a list of 3 numbers, found a "
              "list of 2"},
    {"shape__no_length", SHAPE("{name: a, capsule: {radius: 1}}"),
     .first = ":5: shapes[0].capsule: missing key 'length'",
     .hints = {"\n  allowed: number > 0 [m]"}},
    {"shape__negative_radius",
     SHAPE("{name: a, cylinder: {radius: -1, "
           "length: 1}}"),
     .first = ":5: shapes[0].cylinder.radius: -1 is out of range"},
    {"shape__negative_rounding",
     SHAPE("{name: a, box: {size: 1}, rounding: "
           "-0.1}"),
     .first = ":5: shapes[0].rounding: -0.1 is out of range",
     .hints = {"\n  allowed: number >= 0 [m]"}},
    {"shape__round_capsule",
     SHAPE("{name: a, capsule: {radius: 1, length: 1}, rounding: 0.1}"),
     .first = ":5: shapes[0].rounding: a capsule is round already",
     .hints = {"\n  allowed with box, cylinder, polyhedron, polygon, rock"}},
    {"shape__round_clump",
     SHAPE("{name: a, clump: {balls: [[0, 0, 0, 1]]}, rounding: 0.1}"),
     .first = ":5: shapes[0].rounding: a clump is round already"},

    /* points and balls */
    {"shape__points_or_file", SHAPE("{name: a, polyhedron: {scale: 1}}"),
     .first = ":5: shapes[0].polyhedron: missing key: one of points, file"},
    {"shape__points_are_numbers",
     SHAPE("{name: a, polyhedron: {points: [0, 1, "
           "2]}}"),
     .first = ":5: shapes[0].polyhedron.points[0]: expected [x, y, z], found "
              "the number 0",
     .hints = {"\n  allowed: list of [x, y, z] [m]"}},
    {"shape__no_points", SHAPE("{name: a, polyhedron: {points: []}}"),
     .first = ":5: shapes[0].polyhedron.points: expected a list of [x, y, z], "
              "found a list of 0"},
    {"shape__text_in_point",
     SHAPE("{name: a, polyhedron: {points: [[0, 0, 0], [1, 0, up]]}}"),
     .first = ":5: shapes[0].polyhedron.points[1][2]: expected a number, found "
              "the text 'up'"},
    {"shape__points_in_a_plane",
     SHAPE("{name: a, polyhedron: {points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], "
           "[1, 1, 0]]}}"),
     .first = ":5: shapes[0].polyhedron: *"},
    {"shape__scaled_points",
     SHAPE("{name: a, polyhedron: {points: [[0, 0, 0]], scale: 2}}"),
     .first = ":5: shapes[0].polyhedron.scale: has a meaning only with 'file'",
     .hints = {"\n  remedy: write the points in metres"}},
    {"shape__ball_without_radius",
     SHAPE("{name: a, clump: {balls: [[0, 0, "
           "0]]}}"),
     .first = ":5: shapes[0].clump.balls[0]: expected [x, y, z, radius], found "
              "a list of 3"},
    {"shape__ball_of_no_size",
     SHAPE("{name: a, clump: {balls: [[0, 0, 0, "
           "0]]}}"),
     .first = ":5: shapes[0].clump.balls[0][3]: 0 is out of range",
     .hints = {"\n  allowed: list of [x, y, z, radius], radius > 0 [m]"}},

    /* files */
    {"shape__no_file", SHAPE("{name: a, polyhedron: {file: no-such.stl}}"),
     .first = ":5: shapes[0].polyhedron.file: '/tmp/no-such.stl': No such file "
              "or directory",
     .hints = {"\n  allowed: name of a file, looked up beside the case file"}},
    {"shape__file_not_convex",
     SHAPE("{name: a, polyhedron: {file: " DATA "l.obj}}"),
     .first = ":5: shapes[0].polyhedron.file: the file cannot be used",
     .hints = {"/l.obj:", "the surface is not convex",
               "split it into convex parts or a clump"}},
    {"shape__file_open",
     SHAPE("{name: a, polyhedron: {file: " DATA "open.obj}}"),
     .first = ":5: shapes[0].polyhedron.file: the file cannot be used",
     .hints = {"/open.obj:"}},
    {"shape__file_inside_out",
     SHAPE("{name: a, polyhedron: {file: " DATA "inward.obj}}"),
     .first = ":5: shapes[0].polyhedron.file: the file cannot be used",
     .hints = {"look inward", "turn them round"}},
    {"shape__file_of_another_kind",
     SHAPE("{name: a, polyhedron: {file: " DATA "flat.asc}}"),
     .first = ":5: shapes[0].polyhedron.file: the file cannot be used",
     .hints = {"expected a file .stl or .obj"}},

    /* rocks */
    {"rock__elongation", SHAPE("{name: a, rock: {diameter: 1, elongation: 2}}"),
     .first = ":5: shapes[0].rock.elongation: 2 is out of range",
     .hints = {"\n  allowed: number > 0 and <= 1"}},
    {"rock__points", SHAPE("{name: a, rock: {diameter: 1, points: 3}}"),
     .first = ":5: shapes[0].rock.points: 3 is out of range",
     .hints = {"\n  allowed: integer >= 4 and <= 1000"}},
    {"rock__jitter", SHAPE("{name: a, rock: {diameter: 1, jitter: 1}}"),
     .first = ":5: shapes[0].rock.jitter: 1 is out of range"},
    {"rock__variants", SHAPE("{name: a, rock: {diameter: 1, variants: 0}}"),
     .first = ":5: shapes[0].rock.variants: 0 is out of range"},
    {"rock__diameter", SHAPE("{name: a, rock: {flatness: 1}}"),
     .first = ":5: shapes[0].rock: missing key 'diameter'"},
    {"rock__no_size", SHAPE("{name: a, rock: {diameter: 0}}"),
     .first = ":5: shapes[0].rock.diameter: 0 is out of range",
     .hints = {"\n  allowed: number > 0 [m]"}},
    {"rock__unknown_law",
     SHAPE("{name: a, rock: {diameter: {unifrom: {min: 1, max: 2}}}}"),
     .first = ":5: shapes[0].rock.diameter.unifrom: unknown key",
     .hints = {"\n  did you mean 'uniform'?"}},
    {"rock__law_upside_down",
     SHAPE("{name: a, rock: {diameter: {uniform: {min: 2, max: 1}}}}"),
     .first = ":5: shapes[0].rock.diameter.uniform.max: 1 is out of range",
     .hints = {"\n  allowed: number >= min = 2 [m]"}},
    {"rock__law_without_mean",
     SHAPE("{name: a, rock: {diameter: {normal: {deviation: 1, min: 1, max: "
           "2}}}}"),
     .first = ":5: shapes[0].rock.diameter.normal: missing key 'mean'"},
    {"rock__law_of_no_weight",
     SHAPE("{name: a, rock: {diameter: {list: {values: [1], weights: [0]}}}}"),
     .first = ":5: shapes[0].rock.diameter.list.weights: their sum is 0"},

    /* bodies with shapes */
    {"body__unknown_shape", BODY("{body: {position: [0, 0, 0]}, shape: brik}"),
     .first = ":7: bodies[0].shape: unknown shape 'brik'",
     .hints = {"\n  shapes: brick, rod", "\n  did you mean 'brick'?"}},
    {"body__no_shapes",
     TIME MATERIALS "bodies: [{body: {position: [0, 0, 0]}, shape: brick}]\n",
     .first = ":3: bodies[0].shape: unknown shape 'brick'",
     .hints = {"\n  the case has no key 'shapes'"}},
    {"body__shape_and_radius",
     BODY("{fill: {box: {min: [0, 0, 0], max: [1, 1, 1]}, count: 1}, shape: "
          "rod, radius: 1}"),
     .first = ":7: bodies[0].shape: cannot be with 'radius' in one entry",
     .hints = {"\n  allowed: exactly one of radius, shape"}},
    {"body__sphere_with_shape",
     BODY("{sphere: {position: [0, 0, 0]}, shape: rod}"),
     .first = ":7: bodies[0].shape: cannot be with 'sphere'",
     .hints = {"\n  remedy: give a radius, or write 'body' for 'sphere'"}},
    {"body__with_radius", BODY("{body: {position: [0, 0, 0]}, radius: 1}"),
     .first = ":7: bodies[0].radius: cannot be with 'body'",
     .hints = {"\n  remedy: give a shape"}},
    {"body__no_position",
     BODY("{body: {orientation: [1, 0, 0, 0]}, shape: "
          "rod}"),
     .first = ":7: bodies[0].body: missing key 'position'"},
    {"body__orientation_not_unit",
     BODY("{body: {position: [0, 0, 0], orientation: [1, 1, 0, 0]}, shape: "
          "rod}"),
     .first = ":7: bodies[0].body.orientation: its length is 1.41421356, not 1",
     .hints = {"\n  allowed: list of 4 numbers (w, x, y, z) of unit length, or "
               "axis and angle"}},
    {"body__no_angle",
     BODY("{body: {position: [0, 0, 0], orientation: {axis: [0, 0, 1]}}, "
          "shape: rod}"),
     .first = ":7: bodies[0].body.orientation: missing key 'angle'",
     .hints = {"\n  allowed: number [rad]"}},
    {"body__no_axis",
     BODY("{body: {position: [0, 0, 0], orientation: {axis: [0, 0, 0], angle: "
          "1}}, shape: rod}"),
     .first = ":7: bodies[0].body.orientation.axis: zero is no direction"},
    {"body__random_single",
     BODY("{body: {position: [0, 0, 0]}, shape: rod, orientation: random}"),
     .first = ":7: bodies[0].orientation: cannot be with 'body'",
     .hints = {"\n  allowed for lattice, fill, pour and release with a "
               "shape"}},
    {"body__random_spheres",
     BODY("{fill: {box: {min: [0, 0, 0], max: [1, 1, 1]}, count: 1}, radius: "
          "0.1, orientation: random}"),
     .first = ":7: bodies[0].orientation: cannot be with 'radius'"},
    {"body__misspelt_orientation",
     BODY("{fill: {box: {min: [0, 0, 0], max: [1, 1, 1]}, count: 1}, shape: "
          "brick, orientation: alined}"),
     .first = ":7: bodies[0].orientation: unknown orientation 'alined'",
     .hints = {"\n  allowed: random, aligned", "\n  did you mean 'aligned'?"}},
    {"body__lattice_too_tight",
     BODY("{lattice: {origin: [0, 0, 0], counts: [2, 1, 1], spacing: 1}, "
          "shape: rod}"),
     .first = ":7: bodies[0].lattice.spacing: 1 is too small in x: the balls "
              "around the bodies would overlap",
     .hints = {"\n  allowed: number >= 2 * largest radius + 2 * jitter = 1.2 "
               "[m]"}},
    {"body__region_too_small",
     BODY("{fill: {box: {min: [0, 0, 0], max: [1, 1, 1]}, count: 1}, shape: "
          "rod}"),
     .first = ":7: bodies[0].fill.box: too small for the largest ball around a "
              "body, of radius 0.6",
     .hints = {"\n  allowed: max - min in x, y, z >= 1.2 [m]"}},
    {"pyramid__of_rods", BODY("{pyramid: {base: 3}, shape: rod}"),
     .first = ":7: bodies[0].shape: a pyramid of 'rod' would not stand",
     .hints = {"\n  allowed: a box; with planar: a polygon with sides: 4"}},
    {"pyramid__of_nothing", BODY("{pyramid: {base: 0}, shape: brick}"),
     .first = ":7: bodies[0].pyramid.base: 0 is out of range",
     .hints = {"\n  allowed: integer >= 1 and <= 1000"}},
    {"pyramid__overlapping",
     BODY("{pyramid: {base: 2, spacing: 0.9}, shape: brick}"),
     .first = ":7: bodies[0].pyramid.spacing: 0.9 is out of range"},
    {"pyramid__of_spheres", BODY("{pyramid: {base: 2}, radius: 1}"),
     .first = ":7: bodies[0].radius: cannot be with 'pyramid'"},

    /* walls from files */
    {"wall__no_file", WALL("{mesh: {scale: 2}}"),
     .first = ":5: walls[0].mesh: missing key 'file'"},
    {"wall__file_missing", WALL("{terrain: {file: no-such.asc}}"),
     .first = ":5: walls[0].terrain.file: '/tmp/no-such.asc': No such file or "
              "directory"},
    {"wall__file_is_directory", WALL("{mesh: {file: /tmp}}"),
     .first = ":5: walls[0].mesh.file: the file cannot be used"},
    {"wall__scale", WALL("{mesh: {file: " DATA "cube.obj, scale: 0}}"),
     .first = ":5: walls[0].mesh.scale: 0 is out of range"},
    {"wall__two_sided",
     WALL("{mesh: {file: " DATA "cube.obj, two_sided: "
          "maybe}}"),
     .first = ":5: walls[0].mesh.two_sided: expected on or off, found the text "
              "'maybe'"},
    {"wall__bad_terrain", WALL("{terrain: {file: " DATA "bad.asc}}"),
     .first = ":5: walls[0].terrain.file: the file cannot be used",
     .hints = {"bad.asc:7: ", "'high'"}},
    {"wall__moving_terrain",
     WALL("{terrain: {file: " DATA "flat.asc}, motion: "
          "{velocity: [1, 0, 0]}}"),
     .first = ":5: walls[0].motion: terrain stands still and stays",
     .hints = {"\n  remedy: leave the key out, or use a mesh"}},
    {"wall__passing_terrain",
     WALL("{terrain: {file: " DATA "flat.asc}, until: "
          "1}"),
     .first = ":5: walls[0].until: terrain stands still and stays"},
    {"wall__mesh_and_plane",
     WALL(
         "{plane: {point: [0, 0, 0], normal: [0, 0, 1]}, mesh: {file: a.stl}}"),
     .first = ":5: walls[0].mesh: cannot be with 'plane' in one entry"},

    /* plane worlds */
    {"plane__gravity", PLANE "gravity: [0, 0, -9.81]\n",
     .first = ":5: gravity: in a plane world z is 0",
     .hints = {"\n  allowed: list of 2 numbers [m/s^2]"}},
    {"plane__short_vector", PLANE "gravity: [1]\n",
     .first = ":5: gravity: expected a list of 2 numbers, found a list of 1"},
    {"plane__tilted_normal",
     PLANE_WALL("plane: {point: [0, 0], normal: [0, 1, 1]}"),
     .first = ":6: walls[0].plane.normal: in a plane world z is 0"},
    {"plane__segment", PLANE_WALL("segment: {points: [[0, 0], [1, 0]]}"),
     .first = ":6: walls[0].segment: unknown key",
     .hints = {"\n  did you mean 'segments'?"}},
    {"plane__segments_without_length",
     PLANE_WALL("segments: {points: [[0, 0], [1, 0], [1, 0]]}"),
     .first = ":6: walls[0].segments.points: the segment between points 1 and "
              "2 has no length",
     .hints = {"\n  allowed: list of [x, y] [m], 2 or more (closed: 3), each "
               "one apart from the next"}},
    {"plane__one_point", PLANE_WALL("segments: {points: [[0, 0]]}"),
     .first = ":6: walls[0].segments.points: open segments need 2 points at "
              "least, not 1"},
    {"plane__closed_line",
     PLANE_WALL("segments: {points: [[0, 0], [1, 0]], closed: on}"),
     .first = ":6: walls[0].segments.points: closed segments need 3 points at "
              "least, not 2"},
    {"plane__segments_not_a_number",
     PLANE_WALL("segments: {points: [[0, 0], [1, .nan]]}"),
     .first = ":6: walls[0].segments.points[1][1]: *"},
    {"plane__segments_negative",
     PLANE_WALL("segments: {points: [[0, 0], [1, 0]], thickness: -1}"),
     .first = ":6: walls[0].segments.thickness: -1 is out of range",
     .hints = {"\n  allowed: number >= 0 [m]"}},
    {"space__segments", WALL("segments: {points: [[0, 0], [1, 0]]}"),
     .first = ":5: walls[0].segments: segments are walls of plane worlds",
     .hints = {"\n  remedy: planar: on, or use a mesh"}},
    {"plane__mesh", PLANE_WALL("mesh: {file: " DATA "cube.obj}"),
     .first = ":6: walls[0].mesh: not a wall of a plane world",
     .hints = {"\n  allowed with planar: plane, box, segments"}},
    {"plane__prism",
     PLANE_WALL("prism: {center: [0, 0], axis: [0, 1], radius: "
                "1, length: 1, sides: 6}"),
     .first = ":6: walls[0].prism: not a wall of a plane world"},
    {"plane__open_front",
     PLANE_WALL("box: {min: [0, 0], max: [1, 1], open: [front]}"),
     .first = ":6: walls[0].box.open: in a plane world a box has no front and "
              "no back",
     .hints = {"\n  allowed: left, right, bottom, top"}},
    {"plane__rotation",
     PLANE_WALL("{box: {min: [0, 0], max: [1, 1]}, motion: {rotation: {axis: "
                "[0, 1, 0], rate: 1}}}"),
     .first = ":6: walls[0].motion.rotation.axis: in a plane world all turns "
              "about z"},
    {"plane__box_shape", PLANE_SHAPE("{name: a, box: {size: 1}}"),
     .first = ":6: shapes[0].box: a plane world has discs and polygons only"},
    {"plane__polygon_in_space",
     SHAPE("{name: a, polygon: {sides: 3, radius: 1}}"),
     .first = ":5: shapes[0].polygon: polygons live in plane worlds"},
    {"plane__polygon_without_radius",
     PLANE_SHAPE("{name: a, polygon: {sides: "
                 "3}}"),
     .first = ":6: shapes[0].polygon: missing key 'radius'",
     .hints = {"\n  allowed: number > 0 [m], from the middle to the corners"}},
    {"plane__polygon_of_two_sides",
     PLANE_SHAPE("{name: a, polygon: {sides: 2, radius: 1}}"),
     .first = ":6: shapes[0].polygon.sides: 2 is out of range"},
    {"plane__polygon_with_radius",
     PLANE_SHAPE("{name: a, polygon: {points: [[0, 0], [1, 0], [0, 1]], "
                 "radius: 1}}"),
     .first = ":6: shapes[0].polygon.radius: has a meaning only with 'sides'"},
    {"plane__polygon_not_convex",
     PLANE_SHAPE("{name: a, polygon: {points: [[0, 0], [2, 0], [2, 2], [1, "
                 "0.5], [0, 2]]}}"),
     .first = ":6: shapes[0].polygon.points: the outline is not convex: it "
              "bends inward at points[3] = [1, 0.5]",
     .hints = {"\n  remedy: list the corners of a convex outline in turn, or "
               "split it into convex polygons"}},
    {"plane__polygon_not_convex_clockwise",
     PLANE_SHAPE("{name: a, polygon: {points: [[0, 2], [1, 0.5], [2, 2], [2, "
                 "0], [0, 0]]}}"),
     .first = ":6: shapes[0].polygon.points: the outline is not convex: it "
              "bends inward at points[1] = [1, 0.5]"},
    {"plane__polygon_out_of_turn",
     PLANE_SHAPE("{name: a, polygon: {points: [[0, 0], [1, 1], [1, 0], [0, "
                 "1]]}}"),
     .first = ":6: shapes[0].polygon.points: *"},
    {"plane__polygon_round_twice",
     PLANE_SHAPE("{name: a, polygon: {points: [[1, 0], [-0.8, 0.6], [0.3, "
                 "-0.95], [0.3, 0.95], [-0.8, -0.6]]}}"),
     .first = ":6: shapes[0].polygon.points: the outline does not go round "
              "once"},
    {"plane__polygon_of_a_line",
     PLANE_SHAPE("{name: a, polygon: {points: [[0, 0], [1, 0], [2, 0]]}}"),
     .first = ":6: shapes[0].polygon*"},
    {"plane__polygon_in_z",
     PLANE_SHAPE("{name: a, polygon: {points: [[0, 0, 1]]}}"),
     .first = ":6: shapes[0].polygon.points[0]: expected [x, y], found a list "
              "of 3"},
    {"plane__position", PLANE_BODY("{body: {position: [0, 0, 1]}, shape: s}"),
     .first = ":6: bodies[0].body.position: in a plane world z is 0"},
    {"plane__orientation",
     PLANE_BODY("{body: {position: [0, 0], orientation: [0, 1, 0, 0]}, shape: "
                "s}"),
     .first = ":6: bodies[0].body.orientation: in a plane world bodies turn "
              "about z: x and y are 0"},
    {"plane__spin",
     PLANE_BODY("{body: {position: [0, 0]}, shape: s, angular_velocity: [1, 0, "
                "0]}"),
     .first =
         ":6: bodies[0].angular_velocity: in a plane world all turns about "
         "z",
     .hints = {"\n  allowed: number, about z [rad/s]"}},
    {"plane__layers",
     PLANE_BODY("{lattice: {origin: [0, 0], counts: [2, 2, 2], spacing: 1}, "
                "shape: s}"),
     .first = ":6: bodies[0].lattice.counts: in a plane world there is 1 layer "
              "along z"},
    {"plane__cylinder",
     PLANE_BODY("{pour: {cylinder: {base: [0, 0], axis: [0, 1], radius: 1, "
                "height: 1}, rate: 1}, shape: s}"),
     .first = ":6: bodies[0].pour.cylinder: not a region of a plane world",
     .hints = {"\n  allowed with planar: box"}},
    {"plane__region_too_small",
     PLANE_BODY("{fill: {box: {min: [0, 0], max: [1, 0.1]}, count: 1}, shape: "
                "s}"),
     .first = ":6: bodies[0].fill.box: too small for the largest ball around a "
              "body, of radius 0.1",
     .hints = {"\n  allowed: max - min in x, y >= 0.2 [m]"}},
    {"plane__pyramid", PLANE_BODY("{pyramid: {base: 2}, shape: s}"),
     .first = ":6: bodies[0].shape: a pyramid of 's' would not stand"},
    {"plane__of_a_model",
     "model: woodpecker\nplanar: on\ntime: {end: 1, step: 0.01}\n",
     .first = ":2: planar: cannot be with 'model', which brings its own bodies "
              "and laws"},
};

int main(void) {
    enum { N = sizeof rows / sizeof *rows };
    struct CMUnitTest tests[N];
    for (int i = 0; i < (int)N; i++) tests[i] = test_of_row(&rows[i]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
