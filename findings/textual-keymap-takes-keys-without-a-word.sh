#!/usr/bin/env bash
# Expected: a keymap changes the key of the bindings that it names, and App.handle_bindings_clash is told of any
#   other binding that loses its key by it.
# Instead: every binding on the old key of the renamed one is dropped, and so is every binding on its new key; the
#   handler hears of those without an id only. One with an id is without a key, and nothing says so.
# Seen: Textual 8.2.8, Rich 15.0.0, CPython 3.11.7 and 3.13.0; 29 November 2026.
# Upstream: none found.
# Here: `keys |=` in fourtwenty/tui/keymap.py names all bindings of a key that a person changes.
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
pip_install textual==8.2.8 rich==15.0.0

python - <<'PROGRAM'
from textual.binding import Binding, BindingsMap


def keys_after(keymap: dict[str, str], *bindings: Binding) -> tuple[dict[str, list[str]], list[str]]:
    """Return the action of each key under a keymap, and the actions of which a clash is reported."""
    table = BindingsMap(bindings)
    clashed = table.apply_keymap(keymap).clashed_bindings
    return {key: [each.action for each in of] for key, of in table.key_to_bindings.items()}, [
        each.action for each in clashed
    ]


start, roll = Binding("enter", "start", id="start"), Binding("enter", "roll", id="roll")
shared = keys_after({"start": "s"}, start, roll)
print("enter is start and roll; start moves to s:", *shared)
taken = keys_after({"start": "q"}, start, Binding("q", "quit", id="quit"))
print("enter is start, q is quit with an id; start moves to q:", *taken)
told = keys_after({"start": "q"}, start, Binding("q", "quit"))
print("the same, where quit has no id:", *told)
assert shared == ({"s": ["start"]}, [])
assert taken == ({"q": ["start"]}, [])
assert told == ({"q": ["start"]}, ["quit"])
PROGRAM
