"""Node pools: what their nodes are like, and when these may be disrupted."""
