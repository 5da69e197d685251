"""Horizontal pod autoscaler and proportional autoscaler: pure rules, their memory and their controller."""
