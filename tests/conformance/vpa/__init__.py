"""Cases of the Vertical Pod Autoscaler."""
