"""Bin packing of pods whose place depends on other pods: each one is tried in turn."""

from planner.autoscaler.estimator.new_node_rules import SPREAD_REASONS, NewNodeRules
from planner.autoscaler.estimator.new_nodes import NewNodes
from planner.state.resources import Amounts
from planner.state.specs import PodSpec


def place_one_by_one(
    nodes: NewNodes, rules: NewNodeRules, spec: PodSpec, need: Amounts, count: int, *, extrapolate: bool
) -> int:
    """How many pods found a place: new nodes until one pod fails, then the newest, then one more new node."""
    placed = 0
    while placed < count and _put_on_any(nodes, rules, spec, need):
        placed += 1
    if extrapolate:
        return placed + _fill_one_and_compute(nodes, rules, spec, need, count - placed)
    while placed < count:
        if not _put_on_newest(nodes, rules, spec, need) and not _put_after_skew(nodes, rules, spec, need):
            if nodes.newest_is_empty or not nodes.may_add or not nodes.grow(1):
                break
            if not _put_on_newest(nodes, rules, spec, need):
                break
        placed += 1
    return placed


def _fits(nodes: NewNodes, rules: NewNodeRules, spec: PodSpec, need: Amounts, node: int) -> bool:
    return nodes.has_room(node, need) and rules.refusal(spec, node) is None


def _put_on_newest(nodes: NewNodes, rules: NewNodeRules, spec: PodSpec, need: Amounts) -> bool:
    newest = len(nodes) - 1
    if newest < 0 or not _fits(nodes, rules, spec, need, newest):
        return False
    nodes.put(newest, need, spec)
    return True


def _put_on_any(nodes: NewNodes, rules: NewNodeRules, spec: PodSpec, need: Amounts) -> bool:
    count = len(nodes)
    start = nodes.search_start() if count else 0
    for step in range(count):
        node = (start + step) % count
        if _fits(nodes, rules, spec, need, node):
            nodes.put(node, need, spec)
            nodes.found_at(node)
            return True
    return False


def _put_after_skew(nodes: NewNodes, rules: NewNodeRules, spec: PodSpec, need: Amounts) -> bool:
    """When only spread keeps a pod off the newest node, all others are tried, those of the cluster too."""
    newest = len(nodes) - 1
    if newest < 0 or not rules.uses_hostname_spread(spec) or not nodes.has_room(newest, need):
        return False
    if rules.refusal(spec, newest) not in SPREAD_REASONS:
        return False
    total, start = nodes.before + len(nodes), nodes.list_start()
    for step in range(total):
        node = (start + step) % total - nodes.before
        if node == newest:
            continue
        if node < 0:
            found = rules.put_on_old(spec, node + nodes.before)
        else:
            found = _fits(nodes, rules, spec, need, node)
            if found:
                nodes.put(node, need, spec)
        if found:
            nodes.found_at(node)
            return True
    return False


def _fill_one_and_compute(nodes: NewNodes, rules: NewNodeRules, spec: PodSpec, need: Amounts, count: int) -> int:
    """Fast path: fill one new node and compute how many more it takes."""
    if count == 0 or nodes.newest_is_empty or not nodes.may_add or not nodes.grow(1):
        return 0
    per_node = 0
    while per_node < count and _put_on_newest(nodes, rules, spec, need):
        per_node += 1
    if per_node == 0 or per_node == count:
        return per_node
    wanted = -(-count // per_node)
    return min(count, (1 + nodes.extrapolate(wanted - 1)) * per_node)
