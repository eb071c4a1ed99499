"""Loads a user's policy, given as module:function, and asks it for actions in simulations."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from inspect import iscoroutinefunction
from pathlib import Path
from traceback import walk_tb

from msgspec import Struct

import fourtwenty
from fourtwenty.games.game import Action, State

FORM = "bot:MODULE:FUNCTION, as in bot:mypackage.bots:cautious"

NOT_THEIRS = (Path(fourtwenty.__file__).parent, Path(os.__file__).parent)


class PolicyError(ValueError):
    """An unknown or failing policy. The message is a sentence that says where."""


class CustomPolicy(Struct, frozen=True):
    """A policy that is a user's function."""

    name: str
    """Module and name: "mypackage.bots:cautious"."""
    function: Callable[[State], object]

    def __call__(self, state: State) -> Action:
        """Return the action for a state with a choice. Raises PolicyError unless it is legal."""
        try:
            action = self.function(state)
        except (Exception, SystemExit) as error:
            raise PolicyError(f"{self.name} ends with {_described(error, self.function)}") from error
        if not isinstance(action, Action):
            returned = "None" if action is None else f"a {type(action).__name__}"
            raise PolicyError(f"{self.name} returns {returned} at {state.to_text()}, which isn't a Roll or Stand")
        refusal = state.check(action)
        if refusal:
            raise PolicyError(f"{self.name} returns {action} at {state.to_text()}: {refusal}")
        return action


def load_policy(name: str) -> CustomPolicy:
    """Return the policy of a module, also in the current folder. Raises PolicyError."""
    module_name, _, function_name = name.rpartition(":")
    if not all(part.isidentifier() for part in (*module_name.split("."), function_name)):
        raise PolicyError(f"{name!r} doesn't name a policy: {FORM}")
    # The current folder comes first only here: later its files must hide none of our imports.
    sys.path.insert(0, "")
    try:
        module = import_module(module_name)
    except (Exception, SystemExit) as error:
        if isinstance(error, ModuleNotFoundError) and f"{module_name}.".startswith(f"{error.name}."):
            raise PolicyError(f"there is no module {error.name}, neither in this folder nor installed") from error
        raise PolicyError(f"{module_name} cannot be imported: {_described(error)}") from error
    finally:
        sys.path.remove("")
        if "" not in sys.path:
            sys.path.append("")
    function = getattr(module, function_name, None)
    if not callable(function) or iscoroutinefunction(function):
        raise PolicyError(f"there is no plain function {function_name} in {module.__file__ or module_name}")
    return CustomPolicy(name, function)


def _described(error: BaseException, function: object = None) -> str:
    """Return an error of the user's code in words, with its line there, or the function's."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{type(error).__name__}: {error.msg} ({error.filename}, line {error.lineno})"
    lines = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    code = getattr(function, "__code__", None)
    places = [] if code is None else [(code.co_filename, code.co_firstlineno)]
    places += [place for place in lines if _is_theirs(place[0])]
    message = f"{type(error).__name__}: {error}".removesuffix(": ")
    return " ".join([message, *(f"({file}, line {line})" for file, line in places[-1:])])


def _is_theirs(file: str) -> bool:
    path = Path(file)
    return not (
        file.startswith("<frozen ") or "site-packages" in path.parts or any(map(path.is_relative_to, NOT_THEIRS))
    )
