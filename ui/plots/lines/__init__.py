"""Lines that curves are held against: limits, budgets and projections."""
