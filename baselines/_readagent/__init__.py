"""ReadAgent's pages, gists, look-up and views."""
