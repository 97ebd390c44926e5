"""Table 4: memory and time of retrieval as a memory grows to a million entries."""
