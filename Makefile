# `make` alone lists the targets. Variables: PYTHON (3.11 or newer), VENV, PROFILE, TORCH_INDEX;
# RECORDS (an exported record file: it is replayed and no model is called); AMEM_DATA_DIR (folder of the data sets).
PYTHON ?= python3
VENV ?= .venv
PROFILE ?= embedded
RUN := $(VENV)/bin/python

.DEFAULT_GOAL := help
.PHONY: help setup language-data test test-embedded test-all smoke estimate reproduce-table1 reproduce-table2 pull-models report lint extras lock clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup:  ## make the virtual environment from the lock files (every target does so on its first run)
	@$(PYTHON) scripts/setup_environment.py --venv $(VENV)

language-data: setup  ## try again to fetch NLTK's data, where the set-up could not
	@$(RUN) scripts/setup_language_data.py

test: setup  ## run the tests (3 to 4 minutes)
	$(RUN) -m pytest

test-embedded: setup  ## run the tests that `make test` leaves out: slow, or with the embedded language model
	$(RUN) -m pytest -x -m "(embedded or slow) and not ollama"

test-all: setup  ## run both
	$(RUN) -m pytest -m "not ollama"

smoke: setup  ## every method on a few turns and questions (under 3 minutes)
	$(RUN) -m eval smoke

estimate: setup  ## calls, tokens, USD and hours of Table 1 before anything is sent (PROFILE as for that)
	$(RUN) -m eval estimate experiment=table1 profile=$(PROFILE)

reproduce-table1: setup  ## Table 1; PROFILE=embedded (10 minutes, the default), conv26 or paper
	$(RUN) -m eval experiment=table1 profile=$(PROFILE) $(if $(RECORDS),records.replay_from=$(RECORDS))

pull-models: setup  ## have Ollama download the four models of the paper's small backbones
	$(RUN) -m eval pull-models

reproduce-table2: setup  ## Table 2 (DialSim); PROFILE=embedded on the data folder's show or the sample, or paper
	$(RUN) -m eval experiment=table2 profile=dialsim_$(PROFILE)

report: setup  ## a run as one HTML file to walk through; FOLDER=results/… (default: the newest run)
	$(RUN) -m eval report $(FOLDER)

lint: setup  ## check style and types
	$(RUN) -m ruff check .
	$(RUN) -m mypy amem baselines eval

extras: setup  ## install optional packages, as in EXTRAS="ray mlflow" (also: inspect submitit wandb)
	@$(RUN) scripts/setup_extras.py $(EXTRAS)

# One resolution for everything, so that an extra never moves a version of the default set.
COMPILE := uv pip compile pyproject.toml --universal --python-version 3.11 --fork-strategy fewest --no-annotate \
  --no-emit-package torch --custom-compile-command "make lock" --quiet

lock:  ## write the lock files anew from pyproject.toml (maintainers; needs `pip install uv`)
	$(COMPILE) --all-extras --upgrade --output-file requirements-extras.lock
	$(COMPILE) --extra dev --generate-hashes --constraint requirements-extras.lock --output-file requirements.lock

clean:  ## remove the virtual environment and all caches; results and data stay
	rm -rf $(VENV) $(VENV).lock .pytest_cache .hypothesis .ruff_cache .mypy_cache *.egg-info
	find amem baselines eval scripts tests -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
