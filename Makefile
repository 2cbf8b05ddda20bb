# make demo, install, test, check: each sets up what it needs. Python 3.11+ and make suffice.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.complete
EVERYDAY := .venv/.everyday
COMMAND := $(CURDIR)/$(BIN)/longline
BINDIR ?= $(HOME)/.local/bin
TESTS ?= not slow and not real and not whole
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check install
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url

# Compiled modules are kept whatever the environment says: the tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup demo install test test-real test-slow test-whole check format lint types contracts docs reference lock bench

setup: $(STAMP)

# Everything that development needs; the everyday install, which is in it, comes first.
$(STAMP): requirements.lock $(EVERYDAY)
	$(PIP) --require-hashes -r requirements.lock
	touch $(STAMP)

# What `pip install longline` installs, each package at the version of requirements.lock.
$(EVERYDAY): everyday.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit("longline needs Python 3.11 or newer; this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	$(PYTHON) -m venv .venv
	$(PIP) --require-hashes -r everyday.lock
	$(PIP) --no-deps --no-build-isolation -e .
	touch $(EVERYDAY)

demo: $(EVERYDAY)
	$(BIN)/longline demo
	@echo
	@echo "The command is $(COMMAND)"
	@echo "make install puts a link to it into $(BINDIR), so that you can type: longline"

# A link, so that the command is always that of this checkout; to undo it, remove the link.
install: $(EVERYDAY)
	@if [ -e "$(BINDIR)/longline" ] && [ ! -L "$(BINDIR)/longline" ]; then \
	  echo "$(BINDIR)/longline is there and is no link; remove it, or name another folder: make install BINDIR=DIR"; exit 1; fi
	@mkdir -p "$(BINDIR)" && ln -sfn "$(COMMAND)" "$(BINDIR)/longline"
	@echo "$(BINDIR)/longline is a link to $(COMMAND)"
	@case ":$$PATH:" in *":$(BINDIR):"*) ;; \
	  *) echo "Your PATH lacks $(BINDIR). Add it: export PATH=\"$(BINDIR):\$$PATH\"" ;; esac

test: $(STAMP)
	$(BIN)/python -m pytest -n 3 --dist worksteal -m "$(TESTS)"

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
	$(COMPILE) --all-extras --group dev --group build --group formats --group offers --group pages --group real pyproject.toml -o requirements.lock
	$(COMPILE) --group build --constraint requirements.lock pyproject.toml -o everyday.lock
