# `make play` and `make test` do all their own set-up; both are quick the second time.
.DEFAULT_GOAL := play
ifndef PYTHON
PYTHON := $(shell for p in python3.13 python3.12 python3.11 python3; do \
	$$p -IS -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
endif
BIN = .venv/bin
NODE_MODULES = web/node_modules/.package-lock.json

.PHONY: help play build web wheels test quick test-slow docs attack sanitize lint format stub benchmark clean

help:
	@echo "make play       install, start the web app and open it; the same as make alone"
	@echo "make build      install the package as it is now"
	@echo "make test       run the tests"
	@echo "make quick      run those that take a moment: after every change"
	@echo "make test-slow  run those that take minutes"
	@echo "make attack     search for crashes, tracebacks and silent errors with random abuse; an hour"
	@echo "make sanitize   run the search and the attack under the sanitizers"
	@echo "make web        build the front end after a change in web/"
	@echo "make docs       build the documentation into build/site and check its links"
	@echo "make wheels     build the source archive and the wheels of a release into dist, and try them"
	@echo "make lint, format, stub, benchmark, clean"

play:
	@$(if $(PYTHON),,$(error Python 3.11 or newer is needed))$(PYTHON) scripts/environment.py web
	@$(BIN)/fogtree serve

# Installs the package as it is now; the core is compiled again only where C++ has changed.
build:
	@$(if $(PYTHON),,$(error Python 3.11 or newer is needed))$(PYTHON) scripts/environment.py plot web dev

test: $(NODE_MODULES)
	@$(if $(PYTHON),,$(error Python 3.11 or newer is needed))$(PYTHON) scripts/environment.py plot web dev
	@$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

# Without the tests that take most of the time: pages in a browser, kills, the attack, other engines.
quick:
	@$(if $(PYTHON),,$(error Python 3.11 or newer is needed))$(PYTHON) scripts/environment.py plot web dev
	@$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder -m "not slow and not long" --failed-first

# What the front end is built with, and axe-core, which checks its pages. Tests that need it are
# skipped where Node is missing or the packages cannot be had.
$(NODE_MODULES): web/package-lock.json
	@! command -v npm > /dev/null || { cd web && npm ci --silent --no-audit --no-fund; } || \
	  echo "WARNING: npm ci failed in web/: the tests with axe-core are skipped" >&2

# The tests that take minutes: 100,000 positions against other engines, thousands of games, the
# largest trees, and combinations of which every run has some.
test-slow:
	@$(PYTHON) scripts/environment.py plot web dev
	@$(BIN)/python -m pytest -m slow

# Random command lines, damaged files, broken games, abuses of the interface, fog pairs and kills.
# Counts and findings are kept in build/attack, and the next call goes on from there.
# ATTACK="--seconds 600" bounds it; a part's name runs that part alone.
attack:
	@$(PYTHON) scripts/environment.py plot web dev
	@$(BIN)/python tests/attack/run.py $(ATTACK)

# Search with threads under ThreadSanitizer, then under AddressSanitizer and UBSan; then an hour of
# the attack under those two, or as ATTACK says.
CHECKED = sanitize-address,undefined
sanitize:
	@$(PYTHON) scripts/environment.py plot web dev
	@$(BIN)/python -m pip install --quiet cmake ninja nanobind
	@for kind in thread address,undefined; do \
	  $(BIN)/cmake -G Ninja -S . -B build/sanitize-$$kind -DFOGTREE_SANITIZE=$$kind \
	    -DFOGTREE_NATIVE_TESTS=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo \
	    -DCMAKE_MAKE_PROGRAM=$$PWD/$(BIN)/ninja \
	    -DPython_EXECUTABLE=$$PWD/$(BIN)/python >/dev/null && \
	  $(BIN)/cmake --build build/sanitize-$$kind --target search_stress && \
	  echo "$$kind:" && build/sanitize-$$kind/tests/native/search_stress 2 60 40 2 && \
	  build/sanitize-$$kind/tests/native/search_stress 1 60 40 0 && \
	  build/sanitize-$$kind/tests/native/search_stress 1 10 500 2 3 || exit 1; \
	done
	@$(BIN)/cmake --build build/$(CHECKED) --target _core
	@rm -rf build/checked && mkdir -p build/checked && cp -r src/fogtree build/checked/
	@cp build/$(CHECKED)/core/bindings/_core*.so build/checked/fogtree/
	@LD_PRELOAD="$$(c++ -print-file-name=libasan.so) $$(c++ -print-file-name=libstdc++.so)" \
	  ASAN_OPTIONS=detect_leaks=0 PYTHONPATH=build/checked \
	  $(BIN)/python tests/attack/run.py --folder build/attack-checked \
	  $(or $(ATTACK),--seconds 3600)

lint:
	@$(PYTHON) scripts/environment.py plot web dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/clang-format --dry-run --Werror $$(git ls-files '*.cpp' '*.hpp')
	@$(BIN)/python scripts/check_front_end.py
	@$(BIN)/zizmor --offline --quiet .github

# Builds the front end into the package; needs Node.
web: $(NODE_MODULES)
	@cd web && npx tsc --noEmit && node build.mjs

# Builds the documentation site from docs/ and the docstrings; a broken link is a failure. The core is
# not compiled for it.
docs:
	@$(if $(PYTHON),,$(error Python 3.11 or newer is needed))$(PYTHON) scripts/environment.py --only docs
	@rm -rf build/site && $(BIN)/python scripts/build_site.py
	@$(BIN)/python scripts/check_site.py build/site

# Needs Linux with Python 3.11 and 3.12; compiles the core four times, minutes each.
wheels:
	@$(if $(PYTHON),,$(error Python 3.11 or newer is needed))$(PYTHON) scripts/wheels.py $(WHEELS)

format:
	@$(BIN)/ruff check --fix . && $(BIN)/ruff format .
	@$(BIN)/clang-format -i $$(git ls-files '*.cpp' '*.hpp')

stub:
	@$(BIN)/python -m nanobind.stubgen -q -m fogtree._core -o src/fogtree/_core.pyi

benchmark:
	@$(PYTHON) scripts/environment.py plot
	@$(BIN)/python benchmarks/tabular.py

clean:
	rm -rf .venv build .benchmark-env
