"""Autoscalers, between manifests and the plan."""
