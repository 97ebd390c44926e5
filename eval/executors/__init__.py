"""Where the units of a run are done: threads of this process, or the workers of a Ray cluster."""
