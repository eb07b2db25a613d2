"""Scree: granular and many-contact simulation with hard contact.

    import scree

    case = scree.Case("hopper.yaml", set={"time.end": 2})
    results = case.run(out="out/hopper", progress=True)     # as `scree run`
    frame = results["bodies"].at(1.5)                       # nothing is read until
    frame["velocity"]                                       # it is asked for: (n, 3)

    with case.open() as simulation:                         # step by step
        while simulation.step(100):
            simulation.world.velocity[:, 2].min()

    world = scree.World(dt=1e-3)                            # without a case
    world.add_material(friction=0.5)
    world.add_plane(normal=(0, 0, 1))
    world.add_sphere(position=(0, 0, 1), radius=0.1)
    world.step(1000)

Arrays are numpy's, in the order of ids; units are SI. What goes wrong is a scree.Error
with the sentence of the library.
"""
from .errors import Error
from .library import VERSION as __version__
from .world import World
from .case import Case, Simulation, resume, run
from .results import Results

__all__ = ["Case", "Error", "Results", "Simulation", "World", "resume", "run"]
