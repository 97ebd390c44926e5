"""Uncertainty of the figures: intervals, paired differences, effect of seeds."""
