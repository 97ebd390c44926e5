"""Tables as people read them: Markdown, CSV, LaTeX, HTML and terminal text of the same cells."""
