"""The language model: one small type in, one out, and the guards around every provider."""
