"""The home of plain mode: lists of games, review, mistakes, statistics and rules, in lines."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime

from msgspec.structs import replace

from fourtwenty.cli.text_practice import TextPractice, TextPracticeSession
from fourtwenty.cli.text_table import TABLE_COMMANDS, TextTable, rules_lines, without_symbols
from fourtwenty.cli.typed_lines import command_of, unknown_command
from fourtwenty.games import GAMES
from fourtwenty.games.english import join_faces, pluralize, sentence_case, times
from fourtwenty.journal.history import History
from fourtwenty.journal.history_entries import HistoryEntry
from fourtwenty.play.clock import day_and_time
from fourtwenty.play.format import cost, signed
from fourtwenty.play.lineup import COACHING, Lineup, parse_players
from fourtwenty.play.match import Match, SaveError
from fourtwenty.play.practice import PracticeOptions
from fourtwenty.review.analysis import ReviewedEvent, rounds_of, skill_words
from fourtwenty.review.figures import measured

WELCOME = "Type new to play, resume to go on with a game, help for all commands, or quit."
SAVED = "Game saved. Type resume to go on with it."
SAVED_FOR_LATER = "Game saved. Resume it with: fourtwenty play --plain --resume"
"""The sentence after a saved game if no more commands are read."""

LISTED_GAMES = 20
LISTED_KINDS = 5


class PlainHome:
    def __init__(
        self, history: History, lines: AsyncIterator[str], write_line: Callable[[str], None], more: bool = True
    ) -> None:
        """``more``: whether to read commands after a game."""
        self.history = history
        self.lines = lines
        self.write_line = write_line
        self.lineup = Lineup()
        self.saved = SAVED if more else SAVED_FOR_LATER
        self.commands: dict[str, tuple[Callable[[list[str]], Awaitable[None]], str]] = {
            "new": (self._new, "a new game: new Ann, Ben, bot:Merry 421; without names, the same again"),
            "resume": (self._resume, "go on with the last game; resume 12: with game 12"),
            "list": (self._list, "unfinished games"),
            "history": (self._list_past, "finished games, the latest first"),
            "review": (self._review, "the last finished game, measured against best play; review 12: game 12"),
            "mistakes": (self._mistakes, "your mistakes in all games, until they stick; mistakes Ann: Ann's"),
            "statistics": (self._statistics, "a player's skill and luck; statistics Ann: Ann's"),
            "rules": (self._rules, "the rules; rules 421: of 421"),
            "help": (self._help, "this list"),
        }

    async def run(self) -> None:
        self._write(WELCOME)
        async for line in self.lines:
            word, *rest = line.replace(",", " , ").split() or ["help"]
            if "quit".startswith(word.lower()):
                return
            await self.answer(word.lower(), rest)

    async def answer(self, word: str, rest: list[str]) -> None:
        name = command_of(word, self.commands)
        if not name:
            self._write(unknown_command(word, WELCOME))
            return
        try:
            await self.commands[name][0](rest)
        except (ValueError, SaveError) as error:
            self._write(f"{sentence_case(str(error)).rstrip('.')}.")

    async def play(self, match: Match, new: bool = True) -> bool:
        """Play a match and return whether it was finished; ``new`` then has the same players."""
        self.lineup = match.lineup
        table = TextTable(match, self.lines, self.write_line, self.saved)
        finished = await table.play(self.history.journal() if new else None)
        if finished:
            start = match.starting_seat
            after = None if start is None else (start + 1) % len(match.names)
            self.lineup = replace(match.lineup, starting_seat=after)
        return finished

    async def resume(self, id: int | None) -> bool:  # noqa: A002
        """Go on with an unfinished match, the last played for None. Raises ValueError and SaveError."""
        unfinished = self._unfinished()
        if id is None and not unfinished:
            raise ValueError("there is no unfinished game")
        wanted = unfinished[0].id if id is None else id
        if wanted not in [entry.id for entry in unfinished]:
            raise ValueError(f"there is no unfinished game {wanted}")
        return await self.play(self.history.resume(wanted), new=False)

    # -- commands ----------------------------------------------------------------------------------------------

    async def _new(self, rest: list[str]) -> None:
        options = {word: word for word in rest}
        game = next((key for key in GAMES if key in options), self.lineup.game)
        coach = next((level for level in COACHING if level in options), self.lineup.coach)
        names = " ".join(word for word in rest if word not in (*GAMES, *COACHING)).strip(" ,")
        lineup = replace(self.lineup, game=game, coach=coach)
        if names:
            lineup = replace(lineup, seats=parse_players(names), starting_seat=None)
        if not GAMES[game].draws_start:
            lineup = replace(lineup, starting_seat=None)
        await self.play(Match.fresh(lineup))
        self._write(WELCOME)

    async def _resume(self, rest: list[str]) -> None:
        await self.resume(_game_id(rest))
        self._write(WELCOME)

    async def _list(self, _: list[str]) -> None:
        now = datetime.now(UTC)
        for entry in self._unfinished():
            self._write(f"{entry.id}: {entry.title(now)}. {entry.progress}.")
        if not self._unfinished():
            self._write("No unfinished games.")
        if self.history.unreadable:
            self._write(self.history.unreadable_words)

    async def _list_past(self, _: list[str]) -> None:
        entries = self._finished(LISTED_GAMES)
        for entry in entries:
            names = ", ".join(seat.name for seat in entry.seats)
            game = GAMES[entry.game].name
            self._write(f"{entry.id}: {game} with {names}, {day_and_time(entry.started)}. {entry.news}.")
        if not entries and not self.history.unreadable:
            self._write("No games yet. They'll show up here.")
        if self.history.unreadable:
            self._write(self.history.unreadable_words)

    async def _review(self, rest: list[str]) -> None:
        for line in review_lines(self._past(_game_id(rest))):
            self._write(line)

    async def _mistakes(self, rest: list[str]) -> None:
        name = " ".join(rest) or self.lineup.first_person
        options = PracticeOptions(self.lineup.game, mine=True)
        mine = await TextPracticeSession(self.history, name, self._write).source(options)
        await TextPractice(mine, self.lines, self.write_line).run()

    async def _statistics(self, rest: list[str]) -> None:
        for line in statistics_lines(self.history, " ".join(rest) or self.lineup.first_person):
            self._write(line)

    async def _rules(self, rest: list[str]) -> None:
        wanted = " ".join(rest).casefold()
        games = [game for game in GAMES.values() if wanted in (game.key, game.name.casefold())]
        if wanted and not games:
            raise ValueError(f"there is no game {wanted}; the games are {', '.join(GAMES)}")
        for line in rules_lines(games[0] if games else GAMES[self.lineup.game]):
            self._write(line)

    async def _help(self, rest: list[str]) -> None:
        pages = {**{name: about for name, (_, about) in self.commands.items()}, "quit": "leave the program"}
        known = {**TABLE_COMMANDS, **pages}
        named = {command_of(word.lower(), [*pages, *TABLE_COMMANDS]) for word in rest} & {*known}
        for name in named or pages:
            self._write(f"{name}: {known[name]}.")

    # -- the history -------------------------------------------------------------------------------------------

    def _unfinished(self) -> tuple[HistoryEntry, ...]:
        return self.history.unfinished() if self.history.is_begun() else ()

    def _finished(self, most: int) -> list[HistoryEntry]:
        entries = self.history.page(limit=most + 1000) if self.history.is_begun() else ()
        return [entry for entry in entries if entry.finished][:most]

    def _past(self, id: int | None) -> Match:  # noqa: A002
        """Return a match of the history, the last finished for None. Raises ValueError."""
        if id is None:
            latest = self._finished(1)
            if not latest:
                raise ValueError("there is no finished game yet")
            id = latest[0].id  # noqa: A001
        return self.history.match(id)

    def _write(self, text: str) -> None:
        self.write_line(without_symbols(text))


def statistics_lines(history: History, name: str) -> Iterator[str]:
    """Yield a player's statistics in each game, with the most expensive kinds of mistakes. Raises SaveError."""
    with suppress(SaveError):  # stored figures can still be read
        for _ in measured(history) if history.is_begun() else ():
            pass
    totals = history.statistics(name) if history.is_begun() else ()
    for total in totals:
        games = pluralize(total.matches, "game", "games")
        skill = skill_words(total.figures.lost, total.figures.decisions)
        expected = f" ({total.figures.drinks:.1f} expected)" if total.figures.drinks else ""
        yield (
            f"{name}, {GAMES[total.game].name}: {games}, last {times(total.last)}{expected}. "
            f"Skill: {skill}. Luck: {signed(total.figures.luck)}."
        )
        for kind in history.kinds(name, total.game)[:LISTED_KINDS]:
            yield f"Mistake: {kind.words}."
    if not totals:
        yield f"No finished games of {name} count."


def review_lines(match: Match) -> Iterator[str]:
    """Yield a match in lines: result, each seat's losses in each round, and skill."""
    rounds = rounds_of(match)
    ended = match.state.report(match.names).headline if match.state.outcome else "Unfinished"
    yield f"{match.game.name} with {', '.join(match.names)}. {ended}."
    for round_ in rounds:
        yield f"Round {round_.start.round}."
        for seat, name in enumerate(match.names):
            if round_.start.standing(seat).playing:
                yield round_.ledger(seat).words(name)
        for moment in round_.mistakes:
            yield _mistake(match, moment)
    for seat, name in enumerate(match.names if rounds else ()):  # none before the first roll
        ledgers = [round_.ledger(seat) for round_ in rounds]
        yield f"{name}: {sum(ledgers[1:], ledgers[0]).skill_words()}."


def _game_id(rest: list[str]) -> int | None:
    """Return a game's number; None for no words. Raises ValueError for others."""
    if not rest:
        return None
    if len(rest) > 1 or not (rest[0].isascii() and rest[0].isdigit()) or len(rest[0]) > 9:
        raise ValueError("type the number of a game, as list and history show it")
    return int(rest[0])


def _mistake(match: Match, moment: ReviewedEvent) -> str:
    name = match.names[moment.event.seat]
    hand = join_faces(moment.before.hand(moment.event.seat))
    kept, best = (join_faces(choice.kept) or "nothing" for choice in (moment.choice, moment.choices[0]))
    return f"{name} kept {kept} of {hand}; best: keep {best}. It cost {cost(moment.loss, moment.estimated)}."
