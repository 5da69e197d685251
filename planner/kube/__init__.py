"""Kubernetes manifests to plan and back; the only place that knows manifests."""
