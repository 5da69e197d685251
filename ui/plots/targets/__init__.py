"""What curves are held against: limits, budgets, projections."""
