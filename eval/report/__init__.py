"""A run as a page that one can walk through: one self-contained HTML file, and what it is built of."""
