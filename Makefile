# druidai: everything from a fresh clone. `make run` and `make test` do all the set-up they need,
# inside .venv only.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CPP := $(shell find src/core tests/search bench/peers -name '*.cpp' -o -name '*.h')
PY := src/druidai cli tests bench examples setup.py

.PHONY: run build test lint bench bench-peers strength bench-arena callgrind sanitize soak soak-arena clean

run: build
	$(BIN)/druidai demo examples/positions

build: $(VENV)/.installed
	$(BIN)/python setup.py -q build_ext --inplace

test: build
	$(BIN)/python -m pytest -n 2 --dist worksteal

lint: build
	$(BIN)/clang-format --dry-run --Werror $(CPP)
	$(BIN)/ruff format --check $(PY)
	$(BIN)/ruff check $(PY)
	$(BIN)/mypy
	$(BIN)/mypy tests bench examples
	$(BIN)/python -m mypy.stubtest druidai._core

bench: build
	$(BIN)/python bench/core.py
	$(BIN)/python bench/search.py --json build/bench-search.json
	$(BIN)/python -m pytest -q -p no:xdist bench/test_python_search.py --benchmark-columns=min,median,ops
	$(BIN)/python bench/engine.py

# Beside OpenSpiel, which is installed into build/peers-venv.
bench-peers: build
	$(BIN)/python bench/peers.py --json build/bench-peers.json

# Matches between the searchers: about half an hour on two cores.
strength: build
	$(BIN)/python bench/strength.py --json build/strength.json

bench-arena: build
	$(BIN)/python bench/arena.py

# Instructions for each decision: stable where seconds are not. Needs valgrind.
callgrind: build
	$(BIN)/python bench/callgrind.py

# ASan and UBSan over the tests of rules and searchers, in a tree of its own.
sanitize: $(VENV)/.installed
	$(BIN)/python bench/sanitize.py

# Long comparison with the references, and new examples for all property tests.
soak: build
	DRUIDAI_SOAK=20 $(BIN)/python -m pytest -n 2 --dist worksteal tests/rules tests/conformance tests/api tests/positions tests/protocol

# 10,000 games, killed at ten random moments.
soak-arena: build
	$(BIN)/python bench/soak_arena.py

$(VENV)/.installed: pyproject.toml
	@echo "Setting up $(VENV) and compiling. This takes two or three minutes, and only the first time."
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet "setuptools>=77" wheel "pybind11>=2.13" "cython>=3.1"
	DRUIDAI_PYTHON=1 $(BIN)/python -m pip install --quiet --no-build-isolation --editable '.[dev]'
	touch $@

clean:
	rm -rf build dist src/*.egg-info src/druidai/*.so src/druidai/search/*.so
