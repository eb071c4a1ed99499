#!/usr/bin/env bash
# Expected: .recover of the sqlite3 program prints what is in a database, all the more in a sound one.
# Instead: that of Debian 12 ends with "SQL logic error" before the first table: the package is built without the
#   virtual table that the command needs (SQLITE_ENABLE_DBPAGE_VTAB), and says so nowhere.
# Seen: sqlite3 3.40.1-2+deb12u2 of Debian; 29 November 2026.
# Upstream: unknown.
# Here: docs/manual.md sends people to the program of sqlite.org for a damaged history.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
debian_run sqlite3=3.40.1-2+deb12u2 <<'PROGRAM'
import subprocess


def run(*lines: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["sqlite3", "/finding/sound.db", *lines], capture_output=True, text=True)


run("CREATE TABLE roll (face); INSERT INTO roll VALUES (4);")
options = run("PRAGMA compile_options;").stdout.split()
dump, recovered = run(".dump"), run(".recover")
print("DBPAGE among its options:", any("DBPAGE" in option for option in options))
print(".dump: status", dump.returncode, "- has the row:", "VALUES(4)" in dump.stdout)
print(".recover: status", recovered.returncode, "- has the table:", "roll" in recovered.stdout, "-", recovered.stderr)
assert "VALUES(4)" in dump.stdout and recovered.returncode and "roll" not in recovered.stdout
PROGRAM
