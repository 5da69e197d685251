"""Labels and what chooses by them: selectors, node affinity terms, taints and tolerations. Below plan and state."""
