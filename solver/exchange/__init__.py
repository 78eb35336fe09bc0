"""Games and profiles in and out of other programs."""
