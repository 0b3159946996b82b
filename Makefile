# `make help` lists what there is. Everything lives in .venv/ (packages), data/ (what players write)
# and build/ (what tests leave behind).

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PORT ?= 8000
export PORT

# A Python that is new enough; `make run PYTHON=/path/to/python` names another.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11 python; do \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$python" && break; done)
VENV := .venv
PY := $(VENV)/bin/python
AUDIT := build/audit
PIP := $(PY) -m pip install --disable-pip-version-check --no-input --quiet
# Tests run in one process more than there are cores (tests/conftest.py).
TOGETHER := -n auto --maxprocesses 4

.PHONY: help run test test-grown check format messages coverage mutants audit soak bench bench-growth gallery icons clean setup setup-dev

help: ## this list
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(firstword $(MAKEFILE_LIST))

run: setup ## serve the sheet to the phones around (PORT=8000)
	@$(PY) manage.py migrate --verbosity 0
	@$(PY) manage.py collectstatic --noinput --verbosity 0
	@exec $(PY) -m scoresheet.serve

test: setup-dev ## run every test, in a real browser too (ARGS="-k chalk" chooses)
	@$(PY) -m tests.browser.find --install
	@$(PY) -m pytest $(TOGETHER) $(ARGS)

test-grown: setup-dev ## run every test again, on a PostgreSQL and a Redis of its own
	@$(PY) -m tests.browser.find --install
	@$(PY) -m tests.grown -m pytest $(TOGETHER) $(ARGS)

check: setup-dev ## style, types, imports, templates, spelling, migrations
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(VENV)/bin/lint-imports
	@set -e; templates=$$(find templates -name '*.html'); if [ -n "$$templates" ]; then \
		echo "djade --check"; $(VENV)/bin/djade --target-version 5.2 --check $$templates; fi
	$(PY) -m codespell_lib
	DJANGO_SETTINGS_MODULE=tests.settings $(PY) manage.py check --fail-level WARNING
	DJANGO_SETTINGS_MODULE=tests.settings $(PY) manage.py makemigrations --check --dry-run

format: setup-dev ## put Python and templates into the usual shape
	$(PY) -m ruff check --fix --select I .
	$(PY) -m ruff format .
	@templates=$$(find templates -name '*.html'); if [ -n "$$templates" ]; then \
		$(VENV)/bin/djade --target-version 5.2 $$templates || true; fi

messages: setup-dev ## gather the texts to translate into locale/ (needs GNU gettext)
	@command -v xgettext >/dev/null || { echo "make messages needs GNU gettext: apt-get install gettext"; exit 1; }
	$(PY) manage.py makemessages --locale de --no-obsolete --add-location file --no-wrap \
		--ignore '.venv/*' --ignore 'build/*' --ignore 'data/*' --ignore 'mutants/*' --ignore 'static/vendor/*' --ignore 'tests/*'
	$(PY) -m scoresheet.messages

coverage: setup-dev ## run every test and say which lines none of them reached
	$(PY) -m pytest $(TOGETHER) --cov --cov-report term-missing $(ARGS)

mutants: setup-dev $(VENV)/.installed-mutants ## change the rules bit by bit and count what their tests notice (takes long)
	@rm -rf mutants
	@$(PY) -m tests.mutation $(ARGS)

audit: $(AUDIT)/.installed ## ask for known holes in every package that is pinned (needs a network)
	@$(AUDIT)/bin/pip-audit --strict --no-deps --disable-pip --progress-spinner off \
		-r requirements-mutants.txt -r requirements-audit.txt

soak: setup-dev ## let the power go 200 times while phones write, and a bad network play with four for long (SOAK=10)
	@$(PY) -m tests.browser.find --install
	@SOAK=$${SOAK:-10} $(PY) -m pytest $(TOGETHER) tests/soak tests/browser/test_soak.py tests/games/test_four_phones.py $(ARGS)

gallery: setup-dev ## pictures of all pages and states into build/gallery/ (ARGS="--quick pad" chooses)
	@$(PY) -m gallery $(ARGS)

icons: setup-dev ## draw the icons of home screens anew from static/icons/scoresheet.svg
	@$(PY) -m tests.browser.icons

bench: setup-dev ## measure what the design promises (ARGS="load page" chooses, --quick takes a look)
	@$(PY) -m tests.browser.find --install
	@$(PY) -m bench $(ARGS)

bench-growth: setup-dev ## measure full stores and two workers, on SQLite and on PostgreSQL with Redis (long; ARGS=--quick)
	@$(PY) -m bench growth workers $(ARGS)
	@$(PY) -m tests.grown --keeps -m bench growth workers $(ARGS)

clean: ## remove packages and leftovers; data/ stays
	rm -rf $(VENV) build mutants .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	find locale -name '*.mo' -delete 2>/dev/null || true

setup: $(VENV)/.installed
	@$(PY) -m scoresheet.messages

setup-dev: $(VENV)/.installed-dev
	@$(PY) -m scoresheet.messages

# The stamps say which requirements are installed, so that the next time is quick.
$(VENV)/.installed: requirements.txt
	@if [ -z "$(PYTHON)" ]; then \
		echo "Scoresheet needs Python 3.11 or newer, and none was found; name one with PYTHON=/path/to/python." >&2; exit 1; fi
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Scoresheet needs Python 3.11 or newer, and $(PYTHON) is not." >&2; exit 1; }
	@$(PY) -m pip --version >/dev/null 2>&1 || { echo "Making $(VENV)/ ..."; "$(PYTHON)" -m venv --clear $(VENV); } || { \
		echo "This Python cannot make a virtual environment; on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@echo "Installing packages ..."
	@$(PIP) -r requirements.txt
	@touch $@

$(VENV)/.installed-dev: requirements-dev.txt $(VENV)/.installed
	@echo "Installing packages for tests ..."
	@$(PIP) -r requirements-dev.txt
	@touch $@

# A place of its own: what looks at the packages is none of them.
$(AUDIT)/.installed: requirements-audit.txt
	@"$(PYTHON)" -m venv --clear $(AUDIT)
	@$(AUDIT)/bin/python -m pip install --disable-pip-version-check --no-input --quiet -r requirements-audit.txt
	@touch $@

$(VENV)/.installed-mutants: requirements-mutants.txt $(VENV)/.installed-dev
	@echo "Installing packages for mutants ..."
	@$(PIP) -r requirements-mutants.txt
	@touch $@
