"""The loop of the Cluster Autoscaler: its steps, its timing, its records."""
