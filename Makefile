# make setup, demo, test, check: each sets up what it needs. Python 3.11+ and make suffice.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.complete

.PHONY: setup demo test test-real test-slow test-whole check format lint types contracts docs reference lock bench

setup: $(STAMP)

$(STAMP): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("longline needs Python 3.11 or newer; this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $(STAMP)

demo: $(STAMP)
	$(BIN)/longline demo

test: $(STAMP)
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow and not real and not whole"

test-slow: $(STAMP)
	$(BIN)/python -m pytest -n 2 --dist worksteal -m slow

test-whole: $(STAMP)
	$(BIN)/python -m pytest -n 2 --dist worksteal -m whole

test-real: $(STAMP)
	$(BIN)/python -m pytest -m real -s tests/real

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(STAMP)
	$(BIN)/mypy

contracts: $(STAMP)
	$(BIN)/lint-imports

reference: $(STAMP)
	$(BIN)/python -m bench.pages.reference

docs: $(STAMP)
	NO_COLOR=1 $(BIN)/zensical build --strict

check: lint types contracts docs test

bench: $(STAMP)
	$(BIN)/python -m bench.rivals.cover_speed

lock: $(STAMP)
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --all-extras --group dev --group build --group formats --group pages --group real pyproject.toml -o requirements.lock
