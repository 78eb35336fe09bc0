"""Cards: how hands and histories are written, which hands there are, how likely each deal is."""
