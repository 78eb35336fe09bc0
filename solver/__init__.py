"""Equilibrium strategies for the French card games Truc and Trut."""
