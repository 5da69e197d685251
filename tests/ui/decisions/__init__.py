"""Tests of ui/decisions."""
