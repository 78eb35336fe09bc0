"""The one door to a solved hand: looked at before, kept on the way, saved whatever happens."""
