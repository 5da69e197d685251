"""One click that adds a fault to the plan at the time the reader looks at."""
