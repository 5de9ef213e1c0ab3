# For the `run` scripts beside it: where clients are installed, and how a run is skipped.
#
# They need MNEMIC (the program) and MNEMIC_CONFORMANCE (the test server), which scripts/clients
# sets. Exit code 77 means that a client could not be installed here, and nothing was tested.

set -euo pipefail
clients=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[1]}")" && pwd)
installed=$clients/installed
log=$installed/$(basename "$here").log
mkdir -p "$installed"

skip() {
    printf 'skipped: %s\n' "$1"
    [ ! -s "$log" ] || printf '  see %s\n' "$log"
    exit 77
}

# A directory for the stores of one run, apart from everything of the person who runs it.
scratch=$(mktemp -d)
# The processes that serve, if any do.
server=
finish() {
    for one in $server; do kill "$one" 2>/dev/null || true; done
    rm -rf "$scratch"
}
trap finish EXIT
mkdir -p "$scratch/project"
export HOME=$scratch XDG_DATA_HOME=$scratch/data XDG_CONFIG_HOME=$scratch/config
export MNEMIC_ACTOR=human:tester MNEMIC_MEANING_MODEL=off TZ=UTC

# python PACKAGE...: a Python with these packages in $python.
with_python() {
    local place=$installed/python
    python=$place/bin/python
    : >"$log"
    [ -x "$python" ] || python3 -m venv "$place" >>"$log" 2>&1 || skip "there is no Python with venv"
    "$python" -m pip install --quiet "$@" >>"$log" 2>&1 || skip "pip cannot install $*"
}

# node DIR PACKAGE...: a Node of at least 22 in $node, and these packages in $modules.
with_node() {
    local place=$installed/$1
    shift
    : >"$log"
    command -v npm >/dev/null || skip "there is no npm"
    mkdir -p "$place"
    [ -f "$place/package.json" ] || echo '{"private": true}' >"$place/package.json"
    (cd "$place" && npm install --no-audit --no-fund "$@" node@22) >>"$log" 2>&1 ||
        skip "npm cannot install $*"
    modules=$place/node_modules
    node=$modules/node/bin/node
    "$node" --version >>"$log" 2>&1 || skip "the installed Node does not run"
}

# serve [DIR]: the test server in the background, its address in $url.
serve() {
    : >"$scratch/address"
    "$MNEMIC_CONFORMANCE" "$@" >"$scratch/address" &
    server=$!
    url=$(told "$server" "$scratch/address")
}

# told PROCESS FILE: what a process in the background wrote into a file, once it did.
told() {
    local tries=300
    until [ -s "$2" ]; do
        kill -0 "$1" 2>/dev/null && [ $((tries -= 1)) -gt 0 ] || {
            echo "the server does not start" >&2
            exit 1
        }
        sleep 0.1
    done
    cat "$2"
}

stop() {
    for one in $server; do kill "$one" && wait "$one" 2>/dev/null || true; done
    server=
}
