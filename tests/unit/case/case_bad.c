/* case_bad.c: what the case reader refuses, and in which words. */
#include "tests/unit/case/case_rows.h"

/* A valid case in three lines. */
#define TIME "time: {end: 1, step: 0.01}\n"
#define MATERIALS                                                              \
    "materials: [{name: glass, density: 2500}, {name: steel, density: "        \
    "7800}]\n"
#define BODIES "bodies: [{sphere: {position: [0, 0, 1]}, radius: 0.1}]\n"
#define BASE TIME MATERIALS BODIES
/* Bodies of one entry, and walls of one entry, from line 3 and 4 on. */
#define BODY(entry) TIME MATERIALS "bodies:\n  - " entry "\n"
#define WALL(entry) BASE "walls:\n  - " entry "\n"

#define ROOT_KEYS                                                              \
    "\n  allowed here: name, units, seed, time, model, planar, gravity, "      \
    "stepper, threads, keep_spin_energy, reproducible, stepping, solver, "     \
    "contact, materials, pairs, shapes, walls, bodies, joints, nets, "         \
    "forces, outlets, domain, cell, stop, ensemble, outputs"
#define FORM "\n  examples: solver.iterations=100"

static const bad_case rows[] = {
    /* the file */
    {"file__empty", .file = "empty.yaml", .first = ":1: the file is empty"},
    {"file__comment_only", .file = "comment.yaml",
     .first = ":1: the file is empty"},
    {"file__list", .file = "list.yaml",
     .first = ":1: expected a mapping (key: value), found a list",
     .hints = {ROOT_KEYS}},
    {"file__text", .file = "text.yaml",
     .first = ":1: expected a mapping (key: value), found a text"},
    {"file__tab", .file = "tab.yaml",
     .first = ":2: a tab: YAML is indented with spaces",
     .hints = {"\n  remedy: write spaces; expand -t 2"}},
    {"file__tab_after_value", BASE "solver:\n  stall: 5\n\titerations: 5\n",
     .first = ":6: a tab: YAML is indented with spaces"},
    {"file__tab_in_text", BASE "name: a\tb\nsolver: [\n",
     .first = ":6: not valid YAML: *", .absent = "a tab"},
    {"file__latin1", .file = "latin1.yaml", .first = ":2: not valid YAML: *",
     .hints = {"UTF-8"}},
    {"file__nul_byte", .file = "nul.yaml",
     .first = ":2: a NUL byte: this is not a text file"},
    {"file__two_documents", .file = "two_documents.yaml",
     .first = ":2: a second YAML document starts here"},
    {"file__alias_of_itself", .file = "recursive.yaml",
     .first = ":4: an alias stands for something that contains the alias "
              "itself"},
    {"file__alias_bomb", .file = "bomb.yaml",
     .first = ":6: more than 1000000 values once all aliases are written out"},
    {"file__deep", .file = "deep.yaml",
     .first = ":1: nested more than 64 levels deep"},
    {"file__misspelt_far_down", .file = "misspelt.yaml",
     .first = ":16: bodies[0].lattice.jiter: unknown key",
     .hints = {"\n  allowed here: origin, counts, spacing, jitter\n",
               "\n  did you mean 'jitter'?"}},
    {"file__unclosed_list", BASE "gravity: [0, 0\n",
     .first = ":5: not valid YAML: *", .hints = {"flow sequence"}},
    {"file__tag_of_bytes", BASE "name: !!binary aGVsbG8=\n",
     .first = ":4: the tag !!binary has no meaning here",
     .hints = {"\n  remedy: leave it out; quotes make a text"}},
    {"file__tag_unknown", BASE "solver: !mine {iterations: 1}\n",
     .first = ":4: the tag !mine has no meaning here"},
    {"file__tag_of_another_kind", BASE "solver: !!seq {iterations: 1}\n",
     .first = ":4: the tag !!seq has no meaning here"},
    {"file__tag_of_text", BASE "seed: !!str 5\n",
     .first = ":4: seed: expected an integer, found the text '5'"},
    {"file__second_anchor", BASE "name: &a b\nunits: &a c\n",
     .first = ":5: a second anchor &a"},
    {"file__unknown_alias", BASE "name: *other\n",
     .first = ":4: not valid YAML: *", .hints = {"undefined alias"}},
    {"file__key_is_list", BASE "[a, b]: 1\n",
     .first = ":4: a key must be text"},
    {"file__nul_in_text", BASE "name: \"a\\0b\"\n",
     .first = ":4: a text holds the character \\0"},

    /* keys */
    {"key__unknown", BASE "solver:\n  iteratons: 5\n",
     .first = ":5: solver.iteratons: unknown key",
     .hints =
         {"\n  allowed here: method, iterations, tolerance, balance, "
          "approach, relaxation, "
          "momentum, local, coarse, stall, rest, clusters, warm_start, dump, "
          "unconverged, unconverged_share\n",
          "\n  did you mean 'iterations'?"}},
    {"key__unknown_in_root", BASE "sovler: {}\n",
     .first = ":4: sovler: unknown key",
     .hints = {ROOT_KEYS, "\n  did you mean 'solver'?"}},
    {"key__like_no_other", BASE "temperature: 300\n",
     .first = ":4: temperature: unknown key", .hints = {ROOT_KEYS},
     .absent = "did you mean"},
    {"key__twice", BASE "seed: 1\nname: a\nseed: 2\n",
     .first = ":6: seed: the key is given twice",
     .hints = {"\n  first on line 4"}},
    {"key__time_missing", MATERIALS BODIES, .first = ":1: missing key 'time'",
     .hints = {"\n  allowed here: end, step"}},
    {"key__step_missing", MATERIALS BODIES "time:\n  end: 1\n",
     .first = ":4: time: missing key 'step'",
     .hints = {"\n  allowed: number > 0 [s]"}},
    {"key__bodies_missing", TIME MATERIALS,
     .first = ":1: missing key 'bodies'"},
    {"key__bodies_empty", TIME MATERIALS "bodies: []\n",
     .first = ":3: bodies: expected at least one entry, found a list of 0"},
    {"key__materials_missing", TIME BODIES,
     .first = ":1: missing key 'materials'"},
    {"key__control_characters", BASE "\"a\\nb\": 1\n",
     .first = ":4: a b: unknown key"},

    /* types */
    {"type__text_for_number", MATERIALS BODIES "time: {end: fast, step: 1}\n",
     .first = ":3: time.end: expected a number, found the text 'fast'",
     .hints = {"\n  allowed: number > 0 [s]"}},
    {"type__quoted_number", MATERIALS BODIES "time: {end: '1', step: 1}\n",
     .first = ":3: time.end: expected a number, found the text '1'"},
    {"type__trailing_rubbish", MATERIALS BODIES "time: {end: 1s, step: 1}\n",
     .first = ":3: time.end: expected a number, found the text '1s'"},
    {"type__nan", MATERIALS BODIES "time: {end: nan, step: 1}\n",
     .first = ":3: time.end: expected a number, found the text 'nan'"},
    {"type__infinity", MATERIALS BODIES "time: {end: .inf, step: 1}\n",
     .first = ":3: time.end: expected a number, found the text '.inf'"},
    {"type__hexadecimal", BASE "seed: 0x10\n",
     .first = ":4: seed: expected an integer, found the text '0x10'"},
    {"type__sign_only", BASE "seed: -\n", .first = ":4: not valid YAML: *"},
    {"type__nothing_for_number", MATERIALS BODIES "time:\n  step: 1\n  end:\n",
     .first = ":5: time.end: expected a number, found nothing"},
    {"type__list_for_number", BASE "solver: {tolerance: [1, 2]}\n",
     .first = ":4: solver.tolerance: expected a number, found a list of 2"},
    {"type__mapping_for_number", BASE "solver: {tolerance: {a: 1}}\n",
     .first = ":4: solver.tolerance: expected a number, found a mapping"},
    {"type__fraction_for_integer", BASE "solver: {iterations: 2.5}\n",
     .first = ":4: solver.iterations: expected an integer, found the number "
              "2.5",
     .hints = {"\n  allowed: integer >= 1 and <= 1000000000"}},
    {"type__text_for_switch", BASE "contact: {gap_control: maybe}\n",
     .first = ":4: contact.gap_control: expected on or off, found the text "
              "'maybe'",
     .hints = {"\n  allowed: on, off, true, false, yes, no"}},
    {"type__text_for_mapping", BASE "solver: pgs\n",
     .first = ":4: solver: expected a mapping, found the text 'pgs'",
     .hints = {"\n  allowed here: method, iterations"}},
    {"type__mapping_for_list", BASE "walls: {floor: 1}\n",
     .first = ":4: walls: expected a list, found a mapping",
     .hints = {"\n  allowed: list of mappings with the keys: plane, box"}},
    {"type__text_for_entry", BASE "outputs: [frames]\n",
     .first = ":4: outputs[0]: expected a mapping, found the text 'frames'",
     .hints = {"frames, contacts, scalars"}},
    {"type__list_for_text", BASE "name: [a]\n",
     .first = ":4: name: expected a name, found a list of 1"},
    {"type__short_vector", BASE "gravity: [0, -9.81]\n",
     .first = ":4: gravity: expected a list of 3 numbers, found a list of 2",
     .hints = {"\n  allowed: list of 3 numbers [m/s^2]"}},
    {"type__number_for_vector", BASE "gravity: -9.81\n",
     .first = ":4: gravity: expected a list of 3 numbers, found the number "
              "-9.81"},
    {"type__text_in_vector", BASE "gravity:\n  - 0\n  - 0\n  - down\n",
     .first = ":7: gravity[2]: expected a number, found the text 'down'"},
    {"type__word_for_auto", BASE "contact: {recovery_velocity: automatic}\n",
     .first = ":4: contact.recovery_velocity: expected a number, found the "
              "text 'automatic'",
     .hints = {"\n  allowed: number >= 0 [m/s], or auto"}},
    {"type__empty_name", BASE "name: ''\n",
     .first = ":4: name: expected a name, found the text ''",
     .hints = {"\n  allowed: text of 1 to 200 bytes on one line"}},
    {"name__escape_sequence", BASE "name: \"a\\e[2J\"\n",
     .first = ":4: name: holds control characters",
     .hints = {"\n  allowed: text of 1 to 200 bytes on one line"}},

    /* ranges */
    {"range__negative", BASE "solver: {iterations: -3}\n",
     .first = ":4: solver.iterations: -3 is out of range",
     .hints = {"\n  allowed: integer >= 1 and <= 1000000000"}},
    {"range__overflow", MATERIALS BODIES "time: {end: 1e999, step: 1}\n",
     .first = ":3: time.end: 1e999 is out of range"},
    {"range__overflow_in_vector", BASE "gravity: [0, 0, -1e999]\n",
     .first = ":4: gravity[2]: -1e999 is out of range",
     .hints = {"\n  allowed: list of 3 numbers [m/s^2]"}},
    {"range__integer_overflow", BASE "seed: 99999999999999999999\n",
     .first = ":4: seed: 99999999999999999999 is out of range",
     .hints = {"\n  allowed: integer >= 0"}},
    {"range__negative_seed", BASE "seed: -1\n",
     .first = ":4: seed: -1 is out of range"},
    {"range__time_zero", MATERIALS BODIES "time: {end: 0, step: 1}\n",
     .first = ":3: time.end: 0 is out of range"},
    {"range__step_beyond_end", MATERIALS BODIES "time: {end: 1, step: 2.0}\n",
     .first = ":3: time.step: 2.0 is out of range",
     .hints = {"<= time.end = 1 [s]"}},
    {"range__step_tiny", MATERIALS BODIES "time: {end: 1, step: 1e-200}\n",
     .first = ":3: time.step: 1e-200 is out of range",
     .hints = {"\n  allowed: number >= 1e-11"}},
    {"range__relaxation", BASE "solver: {relaxation: 2}\n",
     .first = ":4: solver.relaxation: 2 is out of range",
     .hints = {"\n  allowed: number > 0 and < 2"}},
    {"range__momentum", BASE "solver: {momentum: 1}\n",
     .first = ":4: solver.momentum: 1 is out of range",
     .hints = {"\n  allowed: number >= 0 and < 1"}},
    {"range__recovery", BASE "contact: {recovery_velocity: -1}\n",
     .first = ":4: contact.recovery_velocity: -1 is out of range",
     .hints = {"\n  allowed: number >= 0 [m/s], or auto"}},
    {"range__threads", BASE "threads: -1\n",
     .first = ":4: threads: -1 is out of range"},
    {"range__reproducible", BASE "reproducible: on\nsolver: {method: apgd}\n",
     .first = ":4: reproducible: apgd does not run on worlds with "
              "'reproducible: on', which pgs and jacobi do"},
    {"range__restitution",
     TIME BODIES
     "materials:\n  - {name: glass, density: 1, restitution: 1.5}\n",
     .first = ":4: materials[0].restitution: 1.5 is out of range",
     .hints = {"\n  allowed: number >= 0 and <= 1"}},
    {"range__density", TIME BODIES "materials: [{name: a, density: 0}]\n",
     .first = ":3: materials[0].density: 0 is out of range",
     .hints = {"\n  allowed: number > 0 [kg/m^3]"}},
    {"range__every",
     BASE "outputs:\n  - frames: {}\n  - scalars: {every: -1}\n",
     .first = ":6: outputs[1].scalars.every: -1 is out of range",
     .hints = {"\n  allowed: number >= 0 [s]"}},

    /* names */
    {"name__stepper", BASE "stepper: moreua\n",
     .first = ":4: stepper: unknown stepper 'moreua'",
     .hints = {"\n  allowed: ", "moreau", "\n  did you mean 'moreau'?"}},
    {"name__solver", BASE "solver: {method: psg}\n",
     .first = ":4: solver.method: unknown method 'psg'",
     .hints = {"\n  allowed: ", "\n  did you mean 'pgs'?"}},
    {"name__material_of_body",
     BODY("sphere: {position: [0, 0, 1]}\n"
          "    radius: 0.1\n    material: glas"),
     .first = ":6: bodies[0].material: unknown material 'glas'",
     .hints = {"\n  materials: glass, steel\n", "\n  did you mean 'glass'?"}},
    {"name__material_of_pair", BASE "pairs:\n  - {materials: [glass, stele]}\n",
     .first = ":5: pairs[0].materials[1]: unknown material 'stele'",
     .hints = {"\n  did you mean 'steel'?"}},
    {"anisotropy__no_ratio",
     TIME "materials:\n  - name: a\n    density: 1\n"
          "    anisotropy: {direction: [1, 0, 0]}\n" BODIES,
     .first = ":5: materials[0].anisotropy: missing key 'ratio'",
     .hints = {"\n  allowed: number > 0"}},
    {"anisotropy__ratio_zero",
     TIME "materials:\n  - name: a\n    density: 1\n"
          "    anisotropy: {ratio: 0, direction: [1, 0, 0]}\n" BODIES,
     .first = ":5: materials[0].anisotropy.ratio: 0 is out of range",
     .hints = {"\n  allowed: number > 0"}},
    {"anisotropy__ratio_nan",
     BASE "pairs:\n  - materials: [glass, steel]\n"
          "    anisotropy: {ratio: .nan, direction: [1, 0, 0]}\n",
     .first = ":6: pairs[0].anisotropy.ratio: *"},
    {"anisotropy__direction_zero",
     BASE "pairs:\n  - materials: [glass, steel]\n"
          "    anisotropy: {ratio: 2, direction: [0, 0, 0]}\n",
     .first = ":6: pairs[0].anisotropy.direction: *"},
    {"anisotropy__in_the_plane",
     "planar: on\n" TIME "materials:\n  - name: a\n    density: 1\n"
     "    anisotropy: {ratio: 2, direction: [1, 0, 0]}\n"
     "bodies: [{sphere: {position: [0, 1]}, radius: 0.1}]\n",
     .first = ":6: materials[0].anisotropy: has no meaning in a plane world",
     .hints = {"\n  remedy: leave it out, or planar: off"}},
    {"forces__nothing", BASE "forces:\n  - {materials: [glass]}\n",
     .first = ":5: forces[0]: does nothing: *"},
    {"forces__zero", BASE "forces:\n  - field: {force: [0, 0, 0]}\n",
     .first = ":5: forces[0].field: does nothing: *"},
    {"forces__drag_without_density",
     BASE "forces:\n  - drag: {quadratic: 0.5}\n",
     .first = ":5: forces[0].drag.quadratic: needs the 'density' of the fluid"},
    {"forces__buoyancy_without_density",
     BASE "forces:\n  - drag: {buoyancy: on}\n",
     .first = ":5: forces[0].drag.buoyancy: needs the 'density' of the fluid"},
    {"forces__negative_drag", BASE "forces:\n  - drag: {linear: -1}\n",
     .first = ":5: forces[0].drag.linear: -1 is out of range",
     .hints = {"\n  allowed: number >= 0"}},
    {"forces__empty_box",
     BASE "forces:\n  - drag: {linear: 1}\n"
          "    box: {min: [0, 0, 0], max: [1, 0, 1]}\n",
     .first = ":6: forces[0].box.max: *"},
    {"forces__unknown_material",
     BASE "forces:\n  - drag: {linear: 1}\n    materials: [steel, glas]\n",
     .first = ":6: forces[0].materials[1]: unknown material 'glas'",
     .hints = {"\n  did you mean 'glass'?"}},
    {"forces__no_materials",
     BASE "forces:\n  - drag: {linear: 1}\n    materials: []\n",
     .first = ":6: forces[0].materials: expected at least one material, found "
              "*"},
    {"forces__stepper",
     BASE "forces:\n  - drag: {linear: 1}\nstepper: schatzman-paoli\n",
     .first = ":5: forces: the stepper 'schatzman-paoli' knows none",
     .hints = {"\n  take moreau or rattle"}},
    {"forces__out_of_the_plane",
     "planar: on\n" TIME "materials: [{name: a, density: 1}]\n"
     "bodies: [{sphere: {position: [0, 1]}, radius: 0.1}]\n"
     "forces: [{field: {force: [1, 0, 2]}}]\n",
     .first = ":5: forces[0].field.force: *"},
    {"name__pair_of_one", BASE "pairs:\n  - {materials: [glass]}\n",
     .first = ":5: pairs[0].materials: expected a list of 2 materials, found a "
              "list of 1"},
    {"name__pair_twice",
     BASE "pairs:\n  - {materials: [glass, steel]}\n"
          "  - {materials: [steel, glass]}\n",
     .first = ":6: pairs[1].materials: pairs[0] has these two already"},
    {"name__material_twice",
     TIME BODIES
     "materials:\n  - {name: a, density: 1}\n  - {name: a, density: 2}\n",
     .first = ":5: materials[1].name: materials[0] has the name 'a' already"},
    {"cell__pressure_without_all_directions",
     BASE "cell: {min: [0, 0, 0], max: [1, 1, 1], periodic: xy, "
          "pressure: [1, 0, 0]}\n",
     .first = ":4: cell.pressure: the cell is not periodic along z"},
    {"cell__pressure_below_0",
     BASE "cell: {min: [0, 0, 0], max: [1, 1, 1], periodic: xyz, "
          "pressure: [1, -1, 0]}\n",
     .first = ":4: cell.pressure: that along y is negative"},
    {"cell__pressure_and_stretch",
     BASE "cell: {min: [0, 0, 0], max: [1, 1, 1], periodic: xyz, "
          "stretch: [0, 0, 1], pressure: [1, 0, 0]}\n",
     .first = ":4: cell.pressure: a cell that stretches holds none"},
    {"cell__pressure_with_rattle",
     BASE "stepper: rattle\ncell: {min: [0, 0, 0], max: [1, 1, 1], "
          "periodic: xyz, pressure: [1, 0, 0]}\n",
     .first = ":5: cell: a cell that holds a pressure runs with stepper "
              "moreau alone"},
    {"cell__none_to_unwrap", BASE "outputs: [{frames: {unwrapped: on}}]\n",
     .first = ":4: outputs: frames cannot be unwrapped: there is no periodic "
              "cell"},
    {"name__sink", BASE "outputs:\n  - frame: {every: 1}\n",
     .first = ":5: outputs[0].frame: unknown key",
     .hints = {"\n  allowed here: frames, contacts, scalars",
               "\n  did you mean 'frames'?"}},
    {"name__field", BASE "outputs:\n  - frames: {fields: [radius, velocty]}\n",
     .first = ":5: outputs[0].frames.fields[1]: unknown name 'velocty'",
     .hints = {"\n  allowed: radius, velocity, speed",
               "\n  did you mean 'velocity'?"}},
    {"name__no_field", BASE "outputs:\n  - contacts: {fields: []}\n",
     .first = ":5: outputs[0].contacts.fields: an empty list; for all fields "
              "leave it out"},
    {"range__compression", BASE "outputs:\n  - surfaces: {compression: 10}\n",
     .first = ":5: outputs[0].surfaces.compression: 10 is out of range",
     .hints = {"\n  allowed: integer >= 0 and <= 9"}},
    {"name__option_of_another_sink",
     BASE "outputs:\n  - scalars: {compression: 1}\n",
     .first = ":5: outputs[0].scalars.compression: unknown key",
     .hints = {"\n  allowed here: every, from, until, times, fields"}},
    {"schedule__until_before_from",
     BASE "outputs:\n  - frames: {from: 2, until: 1}\n",
     .first = ":5: outputs[0].frames.until: is before 'from'"},
    {"schedule__times_and_every",
     BASE "outputs:\n  - frames: {times: [1, 2], every: 1}\n",
     .first = ":5: outputs[0].frames.times: cannot be with 'every' in one "
              "output"},
    {"schedule__times_fall", BASE "outputs:\n  - frames: {times: [2, 1]}\n",
     .first = ":5: outputs[0].frames.times: the times do not rise"},
    {"name__sink_twice", BASE "outputs:\n  - frames: {}\n  - frames: {}\n",
     .first = ":6: outputs[1].frames: outputs[0] has this sink already"},
    {"name__two_sinks", BASE "outputs:\n  - {frames: {}, scalars: {}}\n",
     .first = ":5: outputs[0].scalars: cannot be with 'frames' in one entry",
     .hints = {"\n  allowed: exactly one of frames, contacts, scalars"}},

    /* walls */
    {"wall__no_kind", WALL("name: floor"),
     .first = ":5: walls[0]: missing key: one of plane, box, prism, "
              "mesh, terrain, segments, cylinder, cone, profile"},
    {"wall__two_kinds",
     WALL("plane: {point: [0, 0, 0], normal: [0, 0, 1]}\n"
          "    box: {min: [0, 0, 0], max: [1, 1, 1]}"),
     .first = ":6: walls[0].box: cannot be with 'plane' in one entry",
     .hints = {"\n  allowed: exactly one of plane, box, prism, mesh, "
               "terrain, segments, cylinder, cone, profile"}},
    {"wall__zero_normal", WALL("plane: {point: [0, 0, 0], normal: [0, 0, 0]}"),
     .first = ":5: walls[0].plane.normal: zero is no direction",
     .hints = {"\n  allowed: list of 3 numbers, not all zero"}},
    {"wall__flat_box", WALL("box: {min: [0, 0, 0], max: [1, 0, 1]}"),
     .first = ":5: walls[0].box.max: 0 is not above min in y",
     .hints = {"\n  allowed: number > 0 [m]"}},
    {"wall__unknown_face",
     WALL("box: {min: [0, 0, 0], max: [1, 1, 1], open: [left, topp]}"),
     .first = ":5: walls[0].box.open[1]: unknown name 'topp'",
     .hints = {"\n  allowed: left, right, front, back, bottom, top",
               "\n  did you mean 'top'?"}},
    {"wall__two_sides",
     WALL("prism: {center: [0, 0, 0], axis: [0, 1, 0], "
          "radius: 1, length: 1, sides: 2}"),
     .first = ":5: walls[0].prism.sides: 2 is out of range",
     .hints = {"\n  allowed: integer >= 3 and <= 1000"}},
    {"wall__until_before_from",
     WALL("plane: {point: [0, 0, 0], normal: [0, 0, 1]}\n"
          "    from: 2\n    until: 1"),
     .first = ":7: walls[0].until: 1 is out of range",
     .hints = {"\n  allowed: number > from = 2 [s]"}},
    {"wall__still_rotation",
     WALL("plane: {point: [0, 0, 0], normal: [0, 0, 1]}\n"
          "    motion: {rotation: {axis: [0, 0, 0], rate: 1}}"),
     .first = ":6: walls[0].motion.rotation.axis: zero is no direction"},
    {"wall__motion_misspelt",
     WALL("plane: {point: [0, 0, 0], normal: [0, 0, 1]}\n"
          "    motion: {ocsillation: {}}"),
     .first = ":6: walls[0].motion.ocsillation: unknown key",
     .hints = {"\n  allowed here: velocity, oscillation, rotation",
               "\n  did you mean 'oscillation'?"}},
    {"wall__name_twice",
     WALL("plane: {point: [0, 0, 0], normal: [0, 0, 1]}\n    name: a\n"
          "  - plane: {point: [0, 0, 0], normal: [0, 0, 1]}\n    name: a"),
     .first = ":8: walls[1].name: walls[0] has the name 'a' already"},

    /* ground for rockfall */
    {"ground__unknown",
     TIME "materials: [{name: a, density: 1, ground: medium-hrad}]\n" BODIES,
     .first = ":2: materials[0].ground: unknown ground 'medium-hrad'",
     .hints = {"none, extra-soft, soft", "\n  did you mean 'medium-hard'?"}},
    {"ground__least_friction_beyond_friction",
     TIME "materials: [{name: a, density: 1, ground: hard, friction: "
          "0.5}]\n" BODIES,
     .first = ":2: materials[0].friction: the least friction is more than "
              "friction, which it "
              "grows to",
     .hints = {"\n  least 0.55, friction 0.5"}},
    {"ground__slippage_without_growth",
     TIME "materials: [{name: a, density: 1, slippage: {decay: 5}}]\n" BODIES,
     .first =
         ":2: materials[0].slippage: growth must be > 0 where other values of "
         "slippage are given"},
    {"ground__drag_of_rattle",
     TIME "materials: [{name: a, density: 1, ground: soft}]\n" BODIES
          "stepper: rattle\n",
     .first = ":4: stepper: 'rattle' does not know drag of the ground, which "
              "material 'a' has",
     .hints = {"\n  take moreau, or slippage: {drag: 0}"}},

    /* cohesion and bonds */
    {"cohesion__negative_force",
     TIME "materials: [{name: a, density: 1, cohesion: {force: -1}}]\n" BODIES,
     .first = ":2: materials[0].cohesion.force: -1 is out of range"},
    {"cohesion__of_rattle",
     TIME "materials: [{name: a, density: 1, cohesion: {force: 1}}]\n" BODIES
          "stepper: rattle\n",
     .first = ":4: stepper: 'rattle' does not know cohesion, which a material "
              "or pair has",
     .hints = {"\n  take moreau"}},
    {"cohesion__without_gap_control",
     TIME "materials: [{name: a, density: 1, cohesion: {energy: 1}}]\n" BODIES
          "contact: {gap_control: off}\n",
     .first = ":4: contact.gap_control: off does not go with cohesion, which a "
              "material or pair has",
     .hints = {"\n  take gap_control: on"}},
    {"cohesion__by_energy_in_the_plane",
     TIME "materials: [{name: a, density: 1, cohesion: {energy: 1}}]\n"
          "planar: on\nbodies: [{sphere: {position: [0, 0]}, radius: 1}]\n",
     .first = ":3: planar: the energy of cohesion is that of spheres, not of "
              "discs: give its force"},
    {"bond__one_limit",
     TIME "materials: [{name: a, density: 1}]\npairs: [{materials: [a, a], "
          "bond: {normal: 1, tangential: 0}}]\n" BODIES,
     .first = ":3: pairs[0].bond.tangential: must be > 0 where other "
              "limits of the bond are"},
    {"bond__of_moreau_adaptive",
     TIME "materials: [{name: a, density: 1, bond: {normal: 1, tangential: "
          "1}}]\n" BODIES "stepper: moreau-adaptive\n",
     .first = ":4: stepper: 'moreau-adaptive' does not know bond, which a "
              "material or pair has"},
    {"bond__of_poisson",
     TIME "materials: [{name: a, density: 1, impact: poisson, bond: {normal: "
          "1, tangential: 1}}]\n" BODIES,
     .first = ":2: materials: bonds do not know the impact law poisson: take "
              "newton"},

    /* bodies */
    {"body__no_kind", BODY("radius: 1"),
     .first = ":4: bodies[0]: missing key: one of sphere, lattice, fill, "
              "pour, body, pyramid, release"},
    {"body__no_radius", BODY("sphere: {position: [0, 0, 0]}"),
     .first = ":4: bodies[0]: missing key: one of radius, shape"},
    {"body__negative_radius",
     BODY("sphere: {position: [0, 0, 0]}\n"
          "    radius: -0.1"),
     .first = ":5: bodies[0].radius: -0.1 is out of range",
     .hints = {"\n  allowed: number > 0 [m]\n", "\n  or the keys: constant"}},
    {"body__unknown_radius_law",
     BODY("sphere: {position: [0, 0, 0]}\n"
          "    radius: {unifrom: 1}"),
     .first = ":5: bodies[0].radius.unifrom: unknown key",
     .hints = {"\n  did you mean 'uniform'?"}},
    {"body__sphere_of_many_radii",
     BODY("sphere: {position: [0, 0, 0]}\n"
          "    radius: {uniform: {min: 1, max: 2}}"),
     .first = ":5: bodies[0].radius: a single sphere has a single radius",
     .hints = {"\n  allowed: number > 0 [m]"}},
    {"body__radius_bounds",
     BODY("fill: {box: {min: [0, 0, 0], max: [9, 9, 9]}, count: 1}\n"
          "    radius: {uniform: {min: 2, max: 1}}"),
     .first = ":5: bodies[0].radius.uniform.max: 1 is out of range",
     .hints = {"\n  allowed: number >= min = 2 [m]"}},
    {"body__normal_bounds",
     BODY("fill: {box: {min: [0, 0, 0], max: [9, 9, 9]}, count: 1}\n"
          "    radius: {normal: {mean: 1, deviation: 1, min: 2, max: 1}}"),
     .first = ":5: bodies[0].radius.normal.max: 1 is out of range"},
    {"body__weights_missing",
     BODY("fill: {box: {min: [0, 0, 0], max: [9, 9, 9]}, count: 1}\n"
          "    radius: {list: {values: [1, 2], weights: [1]}}"),
     .first = ":5: bodies[0].radius.list.weights: 1 weights for 2 values",
     .hints = {"\n  allowed: list of 2 numbers >= 0"}},
    {"body__weights_zero",
     BODY("fill: {box: {min: [0, 0, 0], max: [9, 9, 9]}, count: 1}\n"
          "    radius: {list: {values: [1, 2], weights: [0, 0]}}"),
     .first = ":5: bodies[0].radius.list.weights: their sum is 0",
     .hints = {"\n  allowed: numbers >= 0 with a sum > 0"}},
    {"body__no_values",
     BODY("fill: {box: {min: [0, 0, 0], max: [9, 9, 9]}, count: 1}\n"
          "    radius: {list: {values: []}}"),
     .first = ":5: bodies[0].radius.list.values: expected at least one number, "
              "found a list of 0"},
    {"body__long_quaternion",
     BODY("sphere: {position: [0, 0, 0], orientation: [1, 1, 0, 0]}\n"
          "    radius: 1"),
     .first = ":4: bodies[0].sphere.orientation: its length is 1.41421356, "
              "not 1",
     .hints = {"\n  allowed: list of 4 numbers (w, x, y, z) of unit length"}},
    {"body__narrow_lattice",
     BODY("lattice: {origin: [0, 0, 0], counts: [1, 2, 1], spacing: 0.2, "
          "jitter: 0.01}\n    radius: 0.1"),
     .first = ":4: bodies[0].lattice.spacing: 0.2 is too small in y: the "
              "spheres would overlap",
     .hints = {"\n  allowed: number >= 2 * largest radius + 2 * jitter = 0.22 "
               "[m]"}},
    {"body__zero_count",
     BODY("lattice: {origin: [0, 0, 0], counts: [2, 0, 2], spacing: 1}\n"
          "    radius: 0.1"),
     .first = ":4: bodies[0].lattice.counts[1]: 0 is out of range",
     .hints = {"\n  allowed: list of 3 integers >= 1"}},
    {"body__too_many",
     BODY("lattice: {origin: [0, 0, 0], counts: [2e4, 2e4, 2e4], spacing: 1}\n"
          "    radius: 0.1"),
     .first = ":4: bodies[0].lattice.counts: 8e+12 bodies are too many",
     .hints = {"\n  allowed: a product <= 1e+09"}},
    {"body__fill_without_region", BODY("fill: {count: 1}\n    radius: 1"),
     .first = ":4: bodies[0].fill: missing key: one of box, cylinder"},
    {"body__fill_without_amount",
     BODY("fill: {box: {min: [0, 0, 0], max: [9, 9, 9]}}\n    radius: 1"),
     .first = ":4: bodies[0].fill: missing key: one of count, solid_fraction"},
    {"body__fill_of_two_amounts",
     BODY("fill: {box: {min: [0, 0, 0], max: [9, 9, 9]}, count: 1, "
          "solid_fraction: 0.1}\n    radius: 1"),
     .first = ":4: bodies[0].fill.solid_fraction: cannot be with 'count' in "
              "one entry",
     .hints = {"\n  allowed: exactly one of count, solid_fraction"}},
    {"body__fill_too_dense",
     BODY("fill: {box: {min: [0, 0, 0], max: [9, 9, 9]}, "
          "solid_fraction: 0.7}\n    radius: 1"),
     .first = ":4: bodies[0].fill.solid_fraction: 0.7 is out of range",
     .hints = {"\n  allowed: number > 0 and <= 0.6"}},
    {"body__fill_box_reversed",
     BODY("fill: {box: {min: [1, 1, 1], max: [0, 2, 2]}, count: 1}\n"
          "    radius: 1"),
     .first = ":4: bodies[0].fill.box.max: 0 is not above min in x"},
    {"body__box_too_small",
     BODY("fill: {box: {min: [0, 0, 0], max: [9, 9, 1]}, count: 1}\n"
          "    radius: 1"),
     .first = ":4: bodies[0].fill.box: too small for the largest sphere, of "
              "radius 1",
     .hints = {"\n  allowed: max - min in x, y, z >= 2 [m]"}},
    {"body__cylinder_too_small",
     BODY("pour: {cylinder: {base: [0, 0, 0], axis: [0, 0, 1], radius: 0.5, "
          "height: 9}, rate: 1}\n    radius: {list: {values: [0.1, 1]}}"),
     .first = ":4: bodies[0].pour.cylinder: too small for the largest sphere, "
              "of radius 1",
     .hints = {"\n  allowed: height and 2 * radius >= 2 [m]"}},
    {"body__pour_rate_zero",
     BODY("pour: {box: {min: [0, 0, 0], max: [9, 9, 9]}, rate: 0}\n"
          "    radius: 1"),
     .first = ":4: bodies[0].pour.rate: 0 is out of range",
     .hints = {"\n  allowed: number > 0 [1/s]"}},
    {"body__pour_after_end",
     BODY("pour: {box: {min: [0, 0, 0], max: [9, 9, 9]}, rate: 1, start: 3}\n"
          "    radius: 1"),
     .first = ":4: bodies[0].pour.start: 3 is out of range",
     .hints = {"\n  allowed: number >= 0 and < stop = 1 [s]"}},
    {"body__second_of_list",
     BODY("sphere: {position: [0, 0, 0]}\n    radius: 1\n"
          "  - sphere: {position: [0, 0, 0]}\n    radius: big"),
     .first = ":7: bodies[1].radius: expected a number, found the text 'big'"},

    /* overrides */
    {"set__unknown_key", BASE, .set = "solver.iteratons=3",
     .first = "--set solver.iteratons=3: unknown key",
     .hints =
         {"\n  allowed here: method, iterations, tolerance, balance, "
          "approach, relaxation, "
          "momentum, local, coarse, stall, rest, clusters, warm_start, dump, "
          "unconverged, unconverged_share\n",
          "\n  did you mean 'iterations'?"}},
    {"set__unknown_parent", BASE, .set = "solvr.iterations=3",
     .first = "--set solvr.iterations=3: solvr: unknown key",
     .hints = {"\n  did you mean 'solver'?"}},
    {"set__unknown_key_inside", BASE, .set = "solver={iteratons: 3}",
     .first = "--set solver={iteratons: 3}: solver.iteratons: unknown key"},
    {"set__out_of_range", BASE, .set = "time.step=9",
     .first = "--set time.step=9: 9 is out of range"},
    {"set__wrong_type", BASE, .set = "gravity[2]=down",
     .first = "--set gravity[2]=down: 'gravity' is not a list"},
    {"set__in_vector", BASE "gravity: [0, 0, 1]\n", .set = "gravity[2]=down",
     .first = "--set gravity[2]=down: expected a number, found the text "
              "'down'"},
    {"set__past_the_end", BASE, .set = "bodies[1].radius=1",
     .first = "--set bodies[1].radius=1: 'bodies' has no item 1",
     .hints = {"\n  it has 1, counted from 0"}},
    {"set__into_scalar", BASE, .set = "bodies[0].radius.constant=1",
     .first = "--set bodies[0].radius.constant=1: 'bodies[0].radius' is not a "
              "mapping"},
    {"set__bad_yaml", BASE, .set = "gravity=[0, 0",
     .first = "--set gravity=[0, 0: not valid YAML: *"},
    {"set__no_value", BASE, .set = "name",
     .first = "--set name: not of the form key.path=value", .hints = {FORM}},
    {"set__no_key", BASE, .set = "=1",
     .first = "--set =1: not of the form key.path=value", .hints = {FORM}},
    {"set__empty_key", BASE, .set = "solver..method=pgs",
     .first = "--set solver..method=pgs: not of the form key.path=value"},
    {"set__bad_index", BASE, .set = "bodies[-1].radius=1",
     .first = "--set bodies[-1].radius=1: not of the form key.path=value"},
    {"set__empty_value", BASE, .set = "stepper=",
     .first = "--set stepper=: expected a name, found nothing"},
    {"set__two_lines", BASE, .set = "name=a\nb",
     .first = "--set name=a b: not of the form key.path=value"},
};

enum { ROWS = sizeof rows / sizeof *rows };

/* ---- what a row cannot say ----------------------------------------------- */

/* Were this refused, the rows would prove nothing. */
static void case_read__base_of_the_rows__is_valid(void **state) {
    (void)state;
    scree_case *c;
    scree_error error;
    assert_int_equal(read_text(BASE, NULL, &c, &error), SCREE_OK);
    scree_case_free(c);
}

static void case_read__missing_file__io_error(void **state) {
    (void)state;
    scree_case *c;
    scree_error error;
    assert_int_equal(scree_case_read("/nowhere/x.yaml", 0, NULL, &c, &error),
                     SCREE_IO_ERROR);
    assert_string_equal(error.text,
                        "/nowhere/x.yaml: No such file or directory");
    assert_null(c);
}

static void case_read__directory__io_error(void **state) {
    (void)state;
    scree_case *c;
    scree_error error;
    assert_int_equal(scree_case_read("/tmp", 0, NULL, &c, &error),
                     SCREE_IO_ERROR);
    assert_string_equal(error.text,
                        "/tmp: this is a directory, not a case file");
}

static void case_read__no_error_asked__status_only(void **state) {
    (void)state;
    scree_case *c;
    assert_int_equal(read_text(TIME, NULL, &c, NULL), SCREE_BAD_INPUT);
    assert_null(c);
}

/* Two hundred long names, and a longer one that is none of them. */
static void case_read__many_materials__list_is_cut(void **state) {
    (void)state;
    char text[40000];
    size_t n = (size_t)sprintf(text, TIME "materials:\n");
    for (int i = 0; i < 200; i++)
        n += (size_t)sprintf(text + n,
                             "  - {name: a-rather-long-name-for-a-material-"
                             "number-%d, density: 1}\n",
                             i);
    sprintf(text + n,
            BODIES "walls:\n  - material: %0500d\n"
                   "    plane: {point: [0, 0, 0], normal: [0, 0, "
                   "1]}\n",
            7);
    scree_case *c;
    scree_error error;
    assert_int_equal(read_text(text, NULL, &c, &error), SCREE_BAD_INPUT);
    assert_non_null(strstr(error.text, "unknown material '0000000"));
    assert_non_null(strstr(error.text, "000...'"));
    assert_non_null(strstr(error.text, "number-0, a-rather"));
    const size_t length = strlen(error.text);
    assert_true(length < 600);
    assert_string_equal(error.text + length - 5, ", ...");
}

/* The cut of a quoted text does not split a character of two bytes. */
static void case_read__long_text__cut_between_characters(void **state) {
    (void)state;
    char text[1000] = BASE "stepper: x";
    for (int i = 0; i < 100; i++) strcat(text, "\xC3\xA9");
    scree_case *c;
    scree_error error;
    assert_int_equal(read_text(text, NULL, &c, &error), SCREE_BAD_INPUT);
    assert_non_null(strstr(error.text, "\xC3\xA9...'"));
}

int main(void) {
    static struct CMUnitTest tests[ROWS + 6] = {
        cmocka_unit_test(case_read__base_of_the_rows__is_valid),
        cmocka_unit_test(case_read__missing_file__io_error),
        cmocka_unit_test(case_read__directory__io_error),
        cmocka_unit_test(case_read__no_error_asked__status_only),
        cmocka_unit_test(case_read__many_materials__list_is_cut),
        cmocka_unit_test(case_read__long_text__cut_between_characters),
    };
    for (int i = 0; i < ROWS; i++) tests[6 + i] = test_of_row(&rows[i]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
