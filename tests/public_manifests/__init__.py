"""Imports manifests of public repositories, which are not part of this one, and writes down what came of them."""
