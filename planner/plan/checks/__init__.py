"""Checks that the values of a plan fit together; a failed check yields a problem with its place and a remedy."""
