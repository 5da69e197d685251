"""Derived series: names by the contract, values from the tables."""

import re

import pytest

from planner.metrics.catalogue import METRICS, Scope
from planner.metrics.sample import ClusterSample
from planner.simulation.beats.series_row import SeriesRow
from planner.state.cluster import Cluster
from planner.state.resources import ResourceAxis
from planner.state.specs import NodeSpec, PodSpec
from planner.units import GIB
from tests.planner.metrics.small_run import CALM, HandClock, sample_of, small_cluster, small_run, started


def row_of(sample: ClusterSample) -> dict[str, float]:
    row = SeriesRow(sample.cluster, [])
    return dict(zip(row.names, row.values(sample).tolist(), strict=True))


def test_columns_are_named_name_unit_and_subject_in_brackets():
    names = SeriesRow(small_cluster(HandClock()), [0]).names
    assert all(re.fullmatch(r"[a-z0-9_]+_[a-z_]+(\[[a-z]+\])?", name) for name in names)
    assert "nodes_ready_count" in names
    assert "latency_p95_ms[shop]" in names
    assert "group_nodes_target_count[red]" in names


def test_only_workloads_with_traffic_get_columns_of_load():
    names = SeriesRow(small_cluster(HandClock()), [0]).names
    assert "replicas_ready_count[batch]" in names
    assert "offered_rps[batch]" not in names


def test_no_two_columns_share_a_name():
    cluster = small_cluster(HandClock())
    cluster.workload_names[1] = "blue"  # a workload may be called like a group
    names = SeriesRow(cluster, [0, 1]).names
    assert len(names) == len(frozenset(names))


def test_a_row_has_a_value_for_every_column():
    cluster = small_cluster(HandClock())
    row = SeriesRow(cluster, [0])
    assert len(row.values(sample_of(cluster, {}))) == len(row.names)


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ("nodes_ready_count", 1),
        ("nodes_booting_count", 0),
        ("pods_running_count", 2),
        ("pods_pending_count", 1),
        ("pods_unschedulable_count", 1),
        ("cpu_allocatable_cores", 4),
        ("cpu_requested_cores", 4),
        ("cpu_used_cores", 4.05),
        ("memory_requested_bytes", 3 * GIB),
        ("cost_rate_currency_per_h", 0.2),
        ("group_nodes_ready_count[blue]", 1),
        ("group_nodes_ready_count[red]", 0),
        ("group_cpu_used_cores[blue]", 4.05),
        ("group_memory_allocatable_bytes[blue]", 16 * GIB),
        ("group_memory_requested_bytes[blue]", 3 * GIB),
        ("group_pods_allocatable_count[blue]", 110),
        ("group_pods_bound_count[blue]", 3),
        ("group_pods_bound_count[red]", 0),
        ("group_cost_rate_currency_per_h[blue]", 0.2),
        ("group_cost_rate_currency_per_h[red]", 0.0),
        ("replicas_pending_count[shop]", 1),
        ("offered_rps[shop]", 300),
        ("lost_rps[shop]", 50),
        ("latency_p95_ms[shop]", 500),
        ("cpu_used_cores[batch]", 0.25),
    ],
)
def test_values_in_the_middle_of_the_crisis(column, expected):
    assert small_run().series[column][1] == pytest.approx(expected)


def test_use_is_spread_over_the_groups_where_the_pods_run():
    clock = HandClock()
    cluster = small_cluster(clock)
    for group in (0, 1):
        node = cluster.request_node(group)
        cluster.register_node(node)
        started(cluster, 0, node)
    row = row_of(sample_of(cluster, {0: CALM}))
    assert row["group_cpu_used_cores[blue]"] == row["group_cpu_used_cores[red]"] == pytest.approx(0.75)


def test_a_node_being_booted_costs_but_offers_nothing():
    cluster = small_cluster(HandClock())
    cluster.request_node(1)
    row = row_of(sample_of(cluster, {}))
    assert (row["nodes_booting_count"], row["cost_rate_currency_per_h"], row["cpu_allocatable_cores"]) == (1, 0.4, 0)


def test_every_metric_has_a_title_unit_and_scope():
    assert all(metric.title and metric.unit and metric.scope in Scope for metric in METRICS)


def test_gpus_get_columns_only_where_a_resource_is_one():
    axis = ResourceAxis(("nvidia.com/gpu", "example.com/licence"))
    cluster = Cluster(HandClock(), axis)
    cluster.add_group("gpu", 0, 5)
    size = axis.amounts({"cpu": 4000, "pods": 110, "nvidia.com/gpu": 4, "example.com/licence": 9})
    cluster.node_specs.append(NodeSpec(0, 0, size, size, {}, (), 0.0))
    cluster.add_workload("train")
    request = axis.amounts({"cpu": 100, "nvidia.com/gpu": 3})
    cluster.pod_specs.append(PodSpec(0, 0, "default", {}, request, request[:2], -1))
    node = cluster.request_node(0)
    cluster.register_node(node)
    started(cluster, 0, node)
    row = row_of(sample_of(cluster, {}))
    assert (row["group_gpus_allocatable_count[gpu]"], row["group_gpus_requested_count[gpu]"]) == (4, 3)
    assert "group_gpus_allocatable_count[gpu]" in SeriesRow(cluster, []).names
    assert not [name for name in SeriesRow(small_cluster(HandClock()), []).names if "gpu" in name]
