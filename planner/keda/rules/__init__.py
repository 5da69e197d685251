"""What KEDA decides, as pure functions."""
