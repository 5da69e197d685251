"""Forms generated from the plan's fields."""
