"""Horizontal pod autoscalers as `kubectl get hpa` shows them, at the time of the cursor."""
