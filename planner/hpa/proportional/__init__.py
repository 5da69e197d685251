"""The cluster-proportional-autoscaler."""
