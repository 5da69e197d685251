"""Workloads whose requests are messages of a queue, in whole runs."""

import numpy as np
import pytest

from planner.plan.checks.validate import check_plan
from planner.plan.model.autoscalers.metric_series import MetricSeries, WorkloadValue
from planner.plan.model.autoscalers.scaled_object import ScaledObject, SeriesTrigger
from planner.plan.model.demand import Demand
from planner.plan.model.events.on_workloads import SetReplicas
from planner.plan.model.plan import SimulationSettings
from planner.plan.model.serving import Call, MessageQueue, Retries
from planner.plan.model.traffic import Clients, ConstantLoad, Slo, StepLoad, Traffic
from planner.simulation.run import run_plan
from tests.builders import EXACT_SYNCS, a_plan, a_workload

FIVE = Traffic(profile=ConstantLoad(type="constant", rate=5))
TENTH = Demand(cpu_seconds_per_request=0.1)
LAG = MetricSeries(
    name="lag",
    source=WorkloadValue(type="workload", workload="mail", measure="requestsInFlight"),
    interval="5s",
)


def a_mailer(**settings):
    """Consumers of messages of 0.1 core seconds."""
    given = {"queue": MessageQueue(), "demand": TENTH, "traffic": FIVE, "replicas": 1}
    return a_workload("mail", **given | settings)


def a_run(*others, duration="10m", mailer=None, **parts):
    settings = SimulationSettings(duration=duration, record_interval="10s", load_step="5s")
    return run_plan(a_plan(workloads=(mailer or a_mailer(), *others), simulation=settings, **parts)).series


def test_messages_wait_while_no_pod_runs_and_none_is_lost():
    events = (SetReplicas(type="setReplicas", workload="mail", replicas=0, at="2m"),
              SetReplicas(type="setReplicas", workload="mail", replicas=2, at="5m"))  # fmt: skip
    series = a_run(events=events)
    waiting, age = series["queue_length_count[mail]"], series["queue_age_ms[mail]"] / 1000
    served, offered = series["served_rps[mail]"], series["offered_rps[mail]"]
    assert waiting[29] == pytest.approx(5 * 170, rel=0.1) and age[29] == pytest.approx(170, rel=0.1)
    assert waiting[-1] == 0 and np.nansum(series["lost_rps[mail]"]) == 0
    assert 10 * (offered.sum() - served.sum()) == pytest.approx(series["in_flight_count[mail]"][-1], abs=0.1)
    assert series["latency_p95_ms[mail]"][29] >= 1000 * age[29]


def test_pods_that_catch_up_use_their_whole_cpu():
    series = a_run(mailer=a_mailer(queue=MessageQueue(batch_size=3, backlog=3_000)), duration="3m")
    assert series["cpu_used_cores[mail]"][3:9].tolist() == pytest.approx([3.0] * 6)
    assert series["served_rps[mail]"][3] == pytest.approx(30.0, rel=0.01)


def test_a_pod_works_on_a_batch_at_once():
    """A message takes 0.1 s of CPU and 0.9 s outside: a pod that holds one does one a second, with ten all five."""
    slow = Demand(cpu_seconds_per_request=0.1, latency_floor="900ms")
    served = [
        a_run(mailer=a_mailer(demand=slow, queue=MessageQueue(batch_size=size)), duration="2m")["served_rps[mail]"][-1]
        for size in (1, 10)
    ]
    assert served == pytest.approx([1.0, 5.0])


def test_more_pods_than_partitions_do_not_help():
    queue = MessageQueue(batch_size=1, backlog=9_000, partitions=2)
    series = a_run(mailer=a_mailer(queue=queue, replicas=4), duration="1m")
    assert series["served_rps[mail]"][-1] == pytest.approx(20.0)


def test_calls_become_messages():
    shop = a_workload("shop", traffic=FIVE, demand=TENTH, calls=(Call(workload="mail", per_request=2, is_async=True),))
    series = a_run(shop, mailer=a_mailer(traffic=None, replicas=0), duration="2m")
    assert series["queue_length_count[mail]"][-1] == pytest.approx(2 * 5 * 120, rel=0.05)


def test_its_length_wakes_a_workload_at_zero_and_its_age_is_the_latency_of_the_cold_start():
    load = Traffic(profile=StepLoad(type="step", **{"from": 0, "to": 5}, at="2m"))
    trigger = SeriesTrigger(type="series", series="lag", target="20")
    scaled = ScaledObject(name="mail", scale_target="mail", cooldown_period="1m", triggers=(trigger,))
    mailer = a_mailer(replicas=0, traffic=load, slo=Slo(target="20s"))
    series = a_run(
        mailer=mailer, metric_series=(LAG,), scaled_objects=(scaled,), hpa_controller=EXACT_SYNCS, duration="6m"
    )
    assert series["replicas_ready_count[mail]"][:13].sum() == 0 < series["replicas_ready_count[mail]"][-1]
    assert 5 <= np.nanmax(series["queue_age_ms[mail]"]) / 1000 <= 60
    assert series["queue_length_count[mail]"][-1] == 0
    assert set(np.unique(series["slo_missed_ratio[mail]"][1:]).tolist()) <= {0.0, 1.0}


@pytest.mark.parametrize(("settings", "place"), [
    ({"traffic": None}, "workloads[0].queue"),
    ({"kind": "Job"}, "workloads[0].queue"),
    ({"traffic": FIVE.model_copy(update={"clients": Clients(think_time="1s")})}, "workloads[0].traffic.clients"),
    ({"demand": Demand(timeout="1s")}, "workloads[0].demand.timeout"),
    ({"demand": Demand(queue_limit=5)}, "workloads[0].demand.queueLimit"),
    ({"demand": Demand(retries=Retries(attempts=1))}, "workloads[0].demand.retries"),
])  # fmt: skip
def test_settings_that_a_queue_cannot_have_are_refused(settings, place):
    assert place in {problem.where for problem in check_plan(a_plan(workloads=(a_mailer(**settings),)))}


def test_only_queues_have_old_messages():
    source = WorkloadValue(type="workload", workload="mail", measure="oldestMessageAge")
    plan = a_plan(workloads=(a_mailer(queue=None),), metric_series=(MetricSeries(name="age", source=source),))
    assert [problem.where for problem in check_plan(plan)] == ["metricSeries[0].source.measure"]


def test_messages_of_before_the_run_are_offered_so_that_what_is_done_adds_up():
    settings = SimulationSettings(duration="10m", record_interval="10s", load_step="5s")
    offered = [
        run_plan(a_plan(workloads=(a_mailer(queue=queue),), simulation=settings))
        .figures["requests_offered[mail]"]
        .value
        for queue in (MessageQueue(), MessageQueue(backlog=3_000))
    ]
    assert offered[1] == offered[0] + 3_000


def a_guest(**queue):
    """Another consumer of the mailer's messages."""
    return a_workload("guest", replicas=1, demand=TENTH, queue=MessageQueue(**{"shared_with": "mail"} | queue))


BACKLOG = MessageQueue(batch_size=2, backlog=6_000)


@pytest.mark.parametrize(("priority", "load", "expected"), [
    pytest.param(0, 5, (2.5, 2.5), id="equals share what there is"),
    pytest.param(1, 5, (0.0, 5.0), id="the guest comes first and has room for all"),
    pytest.param(1, 14, (4.0, 10.0), id="the owner gets what the guest has no room for"),
    pytest.param(-1, 14, (10.0, 4.0), id="the guest gets what the owner has no room for"),
])  # fmt: skip
def test_workloads_that_share_a_queue_get_messages_by_priority(priority, load, expected):
    traffic = Traffic(profile=ConstantLoad(type="constant", rate=load))
    series = a_run(
        a_guest(priority=priority).model_copy(update={"pod": a_mailer().pod}), mailer=a_mailer(traffic=traffic)
    )
    served = [np.mean(series[f"served_rps[{name}]"][30:]) for name in ("mail", "guest")]
    assert served == pytest.approx(expected, rel=0.1, abs=0.15)


def test_messages_of_a_shared_queue_are_conserved_and_as_old_for_each_that_fetches():
    events = (SetReplicas(type="setReplicas", workload="guest", replicas=0, at="4m"),
              SetReplicas(type="setReplicas", workload="mail", replicas=3, at="6m"))  # fmt: skip
    series = a_run(a_guest(), mailer=a_mailer(queue=BACKLOG), events=events)
    served = sum(10 * np.nansum(series[f"served_rps[{name}]"]) for name in ("mail", "guest"))
    inside = sum(series[f"in_flight_count[{name}]"][-1] for name in ("mail", "guest"))
    assert served + inside == pytest.approx(6_000 + 10 * np.nansum(series["offered_rps[mail]"]), rel=0.001)
    assert series["queue_age_ms[guest]"][2:20].tolist() == series["queue_age_ms[mail]"][2:20].tolist()
    assert series["queue_length_count[guest]"].max() == 0 < series["queue_length_count[mail]"][6]


@pytest.mark.parametrize(("guest", "caller", "where"), [
    ({"queue": MessageQueue(shared_with="mial")}, None, "workloads[1].queue.sharedWith"),
    ({"traffic": FIVE}, None, "workloads[1].traffic"),
    ({}, "guest", "workloads[2].calls[0].workload"),
    ({"calls": (Call(workload="mail", is_async=True),)}, None, "workloads[0].calls"),
])  # fmt: skip
def test_a_queue_that_cannot_be_shared_so_is_refused(guest, caller, where):
    calls = () if caller is None else (Call(workload=caller, is_async=True),)
    plan = a_plan(workloads=(
        a_mailer(), a_guest().model_copy(update=guest), a_workload("shop", traffic=FIVE, demand=TENTH, calls=calls)
    ))  # fmt: skip
    assert [one.where for one in check_plan(plan)] == [where]
