"""Statistics of replications: estimates with intervals, paired differences, the best of several, when to stop."""
