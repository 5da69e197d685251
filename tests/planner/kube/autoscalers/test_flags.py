"""Flags of the Cluster Autoscaler on the command line of its container."""

import pytest

from planner.errors import ImportProblems
from planner.plan.derived.kubernetes.autoscaler_flags import FLAGS, Treatment, settings_of
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.units import format_duration
from tests.planner.kube.manifests import a_deployment, imported_objects, losses_of

MODELLED = sorted(flag for flag, treatment in FLAGS.items() if treatment is Treatment.MODELLED and settings_of(flag))


def with_flags(*words, image="registry.k8s.io/autoscaling/cluster-autoscaler-arm64:v1.36.0@sha256:ab"):
    container = {"name": "main", "image": image, "command": ["./cluster-autoscaler"], "args": list(words)}
    return imported_objects(a_deployment("cluster-autoscaler", containers=[container]))


def written(flag):
    """A flag with the default value, as the command line spells it."""
    if flag in ("cores-total", "memory-total"):
        return "1:100"
    if flag == "gpu-total":
        return "nvidia-l4:0:8"
    value = getattr(ClusterAutoscalerSettings(), settings_of(flag)[0])
    if flag == "expander":
        return "least-waste"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "example.com/key"
    if flag.endswith("-sec"):
        return str(value // 1_000_000)
    is_duration = "unit" not in flag and ClusterAutoscalerSettings().model_dump()[settings_of(flag)[0]] != value
    return format_duration(value) if is_duration else str(value)


@pytest.mark.parametrize("flag", MODELLED)
def test_every_modelled_flag_can_be_given(flag):
    settings = with_flags(f"--{flag}={written(flag)}").plan.cluster_autoscaler
    for name in settings_of(flag):
        assert name in settings.model_fields_set


@pytest.mark.parametrize(
    "words", [["--force-ds"], ["--force-ds=true"], ["-force-ds", "--v=4"], ["--force-ds", "true"], ["--force-ds=T"]]
)
def test_switches_may_be_written_in_several_ways(words):
    assert with_flags(*words).plan.cluster_autoscaler.force_ds


def test_unknown_and_unmodelled_flags_are_reported_and_those_without_effect_are_not():
    result = with_flags("--what=1", "--estimator=binpacking", "--leader-elect=true", "--expander=grpc")
    kinds = [key for key in losses_of(result) if key[0] == "Cluster Autoscaler"]
    assert kinds == [(kinds[0][0], path) for path in ("--what", "--estimator", "--expander=grpc")]


@pytest.mark.parametrize("words", [
    ["--max-empty-bulk-delete=4"],
    ["--max-empty-bulk-delete=9", "--max-scale-down-parallelism=4"],
    ["--max-scale-down-parallelism=4", "--max-empty-bulk-delete=9"],
])  # fmt: skip
def test_the_former_name_of_a_flag_counts_unless_the_new_one_is_given(words):
    result = with_flags(*words)
    assert result.plan.cluster_autoscaler.max_scale_down_parallelism == 4
    assert not [key for key in losses_of(result) if key[0] == "Cluster Autoscaler"]
    assert any("max-empty-bulk-delete" in line for line in result.losses.taken) == (len(words) == 1)


def test_flags_whose_effect_is_always_on_by_now_are_no_loss():
    result = with_flags("--parallel-drain=true", "--gce-expander-ephemeral-storage-support")
    assert not [key for key in losses_of(result) if key[0] == "Cluster Autoscaler"]


def test_other_programs_have_other_flags():
    assert with_flags("--force-ds", image="example/agent").plan.cluster_autoscaler == ClusterAutoscalerSettings()


@pytest.mark.parametrize(
    "word",
    [
        "--nodes=1:2",
        "--scan-interval=soon",
        "--force-ds=maybe",
        "--cores-total=5",
        "--max-nodes-total=x",
        "--nodes=a:b:c",
    ],
)
def test_flags_that_cannot_be_read_are_reported_at_their_place(word):
    with pytest.raises(ImportProblems) as caught:
        with_flags(word)
    assert "containers[0].args[0]" in caught.value.problems[0].where
