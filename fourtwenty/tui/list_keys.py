"""Lists the keys that can be changed, by id: ``python -m fourtwenty.tui.list_keys``."""

from __future__ import annotations

from fourtwenty.tui.app import FourTwentyApp
from fourtwenty.tui.keymap import all_bindings

if __name__ == "__main__":
    bindings = {binding.id: binding for each in all_bindings(FourTwentyApp) for binding in each}
    print("\n".join(f"{name:24}{binding.key:32}{binding.description}" for name, binding in bindings.items()))
