"""Kernels of what pods serve and use."""
