# script-version: 2.0
"""Force chains: force_chains_000000.png, ...

A tube from centre to centre (or to the wall) for each contact, the thicker and
darker the more it carries.

    scree run cases/packing.yaml --catalyst cases/catalyst/force_chains.py

With `extracts: on` also contacts and lines: force_chains_000000.vtp, ...
"""
import os
import sys

from paraview.simple import (
    Calculator, ExtractSurface, PVTrivialProducer, Show, Tube)

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import scree_view  # noqa: E402

bodies = PVTrivialProducer(registrationName="bodies")
contacts = PVTrivialProducer(registrationName="contacts")
surfaces = PVTrivialProducer(registrationName="surfaces")

view = scree_view.make_view()
clock = scree_view.Clock(view)
camera = scree_view.Camera(view)
legend = scree_view.Legend(view, "force", "force [N]", "Inferno (matplotlib)")
legend.colours.InvertTransferFunction()

# The radius: on every rank by the force that is largest on all of them.
thickness = Calculator(Input=ExtractSurface(Input=contacts))
thickness.ResultArrayName = "thickness"
tubes = Tube(Input=thickness)
tubes.Scalars = ["POINTS", "thickness"]
tubes.VaryRadius = "By Absolute Scalar"
tubes.NumberofSides = 8
tubes.Capping = 0
legend.colour(Show(tubes, view, "GeometryRepresentation"))
scree_view.show_walls(surfaces, view)

scree_view.write_pictures(view, "force_chains")
scree_view.write_extract(contacts, "force_chains")
options = scree_view.options()


def catalyst_execute(info):
    clock.show(info.time)
    camera.look(bodies, surfaces)
    largest = scree_view.range_of(contacts, "force")[1]
    legend.reach(largest)
    thin = 0.04 * scree_view.range_of(bodies, "radius")[1]
    more = 14 * thin / largest if largest else 0
    thickness.Function = "%.17g + force * %.17g" % (thin, more)
