"""Karpenter in a plan: pools, machine types and flags."""
