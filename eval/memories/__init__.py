"""What the stored memories of a run tell: the life of a note, drift, and what a note cost."""
