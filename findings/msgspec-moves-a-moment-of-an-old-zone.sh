#!/usr/bin/env bash
# Expected: msgspec writes a moment with a time zone so that it reads the same moment again, or refuses it.
# Instead: an offset with seconds, as all zones had before there was a common time, is rounded to minutes in JSON
#   while the clock's time stays: Paris in 1900 comes back 21 seconds later, Monrovia in 1971 30 seconds earlier.
#   MessagePack is exact.
# Seen: msgspec 0.22.0, tzdata 2025.2, CPython 3.11.7 and 3.13.0; 29 November 2026.
# Upstream: none found.
# Here: times are stored as seconds of UTC (`seconds` in fourtwenty/play/clock.py).
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install msgspec==0.22.0 tzdata==2025.2

python - <<'PROGRAM'
from datetime import datetime
from zoneinfo import ZoneInfo

import msgspec

seen = []
for year, zone in ((1900, "Europe/Paris"), (1971, "Africa/Monrovia")):
    moment = datetime(year, 1, 1, 12, tzinfo=ZoneInfo(zone))
    written = msgspec.json.encode(moment)
    moved = msgspec.json.decode(written, type=datetime) - moment
    packed = msgspec.msgpack.decode(msgspec.msgpack.encode(moment), type=datetime) - moment
    seen.append((moved.total_seconds(), packed.total_seconds()))
    print(moment, "is written as", written.decode(), "- it moves by {} s, in MessagePack by {} s".format(*seen[-1]))
assert seen == [(21, 0), (-30, 0)]
PROGRAM
