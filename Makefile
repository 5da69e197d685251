# The two that matter: `make run` (sets up, then opens a sample) and `make test` (sets up, then checks everything).
PYTHON ?= python3
BIN := .venv/bin
SAMPLE := scenarios/flash-sale/plan.headroom
OUT := out
COMPRESSION := xz

# Without byte code each of the many programs that tests start compiles all sources anew.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup run check format test soak bench package lock

help:
	@echo "make run      set up, then open the sample plan; without a display: run it, report into $(OUT)/"
	@echo "make test     set up, then all checks and tests"
	@echo "make setup    .venv with the locked dependencies and the project"
	@echo "make check    ruff, mypy, import contracts"
	@echo "make format   format the code with ruff"
	@echo "make bench    benchmarks"
	@echo "make soak     tests that take too long for make test"
	@echo "make package  build the program and its packages into dist/"
	@echo "make lock     pin the dependencies of pyproject.toml; UPGRADE=--upgrade: to the newest versions"

# Does nothing when the environment is up to date (packaging/bootstrap.sh keeps a stamp in .venv).
setup:
	@sh packaging/bootstrap.sh "$(PYTHON)"

# Without a display, only Python packages are needed.
run: setup
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
	    sh packaging/system_packages.sh window; \
	    $(BIN)/headroom $(SAMPLE); \
	else \
	    echo "No display: the sample plan $(SAMPLE) runs without a window." && \
	    $(BIN)/headroom simulate $(SAMPLE) --out $(OUT) && \
	    echo "The report (CSV files) is in $(abspath $(OUT))"; \
	fi

check: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: setup
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

test: check
	@sh packaging/system_packages.sh test $(BIN)/python
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal

bench: setup
	$(BIN)/python -m tests.bench

# pytest exits with 5 if no test is marked soak.
soak: setup
	$(BIN)/python -m pytest -m soak || [ $$? -eq 5 ]

# dist/headroom is the program; COMPRESSION=zstd builds a larger Debian package much faster.
package: setup
	@sh packaging/system_packages.sh package $(BIN)/python
	$(BIN)/python packaging/build.py all --compression $(COMPRESSION)

# A recipe of its own: the resolver is not part of .venv, and .venv follows requirements.txt.
lock:
	@sh packaging/lock.sh "$(PYTHON)" $(UPGRADE)
