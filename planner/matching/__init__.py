"""Label matching: selectors, node affinity terms, taints and tolerations. Used by both plan and state."""
