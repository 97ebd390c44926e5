"""Measures of an answer against its reference, a small file each. `eval.metrics.registry` finds them by name."""
