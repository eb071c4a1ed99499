# Sourced by every finding: a temporary folder to work in, and commands that install pinned packages into it.
# Status 2 means that something could not be installed; a failing assertion ends a finding with 1.
set -euo pipefail
unset NO_COLOR COLORTERM PYTHONSTARTUP PYTEST_ADDOPTS "${!TEXTUAL_@}"
export PYTHONDONTWRITEBYTECODE=1 PIP_DISABLE_PIP_VERSION_CHECK=1
PYTHONPATH=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export PYTHONPATH
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python=${PYTHON:-python3}

fail_to_install() {
    echo "could not be installed: $*" >&2
    exit 2
}

# pip_install NAME==VERSION ...: put them into a virtual environment, and it on PATH. findings/run keeps one for all
# findings that pin the same.
pip_install() {
    local venv=${FINDINGS_CACHE:-$folder}/$(echo "$python" "$@" | md5sum | cut -c1-12)
    if [ ! -e "$venv/complete" ]; then
        { "$python" -m venv "$venv" && "$venv/bin/pip" install -q "$@"; } >"$folder/pip.log" 2>&1 ||
            fail_to_install "$*: $(tail -1 "$folder/pip.log")"
        touch "$venv/complete"
    fi
    export PATH=$venv/bin:$PATH
    echo "$(python --version); $*"
}

# start_nats LINE ...: start a nats-server that is installed, with these lines of configuration; set NATS_URL.
start_nats() {
    printf '%s\n' 'listen: "127.0.0.1:-1"' "$@" >nats.conf
    nats-server -c nats.conf -l nats.log &
    trap 'kill %% && wait; rm -rf "$folder"' EXIT
    until grep -qs "Server is ready" nats.log; do kill -0 %% && sleep 0.1 || exit 1; done
    NATS_URL=nats://$(sed -n 's/.*Listening for client connections on //p' nats.log)
    export NATS_URL
}

# python_at_least 3.12: the behaviour needs that version or a newer one.
python_at_least() {
    "$python" -c "import sys; sys.exit(sys.version_info < ($(echo "$1" | tr . ,)))" || fail_to_install "Python $1"
}

# debian_run NAME=VERSION ... <<'PROGRAM': install packages of Debian 12 into a layer above the root of this machine,
# and run a program of Python there. The layer and all processes are gone afterwards. Needs root, for the layer.
debian_run() {
    [ "$(id -u)" = 0 ] || fail_to_install "root is needed"
    mkdir layer root
    cat >program.py
    python=$(command -v "$python")
    export folder python DEBIAN_FRONTEND=noninteractive
    echo "$*"
    unshare --mount --pid --fork bash -c '
        {
            mount -t tmpfs tmpfs layer && mkdir layer/upper layer/work &&
                mount -t overlay -o "lowerdir=/,upperdir=$folder/layer/upper,workdir=$folder/layer/work" overlay root &&
                mount --rbind /dev root/dev && mount -t proc proc root/proc &&
                mkdir root/finding && cp program.py "$PYTHONPATH/pseudo_terminal.py" root/finding &&
                chroot root apt-get update && chroot root apt-get install -y --no-install-recommends "$@"
        } >apt.log 2>&1 || exit 2
        chroot root "$python" /finding/program.py
    ' - "$@" || { [ $? != 2 ] || fail_to_install "$(tail -1 apt.log)"; exit 1; }
}
