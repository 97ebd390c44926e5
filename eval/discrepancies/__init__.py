"""The discrepancy audit: A-Mem of the paper with one switch at a time set as the released code has it."""
