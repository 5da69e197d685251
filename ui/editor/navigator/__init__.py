"""The tree of the plan's parts."""
