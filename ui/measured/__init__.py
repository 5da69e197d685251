"""What a real cluster did: brought in, fitted to the plan, and laid over what the plan does."""
