# Needs python3 (3.11 to 3.14) and make; everything else is installed into .venv.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
CHART ?= results/runs/truc-opening.png
PYTEST_ARGS ?= -n 2
MATCHES ?= trut trut-gatine truc-lanes truc
MATCH_TARGET ?= 0.0005

.PHONY: help solve install test lint dist docs rule-effects results findings judges benchmarks clean
.DELETE_ON_ERROR:

help:
	@echo "make solve   install into $(VENV), solve Truc at 0-0, print the opening table, draw a chart"
	@echo "make test    install the test tools and run the whole suite"
	@echo "make lint    ruff, mypy and the import contracts"
	@echo "make dist    build wheel and sdist, then try the wheel in a fresh environment"
	@echo "make docs    write the generated pages of docs/"
	@echo "make judges  install Gambit and OpenSpiel and let them judge exported games"
	@echo "make benchmarks  time this project and other programs on the same exported games"
	@echo "make rule-effects   solve every variant of Trut and write what each rule changes"
	@echo "make findings   refresh the figures and charts of docs/findings.md from the book"
	@echo "make results   solve the whole matches and bind the book that ships; hours, goes on where it was stopped"

solve: $(VENV)/.installed
	$(BIN)/truc-solve solve truc
	$(BIN)/truc-solve table truc
	@mkdir -p $(dir $(CHART))
	$(BIN)/truc-solve chart truc --kind strategy --out $(CHART)
	@echo "The chart lies in $(CHART)"

install: $(VENV)/.installed

test: $(VENV)/.tested-with
	$(BIN)/python -m pytest $(PYTEST_ARGS)

lint: $(VENV)/.tested-with
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The wheel is built from the sdist, so a file the sdist lacks is missed here.
dist: $(VENV)/.tested-with
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	@set -eu; there=$$(mktemp -d); trap 'rm -rf "$$there"' EXIT; \
	echo "Trying the wheel outside the checkout"; \
	$(PYTHON) -m venv "$$there/venv"; \
	"$$there/venv/bin/python" -m pip --disable-pip-version-check install --quiet \
	    --constraint constraints.txt dist/*.whl; \
	cd "$$there"; set -x; \
	venv/bin/truc-solve doctor; \
	venv/bin/truc-solve solve truc --set ranks=3 --set ladder=1,2 --set remainder=off \
	    --max-iterations 200 --target 0.01 --out reduced; \
	venv/bin/truc-solve verify reduced; \
	venv/bin/truc-solve query trut --hand "7 8 A"; \
	venv/bin/truc-solve explore reduced --out reduced.html

docs: $(VENV)/.installed
	$(BIN)/python -m cli.reference docs/cli.md

rule-effects: $(VENV)/.installed
	$(BIN)/python -m solver.report.rule_effects docs/what-each-rule-changes.md

findings: $(VENV)/.installed
	$(BIN)/python -m solver.report.findings docs/findings.md
	@mkdir -p docs/charts
	$(BIN)/truc-solve chart truc --kind equity --out docs/charts/truc-equity.png
	$(BIN)/truc-solve chart trut --kind equity --out docs/charts/trut-equity.png
	$(BIN)/truc-solve chart truc --kind strategy --unit match --out docs/charts/truc-opening.png
	$(BIN)/truc-solve chart truc --kind fold --unit match --out docs/charts/truc-fold.png
	$(BIN)/truc-solve chart trut --kind trut --unit match --history K --out docs/charts/trut-after-king.png

# A match that is finished is not solved again: match.json and the states in results/runs say what there is.
results: $(VENV)/.installed
	@set -eu; for rules in $(MATCHES); do \
	    folder=results/runs/$$rules-match; resume=; \
	    if [ -f $$folder/match.json ]; then resume=--resume; fi; \
	    $(BIN)/truc-solve match $$rules --target $(MATCH_TARGET) --out $$folder $$resume; \
	    $(BIN)/truc-solve verify $$folder; \
	    $(BIN)/python -m solver.book.binding $$folder results/book; \
	done

# Gambit and OpenSpiel on exported games; the ordinary tests compare with what they found before.
judges: $(VENV)/.judged-with
	$(BIN)/python -m pytest -n 0 tests/exchange/test_other_programs.py

benchmarks: $(VENV)/.judged-with
	$(BIN)/python -m benchmarks.run $(BENCHMARKS)

clean:
	rm -rf dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) install --quiet --constraint constraints.txt --editable .
	@touch $@

$(VENV)/.tested-with: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) install --quiet --constraint constraints.txt --editable ".[test,lint]"
	@touch $@ $(VENV)/.installed

$(VENV)/.judged-with: $(VENV)/.tested-with
	$(PIP) install --quiet --constraint constraints.txt --only-binary :all: --editable ".[test,judges,benchmarks]"
	@touch $@
