"""MemoryBank's pieces, reflections, store and forgetting."""
