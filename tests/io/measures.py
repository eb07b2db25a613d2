"""Outputs that measure: against numbers by hand, and against what numpy makes of frames
and contacts.

    measures.py SCREE
"""
import csv
import glob
import html
import os
import re
import unittest

import h5py
import numpy as np

os.environ["OMP_NUM_THREADS"] = "1"
from in_folder import InFolder  # noqa: E402


def table(path):
    """Columns of a CSV file; what is no number is NaN."""
    def number(text):
        try:
            return float(text)
        except ValueError:
            return np.nan
    with open(path) as file:
        rows = list(csv.DictReader(file))
    return {key: np.array([number(row[key]) for row in rows]) for key in rows[0]}


def last_frame(folder, stem):
    return h5py.File(sorted(glob.glob(os.path.join(folder, stem + "_*.hdf")))[-1])


class Measured(InFolder):
    def run_case(self, text, *arguments, code=0):
        self.write("case.yaml", text)
        self.scree("run", "case.yaml", "--out", "out", "--quiet", "--force", *arguments,
                   code=code)

    def table(self, name, out="out"):
        return table(self.path(out, name))


# One ball, r = 0.05 and 1000 kg/m^3, bounces: through 0.2 downwards at 0.2 s, and up again
# after the floor at 0.05. Another one passes beside the disc.
BOUNCE = """
time: {end: 0.6, step: 0.001}
gravity: [0, 0, -10]
materials: [{name: a, density: 1000, restitution: 1}, {name: b, density: 2000}]
walls: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, material: a}]
bodies:
  - {sphere: {position: [0, 0, 0.4]}, radius: 0.05, material: a}
  - {sphere: {position: [0.5, 0, 0.4]}, radius: 0.04, material: b, velocity: [0, 0, -1]}
outputs:
  - flux:
      every: 0.1
      gates:
        - {name: all, plane: {point: [0, 0, 0.2], normal: [0, 0, -2]}}
        - {name: disc, disc: {center: [0, 0, 0.2], normal: [0, 0, -1], radius: 0.1}}
        - {name: ring, rectangle: {corner: [-1, -1, 0.2], first: [0, 2, 0],
                                   second: [1.25, 0, 0]}}
        - {name: rest, rectangle: {corner: [0.25, -1, 0.2], first: [0, 2, 0],
                                   second: [1, 0, 0]}}
      materials: on
      sizes: [0.09]
"""


class Flux(Measured):
    MASS = 1000 * 4 / 3 * np.pi * 0.05**3

    def test_ball_through_disc_at_known_time(self):
        self.run_case(BOUNCE, "--set", "outputs.flux.every=0")
        t = self.table("flux.csv")
        first = t["time"][np.argmax(t["disc_number"] == 1)]
        self.assertAlmostEqual(first, 0.2, delta=0.0015)
        np.testing.assert_allclose(t["disc_mass"].max(), self.MASS, rtol=1e-12)
        # With the speed of 2 m/s at which it passes, downwards.
        crossing = t["disc_momentum_z"] != 0
        self.assertAlmostEqual(t["disc_momentum_z"][crossing][0],
                               -2 * self.MASS, delta=0.02 * self.MASS)
        self.assertAlmostEqual(t["disc_energy"][crossing][0], 2 * self.MASS,
                               delta=0.03 * self.MASS)

    def test_what_comes_back_is_taken_off(self):
        self.run_case(BOUNCE)
        t = self.table("flux.csv")
        # 0.35 m of fall take 0.2646 s; it is back at 0.2 at 0.329 s.
        np.testing.assert_array_equal(t["disc_number"], [0, 0, 1, 1, 0, 0, 0])
        self.assertEqual(t["disc_mass"][4], 0)
        # Momentum does not cancel: down it goes with it, up against it.
        self.assertAlmostEqual(t["disc_momentum_z"][5], -4 * self.MASS,
                               delta=0.04 * self.MASS)

    def test_rates_are_what_came_since_the_row_before(self):
        self.run_case(BOUNCE)
        t = self.table("flux.csv")
        for gate in ("all", "disc"):
            for what in ("number", "mass", "momentum_z", "energy"):
                want = np.diff(t["%s_%s" % (gate, what)]) / np.diff(t["time"])
                np.testing.assert_allclose(t["%s_%s_rate" % (gate, what)][1:], want,
                                           rtol=1e-12, atol=1e-15)

    def test_materials_classes_and_rectangles_are_parts(self):
        self.run_case(BOUNCE)
        t = self.table("flux.csv")
        for what in ("number", "mass"):
            whole = t["all_" + what]
            for parts in (("a", "b"), ("size0", "size1")):
                np.testing.assert_allclose(
                    sum(t["all_%s_%s" % (what, p)] for p in parts), whole,
                    atol=1e-15)
            np.testing.assert_array_equal(t["disc_%s" % what], t["all_%s_a" % what])
            np.testing.assert_allclose(t["ring_%s" % what] + t["rest_%s" % what],
                                       whole, atol=1e-15)
        self.assertEqual(t["all_number_b"].max(), 1)
        np.testing.assert_array_equal(t["all_number_a"], t["all_number_size1"])

    def test_counts_are_those_of_frames(self):
        self.run_case(GRAINS)
        t = self.table("flux.csv")
        heights = []
        for path in sorted(glob.glob(self.path("out", "bodies_*.hdf"))):
            with h5py.File(path) as file:
                heights.append(file["VTKHDF/Points"][:, 2])
        below = np.array([np.count_nonzero(z <= 0.15) for z in heights])
        np.testing.assert_array_equal(t["low_number"], below - below[0])
        self.assertGreater(below.max(), 20)

    def test_body_that_leaves_as_it_crosses_counts(self):
        """An outlet right below the gate takes balls in the step in which they cross."""
        self.run_case(LEAVING)
        t = self.table("flux.csv")
        self.assertEqual(t["out_number"][-1], 12)
        with last_frame(self.path("out"), "bodies") as file:
            data = file["VTKHDF/PointData"]
            left, mass = data["id"][:], data["mass"][:]
            np.testing.assert_allclose(data["kinetic_energy"][:],
                                       0.5 * mass * (data["velocity"][:]**2).sum(axis=1),
                                       rtol=1e-13)
        self.assertEqual(left.size, 6)
        np.testing.assert_allclose(t["out_mass"][-1], 12 * mass[0], rtol=1e-12)
        h = self.table("history.csv")
        gone = min(set(range(18)) - set(left))
        self.assertEqual(sorted(h["id"][h["time"] == h["time"][-1]]),
                         [i for i in (gone, left[-1]) if i in left])

    def test_counts_from_the_time_that_is_said(self):
        self.run_case(BOUNCE, "--set", "outputs.flux.from=0.25")
        t = self.table("flux.csv")
        self.assertAlmostEqual(t["time"][0], 0.25, delta=0.0015)
        self.assertEqual(t["disc_number"].min(), -1)

    def test_names_that_hold_commas__same_number_of_fields_in_each_line(self):
        self.run_case(BOUNCE.replace("name: a,", 'name: "a,\\"b",')
                      .replace("material: a", "material: 'a,\"b'"),
                      "--set", 'outputs.flux.gates[0].name="x,y"')
        with open(self.path("out", "flux.csv")) as file:
            lines = file.read().splitlines()
        self.assertEqual({x.count(",") for x in lines}, {lines[0].count(",")})
        self.assertIn(",x_y_number_a__b,x_y_mass_a__b,", lines[0])

    def test_bad_gates_are_refused(self):
        for key, value, why in (
                ("gates", "[]", "at least one entry"),
                ("sizes", "[2, 1]", "do not rise"),
                ("sizes", str(list(range(1, 102))), "too many\n  allowed: list of numbers > 0 [m], at most 100"),
                ("gates[0].name", '"a\\nb"', "holds control characters"),
                ("gates[0].name", '"a\\e[2J"', "holds control characters"),
                ("gates[0].name", '"a\\x9b2J"', "holds control characters"),
                ("gates[0].name", "n" * 201, "too long"),
                ("gates[1].name", "all", "has the name 'all' already"),
                ("gates[2].rectangle.second", "[0, 1, 0]", "is parallel to 'first'"),
                ("gates[0].plane.normal", "[0, 0, 0]", "normal")):
            self.write("case.yaml", BOUNCE)
            done = self.scree("check", "case.yaml", "--set",
                              "outputs.flux.%s=%s" % (key, value), code=2)
            self.assertIn(why, done.stderr)


# Grains that rain on a floor with walls, and all that measures.
GRAINS = """
name: grains
seed: 5
reproducible: on
time: {end: 0.4, step: 0.002}
gravity: [0, 0, -10]
materials:
  - {name: a, density: 1000, friction: 0.4, restitution: 0.3}
  - {name: b, density: 1500, friction: 0.1}
walls:
  - {name: box, box: {min: [-0.2, -0.2, 0], max: [0.2, 0.2, 2], open: [top]}, material: a}
bodies:
  - lattice: {origin: [-0.14, -0.14, 0.05], counts: [5, 5, 4], spacing: 0.07, jitter: 0.004}
    radius: {uniform: {min: 0.02, max: 0.03}}
    material: a
    velocity: [0.1, 0, -1]
outputs:
  - frames: {every: 0.1}
  - contacts: {every: 0.1}
  - flux: {every: 0.1, gates: [{name: low, plane: {point: [0, 0, 0.15],
                                                   normal: [0, 0, -1]}}]}
  - fields: {every: 0.1, box: {min: [-0.3, -0.3, -0.1], max: [0.3, 0.3, 0.5]},
             cells: [3, 4, 6], width: 0.2}
"""
TENSOR = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)]


class Fields(Measured):
    def frame(self, stem="fields"):
        with last_frame(self.path("out"), stem) as file:
            data = {**file["VTKHDF/CellData"], **file["VTKHDF/PointData"]}
            return {"Points": file["VTKHDF/Points"][:],
                    **{key: data[key][:] for key in data}}

    def test_totals_are_those_of_bodies(self):
        for width in (0, 0.25):
            self.run_case(GRAINS, "--set", "outputs.fields.width=%g" % width)
            f, b = self.frame(), self.frame("bodies")
            V = 0.2 * 0.15 * 0.1
            mass, v = b["mass"], b["velocity"]
            np.testing.assert_allclose(f["density"].sum() * V, mass.sum(), rtol=1e-13)
            np.testing.assert_allclose(f["solid_fraction"].sum() * V,
                                       b["volume"].sum(), rtol=1e-13)
            momentum = np.nansum(f["density"][:, None] * f["velocity"], axis=0) * V
            scale = np.abs(mass[:, None] * v).sum()
            np.testing.assert_allclose(momentum, mass @ v, atol=1e-14 * scale)
            # Kinetic stress and what flows with the mean: all of the energy.
            flow = f["density"][:, None] * f["velocity"]**2
            energy = (np.nansum(flow) + f["kinetic_stress"][:, :3].sum()) * V
            np.testing.assert_allclose(energy, mass @ (v**2).sum(axis=1), rtol=1e-12)

    def cells(self, x):
        at = np.floor((x - [-0.3, -0.3, -0.1]) / [0.2, 0.15, 0.1]).astype(int)
        return at[:, 0] + 3 * (at[:, 1] + 4 * at[:, 2])

    def test_cells_are_what_numpy_makes_of_bodies(self):
        self.run_case(GRAINS, "--set", "outputs.fields.width=0")
        f, b = self.frame(), self.frame("bodies")
        cell, mass, v = self.cells(b["Points"]), b["mass"], b["velocity"]
        V = 0.2 * 0.15 * 0.1
        for k in np.unique(cell):
            m, u = mass[cell == k], v[cell == k]
            mean = m @ u / m.sum()
            S = np.einsum("i,ij,ik->jk", m, u - mean, u - mean) / V
            np.testing.assert_allclose(f["density"][k], m.sum() / V, rtol=1e-12)
            np.testing.assert_allclose(f["velocity"][k], mean, atol=1e-12)
            np.testing.assert_allclose(f["kinetic_stress"][k],
                                       [S[i] for i in TENSOR], atol=1e-9)
            np.testing.assert_allclose(f["temperature"][k],
                                       np.trace(S) * V / (3 * m.sum()), atol=1e-11)
        self.assertEqual(np.isnan(f["velocity"][:, 0]).sum(),
                         72 - np.unique(cell).size)

    def test_contacts_are_what_numpy_makes_of_them(self):
        """The whole box as one cell: stress is the sum of -f l / V."""
        self.run_case(GRAINS, "--set", "outputs.fields.cells=[1, 1, 1]",
                      "--set", "outputs.fields.width=0")
        f, b, c = self.frame(), self.frame("bodies"), self.frame("contacts")
        V, x, n = 0.6**3, b["Points"], c["normal"]
        other = np.where((c["b"] >= 0)[:, None], x[c["b"]], c["Points"])
        force = c["percussion"] / 0.002
        S = -np.einsum("ci,cj->ij", force, other - x[c["a"]]) / V
        self.assertGreater(c["a"].size, 50)
        size = np.abs(S).max()
        np.testing.assert_allclose(f["contact_stress"][0].reshape(3, 3), S,
                                   atol=0.02 * size)  # branches half a step before
        fabric = np.einsum("ci,cj->ij", n, n) / n.shape[0]
        np.testing.assert_allclose(f["fabric"][0], [fabric[i] for i in TENSOR],
                                   atol=1e-12)
        touches = c["a"].size + np.count_nonzero(c["b"] >= 0)
        np.testing.assert_allclose(f["coordination"][0], touches / x.shape[0],
                                   rtol=1e-12)
        np.testing.assert_allclose(
            f["force"][0], np.linalg.norm(force, axis=1).mean(), rtol=1e-12)

    def test_pressure_in_static_bed_is_weight_above(self):
        """Balls that stand on each other: the force through a plane is the weight of
        those with centres above it, and a cell has its mean over height."""
        self.run_case(TOWERS)
        t, b = self.table("profile.csv"), self.frame("bodies")
        z, A = t["z"], 0.6 * 0.6
        low, high = z - 0.5 * (z[1] - z[0]), z + 0.5 * (z[1] - z[0])
        at, weight = b["Points"][:, 2], 10 * b["mass"]
        inside = np.clip(at, low[:, None], high[:, None]) - low[:, None]
        floor = np.clip(0, low, high) - low  # below the floor there is no force
        want = (inside - floor[:, None]) @ weight / (A * (high - low))
        np.testing.assert_allclose(t["contact_stress_zz"], want,
                                   atol=1e-9 * weight.sum() / A)
        np.testing.assert_allclose(t["contact_stress_xx"], 0, atol=1e-6)
        # The floor bears all of it.
        force = self.table("scalars.csv")["force_floor_z"][-1]
        np.testing.assert_allclose(force, -weight.sum(), rtol=1e-9)
        self.assertGreater(want.max(), 0.8 * weight.sum() / A)

    def test_kernel_keeps_balance(self):
        """Smoothed, the moment of stress over height is still that of weights."""
        self.run_case(TOWERS, "--set", "outputs.fields.width=0.21")
        t, b = self.table("profile.csv"), self.frame("bodies")
        dz = t["z"][1] - t["z"][0]
        want = 10 * b["mass"] @ b["Points"][:, 2]
        np.testing.assert_allclose(t["contact_stress_zz"].sum() * dz * 0.36, want,
                                   rtol=1e-9)
        np.testing.assert_allclose(t["density"].sum() * dz * 0.36, b["mass"].sum(),
                                   rtol=1e-13)

    def test_shear_flow_has_its_strain_rate(self):
        self.run_case(SHEAR)
        f = self.frame()
        e = f["strain_rate"].reshape(6, 1, 5, 6)[1:-1]
        np.testing.assert_allclose(e[..., 5], 0.5 * 3, rtol=1e-9)
        np.testing.assert_allclose(e[..., :5], 0, atol=1e-9)

    def test_cylinder_has_rigid_turn_and_all_mass(self):
        """A ring that turns: v_theta = w r, no strain, and the volumes of cells."""
        self.run_case(RING)
        f, b = self.frame(), self.frame("bodies")
        x = b["Points"]
        r = np.hypot(x[:, 0], x[:, 1])
        edges = np.linspace(0, 1, 5)
        volume = np.pi * np.diff(edges**2)
        mass, _ = np.histogram(r, edges, weights=b["mass"])
        np.testing.assert_allclose(f["density"], mass / volume, rtol=1e-12)
        spin = np.histogram(r, edges, weights=b["mass"] *
                            (x[:, 0] * b["velocity"][:, 1] -
                             x[:, 1] * b["velocity"][:, 0]) / r)[0]
        np.testing.assert_allclose(f["velocity"][:, 1], spin / mass, rtol=1e-12)
        np.testing.assert_allclose(f["velocity"][:, [0, 2]], 0, atol=1e-12)

    def test_mean_over_samples(self):
        """A mean over every step, and over the run, is that of frames of every step."""
        edges = np.linspace(0, 3, 7)
        for mean, first in (("interval", 51), ("run", 1)):
            self.run_case(SHEAR.replace("times: [0]", "every: 0.05, sample: 0, mean: "
                                        + mean),
                          "--set", "outputs+={frames: {every: 0}}")
            sums = np.zeros(6)
            paths = sorted(glob.glob(self.path("out", "bodies_*.hdf")))[first:]
            for path in paths:
                with h5py.File(path) as file:
                    x = file["VTKHDF/Points"][:]
                    mass = file["VTKHDF/PointData/mass"][:] * (x[:, 0] < 5)
                    sums += np.histogram(x[:, 2], edges, weights=mass)[0]
            f = self.frame()
            density = f["density"].reshape(6, 5).mean(axis=1)
            np.testing.assert_allclose(density, sums / len(paths) / (5 * 3 * 0.5),
                                       rtol=1e-12)

    def test_plane_world_has_areas(self):
        self.run_case(DISCS)
        f, b = self.frame(), self.frame("bodies")
        np.testing.assert_allclose(f["density"].sum() * 0.25 * 0.25, b["mass"].sum(),
                                   rtol=1e-13)
        v, m = b["velocity"], b["mass"]
        mean = m @ v / m.sum()
        self.run_case(DISCS, "--set", "outputs.fields.cells=[1, 1, 1]")
        want = (m @ ((v - mean)**2).sum(axis=1)) / (2 * m.sum())
        np.testing.assert_allclose(self.frame()["temperature"], want, rtol=1e-10)

    def test_bad_grids_are_refused(self):
        for case, key, value, why in (
                (GRAINS, "cells", "[1000, 1000, 1000]", "more than"),
                (GRAINS, "cells", "[0, 1, 1]", "cells"),
                (DISCS, "cells", "[1, 1, 2]", "1 layer along z"),
                (GRAINS, "box.max", "[1, 1, -1]", "is not above min in z"),
                (GRAINS, "mean", "week", "interval")):
            self.write("case.yaml", case)
            done = self.scree("check", "case.yaml", "--set",
                              "outputs.fields.%s=%s" % (key, value), code=2)
            self.assertIn(why, done.stderr)

    def test_models_have_no_such_output(self):
        done = self.scree("check", os.path.join(os.path.dirname(__file__), "..", "..",
                                                "cases", "belt.yaml"),
                          "--set", "outputs=[{fields: {every: 0.1}}]", code=2)
        self.assertIn("not an output of models", done.stderr)


ALL = GRAINS + """
  - network: {every: 0.1, bins: 16, most: 4, largest: 7}
  - history: {every: 0.2, ids: [0, 7, 99]}
  - walls: {every: 0.1, cells: 0.1, box: {min: [-0.2, -0.2, 0], max: [0.2, 0.2, 0.4]}}
"""
# Balls above each other that fall through a gate into an outlet; the upper ones do not
# come so far.
LEAVING = """
time: {end: 0.25, step: 0.002}
gravity: [0, 0, -10]
materials: [{name: a, density: 1000}]
bodies:
  - lattice: {origin: [0, 0, 0.11], counts: [3, 2, 1], spacing: 0.2}
    radius: 0.03
  - lattice: {origin: [0, 0, 0.3], counts: [3, 2, 1], spacing: 0.2}
    radius: 0.03
  - lattice: {origin: [0, 0, 0.9], counts: [3, 2, 1], spacing: 0.2}
    radius: 0.03
outlets: [{name: pit, box: {min: [-9, -9, -9], max: [9, 9, 0]}}]
outputs:
  - frames: {every: 0.05, fields: [id, mass, velocity, kinetic_energy, stress]}
  - history: {every: 0.05, ids: [0, 17]}
  - flux: {every: 0.05, gates: [{name: out, plane: {point: [0, 0, 0.0001],
                                                   normal: [0, 0, -1]}}]}
"""
EVERY = ("id, mass, radius, velocity, angular_velocity, kinetic_energy, rotational_energy, "
         "potential_energy, coordination, stress")


class Network(Measured):
    def contacts(self):
        with last_frame(self.path("out"), "contacts") as file:
            return {key: file["VTKHDF/PointData"][key][:]
                    for key in ("a", "b", "normal", "percussion", "gap")}

    def test_numbers_are_what_numpy_makes_of_contacts(self):
        self.run_case(ALL)
        c, n = self.contacts(), self.table("network.csv")
        force = np.linalg.norm(c["percussion"], axis=1) / 0.002
        self.assertGreater(force.min(), 0)  # those without load are left out
        self.assertEqual(n["contacts"][-1], force.size)
        z = np.bincount(c["a"], minlength=100)
        z += np.bincount(c["b"][c["b"] >= 0], minlength=100)
        for key, want in (("idle", np.sum(z == 0)), ("rattlers", np.sum(z < 2)),
                          ("coordination", z.mean()),
                          ("coordination_without_rattlers", z[z > 1].mean()),
                          ("largest_force", force.max())):
            self.assertAlmostEqual(n[key][-1], want, delta=1e-12 * max(1, abs(want)))
        fabric = np.einsum("ci,cj->ij", c["normal"], c["normal"]) / force.size
        for k, (i, j) in enumerate(TENSOR):
            key = "fabric_" + "xyz"[i] + "xyz"[j]
            self.assertAlmostEqual(n[key][-1], fabric[i, j], delta=1e-12)
        top = self.table("largest.csv")
        np.testing.assert_allclose(top["force"][-7:], np.sort(force)[::-1][:7],
                                   rtol=1e-12)

    def test_histograms_are_those_of_numpy(self):
        self.run_case(ALL)
        c, h = self.contacts(), self.table("forces.csv")
        normal = np.einsum("ci,ci->c", c["normal"], c["percussion"])
        slip = np.linalg.norm(c["percussion"] - normal[:, None] * c["normal"], axis=1)
        # mu is 0.4 between bodies and on the floor alike.
        want, _ = np.histogram(np.minimum(normal / normal.mean(), 3.999), 16, (0, 4))
        np.testing.assert_array_equal(h["normal_contacts"][-16:], want)
        share = np.minimum(slip / (0.4 * normal), 1 - 1e-12)
        want, _ = np.histogram(share, 16, (0, 1))
        np.testing.assert_array_equal(h["friction_contacts"][-16:], want)
        self.assertAlmostEqual(h["normal_density"][-16:].sum() * 4 / 16, 1)
        sliding = np.mean(slip >= 0.999 * 0.4 * normal)
        self.assertAlmostEqual(self.table("network.csv")["sliding_share"][-1], sliding)

    def test_idle_contacts_are_there_when_asked_for(self):
        self.run_case(ALL)
        loaded = self.contacts()["a"].size
        self.run_case(ALL, "--set", "outputs.contacts.idle=on")
        c = self.contacts()
        bears = np.any(c["percussion"] != 0, axis=1)
        self.assertEqual(np.count_nonzero(bears), loaded)
        self.assertGreater(np.count_nonzero(~bears), 0)


class Bodies(Measured):
    def read(self, case=ALL):
        self.run_case(case, "--set", "outputs.frames.fields=[%s]" % EVERY)
        with last_frame(self.path("out"), "bodies") as file:
            data = file["VTKHDF/PointData"]
            return {"x": file["VTKHDF/Points"][:], **{key: data[key][:] for key in data}}

    def test_energies_are_those_of_the_run(self):
        b = self.read()
        m, v, w = b["mass"], b["velocity"], b["angular_velocity"]
        np.testing.assert_allclose(b["kinetic_energy"], 0.5 * m * (v**2).sum(axis=1),
                                   rtol=1e-13)
        turn = 0.5 * 0.4 * m * b["radius"]**2 * (w**2).sum(axis=1)
        np.testing.assert_allclose(b["rotational_energy"], turn, rtol=1e-12)
        np.testing.assert_allclose(b["potential_energy"], 10 * m * b["x"][:, 2],
                                   rtol=1e-13)

    def test_stress_of_a_ball_in_a_tower(self):
        """Ball k from below bears 4.5 - k of its weights on the mean of its two ends:
        the force f below and f' above give (f + f') r / V."""
        b = self.read(TOWERS)
        order = np.argsort(b["x"][:, 2])
        above = 4 - np.arange(45) // 9
        weight = 10 * b["mass"][0]
        want = (2 * above + 1) * weight * 0.05 / (b["mass"][0] / 1000)
        np.testing.assert_allclose(b["stress"][order, 8], want, rtol=1e-9)
        np.testing.assert_allclose(b["stress"][:, :8], 0, atol=1e-6)
        np.testing.assert_array_equal(b["coordination"][order], np.where(above > 0, 2, 1))

    def test_frames_have_them_only_if_asked_for(self):
        self.run_case(GRAINS)
        with last_frame(self.path("out"), "bodies") as file:
            names = set(file["VTKHDF/PointData"])
        self.assertIn("volume", names)
        self.assertFalse(names & {"stress", "coordination", "kinetic_energy"})

    def test_history_is_what_frames_say(self):
        b, h = self.read(), self.table("history.csv")
        np.testing.assert_array_equal(h["id"], [0, 7, 99] * 3)
        for k, i in enumerate((0, 7, 99)):
            row = {key: values[6 + k] for key, values in h.items()}
            self.assertEqual([row[c] for c in "xyz"], list(b["x"][i]))
            self.assertEqual(row["velocity_z"], b["velocity"][i, 2])
            self.assertEqual(row["kinetic_energy"], b["kinetic_energy"][i])
            self.assertEqual(row["coordination"], b["coordination"][i])
            self.assertEqual(row["stress_zx"], b["stress"][i, 6] + 0.0)

    def test_bad_ids_are_refused(self):
        self.write("case.yaml", ALL)
        for ids in ("[1, 0]", "[0.5]", "[-1]"):
            done = self.scree("check", "case.yaml", "--set", "outputs.history.ids=" + ids,
                              code=2)
            self.assertIn("ids", done.stderr)


class Walls(Measured):
    SIDES = ("left", "right", "front", "back", "bottom")

    def test_mean_forces_balance_momentum(self):
        """What bodies gain between two lines, less gravity, is what walls give."""
        self.run_case(ALL, "--set", "outputs+={scalars: {every: 0.1}}")
        w, s = self.table("walls.csv"), self.table("scalars.csv")
        with last_frame(self.path("out"), "bodies") as file:
            weight = 10 * file["VTKHDF/PointData/mass"][:].sum()
        for i, axis in enumerate("xyz"):
            force = sum(w["box.%s_force_%s" % (side, axis)] for side in self.SIDES)
            gain = np.diff(s["momentum_" + axis]) / np.diff(s["time"])
            gravity = -weight if axis == "z" else 0
            np.testing.assert_allclose(-force[1:], gain - gravity, rtol=1e-9, atol=1e-9)

    def test_torque_is_arm_times_force(self):
        """A ball at rest on the floor at [0.1, 0.2]."""
        self.run_case("""
time: {end: 0.1, step: 0.001}
gravity: [0, 0, -10]
materials: [{name: a, density: 1000}]
walls: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]
bodies: [{sphere: {position: [0.1, 0.2, 0.05]}, radius: 0.05}]
outputs: [{walls: {every: 0.05}}]
""")
        w, f = self.table("walls.csv"), 1000 * 4 / 3 * np.pi * 0.05**3 * 10
        np.testing.assert_allclose(w["floor_force_z"][-1], -f, rtol=1e-9)
        np.testing.assert_allclose([w["floor_torque_" + k][-1] for k in "xyz"],
                                   [-0.2 * f, 0.1 * f, 0], atol=1e-9 * f)

    def test_cells_of_planes_add_up_and_lie_where_contacts_do(self):
        self.run_case(ALL, "--set", "outputs+={scalars: {every: 0.1}}")
        p, s = self.table("pressure.csv"), self.table("scalars.csv")
        last = p["time"] == p["time"][-1]
        self.assertGreater(np.count_nonzero(last), 10)
        for k in "xyz":
            total = (p["traction_" + k] * p["area"])[last].sum()
            want = sum(s["force_box.%s_%s" % (side, k)][-1] for side in self.SIDES)
            np.testing.assert_allclose(total, want, rtol=1e-9, atol=1e-9)
        with last_frame(self.path("out"), "contacts") as file:
            data = file["VTKHDF/PointData"]
            floor = data["b"][:] == -5
            x = file["VTKHDF/Points"][:][floor]
            force = data["percussion"][:][floor, 2] / 0.002
        want, _, _ = np.histogram2d(x[:, 0], x[:, 1], 4, [[-0.2, 0.2]] * 2, weights=force)
        got = np.zeros((4, 4))
        for k in np.nonzero(last & (np.abs(p["z"]) < 1e-9))[0]:
            at = np.floor((np.array([p["x"][k], p["y"][k]]) + 0.2) / 0.1).astype(int)
            got[tuple(at)] = p["pressure"][k] * p["area"][k]
        np.testing.assert_allclose(got, want, atol=1e-9)

    def test_triangles_of_meshes(self):
        """Two balls on two triangles: each bears one of them."""
        self.write("floor.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n")
        self.run_case("""
time: {end: 0.1, step: 0.001}
gravity: [0, 0, -10]
materials: [{name: a, density: 1000}]
walls: [{name: floor, mesh: {file: floor.obj}}]
bodies:
  - {sphere: {position: [0.7, 0.3, 0.1]}, radius: 0.1}
  - {sphere: {position: [0.3, 0.7, 0.05]}, radius: 0.05}
outputs: [{walls: {every: 0.05, cells: 0.1, box: {min: [0, 0, 0], max: [1, 1, 1]}}}]
""")
        p, f = self.table("pressure.csv"), 1000 * 4 / 3 * np.pi * 10
        np.testing.assert_array_equal(p["cell"][-2:], [0, 1])
        np.testing.assert_allclose(p["pressure"][-2:], [f * 0.1**3 / 0.5,
                                                        f * 0.05**3 / 0.5], rtol=1e-9)
        np.testing.assert_allclose(p["area"][-2:], 0.5)

    def test_cells_need_a_box(self):
        self.write("case.yaml", ALL)
        self.scree("check", "case.yaml", "--set", "outputs.walls.cells=1e-5", code=2)
        self.write("case.yaml", ALL.replace("cells: 0.1, box", "box"))
        done = self.scree("check", "case.yaml", code=2)
        self.assertIn("needs the key 'cells' too", done.stderr)


def figures_of(page):
    """The figures of a report by title: names of the curves, and a list of points each."""
    found = {}
    for figure in re.findall(r"<figure><figcaption>(.*?)</figure>", page, re.S):
        names = re.findall(r'fill="#\w+"/><text[^>]*>([^<]*)<', figure)
        lines = [np.array([[float(x) for x in p.split(",")] for p in line.split()])
                 for line in re.findall(r'points="([^"]*)"', figure) if line.strip()]
        found[html.unescape(figure.split("</figcaption>")[0])] = names, lines
    return found


class Shown(Measured):
    def report(self, case, *arguments):
        self.run_case(case, *arguments)
        self.scree("report", "out", "--no-pictures")
        with open(self.path("out", "report.html")) as file:
            page = file.read()
        self.scree("plot", "out", "-o", "plot.svg")
        with open(self.path("plot.svg")) as file:
            self.plot = file.read()
        return figures_of(page)

    def assert_scaled(self, drawn, values):
        """One scale takes all values to their places on the drawing, to its 0.1."""
        self.assertEqual(len(drawn), len(values))
        a, b = np.polyfit(values, drawn, 1)
        self.assertNotEqual(round(a), 0)
        np.testing.assert_allclose(a * values + b, drawn, atol=0.15)

    def test_flux__mass_and_its_rate_by_gate(self):
        found = self.report(BOUNCE, "--set", "outputs.flux.every=0.02")
        names, lines = found["Mass through [kg]"]
        self.assertEqual(names, ["all", "disc", "ring", "rest"])
        self.assert_scaled(lines[1][:, 1], self.table("flux.csv")["disc_mass"])
        names, lines = found["Mass flow [kg/s]"]
        self.assert_scaled(lines[1][:, 1], self.table("flux.csv")["disc_mass_rate"])
        for word in ("Mass through [kg]", "Mass flow [kg/s]", "disc"):
            self.assertIn(word, self.plot)

    def test_profile__stands_upright_at_some_times(self):
        found = self.report(BOUNCE, "--set", "outputs+={fields: {every: 0.1, box: {min: [-1, "
                            "-1, 0], max: [1, 1, 1]}, cells: [1, 1, 5]}}")
        names, lines = found["Solid fraction"]
        self.assertEqual(names, ["0.1 s", "0.2 s", "0.4 s", "0.5 s", "0.6 s"])
        t = self.table("profile.csv")
        now = np.abs(t["time"] - 0.6) < 1e-9
        self.assert_scaled(lines[-1][:, 0], t["solid_fraction"][now])
        self.assert_scaled(lines[-1][:, 1], t["z"][now])
        self.assertLess(lines[-1][-1, 1], lines[-1][0, 1])  # SVG counts from the top
        self.assertIn("Solid fraction", self.plot)

    def test_walls_and_network__curves_are_columns(self):
        found = self.report(ALL, "--set", "outputs.walls.every=0.02",
                            "--set", "outputs.network.every=0.02")
        names, lines = found["Forces on walls [N]"]
        t = self.table("walls.csv")
        for name, line in zip(names, lines):
            force = np.sqrt(sum(t["%s_force_%s" % (name, k)]**2 for k in "xyz"))
            self.assert_scaled(line[:, 1], force)
        t = self.table("network.csv")
        self.assertEqual(found["Coordination"][0],
                         ["coordination", "coordination_without_rattlers"])
        self.assert_scaled(found["Coordination"][1][0][:, 1], t["coordination"])
        for title in ("Forces in contacts [N]", "Fabric", "Share of contacts that slide",
                      "Density of normal forces"):
            self.assertIn(title, found)
            self.assertIn(title, self.plot)

    def test_history__a_line_for_each_body_until_it_leaves(self):
        found = self.report(LEAVING, "--set", "outputs.history.every=0.01")
        names, lines = found["Height z of bodies [m]"]
        self.assertEqual(names, ["body 0", "body 17"])
        t = self.table("history.csv")
        for line, body in zip(lines, (0, 17)):
            self.assert_scaled(line[:, 1], t["z"][t["id"] == body])
        self.assertLess(len(lines[0]), len(lines[1]))
        self.assertIn("Speed of bodies [m/s]", found)
        self.assertIn("body 17", self.plot)

    def test_left__mass_by_outlet(self):
        found = self.report(LEAVING, "--set", "outputs+={scalars: {}}")
        names, lines = found["Mass that left [kg]"]
        self.assertEqual(names, ["pit"])
        self.assert_scaled(lines[0][:, 1], self.table("scalars.csv")["mass_left_pit"])

    def test_report__has_the_case_without_defaults(self):
        self.report(BOUNCE)
        with open(self.path("out", "report.html")) as file:
            told = html.unescape(re.search('<pre id="changes">(.*?)</pre>', file.read(),
                                           re.S)[1])
        self.assertIn('  - {name: "a", density: 1000, restitution: 1}\n', told)
        self.assertIn('  - {plane: {point: [0, 0, 0], normal: [0, 0, 1]}, name: "floor", '
                      'material: "a"}\n', told)

    def test_results_with_grids_can_be_listed_and_packed(self):
        self.run_case(ALL)
        told = self.scree("info", "out").stdout
        for series in ("fields", "pressure"):
            self.assertRegex(told, r"\n%s: 5 frames" % series)
        self.scree("pack", "out", "-o", "run.vtkhdf")
        self.scree("extract", "out/fields.hdf.series", "--fields", "density", "--csv",
                   "cells.csv")
        np.testing.assert_array_equal(
            np.sort(self.table("cells.csv", "")["density"]),
            np.sort(last_frame(self.path("out"), "fields")["VTKHDF/CellData/density"]))

    def test_cost_is_a_line_of_the_table(self):
        self.write("case.yaml", ALL)
        done = self.scree("run", "case.yaml", "--out", "out")
        for name in ("network", "history", "walls", "flux", "fields"):
            self.assertRegex(done.stdout, r"\n  - %s +\d" % name)
        self.assertNotRegex(done.stdout, r"\n  - frames")

    def test_state_has_the_same_bits_without_them(self):
        hashes = []
        for case in (ALL, ALL[:ALL.index("outputs:")]):
            self.write("case.yaml", case)
            done = self.scree("run", "case.yaml", "--out", "out", "--force", "--quiet")
            hashes.append(done.stdout.split("state hash:")[1].split()[0])
        self.assertEqual(*hashes)


# Nine towers of five balls with r = 0.05 that touch.
TOWERS = """
time: {end: 0.02, step: 0.001}
gravity: [0, 0, -10]
solver: {tolerance: 1e-14, iterations: 20000}
materials: [{name: a, density: 1000, friction: 0.4}]
walls: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 0, 1]}}]
bodies:
  - lattice: {origin: [-0.2, -0.2, 0.05], counts: [3, 3, 5], spacing: [0.2, 0.2, 0.1]}
    radius: 0.05
outputs:
  - frames: {times: [0.02]}
  - scalars: {times: [0.02]}
  - fields: {times: [0.02], box: {min: [-0.3, -0.3, -0.2], max: [0.3, 0.3, 0.7]},
             cells: [1, 1, 24]}
"""

# Free balls on a lattice with v_x = 3 z, a layer for each of the cells along z.
SHEAR = """
time: {end: 0.1, step: 0.001}
materials: [{name: a, density: 1000}]
bodies:
""" + "\n".join("""  - lattice: {origin: [0.5, 0.25, %g], counts: [5, 1, 1], spacing: 1}
    radius: 0.05
    velocity: [%g, 0, 0.4]""" % (0.25 + 0.5 * k, 3 * (0.25 + 0.5 * k)) for k in range(6)) + """
outputs:
  - fields: {times: [0], box: {min: [0, 0, 0], max: [5, 3, 3]}, cells: [5, 1, 6]}
"""

# Balls on circles, that go round with 2 rad/s.
RING = """
time: {end: 0.001, step: 0.001}
materials: [{name: a, density: 1000}]
bodies:
""" + "\n".join("  - {sphere: {position: [%.17g, %.17g, 0.5]}, radius: 0.02, "
                "velocity: [%.17g, %.17g, 0]}" % (
                    r * np.cos(a), r * np.sin(a), -2 * r * np.sin(a), 2 * r * np.cos(a))
                for r in (0.12, 0.3, 0.4, 0.6, 0.9) for a in (0.3, 1.5, 3, 4.4, 5.9)) + """
outputs:
  - frames: {times: [0]}
  - fields: {times: [0], cylinder: {base: [0, 0, 0], axis: [0, 0, 3], radius: 1, height: 1},
             cells: [4, 1, 1]}
"""

DISCS = """
planar: on
seed: 3
time: {end: 0.2, step: 0.002}
gravity: [0, -10, 0]
materials: [{name: a, density: 1000}]
walls: [{name: floor, plane: {point: [0, 0, 0], normal: [0, 1, 0]}}]
bodies:
  - fill: {box: {min: [0, 0, 0], max: [1, 1, 0]}, count: 30}
    radius: {uniform: {min: 0.03, max: 0.05}}
outputs:
  - frames: {times: [0.2]}
  - fields: {times: [0.2], box: {min: [-0.5, -0.5, 0], max: [1.5, 1.5, 0]},
             cells: [8, 8, 1], width: 0.4}
"""


if __name__ == "__main__":
    unittest.main()
