"""Resource quotas of namespaces: what they admit, and how controllers come back after a refusal."""
