"""Cases of the Cluster Autoscaler."""
