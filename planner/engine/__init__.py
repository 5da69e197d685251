"""Generic event simulation: a queue with a total order, random draws by key, and a loop. Knows nothing of clusters."""
