"""Pods request by request: workers under a CFS quota, to hold the load model against.

`python -m tests.requests` compares over a grid and prints the largest errors first.
"""
