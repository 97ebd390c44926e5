"""Floor 2: the memories that A-Mem is compared with, one file each, built on `amem` alone."""
