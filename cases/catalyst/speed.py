# script-version: 2.0
"""Bodies coloured by their speed: speed_000000.png, ...

    scree run cases/column-collapse.yaml --catalyst cases/catalyst/speed.py

With `extracts: on` also the points: speed_000000.vtp, ...
"""
import os
import sys

from paraview.simple import PVTrivialProducer

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import scree_view  # noqa: E402

bodies = PVTrivialProducer(registrationName="bodies")
surfaces = PVTrivialProducer(registrationName="surfaces")

view = scree_view.make_view()
clock = scree_view.Clock(view)
camera = scree_view.Camera(view)
legend = scree_view.Legend(view, "speed", "speed [m/s]", "Turbo")
legend.colour(scree_view.show_spheres(bodies, view))
legend.colour(scree_view.show_shapes(surfaces, view), "CELLS")
scree_view.show_walls(surfaces, view)

scree_view.write_pictures(view, "speed")
scree_view.write_extract(bodies, "speed")
options = scree_view.options()


def catalyst_execute(info):
    clock.show(info.time)
    camera.look(bodies, surfaces)
    legend.reach(scree_view.range_of(bodies, "speed")[1])
