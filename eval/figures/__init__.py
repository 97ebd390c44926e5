"""Figures, all in one style (`eval.figures.style`), as PDF and PNG."""
