"""What all dialogs have in common: a box in the middle of the screen they are asked on. What is in it, they say."""

from __future__ import annotations

from textual.screen import ModalScreen, ScreenResultType


class Dialog(ModalScreen[ScreenResultType]):
    """Lays its contents out in a container of the class "dialog", under a "#heading" if it has one."""

    DEFAULT_CSS = """
    Dialog {
        align: center middle;

        .dialog {
            width: 60;
            max-width: 100%;
            height: auto;
            padding: 1 2;
            background: $surface;
            border: round $border;

            CommandRow { margin-top: 1; }
        }
        #heading { text-style: bold; }
        Input { border: round $border; background: transparent; margin: 1 0; &:focus { border: round $accent; } }
        OptionList {
            border: none;
            background: transparent;
            padding: 0;
            margin-top: 1;
            height: auto;
            max-height: 12;
            &:focus { border: none; }
        }
    }
    """
