"""The Vertical Pod Autoscaler in a run: what it reads of the cluster, and what it does to it."""
