"""Questions to a solution: one hand, one point, the whole strategy."""
