"""Prompt packs: every string that reaches a model comes from a template file."""
