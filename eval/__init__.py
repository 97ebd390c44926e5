"""Floor 3: data sets, the runner, the reader, metrics, statistics, tables, figures and the report."""
