"""Cluster Autoscaler: when to add nodes, which, and when to remove them."""
