import os

from spack.package import *

HERE = os.path.dirname(os.path.abspath(__file__))


class Scree(CMakePackage):
    """Granular and many-contact simulation with hard contact: rigid bodies of many shapes
    with Signorini's, Coulomb's and Newton's laws, on one machine or many."""

    # The checkout that this recipe lies in.
    git = "file://" + os.path.normpath(os.path.join(HERE, *[os.pardir] * 5))

    license("Apache-2.0")

    version("main", branch="main")

    variant("mpi", default=True, description="Run on several ranks")
    variant("shared", default=True, description="Install a shared library, which Python needs")
    variant("catalyst", default=False, description="In situ pictures by Catalyst 2")

    depends_on("c", type="build")
    depends_on("cmake@3.18:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("libyaml")
    depends_on("qhull")
    depends_on("suite-sparse")
    depends_on("hdf5@1.10:+mpi", when="+mpi")
    depends_on("hdf5@1.10:~mpi", when="~mpi")
    depends_on("mpi", when="+mpi")
    depends_on("zoltan+mpi", when="+mpi")
    depends_on("libcatalyst@2:", when="+catalyst")
    depends_on("python@3.8:", when="+shared", type="run")
    depends_on("py-numpy", when="+shared", type="run")

    conflicts("%gcc@:8", msg="C17 and target_clones as GCC 9 has them")

    def cmake_args(self):
        catalyst = "conduit" if self.spec.satisfies("+catalyst") else "off"
        args = [
            self.define("SCREE_TESTS", False),
            self.define("SCREE_CATALYST", catalyst),
            self.define_from_variant("SCREE_MPI", "mpi"),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define("HDF5_ROOT", self.spec["hdf5"].prefix),
        ]
        if self.spec.satisfies("+mpi"):
            args.append(self.define("SCREE_ZOLTAN", "on"))
            args.append(self.define("Zoltan_ROOT", self.spec["zoltan"].prefix))
        return args

    def setup_run_environment(self, env):
        if self.spec.satisfies("+shared"):
            env.prepend_path("PYTHONPATH", self.prefix.lib.join("python3/dist-packages"))
