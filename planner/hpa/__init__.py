"""Horizontal pod autoscaler and proportional autoscaler: pure rules, their state and their controllers."""
