"""Kernels that find places for pods and write where these are."""
