"""A page of Markdown: what the rules of every game are shown by."""

from __future__ import annotations

from table_pilot import playing
from textual.app import ComposeResult

from fourtwenty.tui.textual_base.base_screen import BaseScreen
from fourtwenty.tui.widgets.markdown_page import MarkdownPage

TEXT = """\
# A title

Some words in **bold**
and *italic*.

- A long item that goes on in the next line
- Another one

| Keep | Least |
| --- | --- |
| three dice | 15 |
| one | **5** |

| Hand | Faces | Worth |
| --- | --- | --- |
| Two alike | a pair and one | 2 |
"""
AT_26 = """\
A title
Some words in bold and
italic.

• A long item that goes on
  in the next line
• Another one

Keep         Least
three dice   15
one          5

Hand        Faces    Worth
Two alike   a pair   2
            and
            one
"""


class Reading(BaseScreen[None]):
    """A screen with a page that is 26 cells wide."""

    def compose(self) -> ComposeResult:
        page = MarkdownPage(TEXT)
        page.styles.width = 26
        yield page


async def test_headings_paragraphs_lists_and_tables() -> None:
    async with playing() as pilot:
        await pilot.app.push_screen(Reading())
        await pilot.shows("A title")
        shown = "\n".join(line.rstrip() for line in pilot.seen().split("\n")).rstrip()
        assert shown == AT_26.rstrip()
        assert pilot.app.screen.query_one(MarkdownPage).size.height == AT_26.count("\n") + 1
