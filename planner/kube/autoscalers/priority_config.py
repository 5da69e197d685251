"""The config map of the priority expander (`cluster-autoscaler-priority-expander`, key `priorities`).

Read as the Cluster Autoscaler 1.36.1 reads it (expander/priority with sigs.k8s.io/yaml, which turns YAML into JSON).
"""

import re
from decimal import Decimal

import yaml
from pydantic import ValidationError

from planner.errors import ImportProblem
from planner.kube.files.source import Unreadable
from planner.kube.files.yaml_text import plain_value
from planner.language.translation import marked, tr
from planner.plan.model.autoscalers.expanders import PriorityTier

MAX_TEXT = 1 << 20
_DECIMAL = re.compile(r"[-+]?[0-9]+")
_ANYTHING = ".*"
"""What the empty pattern finds, which a plan does not hold."""
_FROM_EXPONENT, _LEAST_PLAIN = 6, 4
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
        patterns = tuple(_text(_value(one)) or _ANYTHING for one in _items(value))
        return PriorityTier(priority=_whole_number(_value(key)), groups=patterns)
    except ValidationError as error:
        first = error.errors()[0]
        raise ImportProblem(f"{_WHERE}[{key.value}]", f"{first['msg']}.", tr(_REMEDY)) from error
    except (ValueError, Unreadable) as error:
        raise ImportProblem(_WHERE, tr("has an invalid entry ({reason}).", reason=error), tr(_REMEDY)) from error


def _whole_number(value: object) -> int:
    """A key, which is text in JSON: the decimal digits of a whole number; 5.0 is written 5, and 1e6 stays one."""
    text = _text(value)
    if value is None or not _DECIMAL.fullmatch(text):
        raise ValueError(tr("{text} is not a whole number", text=text or "null"))
    return int(text)


def _items(value: yaml.Node) -> list[yaml.Node]:
    if isinstance(value, yaml.SequenceNode):
        return list(value.value)
    if value.tag == "tag:yaml.org,2002:null":
        return []
    raise ValueError(tr("the value of a priority is not a list"))


def _value(node: yaml.Node) -> object:
    if not isinstance(node, yaml.ScalarNode):
        raise ValueError(tr("a nested value where text is expected"))
    text = str(node.value)
    if node.style is not None:
        return text
    value = plain_value(text.replace("_", ""))
    return text if isinstance(value, str) else value


def _text(value: object) -> str:
    """How JSON for a text writes it; nothing is the empty text."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _shortest(value)
    return "" if value is None else str(value)


def _shortest(value: float) -> str:
    """The fewest digits that give a double, with an exponent from a million on and below a ten-thousandth."""
    digits, _, exponent = format(Decimal(repr(value)).normalize(), "e").partition("e")
    if -_LEAST_PLAIN <= int(exponent) < _FROM_EXPONENT:
        return format(Decimal(repr(value)).normalize(), "f")
    return f"{digits}e{int(exponent):+03d}"
