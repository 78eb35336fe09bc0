"""Playing against a solution and judging played hands."""
