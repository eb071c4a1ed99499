#!/usr/bin/env bash
# Expected: st.text() without arguments costs next to nothing before the first example is drawn.
# Instead: each process that finds no .hypothesis folder encodes every character of Unicode in UTF-8 to learn which
#   can be: 1.1 million calls, some tenths of a second. Workers of pytest-xdist that start together in a fresh clone
#   all do so.
# Seen: hypothesis 6.170.17, CPython 3.13.0; 29 November 2026.
# Upstream: none found.
# Here: `LETTERS` in tests/tools/letters.py, where a test would take text().
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install hypothesis==6.170.17

cat >text.py <<'PROGRAM'
import sys
import time

from hypothesis import strategies

encoded = 0


def count(frame: object, event: str, argument: object) -> None:
    global encoded
    encoded += event == "c_call" and getattr(argument, "__name__", "") == "encode"


start = time.process_time()
if sys.argv[1:]:
    sys.setprofile(count)
strategies.text().validate()
sys.setprofile(None)
print(encoded if sys.argv[1:] else f"{time.process_time() - start:.2f} s of the CPU")
PROGRAM
first=$(python text.py count) second=$(python text.py count)
rm -rf .hypothesis
echo "calls of encode without the folder: $first, $(python text.py) - with it: $second, $(python text.py)"
[ "$first" -gt 1000000 ] && [ "$second" -lt 1000 ]
