"""Cases of the HorizontalPodAutoscaler and the proportional autoscaler."""
