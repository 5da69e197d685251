"""The cluster as one loop of the autoscaler imagines it, and placement on it."""
