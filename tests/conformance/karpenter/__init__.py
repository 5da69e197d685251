"""Cases of Karpenter."""
