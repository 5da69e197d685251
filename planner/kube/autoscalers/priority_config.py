"""The config map of the priority expander (`cluster-autoscaler-priority-expander`, key `priorities`)."""

import yaml
from pydantic import ValidationError

from planner.errors import ImportProblem
from planner.language.translation import marked, tr
from planner.plan.model.autoscalers.expanders import PriorityTier

MAX_TEXT = 1 << 20
_WHERE = "cluster-autoscaler-priority-expander: data.priorities"
_REMEDY = marked("Write a mapping from a whole number to a list of regular expressions.")


def parse_priority_config(text: str) -> tuple[PriorityTier, ...]:
    """The tiers of the text, in its order. Raises ImportProblem where the autoscaler would call it invalid."""
    if not text.strip():
        raise ImportProblem(_WHERE, tr("is empty."), tr(_REMEDY))
    if len(text) > MAX_TEXT:
        raise ImportProblem(_WHERE, tr("is larger than 1 MiB."), tr(_REMEDY))
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise ImportProblem(_WHERE, tr("is not YAML ({reason}).", reason=error), tr(_REMEDY)) from error
    if not isinstance(root, yaml.MappingNode):
        raise ImportProblem(_WHERE, tr("is not a mapping."), tr(_REMEDY))
    # The autoscaler's reader keeps the last of two lists with the same priority.
    return tuple({tier.priority: tier for tier in (_tier(key, value) for key, value in root.value)}.values())


def _tier(key: yaml.Node, value: yaml.Node) -> PriorityTier:
    try:
        # Scalars are taken as written: Go reads 10 or true in a list of strings as text.
        return PriorityTier(priority=_whole_number(_scalar(key)), groups=tuple(_scalar(item) for item in _items(value)))
    except ValidationError as error:
        first = error.errors()[0]
        raise ImportProblem(f"{_WHERE}[{key.value}]", f"{first['msg']}.", tr(_REMEDY)) from error
    except ValueError as error:
        raise ImportProblem(_WHERE, tr("has an invalid entry ({reason}).", reason=error), tr(_REMEDY)) from error


def _whole_number(text: str) -> int:
    """As Go reads it: a leading 0 means octal, 0x hexadecimal."""
    is_octal = text.lstrip("+-").startswith("0") and text.lstrip("+-").isdigit()
    return int(text, 8 if is_octal else 0)


def _items(value: yaml.Node) -> list[yaml.Node]:
    if isinstance(value, yaml.SequenceNode):
        return list(value.value)
    if value.tag == "tag:yaml.org,2002:null":
        return []
    raise ValueError(tr("the value of a priority is not a list"))


def _scalar(node: yaml.Node) -> str:
    if not isinstance(node, yaml.ScalarNode):
        raise ValueError(tr("a nested value where text is expected"))
    return str(node.value)
