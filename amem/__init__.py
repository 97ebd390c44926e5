"""Floor 1: the contract of a memory method, what every method is built from, and A-Mem itself."""
