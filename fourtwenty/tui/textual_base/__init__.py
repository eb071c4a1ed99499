"""Overrides of Textual for all screens, a cause a file. Nothing here knows a game.

A comment says what Textual does (version, file, function), what the program needs, what it costs without, and when the
override can go. ``tests/benchmarks/speed.py --without NAME`` measures what most of them save. Some behaviours have a
script in ``findings/``. A number such as #6456 is an issue of Textualize/textual.

Elsewhere:

* ``widgets/choice_list.py``: Textual 8.2 shows the cursor of an OptionList by a colour alone.
* ``fourtwenty/cells.py``, also for lines of text: Rich gives spacing vowel signs no cell.
* ``launch.py``: settings before Textual is imported, and its imports.
* ``widgets/key_bar.py``, ``widgets/markdown_page.py`` and ``dialogs/picker.py`` replace Footer, Markdown and both
  CommandPalette and HelpPanel, by documented members only. Without the first, a start and every key take much longer;
  without the second, the rules open much later.
"""
