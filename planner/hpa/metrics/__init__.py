"""Metrics as the HPA controller receives them."""
