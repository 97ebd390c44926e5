"""The runner: sessions into memories, questions to readers, answers into files that survive anything."""
