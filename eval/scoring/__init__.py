"""From stored answers to scores: one row a question, then figures with their denominators. No model is called."""
