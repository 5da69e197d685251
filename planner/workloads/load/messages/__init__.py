"""Queues outside the pods: messages wait there until a pod fetches them."""
