#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The installation: into a folder of its own, then used from outside, by C, C++ and Python, as a user would.
#
# Environment: TORSOR_BUILD_DIR, TORSOR_SOURCE_DIR, TORSOR_LIBRARY.
set -euo pipefail
root=${TORSOR_SOURCE_DIR:-$(cd "$(dirname "$0")/.." && pwd)}
build=${TORSOR_BUILD_DIR:-$root/build}
if [ ! -e "${TORSOR_LIBRARY:-$build/src/libtorsor.so}" ]; then
    echo 'skipped: this build has no shared library'
    exit 77
fi
unset TORSOR_LIBRARY TORSOR PYTHONPATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "FAILED: $1" >&2
    exit 1
}

meson install -C "$build" --destdir "$work/stage" --no-rebuild >install.log || fail 'meson install'
prefix=$work/stage$(meson introspect "$build" --buildoptions |
    /usr/bin/python3 -c 'import json, sys; print(next(o["value"] for o in json.load(sys.stdin) if o["name"] == "prefix"))')
file=$(find "$prefix" -name torsor.pc)
[ -n "$file" ] || fail 'no pkg-config file'
export PKG_CONFIG_PATH=${file%/*} PKG_CONFIG_SYSROOT_DIR=$work/stage
libraries=$(dirname "$(find "$prefix" -name 'libtorsor.so')")

# the header by itself, from its installed place, in many tongues
flags="$(pkg-config --cflags torsor) -Wall -Wextra -Wpedantic -Werror -fsyntax-only"
echo '#include <torsor/torsor.h>' >alone.c
cp alone.c alone.cpp
for compiler in gcc clang; do
    command -v $compiler >/dev/null || continue
    for standard in c99 c11 c17; do
        # shellcheck disable=SC2086
        $compiler -std=$standard $flags alone.c || fail "$compiler -std=$standard"
    done
done
for compiler in g++ clang++; do
    command -v $compiler >/dev/null || continue
    for standard in c++11 c++17; do
        # shellcheck disable=SC2086
        $compiler -std=$standard $flags alone.cpp || fail "$compiler -std=$standard"
    done
done

# the example, compiled as its comment says, and as C++ against the same library
# shellcheck disable=SC2046
cc -std=c99 "$root/examples/embed/hold.c" $(pkg-config --cflags --libs torsor) -lm -o hold
LD_LIBRARY_PATH=$libraries ./hold hold.h5 >hold.txt || fail 'the example does not run'
grep -q 'balance' hold.txt || fail 'the example says nothing'
[ "$("$prefix/bin/torsor" info hold.h5 --json | grep -c '"status": "completed"')" = 1 ] || fail 'its results'
if [ -e "$build/torsor-mpi" ]; then "$prefix/bin/torsor-mpi" --version >/dev/null || fail 'torsor-mpi'; fi
cat >version.cpp <<'END'
#include <torsor/torsor.h>
#include <cstring>
int main() { return std::strcmp(torsor_version(), TORSOR_VERSION); }
END
# shellcheck disable=SC2046
c++ version.cpp $(pkg-config --cflags --libs torsor) -o version
LD_LIBRARY_PATH=$libraries ./version || fail 'C++'

# the Python module from where it was installed, without any hint of where the library is
module=$(dirname "$(find "$prefix" -path '*dist-packages/torsor/__init__.py')")
try='import sys, torsor
run = torsor.load(sys.argv[1]).start()
run.step()
assert torsor.__file__.startswith(sys.argv[2]), torsor.__file__
print(torsor.__version__, run.steps)'
PYTHONPATH=$(dirname "$module") /usr/bin/python3 -c "$try" "$root/examples/double_pendulum.yaml" "$module" ||
    fail 'the installed Python module'

# and by Debian's pip, from a copy of the source tree
mkdir tree && cp -r "$root/python" "$root/include" tree/
mkdir -p tree/build/src && cp -L "$build/src/libtorsor.so" tree/build/src/
/usr/bin/python3 -m pip install --quiet --no-build-isolation --no-deps --no-index --no-warn-script-location \
    --disable-pip-version-check --root-user-action=ignore --target "$work/site" tree/python >pip.log 2>&1 || {
    cat pip.log
    fail 'pip install'
}
rm -rf tree
PYTHONPATH=$work/site /usr/bin/python3 -c "$try" "$root/examples/double_pendulum.yaml" "$work/site" ||
    fail 'the module that pip installed'
echo 'installed, and used from C, C++ and Python'
