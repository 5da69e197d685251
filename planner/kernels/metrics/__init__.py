"""Kernels of samples, what autoscalers read of them, and sums for the series."""
