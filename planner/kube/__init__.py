"""Converts Kubernetes manifests to a plan and back; the only package that knows manifests."""
