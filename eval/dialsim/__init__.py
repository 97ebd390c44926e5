"""DialSim (Kim et al., 2024, arXiv:2406.13144): questions put to a character in the middle of a TV show's dialogue.

`locate` finds the data; `pickles`, `parquet` and `jsonfile` read it into the objects of `objects`; `replay` turns it
into a `Plan` (session parts and questions in the order in which they happen); `formats` says what a reader is shown,
`scoring` and `table2` what an answer is worth.
"""
