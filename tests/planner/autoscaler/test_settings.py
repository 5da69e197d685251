"""Settings of the Cluster Autoscaler and the patterns in them."""

import pytest
from pydantic import ValidationError

from planner.errors import ImportProblem
from planner.kube.autoscalers.priority_config import parse_priority_config
from planner.plan.model.autoscalers.cluster_autoscaler import ClusterAutoscalerSettings
from planner.plan.model.autoscalers.expanders import ExpanderName, PriorityTier
from planner.plan.values.patterns import compile_go_pattern
from planner.units import GIB, US_PER_MIN, US_PER_S


def test_defaults_are_those_of_kubernetes() -> None:
    settings = ClusterAutoscalerSettings()
    assert settings.scan_interval == 10 * US_PER_S
    assert settings.expander == (ExpanderName.LEAST_WASTE,)
    assert settings.scale_down_unneeded_time == 10 * US_PER_MIN
    assert settings.memory_total_max == 6_400_000 * GIB


def test_settings_survive_the_file() -> None:
    settings = ClusterAutoscalerSettings(
        expander=(ExpanderName.PRIORITY, ExpanderName.RANDOM),
        priority_expander=(PriorityTier(priority=10, groups=("^spot",)),),
    )
    assert ClusterAutoscalerSettings.model_validate_json(settings.model_dump_json(by_alias=True)) == settings


@pytest.mark.parametrize(
    ("pattern", "text", "found"),
    [
        ("spot", "my-spot-pool", True),
        ("^spot", "my-spot", False),
        ("pool-[[:digit:]]+$", "pool-12", True),
        (r"a\z", "ba", True),
    ],
)
def test_patterns_are_searched_anywhere(pattern: str, text: str, found: bool) -> None:
    assert bool(compile_go_pattern(pattern).search(text)) is found


@pytest.mark.parametrize("pattern", ["(", "(?=a)", r"(a)\1", "(?<!a)b", "a" * 2_000, "a++"])
def test_patterns_that_go_refuses_are_refused(pattern: str) -> None:
    with pytest.raises(ValueError):
        compile_go_pattern(pattern)


def test_a_tier_with_a_broken_pattern_is_refused() -> None:
    with pytest.raises(ValidationError):
        PriorityTier(priority=1, groups=("(",))


def test_priority_config_reads_patterns_as_text() -> None:
    tiers = parse_priority_config("-5:\n  - -a$\n10:\n  - .*large.*\n  - 7\n20:\n")
    assert [(tier.priority, tier.groups) for tier in tiers] == [(-5, ("-a$",)), (10, (".*large.*", "7")), (20, ())]


@pytest.mark.parametrize(
    ("written", "read"),
    [("0x10", "16"), ("'0x10'", "0x10"), ("yes", "true"), ("1.50", "1.5"), ("1_000", "1000"), ("null", ".*"),
     ("~", ".*"), ('""', ".*"), ("'null'", "null"), ("1000000.0", "1e+06"), ("2e22", "2e+22"), ("0.00001", "1e-05"),
     ("a_b", "a_b"), ("09", "9"), ("5.", "5"), ("1:30", "1:30")],
)  # fmt: skip
def test_patterns_without_quotes_are_read_as_values_first(written: str, read: str) -> None:
    assert parse_priority_config(f"10: [{written}]") == (PriorityTier(priority=10, groups=(read,)),)


@pytest.mark.parametrize(
    ("text", "priorities"),
    [
        ("0x10: [a]\n5: [b]", [16, 5]),
        ("010: [a]\n-011: [b]", [8, -9]),
        ("0: [a]\n1_0: [b]", [0, 10]),
        ("5.0: [a]\n'010': [b]", [5, 10]),
    ],
)
def test_priorities_are_read_as_go_reads_numbers(text: str, priorities: list[int]) -> None:
    assert [tier.priority for tier in parse_priority_config(text)] == priorities


def test_the_last_of_two_lists_with_the_same_priority_counts() -> None:
    """expander/priority reads with sigs.k8s.io/yaml, not strictly."""
    assert parse_priority_config("10: [a]\n5: [b]\n10: [c]") == (
        PriorityTier(priority=10, groups=("c",)),
        PriorityTier(priority=5, groups=("b",)),
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "10: [unclosed",
        '10:\n  - "("',
        "- a",
        "ten:\n  - a",
        "10: a",
        "10:\n - [a]",
        "0x9g: [a]",
        "[" * 5_000,
        "null: [a]",
        "~: [a]",
        "5.5: [a]",
        "1000000.0: [a]",
        "true: [a]",
        "'5.0': [a]",
        "'0x10': [a]",
    ],
)
def test_broken_priority_config_is_a_problem_with_a_place(text: str) -> None:
    with pytest.raises(ImportProblem, match="priorities"):
        parse_priority_config(text)
