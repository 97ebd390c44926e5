"""A run in the formats of others: Inspect logs, Hugging Face data sets, MLflow and Weights & Biases."""
