"""Textual's command palette, made safe from keys and clicks that come before it is laid out or after it has gone."""

from __future__ import annotations

from typing import Any

from textual.await_complete import AwaitComplete
from textual.command import CommandList, CommandPalette
from textual.worker import Worker


class Palette(CommandPalette):
    """Ends once, and takes nothing else with it."""

    def dismiss(self, result: None = None) -> AwaitComplete:
        """End, unless it has ended or is covered: Textual would then take away whatever lies on top."""
        return super().dismiss(result) if self.is_active else AwaitComplete()

    def run_worker(self, *work: Any, **options: Any) -> Worker[Any]:
        """Search; a search that finds its palette gone ends alone, not with the app."""
        return super().run_worker(*work, **{**options, "exit_on_error": False})

    def _action_command_list(self, action: str) -> None:
        """Move in the list, once it has a place: Textual's list cannot turn its pages before."""
        if self.query_one(CommandList).size:
            super()._action_command_list(action)
