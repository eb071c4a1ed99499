"""Makes the page about the public names of the library by pdoc: ``python .ci/api_page.py DIR``."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import pdoc.doc
import pdoc.render

import fourtwenty
from fourtwenty.games.game import LazyProperty


def api_page() -> str:
    """Return the page as HTML."""
    module = pdoc.doc.Module(fourtwenty)
    for name, member in module.members.items():
        if isinstance(member, pdoc.doc.Variable):
            member.docstring = described(name)
        elif isinstance(member, pdoc.doc.Class):
            show_properties(member.obj)
    pdoc.render.configure(docformat="markdown", show_source=False, search=False)
    with warnings.catch_warnings():
        warnings.filterwarnings(
            "ignore", "Error parsing type annotation ForwardRef"
        )  # of a NamedTuple, which it prints
        return pdoc.render.html_module(module, {module.fullname: module})


def described(name: str) -> str:
    """Return the description of a value or an alias, which pdoc finds only in the module that defines the name."""
    modules = (pdoc.doc.Module(module) for each, module in sys.modules.items() if each.startswith("fourtwenty."))
    members = filter(None, (module.get(name) for module in modules))
    return next(filter(None, (member.docstring for member in members)), "")


def show_properties(owner: type) -> None:
    """Make ordinary properties of a class's lazy ones, which pdoc takes for functions."""
    for base in owner.__mro__:
        for name, member in [*vars(base).items()]:
            if isinstance(member, LazyProperty):
                setattr(base, name, property(member._derive))


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_text(api_page(), encoding="utf-8", newline="\n")
