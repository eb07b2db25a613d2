"""Cases: read, run, stepped."""
import ctypes as c
import json
import os
import sys

from . import layout as l
from .errors import Error
from .library import LIBRARY, call, encode, take_text
from .results import Results
from .world import World


def listed(changes):
    """--set options: a dict, or a list of "key=value"."""
    if isinstance(changes, dict):
        changes = ["%s=%s" % (key, value if isinstance(value, str) else json.dumps(value))
                   for key, value in changes.items()]
    changes = [change.encode() for change in changes or ()]
    return len(changes), (c.c_char_p * len(changes))(*changes)


class Progress:
    """A line on the terminal, renewed ten times in a run and at its end."""

    def __init__(self):
        self.next = 0.0

    def __call__(self, at):
        share = at.time / at.end if at.end > 0 else 1.0
        if share >= self.next:
            self.next = share + 0.1
            print("t = %.4g s of %.4g s, step %d" % (at.time, at.end, at.step), file=sys.stderr)


class At:
    """Where a run is: time, end, step, steps, and its world (None: a model)."""

    def __init__(self, state, owner):
        self.time, self.end = state.time, state.end
        self.step, self.steps = state.step, state.steps
        self.world = World._lent(state.world, owner) if state.world else None


class Listener:
    """Calls back, and keeps what was raised: C must not be jumped over."""

    def __init__(self, listener):
        self.listener, self.raised = listener, None
        self.function = l.scree_run_each(self.tell)

    def tell(self, _, state):
        try:
            return self.listener(At(state.contents, self)) is not False
        except BaseException as why:  # also KeyboardInterrupt
            self.raised = why
            return False


def defined(out, force, quiet, max_walltime, restart, progress):
    definition = LIBRARY.scree_run_def_default()
    definition.out, definition.restart = encode(out), encode(restart)
    definition.force, definition.print = force, not quiet
    definition.max_walltime = max_walltime
    listener = Listener(Progress() if progress is True else progress) if progress else None
    if listener:
        definition.each = listener.function
    return definition, listener


def finish(listener, name, *arguments):
    """Runs. What the listener raised comes before what the library says."""
    try:
        call(name, *arguments)
    finally:
        if listener and listener.raised:
            raise listener.raised


class Case:
    """Case("file.yaml"), Case(text="..."), Case(keys={...}); set={"time.end": 2} on top."""

    def __init__(self, path=None, text=None, keys=None, set=None):
        if sum(given is not None for given in (path, text, keys)) != 1:
            raise TypeError("a case is a path, or text=, or keys=")
        self._handle = c.c_void_p()
        n, sets = listed(set)
        if keys is not None:
            text = json.dumps(keys)  # which is YAML as well
        if text is not None:
            call("scree_case_read_text", text.encode(), b"case", n, sets, c.byref(self._handle))
        else:
            call("scree_case_read", encode(path), n, sets, c.byref(self._handle))

    def __del__(self):
        if getattr(self, "_handle", None):
            LIBRARY.scree_case_free(self._handle)

    @property
    def name(self):
        return LIBRARY.scree_case_name(self._handle).decode()

    @property
    def end(self):
        return LIBRARY.scree_case_end(self._handle)

    @property
    def resolved(self):
        """The case with all its keys, as YAML."""
        address = c.c_void_p()
        status = LIBRARY.scree_case_print_text(self._handle, c.byref(address))
        if status:
            raise Error(status, "the case cannot be printed")
        return take_text(address.value)

    def run(self, out=None, force=False, quiet=True, max_walltime=0, restart=None,
            progress=None):
        """As `scree run`. progress: True, or a function of (time, end, step, steps, world)
        that may return False, to end the run as planned with a checkpoint."""
        definition, listener = defined(out, force, quiet, max_walltime, restart, progress)
        finish(listener, "scree_case_run", self._handle, c.byref(definition))
        return Results(out if out is not None else os.path.join("out", self.name))

    def open(self, checkpoint=None):
        return Simulation(self, checkpoint)


class Simulation:
    """A case under way, step by step and without outputs."""

    def __init__(self, case, checkpoint=None):
        self.case = case
        self._handle = c.c_void_p()
        call("scree_simulation_open", case._handle, None, encode(checkpoint),
             c.byref(self._handle))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        self.close()

    def close(self):
        if getattr(self, "_handle", None):
            LIBRARY.scree_simulation_close(self._handle)
            self._handle = None

    def _open(self):
        if not self._handle:
            raise ValueError("the simulation is closed")
        return self._handle

    def step(self, n=1):
        """So many steps, or up to the end of the case; False: it is reached."""
        handle = self._open()
        for _ in range(n):
            if LIBRARY.scree_simulation_is_over(handle):
                return False
            call("scree_simulation_step", handle)
        return not LIBRARY.scree_simulation_is_over(handle)

    @property
    def world(self):
        """To be read, and for set_state; None if the case has a model."""
        handle = LIBRARY.scree_simulation_world(self._open())
        return World._lent(handle, self) if handle else None

    @property
    def time(self):
        return LIBRARY.scree_simulation_state(self._open()).time

    @property
    def steps(self):
        return LIBRARY.scree_simulation_state(self._open()).step

    def save(self, path):
        """A checkpoint, for Case.open and `scree run --restart`."""
        call("scree_simulation_save", self._open(), encode(path))


def run(path, set=None, **options):
    """Case(path, set=set).run(...)"""
    return Case(path, set=set).run(**options)


def resume(folder, set=None, quiet=True, max_walltime=0, progress=None):
    """Goes on where the run in the folder stopped."""
    definition, listener = defined(None, False, quiet, max_walltime, None, progress)
    n, sets = listed(set)
    finish(listener, "scree_folder_resume", encode(folder), n, sets, c.byref(definition))
    return Results(folder)
