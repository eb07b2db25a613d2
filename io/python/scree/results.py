"""Results in a folder or a file. Nothing is read until it is asked for."""
import ctypes as c
import os

import numpy as np

from .errors import Error
from .library import LIBRARY, call, encode, take_text
from .world import address


class Frame:
    """One frame: frame["velocity"] is an array of (n, 3), frame["radius"] one of (n)."""

    def __init__(self, series, index):
        self.series, self.index = series, index
        self.time = series.times[index]

    def _at(self):
        return self.series.results._handle, self.series.name.encode(), self.index

    def keys(self):
        found = c.c_void_p()
        call("scree_results_fields", *self._at(), c.byref(found))
        return take_text(found.value).split()

    def __getitem__(self, field):
        rows, columns = c.c_int64(), c.c_int()
        place = (*self._at(), field.encode())
        call("scree_results_size", *place, c.byref(rows), c.byref(columns))
        values = np.empty((rows.value, columns.value))
        call("scree_results_read", *place, address(values))
        return values if columns.value > 1 else values[:, 0]

    def plot(self, axes=None, **options):
        from .plot import draw_balls
        return draw_balls(self["position"], self["radius"], self["speed"], axes, **options)


class Series:
    """The frames of one output: series[k], series.at(time), or one after the other."""

    def __init__(self, results, name):
        self.results, self.name = results, name
        count = LIBRARY.scree_results_count(results._handle, name.encode())
        self.times = np.array([LIBRARY.scree_results_time(
            results._handle, name.encode(), k) for k in range(count)])

    def __len__(self):
        return len(self.times)

    def __getitem__(self, k):
        if not -len(self) <= k < len(self):
            raise IndexError("frame %d of %d" % (k, len(self)))
        return Frame(self, k % len(self))

    def at(self, time):
        """The frame that is nearest in time."""
        return self[int(np.abs(self.times - time).argmin())]


class Results:
    """Results("out/hopper"): results["bodies"].at(1.5)["velocity"]"""

    def __init__(self, path):
        self.path = os.fspath(path)
        self._handle = c.c_void_p()
        try:
            call("scree_results_open", encode(path), c.byref(self._handle))
        except Error:
            if not self.tables():  # of models, and of runs that only measure
                raise

    def __del__(self):
        if getattr(self, "_handle", None):
            LIBRARY.scree_results_close(self._handle)

    def keys(self):
        names, i = [], 0
        while self._handle and (name := LIBRARY.scree_results_series(self._handle, i)) is not None:
            names.append(name.decode())
            i += 1
        return names

    def __getitem__(self, name):
        if name not in self.keys():
            raise KeyError("no '%s', but %s" % (name, ", ".join(self.keys())))
        return Series(self, name)

    def tables(self):
        """Names of the tables that are there: scalars, flux, walls, network, model ..."""
        if not os.path.isdir(self.path):
            return []
        return sorted(name[:-4] for name in os.listdir(self.path) if name.endswith(".csv"))

    def table(self, name):
        """The columns of NAME.csv by name; what is no number is NaN."""
        path = os.path.join(self.path, name + ".csv")
        if not os.path.isfile(path):
            raise KeyError("no table '%s', but %s" % (name, ", ".join(self.tables())))
        with open(path) as file:
            lines = file.readlines()
        names = lines[0].strip().split(",")
        table = np.genfromtxt(lines[1:], delimiter=",", ndmin=2).reshape(-1, len(names))
        return {name: table[:, k] for k, name in enumerate(names)}

    def scalars(self):
        """The columns of scalars.csv by name."""
        return self.table("scalars")

    def plot(self, *names, axes=None, table="scalars"):
        """Columns of a table over time: plot("outlet_mass_rate", table="flux")."""
        from .plot import draw_lines
        columns = self.table(table)
        time = columns["t" if "t" in columns else "time"]
        return draw_lines(time, {name: columns[name] for name in names}, axes)
