# Every target sets up what it needs in .venv, and nothing outside this folder.

PYTHON ?= python3
VENV := .venv
PIP := $(VENV)/bin/pip --disable-pip-version-check --no-cache-dir --quiet

.PHONY: demo test lint serve bench fuzz clean

demo: $(VENV)/demo.installed
	$(VENV)/bin/pbem demo

serve: $(VENV)/demo.installed
	$(VENV)/bin/pbem serve

# The tests of a file share what is slow to set up, so one process has them all.
test: $(VENV)/dev.installed
	$(VENV)/bin/pytest -n 2 --dist loadfile --no-loadscope-reorder

lint: $(VENV)/dev.installed
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

bench: $(VENV)/bench.installed
	$(VENV)/bin/python -m benchmarks

# Letters that fail stay in fuzz/; read them again with: .venv/bin/python -m tests.fuzz replay fuzz/*.eml
FUZZ_SECONDS ?= 300

fuzz: $(VENV)/dev.installed
	$(VENV)/bin/python -m tests.fuzz run --seconds $(FUZZ_SECONDS)

clean:
	rm -rf $(VENV) demo

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/%.installed: $(VENV)/bin/python pyproject.toml constraints.txt
	$(PIP) install --use-pep517 --constraint constraints.txt --editable '.[$*]'
	touch $@
