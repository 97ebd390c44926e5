"""The commands of `python -m eval <command>`: a module each, with HELP, add_arguments(parser) and run(args)."""
