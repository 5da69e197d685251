"""Decisions about numbers of replicas as sentences, and their computation step by step."""
