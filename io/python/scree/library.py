"""The shared library, found and told what its functions take."""
import ctypes as c
import glob
import os
import sysconfig
from pathlib import Path

from . import layout as l
from .errors import Error

SERIES = "0.1"  # versions with these numbers go together


def candidates():
    """Where the library may be: what SCREE_LIBRARY names, or beside this package."""
    given = os.environ.get("SCREE_LIBRARY")
    if given:
        yield given
        return
    name = "libscree.so." + SERIES
    for folder in Path(__file__).resolve().parents[1:5]:
        for inner in ("", "lib", "lib64", sysconfig.get_config_var("MULTIARCH") or "lib"):
            yield str(folder / inner / name)
    yield name  # where the system looks


def load():
    tried = []
    for path in candidates():
        if os.sep in path and not os.path.exists(path):
            continue
        try:
            return c.CDLL(path)
        except OSError as why:
            tried.append(str(why))
    raise ImportError("libscree.so.%s was not found; SCREE_LIBRARY=FILE names it%s" % (
        SERIES, "".join("\n  " + why for why in tried)))


LIBRARY = load()

pointer, out = c.c_void_p, c.POINTER(c.c_void_p)
error = c.POINTER(l.scree_error)
names = c.POINTER(c.c_char_p)


def declare(name, result, *arguments):
    function = getattr(LIBRARY, name)
    function.restype, function.argtypes = result, list(arguments)
    return function


for kind in ("world", "material", "plane", "mesh", "segments", "terrain", "shape", "body",
             "sphere", "outlet", "force", "run"):
    declare("scree_%s_def_default" % kind, getattr(l, "scree_%s_def" % kind))
for kind, index in (("material", c.c_int), ("plane", c.c_int), ("mesh", c.c_int),
                    ("segments", c.c_int), ("terrain", c.c_int), ("shape", c.c_int), ("body", c.c_int64), ("sphere", c.c_int64),
                    ("outlet", c.c_int), ("force", c.c_int)):
    declare("scree_world_add_" + kind, c.c_int, pointer,
            c.POINTER(getattr(l, "scree_%s_def" % kind)), c.POINTER(index))
declare("scree_version", c.c_char_p)
declare("scree_world_def_check", c.c_int, c.POINTER(l.scree_world_def), error)
declare("scree_world_create", c.c_int, c.POINTER(l.scree_world_def), out)
declare("scree_world_destroy", None, pointer)
declare("scree_world_error", c.c_char_p, pointer)
declare("scree_world_set_pair", c.c_int, pointer, c.c_int, c.c_int,
        c.POINTER(l.scree_contact_law))
declare("scree_cell_def_default", l.scree_cell_def)
declare("scree_world_set_cell", c.c_int, pointer, c.POINTER(l.scree_cell_def))
declare("scree_world_read_cell", c.c_bool, pointer, c.POINTER(l.scree_cell_view))
declare("scree_world_outlet_count", c.c_int, pointer)
declare("scree_world_is_stopped", c.c_bool, pointer, c.POINTER(c.c_int64), c.POINTER(c.c_int))
declare("scree_world_read_outlet", None, pointer, c.c_int, c.POINTER(c.c_int64),
        c.POINTER(c.c_double))
declare("scree_world_remove_bodies", c.c_int, pointer, c.POINTER(c.c_int64), c.c_int64)
numbers = c.POINTER(c.c_double)
for call in ("force", "impulse"):
    declare("scree_world_apply_" + call, c.c_int, pointer, c.c_int64, numbers, numbers)
declare("scree_world_apply_torque", c.c_int, pointer, c.c_int64, numbers)
for call in ("velocity", "position"):
    declare("scree_world_set_" + call, c.c_int, pointer, c.c_int64, numbers, numbers)
declare("scree_world_set_gravity", c.c_int, pointer, numbers)
declare("scree_world_set_kinematic", c.c_int, pointer, c.c_int64, c.c_bool,
        l.scree_kinematic_motion, c.c_void_p)
declare("scree_world_is_kinematic", c.c_bool, pointer, c.c_int64)
declare("scree_world_set_group", c.c_int, pointer, c.c_int64, c.c_uint32, c.c_uint32)
declare("scree_world_set_material_group", c.c_int, pointer, c.c_int, c.c_uint32, c.c_uint32)
declare("scree_world_step", c.c_int, pointer)
declare("scree_world_time", c.c_double, pointer)
declare("scree_world_steps", c.c_int64, pointer)
declare("scree_world_body_count", c.c_int64, pointer)
declare("scree_world_read_state", c.c_int, pointer, c.POINTER(l.scree_state_view))
declare("scree_world_write_state", c.c_int, pointer, c.POINTER(l.scree_state_view))
declare("scree_world_contact_count", c.c_int64, pointer)
declare("scree_world_read_contacts", None, pointer, pointer)
declare("scree_world_read_scalars", None, pointer, c.POINTER(l.scree_scalars))
declare("scree_world_read_wall_force", None, pointer, c.c_int, c.POINTER(c.c_double))
declare("scree_world_read_servo", None, pointer, c.c_int, c.POINTER(l.scree_servo_view))
declare("scree_world_wall_count", c.c_int, pointer)
declare("scree_world_hash", c.c_uint64, pointer)
for call in ("save", "load", "write_frame"):
    declare("scree_world_" + call, c.c_int, pointer, c.c_char_p, error)
declare("scree_case_read", c.c_int, c.c_char_p, c.c_int, names, out, error)
declare("scree_case_read_text", c.c_int, c.c_char_p, c.c_char_p, c.c_int, names, out, error)
declare("scree_case_free", None, pointer)
declare("scree_case_name", c.c_char_p, pointer)
declare("scree_case_end", c.c_double, pointer)
declare("scree_case_print_text", c.c_int, pointer, out)
declare("scree_case_run", c.c_int, pointer, c.POINTER(l.scree_run_def), error)
declare("scree_folder_resume", c.c_int, c.c_char_p, c.c_int, names,
        c.POINTER(l.scree_run_def), error)
declare("scree_simulation_open", c.c_int, pointer, pointer, c.c_char_p, out, error)
declare("scree_simulation_close", None, pointer)
declare("scree_simulation_step", c.c_int, pointer, error)
declare("scree_simulation_is_over", c.c_bool, pointer)
declare("scree_simulation_state", l.scree_run_state, pointer)
declare("scree_simulation_world", pointer, pointer)
declare("scree_simulation_save", c.c_int, pointer, c.c_char_p, error)
declare("scree_results_open", c.c_int, c.c_char_p, out, error)
declare("scree_results_close", None, pointer)
declare("scree_results_series", c.c_char_p, pointer, c.c_int)
declare("scree_results_count", c.c_int, pointer, c.c_char_p)
declare("scree_results_time", c.c_double, pointer, c.c_char_p, c.c_int)
declare("scree_results_fields", c.c_int, pointer, c.c_char_p, c.c_int, out, error)
declare("scree_results_size", c.c_int, pointer, c.c_char_p, c.c_int, c.c_char_p,
        c.POINTER(c.c_int64), c.POINTER(c.c_int), error)
declare("scree_results_read", c.c_int, pointer, c.c_char_p, c.c_int, c.c_char_p,
        c.POINTER(c.c_double), error)

VERSION = LIBRARY.scree_version().decode()
if not VERSION.startswith(SERIES + "."):
    raise ImportError("the library is version %s, this package wants %s" % (VERSION, SERIES))


def call(name, *arguments):
    """A function whose last argument is an error."""
    why = l.scree_error()
    status = getattr(LIBRARY, name)(*arguments, c.byref(why))
    if status:
        raise Error(status, why.text.decode(errors="replace") or name)


def take_text(address):
    """A text that the library gave away."""
    value = c.string_at(address).decode()
    free = c.CDLL(None).free
    free.argtypes = [c.c_void_p]
    free(address)
    return value


def encode(path):
    return None if path is None else os.fsencode(path)
