"""Pods counted per topology domain, for spreading and inter-pod affinity."""
