"""The solver: regrets, schedules and the loop."""
