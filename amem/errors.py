"""The errors this project raises on purpose. Each message names the place and the way out."""


class HarnessError(Exception):
    """Base of every error that is meant for the person at the terminal (printed without a traceback)."""


class ConfigurationError(HarnessError):
    """A configuration value is unknown, of a wrong type, or impossible together with another."""


class KeyGiven(ConfigurationError):
    """A key stands in a configuration, which is written down; whoever words it again repeats no value beside it."""


class DataError(HarnessError):
    """An input file is missing or malformed; the message names the file, the sample and the field."""


class PromptPackError(HarnessError):
    """A prompt pack lacks a file, or a template asks for a variable that it is not given."""


class ResultsError(HarnessError):
    """Stored results can't be read as what they claim to be (mixed, doubled, damaged)."""
