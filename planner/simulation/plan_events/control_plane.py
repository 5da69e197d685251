"""Events of the control plane: metrics that fail, controllers that restart, settings that change."""

from planner.plan.model.events.on_control_plane import ControllerRestart, MetricsApi, MetricsOutage
from planner.plan.model.events.plan_change import PlanChangeEvent
from planner.simulation.plan_events.scene import Effects, Scene


def metrics_outage(scene: Scene, event: MetricsOutage) -> list[str]:
    """Metrics APIs do not answer until the last outage of each is over."""
    every = (MetricsApi.RESOURCE, MetricsApi.CUSTOM, MetricsApi.EXTERNAL)
    hit = every if event.api is MetricsApi.ALL else (event.api,)
    for api in hit:
        scene.outages[api] += 1
        scene.reach.set_metrics(api, False)

    def end() -> None:
        for api in hit:
            scene.outages[api] -= 1
            scene.reach.set_metrics(api, scene.outages[api] == 0)

    scene.later(event.duration, end)
    return []


def restart(scene: Scene, event: ControllerRestart) -> list[str]:
    """A controller forgets everything."""
    scene.reach.restart(event.controller)
    return []


def change(scene: Scene, event: PlanChangeEvent) -> list[str]:
    """Other values of the plan's own numbers."""
    number, changes = scene.number, scene.reach.changes
    scene.later(event.duration, lambda: changes.end(number))
    return changes.begin(number, event.changes)


EFFECTS: Effects = {
    MetricsOutage: metrics_outage,
    ControllerRestart: restart,
    PlanChangeEvent: change,
}
