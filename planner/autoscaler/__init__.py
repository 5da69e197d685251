"""Cluster Autoscaler: when to add nodes, of which group, and when to remove them."""
