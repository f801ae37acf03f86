# A thin front for meson. `make help` lists what there is.
#   BUILD       the folder to build into, as in `make test BUILD=build-mine`
#   MESON_ARGS  for meson setup, as in `make MESON_ARGS=--werror`
#   TEST_ARGS   for meson test, as in `make test TEST_ARGS=test_error`
#   EXAMPLES    for make docs, as in `make docs EXAMPLES='spinning_top papers/swing_8'`
BUILD ?= build
MESON_ARGS ?=
TEST_ARGS ?=
SANITIZE_ARGS = -Db_sanitize=address,undefined -Db_lundef=false -Doptimization=1

FUZZ_SECONDS ?= 3600
.PHONY: build setup tests test deb wheel test-packages tidy torture torture-threads flips fuzz-results modes-long demo docs bench bench-sizes format sanitize mutants install clean help
.DEFAULT_GOAL := build

help:
	@echo 'make            build the program, the library and the manual pages into build/; the program is build/torsor'
	@echo 'make tests      also build the tests and the benchmarks, without running them'
	@echo 'make test       build, run all tests'
	@echo 'make modes-long  build, compare the modes of 200 random mechanisms with dense eigenvalues (the tests have 40)'
	@echo 'make torture    build, test every kind of damage for some minutes: kills, full disks, damaged files, wrong models, rivals, threads'
	@echo 'make torture-threads  four threads at once under the thread sanitizer; needs clang'
	@echo 'make flips      build, flip each of the first 4096 bytes of a results file and 2000 others: is every damage reported? Takes half an hour'
	@echo 'make fuzz-results  libFuzzer on changed results files, for FUZZ_SECONDS (3600)'
	@echo 'make demo       build, run examples/spinning_top.yaml, make a report of it'
	@echo 'make docs       build, make the documentation site with a picture of every example: build/docs/html/index.html'
	@echo 'make bench      build, count the instructions of the benchmarks, print one table with ratios to bench/baseline.csv'
	@echo 'make bench-sizes  build, time the benchmarks of all sizes; takes minutes'
	@echo 'make mutants    make wrong changes in the library, one at a time: do the tests detect them? Some minutes'
	@echo 'make sanitize   build with address and undefined-behaviour sanitizers, run all tests'
	@echo 'make deb        make Debian packages: torsor, libtorsor0, libtorsor-dev, python3-torsor; build/deb'
	@echo 'make wheel      make a wheel of the Python module with its libraries and the program; build/wheel'
	@echo 'make test-packages  make both, try them and `make demo` on a fresh Debian (chroot; needs root)'
	@echo 'make tidy       check C files with clang-tidy'
	@echo 'make install    install program, library, header, pkg-config file and Python module; DESTDIR=folder'
	@echo 'make format     format all C files'
	@echo 'make clean      remove what was built'

setup:
	@tools/setup

build: setup
	@tools/configure $(BUILD) $(MESON_ARGS)
	@ninja -C $(BUILD) users

# the programs of the tests and of the benchmarks, which `make` alone does not build
tests: build
	@ninja -C $(BUILD)

test: tests
	@tools/run_tests $(BUILD) $(TEST_ARGS)

modes-long: tests
	@TORSOR_MECHANISMS=200 TORSOR_TEST_VERBOSE=1 $(BUILD)/tests/test_modes_dense

# one table at the end: tried, reported, harmless, lost (docs/trust.md). TORTURE='--only models --seconds 3600 --seed 7' for one part, and longer;
# files of lost cases are kept in $(BUILD)/torture. TORSOR=build-sanitize/torsor harms a program built by `make sanitize`.
TORTURE ?= --seconds 300
torture: tests $(if $(shell command -v clang),torture-threads)
	@mkdir -p $(BUILD)/torture && cd $(BUILD)/torture && TORSOR=$(abspath $(or $(TORSOR),$(BUILD)/torsor)) TORSOR_SOURCE_DIR=$(CURDIR) \
	    TORSOR_THREADS=$(wildcard $(abspath $(BUILD))-threads/tests/test_threads) /usr/bin/python3 $(CURDIR)/tests/torture/torture.py $(TORTURE)

# threads of OpenMP are not seen by the sanitizer: one for each run
torture-threads: setup
	@CC=clang tools/configure $(BUILD)-threads -Db_sanitize=thread -Db_lundef=false -Doptimization=1 $(MESON_ARGS)
	@ninja -C $(BUILD)-threads tests/test_threads
	@OMP_NUM_THREADS=1 $(BUILD)-threads/tests/test_threads

# one line at the end: tried, reported, harmless, lost
flips: tests
	@cd tests && TORSOR=$(abspath $(BUILD))/torsor TORSOR_LIBRARY=$(abspath $(BUILD))/src/libtorsor.so TORSOR_SOURCE_DIR=$(CURDIR) \
	    /usr/bin/python3 flip_bytes.py $(FLIPS)

# for nights: libFuzzer takes the place of tests/fuzz_driver.c. An input that fails is kept as $(BUILD)-fuzz/crash-*; give it to
# $(BUILD)-fuzz/tests/fuzz_results to see what happens
fuzz-results: setup
	@CC=clang tools/configure $(BUILD)-fuzz $(SANITIZE_ARGS) -Dc_args=-fsanitize=fuzzer-no-link
	@ninja -C $(BUILD)-fuzz tests/fuzz_results
	@cd $(BUILD)-fuzz && mkdir -p corpus && $$(ninja -t commands tests/fuzz_results | tail -n 1 | \
	    sed 's#[^ ]*fuzz_driver.c.o#-fsanitize=fuzzer#; s#-o [^ ]*#-o tests/libfuzzer_results#') && \
	    ASAN_OPTIONS=detect_leaks=0 tests/libfuzzer_results -max_len=129 -max_total_time=$(FUZZ_SECONDS) corpus $(CURDIR)/tests/corpus/results

# without npm there is no page for reports, and the demo goes without
demo: REPORT = $(if $(wildcard report/node_modules/esbuild/package.json),--report)
demo: setup
	@tools/configure $(BUILD) $(MESON_ARGS)
	@ninja -C $(BUILD) torsor
	@mkdir -p $(BUILD)/demo
	@cd $(BUILD)/demo && $(abspath $(BUILD))/torsor run $(CURDIR)/examples/spinning_top.yaml --csv spinning_top.csv $(REPORT)
	@/usr/bin/python3 tools/plot_demo.py $(BUILD)/demo/spinning_top.h5 $(BUILD)/demo/spinning_top.svg
	@echo 'picture:   $(BUILD)/demo/spinning_top.svg'
	@[ -z "$(REPORT)" ] || echo 'report:    $(BUILD)/demo/spinning_top.html  (open it in a browser: the top in motion, energies, histories)'
	@echo 'again:     $(BUILD)/torsor run examples/spinning_top.yaml --scheme EP --step 1ms'

docs: build
	@tools/site.py --program $(BUILD)/torsor --output $(BUILD)/docs $(if $(EXAMPLES),--gallery $(EXAMPLES))

# BENCH='--write' records the counts, BENCH=robot counts that one only
bench: build
	@ninja -C $(BUILD) benchmarks
	@bench/compare --build $(BUILD) $(BENCH)

bench-sizes: build
	@ninja -C $(BUILD) benchmarks
	@for program in $$(tools/list_sources bench 'bench_*.c'); do \
	    echo "== $${program%.c} (tables in $(BUILD)/bench)" && (cd "$(BUILD)/bench" && "./$${program%.c}") || exit 1; \
	done

# MUTANTS='--count 200 --seed 7' makes more changes, and others; docs/mutants.md lists those that survived
mutants: setup
	@tools/mutants.py $(MUTANTS)

# under /usr/local, or MESON_ARGS=--prefix=...
install: build
	@meson install -C $(BUILD) --no-rebuild $(if $(DESTDIR),--destdir "$(abspath $(DESTDIR))")

# clang, so that a second compiler reads everything too; the checks of the source ran already. LEAKS=0 does not look for leaks.
# intercept_tls_get_addr=0: the sanitizers of clang up to 16 and gcc up to 13 take thread-local storage that begins 16 bytes into a page
# for that of an old glibc, with a header. clang's OpenMP loads a library (libarcher) whose 32 bytes of it lie on the heap; one place
# in 256 is such a one, and LeakSanitizer then crashes ("Tracer caught signal 11").
LEAKS ?= 1
sanitize: setup
	@CC=clang tools/configure $(BUILD)-sanitize $(SANITIZE_ARGS) $(MESON_ARGS)
	@ninja -C $(BUILD)-sanitize
	@ASAN_OPTIONS=detect_leaks=$(LEAKS):intercept_tls_get_addr=0:halt_on_error=1:abort_on_error=0 \
	 LSAN_OPTIONS=suppressions=$(CURDIR)/tests/leaks.supp:print_suppressions=0 \
	 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 TORSOR_QUICK=1 \
	 tools/run_tests $(BUILD)-sanitize --timeout-multiplier 5 --no-suite source $(TEST_ARGS)

# Debian packages, by debian/ and dpkg-buildpackage, looked at by lintian
deb:
	@tools/make_deb $(BUILD)/deb

# a wheel that carries its libraries and the program
wheel: build
	@tools/make_wheel $(BUILD) $(BUILD)/wheel

# wheel, packages and demo on a fresh Debian, in chroots: root, some minutes, 3 GB in /tmp. PACKAGES='wheel' tries that one only
test-packages: wheel deb
	@tools/test_packages $(BUILD) $(PACKAGES)

# TIDY='--all' looks at all files; without, at those that differ from main
tidy: setup
	@tools/tidy $(TIDY)

format: setup
	@tools/check_format --fix

clean:
	rm -rf build build-*/
