"""Several jobs of one command (Hydra's -m): what became of each, and all of them in one table."""
