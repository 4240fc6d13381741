# Every target sets up what it needs and does not install twice: a stamp in the environment remembers.
PYTHON ?= python3
VENV := .venv
BENCH := .venv-bench
OLDEST := .venv-oldest
OTHER := .venv-python
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# Browsers are for `make test`; the API's description is checked by a tool that is not among the few.
DESCRIPTION := tests/web/campaign/test_api_description.py
SELECTED := -p no:schemathesis -m "not slow and not spark" --ignore tests/browser --ignore tests/verbs/report/test_report.py --ignore $(DESCRIPTION)
QUICK := -m pytest -n 2 $(SELECTED)
# Tests are rewritten and compiled once, whatever the environment says: collecting them takes a third of the time then.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test test-data test-long test-quick test-oldest test-python mutants guard fuzz screenshots check bench docs format clean
.DEFAULT_GOAL := demo

demo: $(VENV)/.core
	$(BIN)/betterthan demo -o demo-output

test: $(VENV)/.test
	$(BIN)/python -m pytest -n 2 -m "not long" --ignore $(DESCRIPTION)

# What takes minutes by itself: full simulations, limits of memory, all sizes and screenshots, the description of the API,
# and tests of properties with many more examples.
test-long: $(VENV)/.test
	$(BIN)/python -m pytest -n 2 -m long
	$(BIN)/python -m pytest -n 2 -m "not long" --hypothesis-profile long tests/models/test_battery.py tests/readers/test_any_table.py tests/one_answer

# Tests on evaluation data and on files of other tools, which are not ours to ship: BETTERTHAN_DATA says where they are.
test-data: $(VENV)/.test
	$(BIN)/python -m pytest -n 2 tests_data

# For everyday work: under a minute on two idle cores.
test-quick: $(VENV)/.quick
	$(BIN)/python $(QUICK)

# The quick tests with the oldest versions that pyproject.toml allows, and with another Python.
test-oldest: $(OLDEST)/.quick
	$(OLDEST)/bin/python $(QUICK)

test-python: $(OTHER)/.quick
	$(OTHER)/bin/python $(QUICK)

# Plants a hundred defects in a copy of the package, one at a time; fails where too few are noticed by tests.
mutants: $(VENV)/.quick
	$(BIN)/python tools/mutants.py --quick '$(SELECTED)'

# Hot paths in multiples of a bare DuckDB group-by, of imports and of a BLAS solve; fails where one became slower.
guard: $(VENV)/.test
	$(BIN)/python benchmarks/guard.py

# Hostile files, options, plans and signatures against the command line, then our own parsers under atheris.
FUZZ_SECONDS ?= 120
PARSER_SECONDS ?= 15
fuzz: $(VENV)/.fuzz
	mkdir -p fuzz-failures
	$(BIN)/python -m fuzz.run --seconds $(FUZZ_SECONDS)
	for parser in conditions orders models signatures; do \
		$(BIN)/python -m fuzz.parsers $$parser --seconds $(PARSER_SECONDS) --seed 1 || exit 1; \
	done

# After an intended change of the report's layout: look at what changed (git diff) before committing.
screenshots: $(VENV)/.test
	STORE_SCREENSHOTS=1 $(BIN)/python -m pytest tests/browser/test_report_screenshots.py tests/browser/test_workbench.py -k stored

check: $(VENV)/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tools/interfaces.py --check
	$(BIN)/python tools/docs.py --check
	$(BIN)/python tools/words.py
	$(BIN)/python tools/studies.py --check
	$(BIN)/python tools/examples.py --types
	$(BIN)/python tools/site.py --check

# Writes the reference, what console blocks print, pictures and notebooks, then builds the site into site/.
docs: $(VENV)/.docs
	$(BIN)/python tools/docs.py
	$(BIN)/python tools/examples.py
	$(BIN)/python tools/pictures.py
	$(BIN)/python tools/notebooks.py
	$(BIN)/python tools/site.py

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

$(VENV)/.docs: $(VENV)/.core
	$(PIP) install --group docs
	touch $@

$(VENV)/.quick: $(VENV)/.core
	$(PIP) install --group test-quick
	touch $@

$(VENV)/.test: $(VENV)/.core
	sh tools/need.sh java
	sh tools/need.sh chromium
	sh tools/need.sh latex
	sh tools/need.sh postgresql
	$(PIP) install --group test
	touch $@

$(VENV)/.fuzz: $(VENV)/.core
	$(PIP) install --group fuzz
	touch $@

$(OLDEST)/.quick: pyproject.toml
	sh tools/need.sh venv $(PYTHON)
	$(PYTHON) -m venv --clear $(OLDEST)
	$(OLDEST)/bin/python -m pip --quiet install --upgrade 'pip>=25.1'
	$(PYTHON) tools/oldest.py > $(OLDEST)/oldest.txt
	$(OLDEST)/bin/python -m pip --quiet install -e . --group test-quick --constraint $(OLDEST)/oldest.txt
	touch $@

$(OTHER)/.quick: pyproject.toml
	other=$$(sh tools/need.sh python $(PYTHON)) && $$other -m venv --clear $(OTHER)
	$(OTHER)/bin/python -m pip --quiet install --upgrade 'pip>=25.1'
	$(OTHER)/bin/python -m pip --quiet install -e . --group test-quick
	touch $@

$(BENCH)/.bench: pyproject.toml
	sh tools/need.sh venv $(PYTHON)
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip --quiet install --upgrade 'pip>=25.1'
	$(BENCH)/bin/python -m pip --quiet install -e . --group bench
	touch $@

clean:
	rm -rf fuzz-failures $(VENV) $(BENCH) $(OLDEST) $(OTHER) benchmarks/.peers demo-output site .mypy_cache .ruff_cache .pytest_cache .hypothesis .mutants
