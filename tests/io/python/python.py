#!/usr/bin/env python3
"""import scree: worlds, cases, results and errors, and the notebook of cases/examples.

    tests/io/python.py PACKAGE_DIR LIBRARY PROGRAM SOURCE_DIR
"""
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PACKAGE, LIBRARY, PROGRAM, ROOT = (os.path.abspath(word) for word in sys.argv[1:5])
os.environ.update(SCREE_LIBRARY=LIBRARY, OMP_NUM_THREADS="1", MPLBACKEND="Agg")
sys.path.insert(0, PACKAGE)
sys.dont_write_bytecode = True

import numpy as np  # noqa: E402
import scree  # noqa: E402

HEAP = {
    "name": "heap", "time": {"end": 0.2, "step": 1e-3},
    "materials": [{"name": "stone", "density": 2500, "friction": 0.5}],
    "walls": [{"plane": {"point": [0, 0, 0], "normal": [0, 0, 1]}, "material": "stone"}],
    "bodies": [{"lattice": {"counts": [3, 3, 3], "spacing": 0.12, "origin": [0, 0, 0.1]},
                "radius": 0.05, "material": "stone"},
               {"pour": {"box": {"min": [0, 0, 1], "max": [1, 1, 1.3]}, "rate": 100},
                "radius": 0.05, "material": "stone"}],
    "outputs": [{"frames": {"every": 0.05}}, {"scalars": {}}]}


def program(*words):
    return subprocess.run([PROGRAM, *map(str, words)], check=True, capture_output=True,
                          text=True).stdout


class InFolder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name)


class Worlds(InFolder):
    def ball(self, **state):
        world = scree.World(dt=1e-3, solver={"tolerance": 1e-8})
        stone = world.add_material(density=1000, friction=0.3)
        world.add_plane(normal=(0, 0, 1), material=stone)
        if state:
            world.add_sphere(material=stone, **state)
        return world

    def test_driven_wall__bears_its_force(self):
        world = scree.World(dt=1e-3, gravity=(0, 0, 0), solver={"tolerance": 1e-8})
        world.add_material(density=1000)
        world.add_plane()
        lid = world.add_plane(point=(0, 0, 1.005), normal=(0, 0, -1),
                              servo={"kind": "force", "target": 200, "speed": 0.5})
        world.add_sphere(position=(0, 0, 0.5), radius=0.5)
        world.step(100)
        self.assertAlmostEqual(world.wall_force(lid)[2], 200, places=4)
        self.assertAlmostEqual(world.servo(lid)["way"], 0.005, places=4)
        self.assertEqual(world.servo(lid)["target"], 200)
        self.assertIsNone(world.servo(0))

    def test_fall__half_g_t2(self):
        """Moreau's midpoint rule is exact for a fall."""
        world = self.ball(position=(0, 0, 10), radius=0.1)
        world.step(500)
        self.assertAlmostEqual(world.time, 0.5)
        self.assertAlmostEqual(world.position[0, 2], 10 - 0.5 * 9.81 * 0.25, places=12)
        self.assertAlmostEqual(world.velocity[0, 2], -9.81 * 0.5, places=12)
        self.assertAlmostEqual(world.mass[0], 1000 * 4 / 3 * np.pi * 1e-3, places=10)

    def test_rest__floor_bears_the_weight(self):
        world = self.ball(position=(0, 0, 0.1), radius=0.1)
        world.step(50)
        weight = 9.81 * world.mass[0]
        self.assertAlmostEqual(world.wall_force(0)[2] / weight, -1, places=6)
        contact, = world.contacts()
        self.assertEqual((contact["a"], contact["b"]), (0, -1))
        self.assertAlmostEqual(contact["percussion"][2] / (weight * 1e-3), 1, places=6)

    def test_set_state__energy_counts_as_inserted(self):
        world = self.ball(position=(0, 0, 0.1), radius=0.1)
        world.step(10)
        world.velocity = [[0, 0, 2]]
        world.set_state(position=[[0, 0, 5]], orientation=[[0, 0, 0, 2]])
        np.testing.assert_array_equal(world.orientation, [[0, 0, 0, 1]])
        world.step(100)
        t = 0.1
        self.assertAlmostEqual(world.position[0, 2], 5 + 2 * t - 0.5 * 9.81 * t * t, places=12)
        scalars = world.scalars()
        balance = scalars["kinetic"] + scalars["potential"] + scalars["dissipated"] - (
            scalars["inserted"] + scalars["wall_work"] + scalars["recovery_work"])
        self.assertAlmostEqual(balance, 0, places=9)

    def test_set_state__bodies_meet_where_they_were_put(self):
        """The list of neighbours is made anew."""
        world = self.ball(position=(0, 0, 0.1), radius=0.1)
        world.add_sphere(position=(50, 0, 0.1), radius=0.1)
        world.step(10)
        world.position = [[0, 0, 0.1], [0, 0, 0.3]]
        world.step(100)
        self.assertEqual(len(world.contacts()), 2)
        np.testing.assert_allclose(world.position[:, 2], [0.1, 0.3], atol=1e-6)

    def test_outlets__bodies_leave_and_keep_their_ids(self):
        world = scree.World(dt=1e-2)
        world.add_material()
        for k in range(4):
            world.add_sphere(position=(k, 0, 0.1 + k), radius=0.05)
        outlet = world.add_outlet((-9, -9, -9), (9, 9, 0))
        world.step(20)
        mass = world.state("mass")["mass"][0]
        self.assertEqual(world.left(outlet), (1, mass))
        world.remove([2])
        self.assertEqual(list(world.state("id")["id"]), [1, 3])
        with self.assertRaisesRegex(scree.Error, "there is no body 2"):
            world.remove([2])

    def test_outlet_that_stops__is_told(self):
        world = scree.World(dt=1e-2)
        world.add_material()
        world.add_sphere(position=(0, 0, 1), radius=0.05)
        world.add_sphere(position=(0, 0, 0.1), radius=0.05)
        outlet = world.add_outlet((-9, -9, -9), (9, 9, 0), action="stop")
        self.assertIsNone(world.stopped())
        world.step(20)
        self.assertEqual(world.stopped(), (1, outlet))
        self.assertEqual(world.left(outlet)[0], 0)
        with self.assertRaisesRegex(IndexError, "no outlet 1"):
            world.left(1)

    def test_segments_and_terrain__bear_a_ball(self):
        for planar in (True, False):
            world = scree.World(dt=1e-3, planar=planar,
                                gravity=(0, -9.81, 0) if planar else (0, 0, -9.81))
            world.add_material()
            if planar:
                world.add_segments([(-1, 1), (1, 1)], thickness=0.1)
                world.add_sphere(position=(0, 1.15, 0), radius=0.1)
            else:
                world.add_terrain(np.ones((3, 4)), cell=1.0, origin=(-1.5, -1))
                world.add_sphere(position=(1.4, 0.9, 1.1), radius=0.1)
            start = world.position
            world.step(100)
            np.testing.assert_allclose(world.position, start, atol=1e-5)
        with self.assertRaisesRegex(ValueError, "heights"):
            world.add_terrain([1, 2, 3], cell=1)

    def test_cell__edges_move_by_its_pressure(self):
        """Two balls at rest, far from each other: M dL' = -p V / L dt."""
        world = scree.World(dt=1e-3, gravity=(0, 0, 0))
        world.add_material(density=2500)
        self.assertIsNone(world.cell)
        world.set_cell(low=(0, 0, 0), high=(1, 1, 1), periodic=(True, True, True),
                       pressure=(0, 10, 0))
        for x in 0.25, 0.75:
            world.add_sphere(position=(x, 0.5, 0.5), radius=0.1, velocity=(2, 0, 0))
        world.step(1)
        mass = world.state("mass")["mass"].sum()
        self.assertAlmostEqual(world.cell["speed"][1, 1] * mass, -10 * 1e-3, delta=1e-12)
        world.step(499)
        self.assertLess(world.cell["edge"][1, 1], 1)
        np.testing.assert_allclose(world.state("unwrapped")["unwrapped"][:, 0], [1.25, 1.75])

    def test_poisson__another_law_than_newton(self):
        """A rod of e = 0.5 that strikes with an end and slides: with Poisson's law
        the friction that compression stores comes back too."""
        spins = []
        for impact in ("newton", "poisson"):
            world = scree.World(dt=1e-4, gravity=(0, 0, 0))
            stone = world.add_material(friction=0.8, e_n=0.5, impact=impact)
            world.add_plane(normal=(0, 0, 1), material=stone)
            rod = world.add_shape("capsule", radius=0.05, length=1)
            world.add_body(rod, material=stone, velocity=(0.5, 0, -1), position=(0, 0, 0.42),
                           orientation=(np.cos(0.4), 0, np.sin(0.4), 0))
            world.step(800)
            spins.append(world.angular_velocity[0, 1])
        self.assertGreater(abs(spins[0] - spins[1]), 0.05 * abs(spins[0]), spins)

    def test_adaptive__order_and_flag_of_a_step(self):
        world = scree.World(dt=1e-2, stepper="moreau-adaptive", order=3)
        world.add_material()
        world.add_sphere(position=(0, 0, 1), radius=0.05)
        world.step(3)
        scalars = world.scalars()
        self.assertGreaterEqual(scalars["order"], 2)
        self.assertEqual(scalars["exit_flag"], 0)

    def test_forces__drag_and_impulses(self):
        world = scree.World(gravity=(0, 0, 0))
        world.add_material()
        world.add_force(drag={"linear": 2.0}, materials=[0])
        ball = world.add_sphere(radius=0.1)
        mass = world.mass[0]
        world.apply_impulse(ball, (3 * mass, 0, 0))
        world.apply_force(ball, (0, mass, 0), point=(0.1, 0, 0))
        world.apply_torque(ball, (0, 0, 1))
        world.step()
        self.assertAlmostEqual(world.velocity[0, 0], 3 * (1 - np.exp(-2e-3)) / 2e-3, places=12)
        self.assertGreater(world.velocity[0, 1], 0)
        self.assertGreater(world.angular_velocity[0, 2], 0)
        world.step(10)
        s = world.scalars()
        self.assertGreater(s["dissipated_drag"], 0)
        self.assertLess(abs(s["scheme_error"]), 1e-12 * s["force_work"])
        world.set_velocity(ball, velocity=(0, 0, 1), angular_velocity=(0, 0, 0))
        world.set_position(ball, (1, 2, 3), orientation=(0, 0, 1, 0))
        world.set_gravity((0, 0, -1))
        np.testing.assert_array_equal(world.position[0], (1, 2, 3))
        np.testing.assert_array_equal(world.velocity[0], (0, 0, 1))
        with self.assertRaisesRegex(scree.Error, "no body 7"):
            world.apply_torque(7, (0, 0, 1))
        with self.assertRaisesRegex(ValueError, "3 numbers are wanted"):
            world.apply_torque(ball, (0, 1))

    def test_kinematic__lift_and_groups(self):
        world = scree.World(gravity=(0, 0, -9.81))
        world.add_material(friction=0.5)
        plate = world.add_body(world.add_shape("box", size=(1, 1, 0.1)))
        ball = world.add_sphere(radius=0.1, position=(0, 0, 0.15))
        ghost = world.add_sphere(radius=0.1, position=(0.3, 0, 0.15))
        world.set_kinematic(plate, motion=lambda t, dt: ((0, 0, 0.2), (0, 0, 0)))
        world.set_group(ghost, 2, 2)
        self.assertTrue(world.is_kinematic(plate))
        world.step(500)
        self.assertAlmostEqual(world.position[plate, 2], 0.1, places=12)
        self.assertAlmostEqual(world.position[ball, 2], 0.25, places=5)
        self.assertLess(world.position[ghost, 2], -0.5)
        world.set_kinematic(plate, motion=lambda t, dt: ((0, 0), (0, 0, 0)))
        with self.assertRaisesRegex(ValueError, "3 numbers are wanted, not 2"):
            world.step()
        world.set_kinematic(plate, on=False)
        self.assertFalse(world.is_kinematic(plate))

    def test_save_and_load__same_bits(self):
        world = self.ball(position=(0, 0, 0.3), radius=0.1, velocity=(1, 0, 0))
        world.step(100)
        world.save(self.path / "state.h5")
        world.step(200)
        other = self.ball()
        other.load(self.path / "state.h5")
        self.assertEqual(other.steps, 100)
        other.step(200)
        self.assertEqual(other.hash, world.hash)

    def test_frame__holds_the_state(self):
        world = self.ball(position=(1, 2, 3), radius=0.1, velocity=(3, 0, 4))
        world.write_frame(self.path / "frame.hdf")
        frame = scree.Results(self.path / "frame.hdf")
        series = frame[frame.keys()[0]]
        np.testing.assert_array_equal(series[0]["position"], [[1, 2, 3]])
        np.testing.assert_array_equal(series[0]["speed"], [5])

    def test_cell__frames_unwrapped_and_stress_in_scalars(self):
        keys = {"time": {"end": 0.5, "step": 1e-3}, "gravity": [0, 0, 0],
                "cell": {"min": [0, 0, 0], "max": [1, 1, 1], "periodic": "xyz",
                         "pressure": [0, 10, 0]},
                "materials": [{"name": "rock", "density": 2500}],
                "bodies": [{"sphere": {"position": [0.5, 0, 0.5]}, "radius": 0.1,
                            "velocity": [3, 0, -2], "material": "rock"}],
                "outputs": [{"frames": {"every": 0.5, "unwrapped": True}}, {"scalars": {}}]}
        scree.Case(keys=keys).run(out=self.path / "cell")
        series = scree.Results(self.path / "cell")["bodies"]
        np.testing.assert_allclose(series[1]["position"], [[2, 0, -0.5]], atol=1e-12)
        table = np.genfromtxt(self.path / "cell" / "scalars.csv", names=True, delimiter=",")
        self.assertLess(table["edge_y"][-1], 0.9999)
        self.assertEqual(table["edge_x"][-1], 1)
        self.assertLess(abs(table["stress_yy"][-1]), 1e-6)

    def test_shapes_and_meshes(self):
        world = self.ball()
        box = world.add_shape("box", size=(0.2, 0.2, 0.2))
        world.add_mesh([[-1, -1, 1], [1, -1, 1], [0, 1, 1]], [[0, 1, 2]])
        world.add_body(box, position=(0, 0, 1.1))
        world.step(50)
        self.assertAlmostEqual(world.position[0, 2], 1.1, places=6)
        self.assertEqual(world.shape[0], box)

    def test_errors__name_the_argument(self):
        world = self.ball()
        for word, wrong in (
                ("radius", lambda: world.add_sphere(radius=-1)),
                ("position", lambda: world.add_sphere(position=(np.nan, 0, 0))),
                ("velocity", lambda: world.add_sphere(velocity=(np.inf, 0, 0))),
                ("normal", lambda: world.add_plane(normal=(0, 0, 0))),
                ("density", lambda: world.add_material(density=0)),
                ("shape", lambda: world.add_body(7)),
                ("material", lambda: world.add_sphere(material=3)),
                ("dt", lambda: scree.World(dt=-1)),
                ("pgss", lambda: scree.World(solver={"method": "pgss"})),
                ("bodies", lambda: self.ball(radius=1).load(self.path / "none.h5"))):
            with self.assertRaisesRegex(scree.Error, word):
                wrong()
        with self.assertRaisesRegex(TypeError, "no 'radios', but .*radius"):
            world.add_sphere(radios=1)
        with self.assertRaisesRegex(ValueError, "impact of law: .*but newton, poisson"):
            world.add_material(impact="hertz")
        with self.assertRaisesRegex(ValueError, "action of an outlet: .*but remove, stop"):
            world.add_outlet((0, 0, 0), (1, 1, 1), action="leave")
        with self.assertRaisesRegex(ValueError, "gap_control of a world"):
            scree.World(gap_control="off")
        with self.assertRaisesRegex(ValueError, "position of a sphere: 3 numbers"):
            world.add_sphere(position=(0, 0))
        with self.assertRaisesRegex(ValueError, "2 rows, and there are 0"):
            world.velocity = np.zeros((2, 3))


class Cases(InFolder):
    def test_run__as_the_program(self):
        case = scree.Case(keys=HEAP)
        times = []
        results = case.run(out=self.path / "a", progress=lambda at: times.append(at.time))
        (self.path / "heap.yaml").write_text(case.resolved)
        said = program("run", self.path / "heap.yaml", "--quiet", "--out", self.path / "b")
        with case.open() as simulation:
            while simulation.step(50):
                pass
            self.assertIn(simulation.world.hash, said)
            last = simulation.world.position
        self.assertEqual(len(times), 200)
        self.assertEqual(results.keys()[0], "bodies")
        np.testing.assert_allclose(results["bodies"].times, [0, 0.05, 0.1, 0.15, 0.2])
        np.testing.assert_array_equal(results["bodies"].at(9)["position"], last)
        self.assertEqual(len(results["bodies"][-1]["radius"]), len(last))
        scalars = results.scalars()
        self.assertAlmostEqual(scalars["time"][-1], 0.2)

    def test_stop_and_resume__same_bits(self):
        case = scree.Case(keys=HEAP)
        case.run(out=self.path / "a", progress=lambda at: at.step < 77)
        self.assertEqual(len(list((self.path / "a").glob("checkpoint*"))), 1)
        steps = []
        results = scree.resume(self.path / "a", progress=lambda at: steps.append(at.step))
        self.assertEqual(steps, list(range(78, 201)))
        whole = case.run(out=self.path / "b")
        np.testing.assert_array_equal(results["bodies"][-1]["position"],
                                      whole["bodies"][-1]["position"])

    def test_checkpoint__of_the_program_and_back(self):
        case = scree.Case(keys=HEAP)
        with case.open() as simulation:
            simulation.step(120)
            simulation.save(self.path / "half.h5")
            simulation.step(1000)
            end = simulation.world.hash
        (self.path / "heap.yaml").write_text(case.resolved)
        said = program("run", self.path / "heap.yaml", "--quiet", "--out", self.path / "b",
                       "--restart", self.path / "half.h5")
        self.assertIn(end, said)

    def test_measures__are_tables(self):
        gate = {"name": "half", "plane": {"point": [0, 0, 0.5], "normal": [0, 0, -1]}}
        keys = dict(HEAP, outputs=[{"flux": {"every": 0.02, "gates": [gate]}},
                                   {"walls": {"every": 0.1}}])
        results = scree.Case(keys=keys).run(out=self.path / "a")
        self.assertEqual((results.keys(), results.tables()), ([], ["flux", "walls"]))
        flux = results.table("flux")
        np.testing.assert_allclose(flux["time"], np.linspace(0, 0.2, 11))
        self.assertEqual(list(flux)[2], "half_number")
        with self.assertRaisesRegex(KeyError, "flux, walls"):
            results.table("network")

    def test_listener__what_it_raises_comes_back(self):
        def fail(at):
            raise ZeroDivisionError("on purpose")
        with self.assertRaisesRegex(ZeroDivisionError, "on purpose"):
            scree.Case(keys=HEAP).run(out=self.path / "a", progress=fail)

    def test_model__has_no_world(self):
        case = scree.Case(os.path.join(ROOT, "cases/woodpecker.yaml"), set={"time.end": 0.01})
        with case.open() as simulation:
            self.assertIsNone(simulation.world)
            simulation.step(10 ** 6)
            self.assertAlmostEqual(simulation.time, 0.01)

    def test_errors(self):
        with self.assertRaisesRegex(scree.Error, "time.end"):
            scree.Case(keys=HEAP, set={"time.end": -1})
        with self.assertRaisesRegex(scree.Error, "no-such.yaml"):
            scree.Case("no-such.yaml")
        scree.Case(keys=HEAP, set={"time.end": 0.01}).run(out=self.path / "a")
        with self.assertRaisesRegex(scree.Error, "finished"):
            scree.Case(keys=HEAP).run(out=self.path / "a")
        results = scree.Results(self.path / "a")
        with self.assertRaisesRegex(scree.Error, "no field 'colour'"):
            results["bodies"][0]["colour"]
        with self.assertRaises(IndexError):
            results["bodies"][99]
        with self.assertRaisesRegex(KeyError, "bodies"):
            results["stones"]
        with self.assertRaisesRegex(ValueError, "closed"):
            simulation = scree.Case(keys=HEAP).open()
            simulation.close()
            simulation.step()


class Notebook(InFolder):
    def test_notebook__says_what_is_so(self):
        if importlib.util.find_spec("matplotlib") is None:
            self.skipTest("matplotlib is not there")
        environment = dict(os.environ, PYTHONPATH=PACKAGE, PYTHONDONTWRITEBYTECODE="1")
        said = subprocess.run(
            [sys.executable, os.path.join(ROOT, "cases/examples/notebook.py"), self.path / "out"],
            check=True, capture_output=True, text=True, env=environment).stdout
        self.assertRegex(said, "1000 steps, ")
        self.assertRegex(said, "goes on with the same bits: True")
        # 0.1 + 3 t - g t^2 / 2 at t = 0.2 s
        self.assertRegex(said, "fell from 0.504 m, rests at 0.100 m")
        self.assertGreater((self.path / "out" / "heap.png").stat().st_size, 10000)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[5:])
