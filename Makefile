# make demo | test | quick | lowest | dist | installed | docs | bench | slowdown | soak | kills |
# faults | audit: each sets up what it needs, on a machine with nothing but Python 3.11.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check -q
# The papers run again: a distribution of its own, which itemcurve finds by entry points.
STUDIES := packages/itemcurve-studies

# Published reference values and real data sets are not part of the project. Where the folder
# exists, tests read it through this one setting; where not, they skip and say so.
ifneq ($(wildcard ../shared),)
export ITEMCURVE_DATA ?= $(abspath ../shared)
endif
# Two BLAS threads fighting over small matrices are slower than one; xdist supplies the parallelism.
TEST_ENV := OPENBLAS_NUM_THREADS=1 XLA_FLAGS=--xla_cpu_multi_thread_eigen=false

# itemcurve itself and what else of this repository is published.
DISTRIBUTIONS := . $(wildcard packages/*)
LOWEST := .venv-lowest/bin

.PHONY: demo test quick lowest lint dist installed docs bench slowdown soak kills faults audit clean

demo: $(VENV)/core.stamp
	$(BIN)/itemcurve evaluate breast_cancer --flip-labels 0.2 --out demo/run
	$(BIN)/itemcurve report demo/run

test: lint
	.ci/browser
	.ci/node
	.ci/postgres
	$(TEST_ENV) $(BIN)/python -m pytest -n 2 --dist worksteal

quick: $(VENV)/dev.stamp
	$(TEST_ENV) $(BIN)/python -m pytest -n 2 --dist worksteal -m "not slow"

# The fast tests with the oldest release of every dependency that pyproject.toml allows. What is
# deprecated since then warns: that is no fault of ours.
lowest:
	$(PYTHON) -m venv --clear .venv-lowest
	$(LOWEST)/python -m pip --disable-pip-version-check -q install uv
	$(LOWEST)/uv pip install -q --python $(LOWEST)/python --resolution lowest-direct \
		-e ".[all]" $(patsubst %,-e %,$(wildcard packages/*))
	$(LOWEST)/uv pip install -q --python $(LOWEST)/python --group test
	$(TEST_ENV) $(LOWEST)/python -m pytest -n 2 --dist worksteal -m "not slow" \
		-W default::DeprecationWarning -W default::FutureWarning

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/deptry src
	$(BIN)/deptry $(STUDIES)/src --config $(STUDIES)/pyproject.toml

dist: | $(VENV)/bin/python
	rm -rf dist
	$(PIP) install build
	for folder in $(DISTRIBUTIONS); do $(BIN)/python -m build --outdir dist $$folder || exit 1; done

# What a user gets: each of the two archives in an environment of its own, which runs the demo.
installed: dist
	for archive in dist/itemcurve-*.whl dist/itemcurve-*.tar.gz; do \
		rm -rf build/bare build/demo && $(PYTHON) -m venv build/bare && \
		build/bare/bin/python -m pip --disable-pip-version-check -q install $$archive && \
		(cd build && \
			bare/bin/itemcurve evaluate breast_cancer --flip-labels 0.2 --out demo/run && \
			bare/bin/itemcurve report demo/run) || exit 1; \
	done

docs: $(VENV)/dev.stamp
	$(BIN)/python docs/site/build.py

bench: $(VENV)/bench.stamp
	$(BIN)/python -m benchmarks.run

# The service under load for half an hour; kills of it and its database; known faults of dependencies.
soak: $(VENV)/dev.stamp
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.service.soak

kills: $(VENV)/dev.stamp
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.service.kills

# Damaged tables, crashes while writing, odd numbers: no traceback, nothing silent, no end.
faults: $(VENV)/dev.stamp
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.faults.run --log build/faults.jsonl

audit: $(VENV)/dev.stamp
	$(PIP) install pip-audit
	@mkdir -p build
	$(PIP) freeze --exclude-editable > build/installed.txt
	$(BIN)/pip-audit --strict --no-deps --disable-pip -r build/installed.txt

# Fails where a fit takes 1.5 times as long as benchmarks/results/sizes.json says, by a fixed yardstick.
slowdown: $(VENV)/dev.stamp
	OPENBLAS_NUM_THREADS=1 $(BIN)/python -m benchmarks.sizes

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)
	$(PIP) install -U "pip>=25.1"

$(VENV)/core.stamp: pyproject.toml | $(VENV)/bin/python
	$(PIP) install -e .
	@touch $@

$(VENV)/dev.stamp: pyproject.toml $(STUDIES)/pyproject.toml | $(VENV)/bin/python
	$(PIP) install -e ".[all]" -e $(STUDIES) --group dev
	@touch $@ $(VENV)/core.stamp

$(VENV)/bench.stamp: benchmarks/requirements.txt $(VENV)/dev.stamp
	$(PIP) install -r benchmarks/requirements.txt
	@touch $@

clean:
	rm -rf $(VENV) .venv-lowest build demo dist site .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
