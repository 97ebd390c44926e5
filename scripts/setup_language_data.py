"""Installs NLTK's punkt_tab (tokenizer) and WordNet 3.0 (METEOR) into the environment, and loads them to make sure.

Runs on the environment's Python. Sources in turn: NLTK's own downloader; then packages that carry the same data.
Exit code 3: all is there but WordNet, and so METEOR can't be computed.
"""

from __future__ import annotations

import contextlib
import io
import shutil
import socket
import subprocess
import sys
import tempfile
import warnings
import zipfile
from collections.abc import Callable
from pathlib import Path

import nltk
from nltk.corpus.reader.wordnet import WordNetCorpusReader
from nltk.tokenize import NLTKWordTokenizer, PunktTokenizer
from setup_console import SetupError, say

TARGET = Path(sys.prefix) / "nltk_data"  # one of the folders that NLTK searches by itself
NETWORK_SECONDS, COMMAND_SECONDS = 8, 120
PUNKT_WHEEL = ("llama-index-core==0.14.25", "sha256:caa7d9c5ac9b13dc33400cf8d5e92e689b6d1e4497eb9bfa50d6f52ca2eb22a1")
PUNKT_IN_WHEEL = "llama_index/core/_static/nltk_cache/tokenizers/punkt_tab/"
DEBIAN_PACKAGES = ("wordnet-base", "wordnet-sense-index")
WORDNET_SYNSETS = 117_659  # WordNet 3.0; 3.1 has 117,791
NO_WORDNET = 3

# The parts of WordNet's table `lexnames`, which Debian leaves out of its packages and NLTK reads.
NOUN_FILES = """Tops act animal artifact attribute body cognition communication event feeling food group location motive
                object person phenomenon plant possession process quantity relation shape state substance time"""
VERB_FILES = """body change cognition communication competition consumption contact creation emotion motion perception
                possession social stative weather"""


def main() -> int:
    socket.setdefaulttimeout(NETWORK_SECONDS)
    nltk.data.path[:] = [str(TARGET)]
    try:
        _ensure("punkt_tab", _punkt_loads, {"a package that carries it": _punkt_from_wheel})
    except SetupError as error:
        say(f"{error}; without it no answer can be scored")
        return 1
    try:
        _ensure("wordnet", _wordnet_loads, {"Debian's packages": _wordnet_from_debian})
    except SetupError as error:
        say(f"{error}; METEOR can't be computed, all else works. Try again later: make language-data")
        return NO_WORDNET
    return 0


def _ensure(name: str, loads: Callable[[], bool], others: dict[str, Callable[[], None]]) -> None:
    if loads():
        return
    for source, install in {"NLTK's server": lambda: _download(name), **others}.items():
        with contextlib.suppress(OSError, SetupError, subprocess.SubprocessError, zipfile.BadZipFile):
            install()
        if loads():
            say(f"NLTK's {name} installed from {source}")
            return
    raise SetupError(f"NLTK's {name} is to be had neither from NLTK's server nor from {' or '.join(others)}")


def _download(name: str) -> None:
    nltk.download(name, download_dir=str(TARGET), quiet=True, print_error_to=io.StringIO())


def _punkt_loads() -> bool:
    try:
        sentences = PunktTokenizer("english").tokenize("Dr. Lee left. She was late.")
    except LookupError:
        return False
    return sentences == ["Dr. Lee left.", "She was late."] and NLTKWordTokenizer().tokenize("late.") == ["late", "."]


def _punkt_from_wheel() -> None:
    with tempfile.TemporaryDirectory() as folder:
        pin, digest = PUNKT_WHEEL
        wanted = Path(folder) / "wanted.txt"
        wanted.write_text(f"{pin} --hash={digest}\n", encoding="utf-8")
        _run(
            [
                sys.executable,
                "-m",
                "pip",
                "download",
                "--quiet",
                "--no-deps",
                "--require-hashes",
                "--dest",
                folder,
                "--requirement",
                str(wanted),
            ]
        )
        with zipfile.ZipFile(next(Path(folder).glob("*.whl"))) as wheel:
            wheel.extractall(folder, [name for name in wheel.namelist() if name.startswith(PUNKT_IN_WHEEL)])
        _put(Path(folder) / PUNKT_IN_WHEEL, TARGET / "tokenizers" / "punkt_tab")


def _wordnet_loads() -> bool:
    for place in ("corpora/wordnet", "corpora/wordnet.zip/wordnet/"):  # NLTK leaves what it downloads in the archive
        with contextlib.suppress(LookupError, OSError):
            reader = _read_wordnet(place)
            return _count_synsets(reader) == WORDNET_SYNSETS and _share_a_synset(reader, "kid", "child")
    return False


def _read_wordnet(place: str) -> WordNetCorpusReader:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The multilingual functions are not available")
        return WordNetCorpusReader(nltk.data.find(place), omw_reader=None)


def _count_synsets(reader: WordNetCorpusReader) -> int:
    files = [reader.open(f"data.{part}") for part in ("noun", "verb", "adj", "adv")]
    return sum(1 for file in files for line in file if not line.startswith("  "))  # licence lines are indented


def _share_a_synset(reader: WordNetCorpusReader, one: str, other: str) -> bool:
    return bool(set(reader.synsets(one)) & set(reader.synsets(other)))


def _wordnet_from_debian() -> None:
    """With package lists and cache of its own: needs no rights and leaves the system's as they are."""
    if not shutil.which("apt-get") or not shutil.which("dpkg"):
        raise SetupError("not a Debian system")
    with tempfile.TemporaryDirectory() as folder:
        for part in ("lists/partial", "cache/archives/partial", "unpacked"):
            (Path(folder) / part).mkdir(parents=True)
        apt = [
            "apt-get",
            "-qq",
            "-o",
            f"Dir::State::lists={folder}/lists",
            "-o",
            f"Dir::Cache={folder}/cache",
            "-o",
            f"Acquire::http::Timeout={NETWORK_SECONDS}",
            "-o",
            "Acquire::Retries=1",
            "-o",
            "APT::Sandbox::User=root",
        ]
        _run([*apt, "update"], cwd=folder)
        _run([*apt, "download", *DEBIAN_PACKAGES], cwd=folder)
        for package in Path(folder).glob("*.deb"):
            _run(["dpkg", "-x", str(package), f"{folder}/unpacked"])
        dictionary = Path(folder) / "unpacked" / "usr" / "share" / "wordnet"
        (dictionary / "lexnames").write_text(lexnames(), encoding="utf-8")
        _put(dictionary, TARGET / "corpora" / "wordnet")


def lexnames() -> str:
    """WordNet 3.0's table of lexicographer files: number, name, part of speech (noun, verb, adjective, adverb: 1-4)."""
    rows = [
        ("adj.all", 3),
        ("adj.pert", 3),
        ("adv.all", 4),
        *((f"noun.{name}", 1) for name in NOUN_FILES.split()),
        *((f"verb.{name}", 2) for name in VERB_FILES.split()),
        ("adj.ppl", 3),
    ]
    return "".join(f"{number:02d}\t{name}\t{part}\n" for number, (name, part) in enumerate(rows))


def _put(source: Path, target: Path) -> None:
    shutil.rmtree(target, ignore_errors=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(source, target)


def _run(command: list[str], cwd: str | None = None) -> None:
    done = subprocess.run(command, cwd=cwd, timeout=COMMAND_SECONDS, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SetupError(f"{command[0]} failed: {done.stderr.strip()}")


if __name__ == "__main__":
    sys.exit(main())
