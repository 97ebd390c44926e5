"""The published tables held against themselves."""
