"""Karpenter, the node autoscaler that launches machines of any type: rules, and the controllers that run them."""
