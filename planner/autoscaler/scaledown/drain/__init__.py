"""What removing a node does to its pods: which move, which budgets they use up, which are still on their way out."""
