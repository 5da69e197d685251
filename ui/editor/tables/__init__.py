"""Tables of the plan, their rows and the verbs on them."""
