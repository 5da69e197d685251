"""Conformance with recorded decisions of Kubernetes; adapters translate, rules decide."""
