# The two that matter: `make run` (set-up, then a sample) and `make test` (set-up, then everything).
PYTHON ?= python3
BIN := .venv/bin
SAMPLE := scenarios/flash-sale/plan.headroom
OUT := out

.DEFAULT_GOAL := help
.PHONY: help setup run check test soak bench

help:
	@echo "make run    set up, then run the sample plan and write its report into $(OUT)/"
	@echo "make test   set up, then all checks and tests"
	@echo "make setup  .venv with pinned dependencies and the project"
	@echo "make check  ruff, mypy, import contracts"
	@echo "make bench  speed figures"
	@echo "make soak   tests that are too long for make test"

# Does nothing when the environment is up to date (packaging/bootstrap.sh keeps a stamp in .venv).
setup:
	@sh packaging/bootstrap.sh "$(PYTHON)"

run: setup
	@if [ -z "$$DISPLAY$$WAYLAND_DISPLAY" ]; then \
	    echo "No display: the sample plan $(SAMPLE) is run without a window."; \
	else \
	    echo "This version has no window yet: the sample plan $(SAMPLE) is run without one."; \
	fi
	@$(BIN)/headroom simulate $(SAMPLE) --out $(OUT)
	@echo "The report (CSV files) is in $(CURDIR)/$(OUT)"

check: setup
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

test: check
	$(BIN)/python -m pytest

bench: setup
	$(BIN)/python -m tests.bench

# pytest ends with 5 when nothing is marked soak.
soak: setup
	$(BIN)/python -m pytest -m soak || [ $$? -eq 5 ]
