"""Fits values of a plan to what a cluster did."""
