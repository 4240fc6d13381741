# Every target sets up what it needs and does not install twice: a stamp in the environment remembers.
PYTHON ?= python3
VENV := .venv
BENCH := .venv-bench
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

.PHONY: demo test check bench docs format clean
.DEFAULT_GOAL := demo

demo: $(VENV)/.core
	$(BIN)/betterthan demo -o demo-output

test: $(VENV)/.test
	$(BIN)/python -m pytest -n 2

check: $(VENV)/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/docs.py --check

docs: $(VENV)/.core
	$(BIN)/python tools/docs.py

bench: $(BENCH)/.bench
	$(BENCH)/bin/python benchmarks/run.py

format: $(VENV)/.lint
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

$(VENV)/.python:
	sh tools/need.sh venv $(PYTHON)
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --upgrade 'pip>=25.1'
	touch $@

$(VENV)/.core: $(VENV)/.python pyproject.toml
	$(PIP) install -e .
	touch $@

$(VENV)/.lint: $(VENV)/.core
	$(PIP) install --group lint
	touch $@

$(VENV)/.test: $(VENV)/.core
	sh tools/need.sh java
	sh tools/need.sh chromium
	sh tools/need.sh latex
	$(PIP) install --group test
	touch $@

$(BENCH)/.bench: pyproject.toml
	sh tools/need.sh venv $(PYTHON)
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip --quiet install --upgrade 'pip>=25.1'
	$(BENCH)/bin/python -m pip --quiet install -e . --group bench
	touch $@

clean:
	rm -rf $(VENV) $(BENCH) demo-output .mypy_cache .ruff_cache .pytest_cache .hypothesis
