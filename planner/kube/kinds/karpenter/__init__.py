"""Manifests of Karpenter."""
