"""Datasets as typed, validated objects, and where their files come from."""
