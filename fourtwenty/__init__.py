"""420, Mark Steere's dice game, in the terminal: its rules, its bots and its table.

The public names, listed in ``api.py``, are imported when the first one is used. docs/library.md shows how to use them.
"""

__version__ = "0.2.0"

TYPE_CHECKING = False  # typing takes longer to import than this package
if TYPE_CHECKING:
    from fourtwenty.api import *  # noqa: F403
else:

    def __getattr__(name):
        """Return a public name, or ``__all__``."""
        from importlib.machinery import PathFinder

        if name == "__all__":
            return __dir__()
        # "from fourtwenty import games" asks for an attribute first; a module must not import all others.
        is_module = PathFinder.find_spec(f"{__name__}.{name}", __path__)  # noqa: F405
        if not is_module and not name.startswith("_") and name in (public := _public_names()):
            return public[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        """Return the public names."""
        return [*_public_names()]

    def _public_names():
        """Return the public names and values, and store them in this module."""
        from importlib import import_module

        names = vars(import_module(f"{__name__}.api"))
        public = {name: value for name, value in names.items() if not name.startswith("_")}
        globals().update(public)
        return public
