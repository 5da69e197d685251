"""Logged runs of a real HorizontalPodAutoscaler, played again."""
