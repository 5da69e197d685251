"""Problems and hints name fields as the forms do; the sentences themselves name the keys of a plan file."""

import ast
import re
from pathlib import Path

import pytest

import planner.plan.checks
import planner.plan.hints
from tests.builders import a_node_group, a_plan
from ui.editor.values.field_names import in_words, with_titles

CAMEL = re.compile(r"\b[a-z]+[A-Z]\w*\b", re.ASCII)
CHOICES = {"perZone", "neverReady", "currentReplicasIfHigher"}
"""Values, which forms show as they are written."""


@pytest.mark.parametrize(("text", "path", "said"), [
    ("or raise maxReplicas", ("horizontal_pod_autoscalers", 0, "min_replicas"), "or raise “Maximum”"),
    ("Set minReplicas to 1", ("vertical_pod_autoscalers", 0), "Set “Least replicas” to 1"),
    ("at least hpaController.downscaleStabilization.", ("cluster_autoscaler",),
     "at least “HPA controller · Downscale stabilization”."),
    ("raise clusterAutoscaler.maxNodeProvisionTime", ("cluster_autoscaler", "scan_interval"), "raise “Provision time”"),
    ("set featureGates.HPAScaleToZero.", (), "set “Feature gates · HPAScaleToZero”."),
    ("use a nodeLoss.", (), "use a “Node loss”."),
    ("as in nodeGroups[general].maxSize = 40", (), "as in nodeGroups[general].maxSize = 40"),
    ("no resource cpu of example.com/gpuType", (), "no resource cpu of example.com/gpuType"),
    ("최댓값을 maxSize를 올려", ("node_groups", 0), "최댓값을 “Maximum”를 올려"),
])  # fmt: skip
def test_keys_of_the_file_become_the_titles_of_the_form(text, path, said):
    assert with_titles(text, path) == said


def test_a_problem_is_told_in_the_words_of_the_screen():
    plan = a_plan(node_groups=(a_node_group("general"),))
    said = in_words("nodeGroups[0].initialSize", "It is above 3.", "Raise maxSize.", plan)
    assert said == "Node pools · general · At start: It is above 3. Raise “Maximum”."


def _sentences():
    for package in (planner.plan.checks, planner.plan.hints):
        for file in sorted(Path(package.__path__[0]).rglob("*.py")):
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("tr", "marked"):
                    text = node.args[0]
                    if isinstance(text, ast.Constant):
                        yield str(text.value)


def test_no_sentence_of_the_checks_has_a_key_left_that_its_field_is_named_by():
    owner = {
        "maxUnavailable": ("pod_disruption_budgets", 0),
        "minReplicas": ("vertical_pod_autoscalers", 0),
        "maxSurge": ("events", 0),
    }
    found = {
        key
        for text in _sentences()
        for key in CAMEL.findall(with_titles(text))
        if key in CAMEL.findall(with_titles(text, owner.get(key, ())))
    }
    assert found <= CHOICES, found
