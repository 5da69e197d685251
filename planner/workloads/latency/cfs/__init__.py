"""Pods under a CFS quota: what periods leave over, responses, and tables of them."""
