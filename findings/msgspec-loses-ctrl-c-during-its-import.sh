#!/usr/bin/env bash
# Expected: ctrl+c while a program imports msgspec raises KeyboardInterrupt.
# Instead: while msgspec asks for the C interface of datetime, the exception is dropped. Up to Python 3.12 the import
#   goes on as if nobody had pressed it; in 3.13 it ends with an ImportError that says datetime cannot be imported.
# Seen: msgspec 0.22.0, CPython 3.11.7, 3.12.1 and 3.13.0 (PyCapsule_Import); 29 November 2026.
# Upstream: none found; python/cpython#76595 is near.
# Here: `_parse` in fourtwenty/__main__.py lets the signal end the program during the import.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install msgspec==0.22.0

python - <<'PROGRAM'
import subprocess
import sys

IMPORT = """
import signal, sys

pressed = False

def interrupt(event, arguments):  # once, as a ctrl+c in that moment
    global pressed
    if event == "import" and arguments[0] == "datetime" and not pressed:
        pressed = True
        signal.raise_signal(signal.SIGINT)

sys.addaudithook(interrupt)
try:
    import {module}
except BaseException as error:
    print(type(error).__name__, error)
else:
    print("imported" if pressed else "no ctrl+c")
"""
seen = {}
for module in ("datetime", "msgspec"):
    command = [sys.executable, "-c", IMPORT.format(module=module)]
    seen[module] = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    print(f"ctrl+c during the import of {module}:", seen[module])
assert seen["datetime"] == "KeyboardInterrupt"
assert seen["msgspec"] == "imported" or seen["msgspec"].startswith("ImportError")
PROGRAM
