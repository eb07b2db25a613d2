#!/usr/bin/env python3
"""Scree from Python: a case that is run, its results, a simulation and a world.

    python3 notebook.py [FOLDER]
"""
import os
import sys

import matplotlib
matplotlib.use("Agg")  # pictures to files; leave it out in a notebook
import matplotlib.pyplot as plt
import numpy as np

import scree

folder = sys.argv[1] if len(sys.argv) > 1 else "out/notebook"
print("scree", scree.__version__)

# %% A case, as a file would have it.
heap = scree.Case(keys={
    "name": "heap", "time": {"end": 1.0, "step": 1e-3},
    "materials": [{"name": "stone", "density": 2500, "friction": 0.5}],
    "walls": [{"box": {"min": [-0.3, -0.3, 0], "max": [0.3, 0.3, 2], "open": ["top"]},
               "material": "stone"}],
    "bodies": [{"fill": {"box": {"min": [-0.3, -0.3, 0], "max": [0.3, 0.3, 1]}, "count": 200},
                "radius": {"uniform": {"min": 0.03, "max": 0.05}}, "material": "stone"}],
    "outputs": [{"frames": {"every": 0.1}}, {"scalars": {}}]})

# %% It is run, and watched: what the function returns may end it.
speeds = []
results = heap.run(out=folder, force=True, progress=lambda at: speeds.append(
    np.linalg.norm(at.world.velocity, axis=1).max()))
print("%d steps, fastest ball %.2f m/s" % (len(speeds), max(speeds)))

# %% Results are read by time and field when they are asked for.
bodies = results["bodies"]
print("%d frames with %s" % (len(bodies), ", ".join(bodies[0].keys())))
frame = bodies.at(0.5)
print("at %.1f s the highest ball is at %.3f m" % (frame.time, frame["position"][:, 2].max()))

# %% Plots.
figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
results.plot("kinetic", "dissipated", axes=left)
bodies[-1].plot(axes=right)
figure.savefig(os.path.join(folder, "heap.png"))

# %% The same case step by step, saved on the way: the same bits.
with heap.open() as first:
    first.step(500)
    first.save(os.path.join(folder, "half.h5"))
    while first.step(100):
        pass
    whole = first.world.hash
with heap.open(checkpoint=os.path.join(folder, "half.h5")) as second:
    while second.step(100):
        pass
    print("goes on with the same bits:", second.world.hash == whole)

# %% A world without a case. A ball is thrown up; halfway its velocity is set to zero.
world = scree.World(dt=1e-3)
stone = world.add_material(friction=0.3, e_n=0.5)
world.add_plane(normal=(0, 0, 1), material=stone)
world.add_sphere(position=(0, 0, 0.1), radius=0.1, velocity=(0, 0, 3), material=stone)
world.step(200)
world.velocity = np.zeros((1, 3))
top = world.position[0, 2]
world.step(2000)
print("fell from %.3f m, rests at %.3f m" % (top, world.position[0, 2]))
