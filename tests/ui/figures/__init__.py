"""Tests of ui/figures."""
