"""Plans whose runs take some hundredths of a second, with chance in them."""

from planner.plan.model.demand import Demand
from planner.plan.model.experiments.variants import Variant
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.traffic import Noise, Slo, StepLoad, Traffic
from tests.builders import a_node_group, a_plan, a_workload, an_hpa

LARGER = Variant(name="larger", changes=("nodeGroups[pool].initialSize = 3", "nodeGroups[pool].minSize = 3"))
SAME = Variant(name="same")
REFUSED = Variant(name="refused", changes=("nodeGroups[pol].maxSize = 3",))


def a_small_plan(**settings):
    """A shop whose load rises; five minutes."""
    profile = StepLoad(type="step", from_rate=20.0, to_rate=60.0, at="1m")
    shop = a_workload(
        "shop",
        traffic=Traffic(profile=profile, noise=Noise(cv=0.2)),
        demand=Demand(cpu_seconds_per_request=0.02),
        slo=Slo(target="300ms"),
    )
    parts = {
        "workloads": (shop,),
        "node_groups": (a_node_group(cpu="2", initial_size=1, max_size=5, price_per_hour=1.0),),
        "horizontal_pod_autoscalers": (an_hpa("shop"),),
        "simulation": SimulationSettings(duration="5m", seed=11),
    }
    return a_plan(**parts | settings)
