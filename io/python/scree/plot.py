"""Plots, by matplotlib."""
import matplotlib.pyplot as plt
from matplotlib.collections import EllipseCollection


def draw_balls(position, radius, colour, axes=None, plane="xz", label="speed [m/s]"):
    """Balls as circles, seen along the axis that `plane` does not name."""
    axes = axes or plt.gca()
    across, up = ("xyz".index(name) for name in plane)
    order = position[:, 3 - across - up].argsort()[::-1]
    circles = EllipseCollection(
        2 * radius[order], 2 * radius[order], 0 * radius, units="xy",
        offsets=position[order][:, (across, up)], transOffset=axes.transData,
        array=colour[order], edgecolors="black", linewidths=0.2)
    axes.add_collection(circles)
    axes.set_xlim((position[:, across] - radius).min(), (position[:, across] + radius).max())
    axes.set_ylim((position[:, up] - radius).min(), (position[:, up] + radius).max())
    axes.set_aspect("equal")
    axes.set_xlabel(plane[0] + " [m]")
    axes.set_ylabel(plane[1] + " [m]")
    axes.figure.colorbar(circles, ax=axes, label=label)
    return axes


def draw_lines(time, columns, axes=None):
    axes = axes or plt.gca()
    for name, values in columns.items():
        axes.plot(time, values, label=name)
    axes.set_xlabel("time [s]")
    axes.legend()
    return axes
