"""What tests set before they start several ranks: Open MPI, 4 as well as 5, refuses root
and more ranks than there are cores unless it is told otherwise. Ranks give a core away
while they wait."""
import os

MPIRUN = os.environ.get("SCREE_MPIRUN", "mpirun")  # as the build found it
MANY_RANKS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1", "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "OMPI_MCA_mpi_yield_when_idle": "1"}


def said_lines(text):
    """What Scree says among the words of mpirun, which ends some of its own with a zero byte."""
    lines = text.replace("\0", "").split("\n")
    return [x for x in lines if x.startswith("scree: ")]
