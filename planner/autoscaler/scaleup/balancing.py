"""How the new nodes of one scale-up are split among similar node groups."""

from collections.abc import Sequence


def balance_scale_up(targets: Sequence[int], max_sizes: Sequence[int], new_nodes: int) -> dict[int, int]:
    """New target size of the groups that grow, by their number in the order given (chosen group first, then cloud
    order). They come in the order in which they are to be resized.

    One node at a time goes to the currently smallest group; full groups leave, those above their maximum as they are
    met (they move others in the walk). More nodes than there is room for are dropped. Source: Cluster Autoscaler
    1.36.1, processors/nodegroupset/balancing_processor.go.
    """
    sizes = list(targets)
    walk = sorted(
        (group for group in range(len(sizes)) if sizes[group] != max_sizes[group]), key=lambda group: sizes[group]
    )
    left = min(new_nodes, sum(max(max_sizes[group] - sizes[group], 0) for group in walk))
    start = here = 0
    while left > 0:
        group = walk[here]
        if sizes[group] < max_sizes[group]:
            sizes[group] += 1
            left -= 1
        else:  # full: out of the walk, its place is taken by the first group still in it
            walk[start], walk[here] = walk[here], walk[start]
            start += 1
        if here < len(walk) - 1 and sizes[walk[here]] > sizes[walk[here + 1]]:
            here += 1
        else:
            here = start
    return {group: sizes[group] for group in walk if sizes[group] > targets[group]}
