"""A world: materials, walls, bodies, and their steps."""
import ctypes as c

import numpy as np

from . import layout as l
from .errors import Error
from .library import LIBRARY, call, encode

SHAPES = {"box": 0, "capsule": 1, "cylinder": 2, "polyhedron": 3, "clump": 4, "polygon": 5}
STATE = {"id": 1, "position": 3, "orientation": 4, "velocity": 3, "angular_velocity": 3,
         "radius": 1, "mass": 1, "material": 1, "shape": 1, "unwrapped": 3}
WHOLE = {"id": c.c_int64, "material": c.c_int32, "shape": c.c_int32}
# Words for the enumerations of the headers.
WORDS = {"impact": ("newton", "poisson"), "friction": ("total", "midslip"),
         "hits": ("published", "balanced"), "local": ("prox", "exact"),
         "coarse": ("off", "auto"), "dump": ("none", "unconverged", "all"),
         "unconverged": ("warn", "stop"), "action": ("remove", "stop", "error"),
         "kind": ("none", "force", "pressure", "torque")}
CONTACT = np.dtype([("a", "i8"), ("b", "i8"), ("point", "f8", 3), ("normal", "f8", 3),
                    ("percussion", "f8", 3), ("gap", "f8"), ("state", "f8", 6)])


def number_of(word, name):
    """The number of one of the words."""
    if name not in WORDS or word not in WORDS[name]:
        raise ValueError("no %s '%s'%s" % (
            name, word, ", but " + ", ".join(WORDS[name]) if name in WORDS else ""))
    return WORDS[name].index(word)


def fill_member(struct, name, kind, value):
    if isinstance(value, dict):
        fill(getattr(struct, name), value, name)
    elif isinstance(value, str) and kind is c.c_char_p:
        setattr(struct, name, value.encode())
    elif isinstance(value, str):
        setattr(struct, name, number_of(value, name))
    elif issubclass(kind, c.Array):
        number = int if kind._type_ is c.c_int else float
        value = [number(x) for x in value]
        if len(value) != kind._length_:
            raise ValueError("%d numbers are wanted, not %d" % (kind._length_, len(value)))
        setattr(struct, name, kind(*value))
    else:
        setattr(struct, name, value)


def fill(struct, values, what):
    """Sets members of a struct by their names."""
    members = dict(struct._fields_)
    for name, value in values.items():
        if name == "from":
            name = "from_"
        if name not in members or name == "cookie":
            raise TypeError("%s has no '%s', but %s" % (
                what, name, ", ".join(sorted(set(members) - {"cookie"}))))
        try:
            fill_member(struct, name, members[name], value)
        except (TypeError, ValueError) as why:
            raise type(why)("%s of %s: %s" % (name, what, why)) from None
    return struct


def rows(array, columns, kind=float):
    """Rows of numbers as C has them."""
    array = np.ascontiguousarray(array, dtype=kind)
    if array.ndim != 2 or array.shape[1] != columns:
        raise ValueError("an array of (n, %d) numbers is wanted, not %s" % (columns, array.shape))
    return array


def address(array, kind=c.c_double):
    return array.ctypes.data_as(c.POINTER(kind))


def tuple_of(values, n=3):
    """n numbers as C takes them; None stays none."""
    if values is None:
        return None
    values = [float(x) for x in values]
    if len(values) != n:
        raise ValueError("%d numbers are wanted, not %d" % (n, len(values)))
    return (c.c_double * n)(*values)


class World:
    """World(dt=1e-3, gravity=(0, 0, -9.81), stepper="moreau", solver={"tolerance": 1e-6},
    ...): the members of scree_world_def."""

    def __init__(self, **definition):
        wanted = fill(LIBRARY.scree_world_def_default(), definition, "a world")
        call("scree_world_def_check", c.byref(wanted))
        handle = c.c_void_p()
        status = LIBRARY.scree_world_create(c.byref(wanted), c.byref(handle))
        if status:
            raise Error(status, "the world could not be made")
        self._handle, self._owner = handle, None

    @classmethod
    def _lent(cls, handle, owner):
        """One that belongs to somebody else, who must live as long."""
        world = cls.__new__(cls)
        world._handle, world._owner = c.c_void_p(handle), owner
        return world

    def __del__(self):
        if getattr(self, "_handle", None) and self._owner is None:
            LIBRARY.scree_world_destroy(self._handle)

    def _try(self, status):
        if status:
            raise Error(status, LIBRARY.scree_world_error(self._handle).decode())

    # ---- what it is made of ---------------------------------------------------

    def _add(self, kind, definition, index=c.c_int, prepare=None):
        wanted = getattr(LIBRARY, "scree_%s_def_default" % kind)()
        fill(wanted, definition, ("an " if kind == "outlet" else "a ") + kind)
        if prepare:
            prepare(wanted)
        number = index()
        self._try(getattr(LIBRARY, "scree_world_add_" + kind)(
            self._handle, c.byref(wanted), c.byref(number)))
        return number.value

    def add_material(self, density=2500.0, **law):
        """add_material(friction=0.5, e_n=0.1, impact="poisson", ...): its number."""
        return self._add("material", {"density": density, "law": law})

    def set_pair(self, a, b, **law):
        self._try(LIBRARY.scree_world_set_pair(
            self._handle, a, b, c.byref(fill(l.scree_contact_law(), law, "a law"))))

    def set_cell(self, **definition):
        """set_cell(low=, high=, periodic=(True, True, False), shear_rate=, stretch=,
        pressure=): a periodic cell; before walls and bodies."""
        self._try(LIBRARY.scree_world_set_cell(self._handle, c.byref(
            fill(LIBRARY.scree_cell_def_default(), definition, "a cell"))))

    @property
    def cell(self):
        """The edges of the cell, their speeds and the mean stress in it, by name, each (3, 3);
        None without a cell."""
        view = l.scree_cell_view()
        if not LIBRARY.scree_world_read_cell(self._handle, c.byref(view)):
            return None
        return {name: np.array(getattr(view, name))
                for name in ("low", "periodic", "edge", "speed", "stress")}

    def add_plane(self, **definition):
        """add_plane(point=, normal=, material=, motion={...}, servo={"kind": "force",
        "target": 100}): the number of the wall."""
        return self._add("plane", definition)

    def add_mesh(self, vertices, triangles, **definition):
        points, corners = rows(vertices, 3), rows(triangles, 3, np.int32)

        def point_to(wanted):
            wanted.vertices, wanted.n_vertex = address(points), len(points)
            wanted.corners = address(corners, c.c_int32)
            wanted.n_triangle = len(corners)
        return self._add("mesh", definition, prepare=point_to)

    def add_segments(self, points, **definition):
        """add_segments([(0, 1), (1, 0)], thickness=0.02, closed=False): a wall of a plane
        world; its number."""
        points = np.ascontiguousarray(points, dtype=float)
        if points.ndim == 2 and points.shape[1] == 2:
            points = np.column_stack([points, np.zeros(len(points))])
        points = rows(points, 3)

        def point_to(wanted):
            wanted.points, wanted.n_point = address(points), len(points)
        return self._add("segments", definition, prepare=point_to)

    def add_terrain(self, heights, cell, origin=(0, 0), **definition):
        """add_terrain(heights, cell=10): heights[j, i] is at origin + cell (i, j); its
        number."""
        heights = np.ascontiguousarray(heights, dtype=float)
        if heights.ndim != 2:
            raise ValueError("heights: an array of (ny, nx) numbers is wanted, not %s" % (
                heights.shape,))

        def point_to(wanted):
            wanted.ny, wanted.nx = heights.shape
            wanted.x0, wanted.y0 = origin
            wanted.cell, wanted.heights = cell, address(heights)
        return self._add("terrain", definition, prepare=point_to)

    def add_shape(self, kind, points=(), balls=(), **definition):
        """add_shape("box", size=(1, 1, 1)); also capsule, cylinder, polyhedron, clump and
        polygon: its number."""
        if kind not in SHAPES:
            raise ValueError("no shape '%s', but %s" % (kind, ", ".join(SHAPES)))
        points = rows(points, 3) if len(points) else np.empty((0, 3))
        balls = rows(balls, 4) if len(balls) else np.empty((0, 4))

        def point_to(wanted):
            wanted.kind = SHAPES[kind]
            wanted.points, wanted.n_point = address(points), len(points)
            wanted.balls, wanted.n_ball = address(balls), len(balls)
        return self._add("shape", definition, prepare=point_to)

    def add_body(self, shape, **definition):
        return self._add("body", {"shape": shape, **definition}, c.c_int64)

    def add_sphere(self, **definition):
        """add_sphere(position=, radius=, velocity=, material=): its id."""
        return self._add("sphere", definition, c.c_int64)

    # ---- bodies that leave -------------------------------------------------------

    def add_outlet(self, low, high, outside=False, action="remove"):
        """Bodies whose centre is in the box (outside: not in it) leave; its number."""
        return self._add("outlet", {"low": low, "high": high, "outside": outside,
                                    "action": action})

    def left(self, outlet):
        """(bodies, mass) that left through it so far."""
        if not 0 <= outlet < LIBRARY.scree_world_outlet_count(self._handle):
            raise IndexError("no outlet %d" % outlet)
        bodies, mass = c.c_int64(), c.c_double()
        LIBRARY.scree_world_read_outlet(self._handle, outlet, c.byref(bodies), c.byref(mass))
        return bodies.value, mass.value

    def stopped(self):
        """(id, outlet) of the body that came to an outlet that stops, in the last step; or
        None."""
        body, outlet = c.c_int64(), c.c_int()
        found = LIBRARY.scree_world_is_stopped(self._handle, c.byref(body), c.byref(outlet))
        return (body.value, outlet.value) if found else None

    def remove(self, ids):
        """Takes bodies out; their ids are not given again."""
        ids = np.ascontiguousarray(ids, np.int64)
        self._try(LIBRARY.scree_world_remove_bodies(
            self._handle, address(ids, c.c_int64), len(ids)))

    # ---- what acts on bodies -------------------------------------------------------

    def add_force(self, materials=(), **definition):
        """add_force(acceleration=, force=, torque=, drag={"quadratic": 0.47, "density": 1.2},
        low=, high=): a field or a fluid, in a box or everywhere; its number."""
        numbers = np.ascontiguousarray(materials, np.int32)

        def point_to(wanted):
            wanted.materials, wanted.n_material = address(numbers, c.c_int32), len(numbers)
        return self._add("force", definition, prepare=point_to)

    def apply_force(self, body, force, point=None):
        """In the next step, at a point in space or at the centre of mass."""
        self._try(LIBRARY.scree_world_apply_force(
            self._handle, body, tuple_of(force), tuple_of(point)))

    def apply_torque(self, body, torque):
        self._try(LIBRARY.scree_world_apply_torque(self._handle, body, tuple_of(torque)))

    def apply_impulse(self, body, impulse, point=None):
        self._try(LIBRARY.scree_world_apply_impulse(
            self._handle, body, tuple_of(impulse), tuple_of(point)))

    def set_velocity(self, body, velocity=None, angular_velocity=None):
        self._try(LIBRARY.scree_world_set_velocity(
            self._handle, body, tuple_of(velocity), tuple_of(angular_velocity)))

    def set_position(self, body, position=None, orientation=None):
        self._try(LIBRARY.scree_world_set_position(
            self._handle, body, tuple_of(position), tuple_of(orientation, 4)))

    def set_gravity(self, gravity):
        self._try(LIBRARY.scree_world_set_gravity(self._handle, tuple_of(gravity)))

    def set_kinematic(self, body, on=True, motion=None):
        """A body of infinite mass, whose velocities over a step from t to t + dt are
        motion(t, dt): (velocity, angular velocity); without one it keeps its own. What
        motion raises comes out of step()."""
        raised = self.__dict__.setdefault("_raised", [])

        def move(context, number, t, dt, *velocities):
            try:
                for numbers, values in zip(velocities, map(tuple_of, motion(t, dt))):
                    for k in range(3):
                        numbers[k] = values[k]
            except BaseException as why:  # C cannot carry it
                raised.append(why)
        call_back = l.scree_kinematic_motion(move) if motion else l.scree_kinematic_motion()
        self._try(LIBRARY.scree_world_set_kinematic(
            self._handle, body, on, call_back, None))
        self.__dict__.setdefault("_motions", {})[body] = call_back  # C keeps its address

    def is_kinematic(self, body):
        return LIBRARY.scree_world_is_kinematic(self._handle, body)

    def set_group(self, body, group, collides):
        """Bits: bodies touch if each is in a group that the other one collides with."""
        self._try(LIBRARY.scree_world_set_group(self._handle, body, group, collides))

    def set_material_group(self, material, group, collides):
        self._try(LIBRARY.scree_world_set_material_group(
            self._handle, material, group, collides))

    # ---- time -----------------------------------------------------------------

    def step(self, n=1):
        raised = self.__dict__.setdefault("_raised", [])
        for _ in range(n):
            status = LIBRARY.scree_world_step(self._handle)
            if raised:
                raise raised.pop()
            self._try(status)

    @property
    def time(self):
        return LIBRARY.scree_world_time(self._handle)

    @property
    def steps(self):
        return LIBRARY.scree_world_steps(self._handle)

    def __len__(self):
        return LIBRARY.scree_world_body_count(self._handle)

    # ---- reading and writing -----------------------------------------------------

    def state(self, *names):
        """The arrays of that name, in the order of ids; without names, all of them."""
        view, found = l.scree_state_view(), {}
        for name in names or STATE:
            if name not in STATE:
                raise KeyError("no '%s', but %s" % (name, ", ".join(STATE)))
            kind = WHOLE.get(name, c.c_double)
            shape = (len(self), STATE[name]) if STATE[name] > 1 else (len(self),)
            found[name] = np.empty(shape, kind)
            setattr(view, name, address(found[name], kind))
        self._try(LIBRARY.scree_world_read_state(self._handle, c.byref(view)))
        return found

    def set_state(self, **arrays):
        """set_state(velocity=...): of all bodies position, orientation, velocity and
        angular_velocity may be set."""
        view, kept = l.scree_state_view(), []
        for name, array in arrays.items():
            if name not in ("position", "orientation", "velocity", "angular_velocity"):
                raise TypeError("'%s' cannot be set" % name)
            array = rows(array, STATE[name])
            if len(array) != len(self):
                raise ValueError("%s has %d rows, and there are %d bodies" % (
                    name, len(array), len(self)))
            kept.append(array)
            setattr(view, name, address(array))
        self._try(LIBRARY.scree_world_write_state(self._handle, c.byref(view)))

    def contacts(self):
        """Those of the last step, with the members of scree_contact_view."""
        found = np.empty(LIBRARY.scree_world_contact_count(self._handle), CONTACT)
        LIBRARY.scree_world_read_contacts(self._handle, found.ctypes.data)
        return found

    def scalars(self):
        """Energies, momentum and the solver's report of the last step, by name."""
        s = l.scree_scalars()
        LIBRARY.scree_world_read_scalars(self._handle, c.byref(s))
        values = {name: getattr(s, name) for name, _ in s._fields_ if name != "solve"}
        for name in ("momentum", "angular_momentum"):
            values[name] = np.array(values[name])
        for name, _ in l.scree_report._fields_:
            values[name] = getattr(s.solve, name)
        values["by"] = values["by"].decode()
        return values

    def wall_force(self, wall):
        if not 0 <= wall < LIBRARY.scree_world_wall_count(self._handle):
            raise IndexError("no wall %d" % wall)
        force = np.empty(3)
        LIBRARY.scree_world_read_wall_force(self._handle, wall, address(force))
        return force

    def servo(self, wall):
        """way, velocity, target and area of a wall that a servo drives, or None."""
        if not 0 <= wall < LIBRARY.scree_world_wall_count(self._handle):
            raise IndexError("no wall %d" % wall)
        view = l.scree_servo_view()
        LIBRARY.scree_world_read_servo(self._handle, wall, c.byref(view))
        names = ("way", "velocity", "target", "area")
        return {name: getattr(view, name) for name in names} if view.kind else None

    @property
    def hash(self):
        return "%016x" % LIBRARY.scree_world_hash(self._handle)

    def write_frame(self, path):
        call("scree_world_write_frame", self._handle, encode(path))

    def save(self, path):
        call("scree_world_save", self._handle, encode(path))

    def load(self, path):
        """Into a new world with the same materials, shapes and walls, without bodies."""
        call("scree_world_load", self._handle, encode(path))

    def plot(self, axes=None, **options):
        from .plot import draw_balls
        state = self.state("position", "radius", "velocity")
        return draw_balls(state["position"], state["radius"],
                          np.linalg.norm(state["velocity"], axis=1), axes, **options)


def array_property(name, settable):
    def read(world):
        return world.state(name)[name]

    def write(world, array):
        world.set_state(**{name: array})
    return property(read, write if settable else None, doc=name + " of all bodies")


for _name in STATE:
    setattr(World, _name, array_property(_name, STATE[_name] > 1))
