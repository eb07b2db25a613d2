"""The structs of the installed headers, member by member.

tests/io/python/python_layout.py compares sizes and offsets with those of a C compiler.
"""
import ctypes as c

double, integer, count, flag, text = c.c_double, c.c_int, c.c_int64, c.c_bool, c.c_char_p
doubles = c.POINTER(c.c_double)
ints = c.POINTER(c.c_int32)
counts = c.POINTER(c.c_int64)


def struct(name, *members):
    """A struct whose members are ("name", type) or, of several, ("a b", type)."""
    fields = [(n, kind) for names, kind in members for n in names.split()]
    return type(name, (c.Structure,), {"_fields_": fields})


vec3, quaternion = double * 3, double * 4

scree_error = struct("scree_error", ("status", integer), ("text", c.c_char * 8000), ("agreed", flag))

scree_solver_options = struct(
    "scree_solver_options", ("method", text), ("iterations", integer),
    ("tolerance scale balance approach relaxation momentum", double),
    ("local coarse stall rest clusters", integer), ("warm_start", flag),
    ("dump unconverged", integer), ("unconverged_share seconds", double),
    ("order feedback", integer), ("keep_last on_the_way", flag),
    ("watch context", c.c_void_p))

scree_world_def = struct(
    "scree_world_def", ("gravity", vec3), ("dt motion", double), ("stepper", text),
    ("friction hits", integer), ("solver", scree_solver_options), ("gap_control", flag),
     ("recovery_velocity restitution_speed", double),
     ("planar keep_spin_energy", flag),
     ("stages order", integer), ("dt_min atol rtol", double),
     ("substeps", integer), ("rho_inf", double),
    ("threads", integer), ("reproducible", flag), ("capacity", count),
    ("cookie", c.c_uint32))

scree_anisotropy = struct("scree_anisotropy", ("ratio", double), ("direction", vec3))

scree_slippage = struct("scree_slippage", ("least growth decay drag", double))

scree_cohesion = struct("scree_cohesion", ("force energy range", double))

scree_bond = struct(
    "scree_bond", ("normal tangential moment range from_", double), ("always", flag))

scree_contact_law = struct(
    "scree_contact_law", ("friction e_n e_t rolling drilling", double),
    ("anisotropy", scree_anisotropy), ("slippage", scree_slippage),
    ("cohesion", scree_cohesion), ("bond", scree_bond),
    ("own", double * 4), ("impact", integer))

scree_material_def = struct(
    "scree_material_def", ("density", double), ("law", scree_contact_law),
    ("cookie", c.c_uint32))

scree_motion = struct(
    "scree_motion", ("velocity amplitude", vec3), ("frequency phase", double),
    ("origin axis", vec3), ("rate", double), ("table", doubles), ("n_table", integer),
    ("along", vec3))

scree_servo = struct(
    "scree_servo", ("kind", integer), ("target", double), ("direction axis origin", vec3),
    ("area", double), ("across", integer * 4), ("mass speed damping until then", double))

scree_servo_view = struct(
    "scree_servo_view", ("kind", integer), ("way velocity target area", double))

scree_plane_def = struct(
    "scree_plane_def", ("point normal", vec3), ("material", integer),
    ("motion", scree_motion), ("servo", scree_servo), ("from_ until", double),
    ("cookie", c.c_uint32))

scree_mesh_def = struct(
    "scree_mesh_def", ("vertices", doubles), ("n_vertex", integer), ("corners", ints),
    ("n_triangle", integer), ("two_sided", flag), ("material", integer),
    ("motion", scree_motion), ("servo", scree_servo), ("from_ until", double),
    ("cookie", c.c_uint32))

scree_segments_def = struct(
    "scree_segments_def", ("points", doubles), ("n_point", integer), ("closed", flag),
    ("thickness", double), ("material", integer), ("motion", scree_motion),
    ("servo", scree_servo), ("from_ until", double), ("cookie", c.c_uint32))

scree_terrain_def = struct(
    "scree_terrain_def", ("nx ny", integer), ("x0 y0 cell", double), ("heights", doubles),
    ("material", integer), ("cookie", c.c_uint32))

scree_shape_def = struct(
    "scree_shape_def", ("kind", integer), ("size", vec3), ("radius length", double),
    ("points", doubles), ("n_point", integer), ("balls", doubles), ("n_ball", integer),
    ("rounding", double), ("cookie", c.c_uint32))

scree_body_def = struct(
    "scree_body_def", ("shape", integer), ("position", vec3), ("orientation", quaternion),
    ("velocity angular_velocity", vec3), ("material", integer), ("cookie", c.c_uint32))

scree_sphere_def = struct(
    "scree_sphere_def", ("position", vec3), ("orientation", quaternion),
    ("radius", double), ("velocity angular_velocity", vec3), ("material", integer),
    ("cookie", c.c_uint32))

scree_outlet_def = struct(
    "scree_outlet_def", ("low high", vec3), ("outside", flag), ("action", integer),
    ("cookie", c.c_uint32))

scree_drag = struct(
    "scree_drag", ("linear quadratic spin density", double), ("velocity", vec3),
    ("buoyancy", flag))

scree_force_def = struct(
    "scree_force_def", ("acceleration force torque", vec3), ("drag", scree_drag),
    ("low high", vec3), ("materials", ints), ("n_material", integer),
    ("cookie", c.c_uint32))

scree_kinematic_motion = c.CFUNCTYPE(None, c.c_void_p, count, double, double, doubles, doubles)

scree_cell_def = struct(
    "scree_cell_def", ("low high", vec3), ("periodic", flag * 3), ("shear_rate", double),
    ("stretch pressure", vec3), ("cookie", c.c_uint32))

scree_cell_view = struct(
    "scree_cell_view", ("low", vec3), ("periodic", flag * 3), ("edge speed stress", vec3 * 3))

scree_state_view = struct(
    "scree_state_view", ("id", counts),
    ("position orientation velocity angular_velocity radius mass", doubles),
    ("material shape", ints), ("kept unwrapped", doubles))

scree_contact_view = struct(
    "scree_contact_view", ("a b", count), ("point normal percussion", vec3),
    ("gap", double), ("state", double * 6))

scree_report = struct(
    "scree_report", ("iterations", integer), ("residual balance normal cone scale", double),
    ("converged singular", flag), ("stop", integer), ("by", c.c_char * 8))

scree_scalars = struct(
    "scree_scalars",
    ("time step_size kinetic potential stored dissipated dissipated_normal "
     "dissipated_friction dissipated_turning dissipated_joints dissipated_drag wall_work "
     "motor_work force_work recovery_work inserted scheme_error", double),
    ("momentum angular_momentum", vec3), ("bodies contacts", count),
    ("solve", scree_report), ("penetration_mean penetration_max", double),
    ("order exit_flag", integer))

scree_run_state = struct(
    "scree_run_state", ("time end", double), ("step steps", count),
    ("world model", c.c_void_p))

scree_run_each = c.CFUNCTYPE(flag, c.c_void_p, c.POINTER(scree_run_state))

scree_run_def = struct(
    "scree_run_def", ("out restart", text), ("force no_scripts print", flag),
    ("max_walltime", double), ("comm", c.c_void_p), ("each", scree_run_each),
    ("context", c.c_void_p), ("cookie", c.c_uint32))

ALL = [kind for name, kind in sorted(globals().items())
       if isinstance(kind, type) and issubclass(kind, c.Structure) and kind is not c.Structure]
