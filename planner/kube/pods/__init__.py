"""Pods and their templates, between manifests and the plan."""
