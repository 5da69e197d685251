"""Generic event simulation: a queue with a total order, random draws by key, a loop. No cluster word."""
