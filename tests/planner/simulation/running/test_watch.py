"""An observer of a run in progress sees everything and changes nothing."""

from planner.api import RunView, run_plan
from planner.units import US_PER_S
from tests.builders import a_node_group, a_plan, a_workload, an_hpa

MINUTES_US = 60 * US_PER_S
PLAN = a_plan(
    node_groups=(a_node_group(initial_size=1, min_size=1, max_size=1),),
    workloads=(a_workload(replicas=40),),
    horizontal_pod_autoscalers=(an_hpa("web"),),
)


class Onlooker:
    """Notes what it sees."""

    def __init__(self) -> None:
        self.view: RunView | None = None
        self.steps: list[tuple[int, int]] = []
        self.repeated: dict[int, None] = {}

    def begin(self, view: RunView) -> None:
        self.view = view
        self.names = tuple(view.recorder.series)
        view.recorder.watch_repeats()

    def before(self, at_us: int, phase: int) -> None:
        assert self.view is not None
        self.steps.append((at_us, phase))
        self.repeated |= dict.fromkeys(self.view.recorder.take_repeats())


def test_looking_on_changes_nothing() -> None:
    onlooker = Onlooker()
    watched = run_plan(PLAN, until_us=20 * MINUTES_US, watch=onlooker)
    assert watched.digest() == run_plan(PLAN, until_us=20 * MINUTES_US).digest()
    assert onlooker.view is not None and onlooker.view.until_us == 20 * MINUTES_US
    assert onlooker.names == tuple(watched.series)
    assert onlooker.steps == sorted(onlooker.steps) and len(onlooker.steps) > 100


def test_every_repeated_decision_is_reported() -> None:
    onlooker = Onlooker()
    result = run_plan(PLAN, until_us=20 * MINUTES_US, watch=onlooker)
    assert onlooker.view is not None
    repeats = onlooker.repeated | dict.fromkeys(onlooker.view.recorder.take_repeats())
    assert sorted(repeats) == [row for row, decision in enumerate(result.decisions) if decision.repeats]
    assert repeats


def test_a_run_can_be_cancelled_while_pods_are_placed() -> None:
    asked = iter(range(10_000))
    result = run_plan(
        a_plan(workloads=(a_workload(replicas=500),)), until_us=MINUTES_US, cancelled=lambda: next(asked) > 3
    )
    assert result.stopped is not None and result.stopped.cancelled and result.until_us == 0
    assert len(result.decisions) < 10
