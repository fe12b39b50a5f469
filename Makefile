# `make demo` and `make test` need only make and Python 3.11 or newer; everything else goes into .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DRIVEN := $(VENV)/.driven

# Ruff walks no links by itself; named through them, each module is known by the name it is imported by.
CODE := docs/conf.py docs/reference.py docs/signatures.py tests src/affray src/affray/engine src/affray/events src/affray/tools

# The program and its tests start hundreds of times; each module is compiled once, whatever the surroundings prefer.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo docs test tested thorough mutants coverage lint format hooks release bench clean

help:
	@echo "make demo    play an encounter and replay its record"
	@echo "make test    lint, types, layers and all tests"
	@echo "make thorough  what takes hours: 200,000 mutated and forged logs audited, a million random commands, 500,000 fights, twins"
	@echo "make mutants  plants faults into the code: WHERE=engine/rulesets/wyrd N=200 SEED=1"
	@echo "make coverage  which branches of engine/ and events/ no test takes"
	@echo "make lint    the same without the tests"
	@echo "make format  put the code into its usual form"
	@echo "make hooks   let each commit check the form and lint of what is staged"
	@echo "make release  check version and licences, build twice, write dist/"
	@echo "make bench   measure this machine"
	@echo "make docs    build the documentation site: build/site/index.html"
	@echo "make clean   remove the environment, builds and caches"

# The lock holds every package with its hashes; the project itself then installs without fetching anything.
$(READY): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Affray needs Python 3.11 or newer; name one with: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv --clear $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-index --no-deps --no-build-isolation -e .
	@touch $@

demo: $(READY)
	@$(BIN)/affray demo

# Three at once: on a small machine with two cores one of them often waits for a server or a browser. A file stays
# together with what its tests share.
JOBS ?= 3

# Beside each other, for what the tests leave idle is enough for the lint.
test: $(READY)
	@$(MAKE) --no-print-directory --jobs 2 lint tested

tested: $(READY)
	$(BIN)/python -m pytest --numprocesses $(JOBS) --dist loadfile --no-loadscope-reorder

thorough: $(READY)
	AFFRAY_PROFILE=thorough $(BIN)/python -m pytest --numprocesses $(JOBS) --dist loadfile \
		tests/engine/odds tests/engine/test_amending.py tests/engine/test_explain.py tests/engine/test_leaks.py \
		tests/engine/test_legal.py tests/engine/test_refusals.py tests/engine/test_reopening.py \
		tests/engine/test_rulings.py tests/engine/test_undo.py \
		tests/metamorphic tests/page/test_access.py tests/page/test_book.py tests/page/test_firefox.py \
		tests/page/test_fought.py tests/page/test_proxies.py tests/rulesets/*/test_statistics.py tests/scalars \
		tests/serve/test_openapi.py tests/tampering
	$(BIN)/python -m tests.fuzz_audit --count 100000 --seed 77 --jobs 2
	$(BIN)/python -m tests.fuzz_audit --forged --count 100000 --seed 77 --jobs 2
	$(BIN)/python -m tests.fuzz_commands --commands 190000 --requests 50000
	$(BIN)/python -m tests.simulation --count 100000 --jobs 2
	$(BIN)/python -m tests.crowding
	$(BIN)/python -m tests.twins --pairs 10000

WHERE ?= engine
WITHOUT ?=
N ?= 200
SEED ?= 1

mutants: $(READY)
	$(BIN)/python -m tests.mutation $(WHERE) --without $(WITHOUT) --count $(N) --seed $(SEED) --jobs $(JOBS)

# Where the disk is full, what coverage keeps does not fit either.
coverage: $(READY)
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest --numprocesses $(JOBS) --dist loadfile -k "not full_disk"
	$(BIN)/coverage combine
	$(BIN)/coverage report --skip-covered

lint: $(READY) $(DRIVEN)
	$(BIN)/ruff check $(CODE)
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/mypy
	$(BIN)/lint-imports

# It types the whole engine anew, so it looks only where something has changed.
$(DRIVEN): $(READY) $(shell find engine events tests/lint_yield_from -name '*.py')
	$(BIN)/python -m tests.lint_yield_from src/affray/engine
	@touch $@

format: $(READY)
	-$(BIN)/ruff check --fix $(CODE)
	$(BIN)/ruff format $(CODE)

hooks: $(READY)
	git config core.hooksPath .githooks

# It builds the present commit, which must have the tag of the version.
release: $(READY)
	@$(BIN)/python -m tests.packaging.release

bench: $(READY)
	$(BIN)/affray bench

# A warning, such as a link that leads nowhere, is a fault.
docs: $(READY)
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going --fresh-env --conf-dir docs --builder html . build/site
	@echo "build/site/index.html"

clean:
	rm -rf $(VENV) build dist src/affray.egg-info .coverage .simulation_cache .hypothesis .import_linter_cache .mypy_cache .mutation_cache .pytest_cache .ruff_cache
	find docs engine events tools tests -name __pycache__ -type d -prune -exec rm -rf {} +
