"""Vectors of the cluster-proportional-autoscaler: parameters by the import, replicas by the rule of a run."""

from typing import Any

import numpy as np
from pydantic import TypeAdapter

from planner.hpa.proportional.proportional import cluster_size, replicas_of
from planner.kube.autoscalers.proportional_parameters import UnusableParameters, read_parameters
from planner.kube.files.json_objects import json_value
from planner.kube.files.source import Unreadable
from planner.plan.model.autoscalers.proportional_autoscaler import ParameterFault, ProportionalMode
from planner.units import parse_cpu_milli

MODE: TypeAdapter[Any] = TypeAdapter(ProportionalMode)


def proportional_replicas(case: dict[str, Any]) -> tuple[bool, object]:
    data, expect = case["input"], case["expect"]
    nodes = data["nodes"] or ()
    size = cluster_size(
        np.array([parse_cpu_milli(node["cpu"]) for node in nodes], np.int64),
        np.array([node.get("ready") == "True" for node in nodes], np.bool_),
        np.array([bool(node.get("unschedulable")) for node in nodes], np.bool_),
    )
    got: dict[str, Any] = {
        "status": {
            "totalNodes": size.total_nodes,
            "schedulableNodes": size.schedulable_nodes,
            "totalCores": size.total_cores,
            "schedulableCores": size.schedulable_cores,
        }
    }
    try:
        part = read_parameters(data["mode"], json_value(data["params"]))
        got["replicas"] = replicas_of(MODE.validate_python(part), size)
    except UnusableParameters as error:
        got["error"] = error.fault.value
    except Unreadable:
        got["error"] = ParameterFault.PARSE_ERROR.value
    return got == expect, got
