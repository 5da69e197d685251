"""The end of a run: its parts let go of each other, so that its world goes with its last reader.

Python's collector would come late: it counts a few thousand objects, not the columns of a large cluster.
"""

from planner.simulation.simulation import Simulation


def take_apart(sim: Simulation) -> None:
    """Break the circles of references.

    Of the run only its cluster, its clock and its logs of nodes and Jobs can be read afterwards.
    """
    sim.cluster.forget_listeners()
    parts = [sim, sim.scheduler, sim.load_model, sim.pod_use, sim.feeds.values]
    parts += [] if sim.memory is None else [sim.memory, sim.memory.memory]
    parts += [] if sim.karpenter is None else [sim.karpenter, sim.karpenter.world]
    kept = {name: getattr(sim, name) for name in ("cluster", "events", "node_log", "job_log")}
    for part in parts:
        vars(part).clear()
    vars(sim).update(kept)
