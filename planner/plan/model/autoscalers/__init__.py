"""Autoscalers as a plan describes them."""
