"""Floor 2: the memory methods that A-Mem is compared with, written from their papers."""
