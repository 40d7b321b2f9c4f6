# netfold's commands. `make help` lists them; README explains the first two.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
# Cargo and pytest use all cores by themselves.
.NOTPARALLEL:

VENV := .venv
BIN := $(VENV)/bin
export CARGO_TARGET_DIR ?= $(CURDIR)/target
# One interpreter for all builds of the extension: another one would mean building it again.
export PYO3_PYTHON := $(CURDIR)/$(BIN)/python
# Four workers share the machine's cores; a thread pool in each of them only gets in the way.
export OMP_NUM_THREADS ?= 1

# Seconds for which the fuzz targets run, and the losses in percent under which the tests of that
# name run.
FUZZ_SECONDS ?= 4
SOAK_FUZZ_SECONDS ?= 120
LOSS_PERCENT ?= 1

# What `make soak` draws scenarios from, beyond those of `make test`. A thousand take about four
# seconds of a core.
SOAK_SEEDS ?= 500..200000

# The seeds of `make soak`'s clusters, other than those of `make test`. A thousand take about a
# second of a core.
SOAK_SWARMS ?= 4000..600000

# Operations for each unit in gates: of `make hdl`, and of `make test`.
HDL_OPERATIONS ?= 1000000
HDL_TEST_OPERATIONS ?= 5000
# Faults of each unit that `make test` has its bench find; `make hdl` has all.
HDL_TEST_FAULTS ?= 3

# Where `make figures` puts what it finds: the results of record, unless told otherwise.
FIGURES := crates/sim/results

# PyTorch: `pinned` installs the version of requirements.txt, about 3 GB; `installed` takes that of
# the interpreter that PYTHON names (2.14 or later), and installs the rest beside it.
TORCH ?= pinned

# Python tests wait much for processes and time-outs: as many run at a time as there are cores.
# `nproc` alone would follow OMP_NUM_THREADS.
PYTEST := -m pytest --numprocesses $$(nproc --all) --dist worksteal

# What `make bench` measures: a file of bench/plans.
PLAN ?= quick

# The package, and the command beside it, as users get them; and both as the tests build them: what
# is installed is one of the two.
PACKAGE := $(VENV)/.package
BUILT := $(VENV)/.built
TESTED := $(VENV)/.built-for-tests
RUNTIME := $(VENV)/.requirements
DEVELOPMENT := $(VENV)/.requirements-dev
PEERS := $(VENV)/.requirements-bench
SPARK := $(VENV)/.requirements-spark
RUST := Cargo.toml Cargo.lock $(shell find crates glm sparse mpi -name '*.rs' -o -name Cargo.toml)

step = @scripts/step.sh "$(1)"

.PHONY: help
help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

# ---- the two commands, and what they build on

.PHONY: run
run: $(PACKAGE) ## train a model over netfold and over Gloo, and compare
	$(call step,Training over netfold and over Gloo)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python examples/run.py

.PHONY: glm-demo
glm-demo: build ## train linear models on a corpus of mail, with 1, 2 and 4 workers and 32 to 2 bits, beside scikit-learn
	$(call step,Linear models of spam)
	$(BIN)/python -m examples.glm_demo

.PHONY: sparse-demo
sparse-demo: build ## train a recommender on MovieLens and click models: hot rows in the switch, a server alone, dense all-reduces
	$(call step,Sparse models)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python examples/sparse_demo.py

.PHONY: test
test: begin doctor $(BIN)/python ## everything that CI runs (30 minutes on 2 cores from a clean clone, with the downloads)
	@scripts/test.sh
	$(call step,All tests passed)
	@scripts/step.sh --table

.PHONY: begin
begin:
	@scripts/step.sh --begin

.PHONY: bench
bench: build ## netfold and its peers side by side (PLAN=quick, loopback, latency, rack, slow, hosts, loss, arithmetic, sharing, kernels)
	@scripts/bench-peers.sh
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m bench $(PLAN)

.PHONY: bench-glm
bench-glm: build $(PEERS) ## linear models and their peers: time to an accuracy, and P4SGD's figures; 18 minutes
	@scripts/bench-peers.sh
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m bench.glm
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m bench.p4sgd

.PHONY: figures
figures: ## the papers' figures by simulation, into FIGURES: minutes
	cargo run --locked --release --package netfold-cli -- sim plan crates/sim/plans/*.toml --out $(FIGURES)

.PHONY: evidence
evidence: build $(PEERS) $(DEVELOPMENT) ## the figures of docs/evidence.md once more: 70 minutes on two cores, two hours at most; goes on where it was interrupted
	@scripts/bench-peers.sh
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m bench.evidence run

.PHONY: hdl
hdl: doctor ## units in gates (FPISA's, ACiS's): HDL_OPERATIONS random operations for each, and their sizes into hdl/README.md
	$(call step,Units in gates beside the arithmetic)
	scripts/hdl.sh simulate --operations $(HDL_OPERATIONS)
	$(call step,Sizes of the units)
	scripts/hdl.sh size --write

.PHONY: build
build: $(BUILT) ## set up .venv, build the Python package and the netfold command into it

.PHONY: query
query: $(BIN)/python ## build `netfold query` and install it into .venv; DataFusion takes many minutes
	$(call step,Building netfold query (release))
	cargo build --locked --release --manifest-path query/engine/Cargo.toml --target-dir "$$CARGO_TARGET_DIR/query"
	install -m 755 "$$CARGO_TARGET_DIR/query/release/netfold-query" $(BIN)/netfold-query

.PHONY: spark
spark: $(SPARK) ## build the jar for Spark 4 into target/spark; needs Java 17
	$(call step,The jar for Spark)
	@status=0; scripts/spark.sh $(BIN)/python release || status=$$?; [ $$status -eq 77 ] || exit $$status

.PHONY: doctor
doctor: ## check the tools; as root on Debian or Ubuntu, install what is missing
	@scripts/doctor.sh

# The virtual environment: made once, and filled again when the requirements change.
$(BIN)/python: | doctor
	$(call step,Virtual environment in $(VENV))
	"$$(scripts/find-python.sh)" -m venv $(if $(filter installed,$(TORCH)),--system-site-packages) $(VENV)

$(RUNTIME): requirements.txt | $(BIN)/python
	$(call step,Python packages$(if $(filter pinned,$(TORCH)), (the first time about 3 GB)))
	scripts/requirements.sh $(TORCH) $(BIN)/python
	@touch $@

$(DEVELOPMENT): requirements-dev.txt $(RUNTIME)
	$(BIN)/python -m pip install --disable-pip-version-check --quiet -r requirements-dev.txt
	@touch $@

$(PEERS): requirements-bench.txt $(RUNTIME)
	$(BIN)/python -m pip install --disable-pip-version-check --quiet -r requirements-bench.txt
	@touch $@

$(SPARK): requirements-spark.txt | $(BIN)/python
	$(BIN)/python -m pip install --disable-pip-version-check --quiet -r requirements-spark.txt
	@touch $@

$(PACKAGE): $(RUST) pyproject.toml $(RUNTIME)
	$(call step,Building the Python package (release))
	VIRTUAL_ENV="$(CURDIR)/$(VENV)" $(BIN)/maturin develop --locked --release
	@rm -f $(TESTED)
	@touch $@

$(BUILT): $(PACKAGE)
	$(call step,Building the command netfold (release))
	cargo build --locked --release --package netfold-cli --package netfold-mpi-fused --package netfold-mpi-preload
	install -m 755 "$$CARGO_TARGET_DIR/release/netfold" $(BIN)/netfold
	install -m 755 "$$CARGO_TARGET_DIR/release/libnetfold_fused.so" $(VENV)/lib
	install -m 755 "$$CARGO_TARGET_DIR/release/libnetfold_mpi.so" $(VENV)/lib
	@touch $@

# With the profile and the features of the Rust tests, so that little is left to compile after them.
$(TESTED): $(RUST) pyproject.toml $(RUNTIME)
	$(call step,Building netfold (as its Rust tests are))
	cargo build --locked --package netfold-cli --package netfold-mpi-fused --package netfold-mpi-preload
	VIRTUAL_ENV="$(CURDIR)/$(VENV)" $(BIN)/maturin develop --locked
	install -m 755 "$$CARGO_TARGET_DIR/debug/netfold" $(BIN)/netfold
	install -m 755 "$$CARGO_TARGET_DIR/debug/libnetfold_fused.so" $(VENV)/lib
	install -m 755 "$$CARGO_TARGET_DIR/debug/libnetfold_mpi.so" $(VENV)/lib
	@rm -f $(PACKAGE) $(BUILT)
	@touch $@

# ---- the parts of `make test`, which scripts/test.sh puts in an order

.PHONY: packages
packages: $(DEVELOPMENT)
	@scripts/step.sh --end

.PHONY: checks
checks: test-generated lint test-doc test-hdl test-fuzz ## all that only computes: no test in it waits for others
	@scripts/step.sh --end

.PHONY: test-generated
test-generated: ## generated code is what spec/wire.toml says
	$(call step,Generated code)
	cargo xtask codegen --check

.PHONY: lint
lint: $(DEVELOPMENT) ## format, clippy, layer law, documentation, ruff, types of Python
	$(call step,Format and rules)
	cargo fmt --all --check
	cargo fmt --manifest-path fuzz/Cargo.toml --check
	cargo xtask tidy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(call step,Clippy)
	cargo clippy --locked --workspace --all-targets --quiet -- --deny warnings
	if command -v mpicc.openmpi >/dev/null; then cargo clippy --locked --package netfold-bench-sgd --features openmpi --quiet -- --deny warnings; fi
	cargo clippy --locked --manifest-path fuzz/Cargo.toml --quiet -- --deny warnings
	$(call step,Clippy without operations of users, and without the compiler that they need)
	cargo clippy --locked --package netfold-cli --package netfold-py --no-default-features --quiet -- --deny warnings
	! cargo tree --locked --package netfold-cli --package netfold-py --no-default-features --edges normal | grep --fixed-strings 'wasmtime v'
	$(call step,Documentation)
	RUSTDOCFLAGS="--deny warnings" cargo doc --locked --workspace --no-deps --quiet

.PHONY: test-rust
test-rust: build-rust-tests run-rust-tests test-doc ## unit, property, conformance and documentation tests

.PHONY: build-rust-tests
build-rust-tests: | $(BIN)/python
	$(call step,Building the Rust tests)
	cargo build --locked --quiet --package netfold-mpi-preload
	"$$(scripts/find-python.sh)" scripts/rust_tests.py build

.PHONY: run-rust-tests
run-rust-tests:
	$(call step,Rust tests)
	"$$(scripts/find-python.sh)" scripts/rust_tests.py run

.PHONY: test-doc
test-doc:
	$(call step,Tests in the documentation)
	cargo test --locked --quiet --doc

.PHONY: test-hdl
test-hdl: ## the units in gates, HDL_TEST_OPERATIONS and HDL_TEST_FAULTS for each, and the table of FPISA's sizes
	$(call step,Units in gates)
	@status=0; { scripts/hdl.sh simulate --operations $(HDL_TEST_OPERATIONS) --faults $(HDL_TEST_FAULTS) && scripts/hdl.sh size --short; } || status=$$?; \
	if [ $$status -eq 77 ]; then echo "skipped: units in gates are not simulated, and not sized, without Verilator and Yosys"; exit 0; fi; \
	exit $$status

.PHONY: test-fuzz
test-fuzz: ## the parsers, the switch, its tables and queries, the workers and the checks of operations on hostile bytes, each for FUZZ_SECONDS
	$(call step,Fuzzing $(FUZZ_SECONDS) s for each target)
	printf '%s\n' message operation packet query shard stream table | xargs -P $$(nproc --all) -I TARGET scripts/fuzz.sh TARGET $(FUZZ_SECONDS)

.PHONY: built-for-tests
built-for-tests: $(TESTED)

.PHONY: test-python
test-python: $(TESTED) $(DEVELOPMENT) ## the Python package, with several processes on loopback
	$(call step,Python tests)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python $(PYTEST) tests/python tests/bench tests/lab
	$(call step,Python tests of failures over UDP)
	NETFOLD_TRANSPORT=udp PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python $(PYTEST) tests/python/test_faults.py tests/python/test_torch_faults.py

.PHONY: test-loss
test-loss: $(TESTED) $(DEVELOPMENT) ## the Python tests marked `loss`, on a network that loses packets
	$(call step,Python tests with $(LOSS_PERCENT) % of all datagrams lost)
	@status=0; GLOO_SOCKET_IFNAME=lo NETFOLD_TRANSPORT=udp PATH="$(CURDIR)/$(BIN):$$PATH" scripts/lossy.sh $(LOSS_PERCENT) $(BIN)/python $(PYTEST) -m loss tests/python || status=$$?; \
	if [ $$status -eq 77 ]; then echo "skipped: this machine cannot lose packets on purpose; the Rust tests do so in process"; exit 0; fi; \
	exit $$status

.PHONY: test-query
test-query: ## format, clippy and tests of `netfold query`, for the seeds NETFOLD_SEEDS; not a part of `make test`, since DataFusion takes long to build
	$(call step,Queries)
	cargo fmt --manifest-path query/engine/Cargo.toml --check
	cargo clippy --locked --manifest-path query/engine/Cargo.toml --target-dir "$$CARGO_TARGET_DIR/query" --all-targets --quiet -- --deny warnings
	cargo test --locked --quiet --manifest-path query/engine/Cargo.toml --target-dir "$$CARGO_TARGET_DIR/query"

.PHONY: test-spark
test-spark: $(SPARK) $(DEVELOPMENT) ## queries of Spark through the switch, for the seeds NETFOLD_SEEDS, and NETFOLD_SPARK_KILLS executors killed; `make test` has a half of it where Spark is installed (0.5 GB)
	$(call step,Queries of Spark)
	cargo test --locked --quiet --package netfold-spark
	@$(call spark-tests,)

.PHONY: test-spark-short
test-spark-short: $(DEVELOPMENT)
	$(call step,Queries of Spark)
	@$(call spark-tests,-m "not long")

# $(1): options of pytest.
spark-tests = status=0; scripts/spark.sh $(BIN)/python debug || status=$$?; if [ $$status -eq 77 ]; then exit 0; fi; [ $$status -eq 0 ] || exit $$status; \
	NETFOLD_SPARK_JAR="$$CARGO_TARGET_DIR/spark/debug/netfold-spark.jar" $(BIN)/python -m pytest --timeout 300 $(1) tests/spark

.PHONY: soak
soak: $(TESTED) $(DEVELOPMENT) ## the exhaustive search in larger sizes, larger jobs, more fault scenarios (SOAK_SEEDS) and swarms (SOAK_SWARMS), longer fuzzing, all of PyTorch's suite: about an hour
	$(call step,All states of larger jobs)
	cargo test --locked --release --package netfold-model --test exhaustive --test tables --test queries -- --ignored --nocapture --test-threads 1
	$(call step,Jobs as large as they can be)
	cargo test --locked --release --package netfold-management --package netfold-net largest -- --ignored
	$(call step,Fault scenarios from the seeds $(SOAK_SEEDS))
	NETFOLD_SEEDS=$(SOAK_SEEDS) cargo test --locked --release --package netfold-conformance --test suite -- scenarios acked
	$(call step,Swarms from the seeds $(SOAK_SWARMS))
	NETFOLD_SEEDS=$(SOAK_SWARMS) cargo test --locked --release --package netfold-conformance --test suite swarm
	$(MAKE) test-fuzz FUZZ_SECONDS=$(SOAK_FUZZ_SECONDS)
	$(call step,Fuzzing operations that are compiled and run)
	scripts/fuzz.sh operation $(SOAK_FUZZ_SECONDS) run
	$(call step,Collectives of MPI programs that are longer than an int counts)
	cargo build --locked --release --package netfold-mpi-preload
	cargo test --locked --release --package netfold-mpi-preload -- --ignored
	$(call step,All pairs of calls that differ)
	NETFOLD_PAIRS=all cargo test --locked --release --package netfold-net --test suite mismatch
	NETFOLD_SEEDS=0..200 $(MAKE) test-query
	NETFOLD_SEEDS=0..20 NETFOLD_SPARK_KILLS=50 $(MAKE) test-spark
	$(call step,PyTorch's own suite with Gloo and with netfold)
	TORCH_SUITE=all PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m pytest \
		--log-cli-level INFO tests/python/test_torch_suite.py

.PHONY: format
format: $(DEVELOPMENT) ## format all code, make the generated code anew
	cargo xtask codegen
	cargo fmt --all
	cargo fmt --manifest-path fuzz/Cargo.toml
	cargo fmt --manifest-path query/engine/Cargo.toml
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

.PHONY: clean
clean: ## remove what was built, and the virtual environment
	cargo clean
	rm -rf $(VENV) out python/netfold/_native*.so
