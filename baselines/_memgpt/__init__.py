"""The parts of MemGPT: main context (core memory, queue), external context (recall, archival), functions, the loop."""
