"""The game on a page that draws views of it (docs/inside/view.md): a home of menus, tables and practice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime
from functools import partial

from msgspec import MsgspecError, Struct, json
from msgspec.structs import asdict, replace

from fourtwenty import file_storage
from fourtwenty.cli.browser_page import (
    STORAGE_SECONDS,
    BrowserPage,
    LaunchRequest,
    fetch_table,
    find_running,
    match_from_position,
    read_launch_request,
    verified_match,
)
from fourtwenty.cli.plain_home import LISTED_GAMES, review_lines, statistics_lines
from fourtwenty.cli.text_practice import TextPracticeSession
from fourtwenty.file_storage import lineup_file
from fourtwenty.games import GAMES
from fourtwenty.games.english import name_and_verb, sentence_case, your_turn
from fourtwenty.games.game import Event, IllegalAction, Roll, Stand, State
from fourtwenty.games.replay import replay
from fourtwenty.journal.history import History
from fourtwenty.journal.links import PuzzleLink, read_link
from fourtwenty.journal.practice_sources import Drawn
from fourtwenty.journal.record import Record
from fourtwenty.journal.user_files import UserFiles
from fourtwenty.odds import tables
from fourtwenty.play.bots import OFFERED
from fourtwenty.play.clock import day_and_time
from fourtwenty.play.flow import (
    AfterRound,
    Flow,
    FrontEnd,
    MatchAbandonedError,
    Reply,
    UnsavedAnswer,
    retry_while_locked,
)
from fourtwenty.play.lineup import GUEST, Lineup, parse_players
from fourtwenty.play.match import Journal, Match, PlayedElsewhereError, SaveError
from fourtwenty.play.practice import PracticeOptions
from fourtwenty.play.stories import told_stories
from fourtwenty.play.table_view import TableView, Throw, last_line, table_view, throw_of
from fourtwenty.play.turns import Decide, Request, Turns

Label = tuple[str, str]
"""The name of a button, which comes back when it is pressed, and its words."""

HOME: Label = ("home", "Home")
LEAVE: Label = ("leave", "Leave")
NEXT_ROUND: Label = ("round", "Next round")
REMATCH: Label = ("rematch", "Play again")
IN_TERMINAL: Label = ("terminal", "Open in the terminal")
"""The button that the page carries out itself."""
UNSAVED: tuple[Label, ...] = (("again", "Try again"), ("play", "Play on unsaved"), LEAVE)

PLAYERS = {
    **{bot: (f"Against {bot}", f"You,bot:{bot}") for bot in OFFERED},
    "Both": ("Against Merry and Perfect", "You,bot:Merry,bot:Perfect"),
    "Two": ("Two at this phone", f"You,{GUEST}"),
    "Three": ("Three at this phone", f"You,{GUEST},{GUEST} 2"),
}
"""The words and the seats of each offered line-up, by name."""


class FallingThrow(Throw, frozen=True):
    line: str
    """The sentence once its dice have landed."""


class FeltView(TableView, frozen=True):
    """A table or a menu with everything that a page draws of it."""

    match: str = ""
    """The identifier of the match; empty in a menu, and in practice."""
    throws: tuple[FallingThrow, ...] = ()
    """The throws since the last view, to be shown falling before this one."""
    before: TableView | None = None
    """The table before the first of these throws; None without throws."""
    news: tuple[str, ...] = ()
    menu: tuple[Label, ...] = ()
    go: Label | None = None
    """The large button; None for none."""


class Act(Struct, frozen=True):
    """The answer of a person on the page: one of these fields, with the number of events before a roll or a stand."""

    roll: tuple[int, ...] = ()
    stand: bool = False
    menu: str = ""
    go: str = ""
    link: str = ""
    """The text behind the # of an address."""
    event: int | None = None


Chosen = str | Roll | Stand
"""The name of a button, a ``#`` with a link, or a legal action."""


def menu_view(
    line: str, *labels: Label, caption: str = "", go: Label | None = None, news: Sequence[str] = ()
) -> FeltView:
    return FeltView("420", caption, line, 0, 0, (), None, None, menu=labels, go=go, news=tuple(news))


class FeltPage:
    """Shows one view after the other on a page, and waits for an act on the last."""

    def __init__(self, page: BrowserPage) -> None:
        self.page = page
        self._told: list[str] = []
        """Sentences for the next view."""
        self._view: FeltView | None = None
        """The view that is asked; None while nobody is."""
        self._act: asyncio.Future[Act] | None = None
        self._link: Act | None = None
        """A link that was opened while no view was asked."""

    def tell(self, sentence: str) -> None:
        """Say a sentence with the next view."""
        self._told.append(sentence)

    async def ask(self, view: FeltView, state: State | None = None) -> Chosen:
        """Return what a person chooses in a state, if it is a question; a refused act shows the view again."""
        view = replace(view, news=(*view.news, *filter(None, self._told)))
        self._told = []
        shown = view
        while True:
            act = await self._act_on(shown)
            try:
                return self._chosen(view, act, state)
            except ValueError as why:
                shown = replace(view, throws=(), before=None, news=(*view.news, *filter(None, [str(why)])))

    async def _act_on(self, view: FeltView) -> Act:
        self._view, self._act = view, asyncio.get_running_loop().create_future()
        self.page.show(json.encode(view).decode())
        if self._link:
            self._act.set_result(self._link)
            self._link = None
        try:
            return await self._act
        finally:
            self._view = None

    @staticmethod
    def _chosen(view: FeltView, act: Act, state: State | None) -> Chosen:
        """Return what an act chooses. Raises ValueError with the refusal, empty for what the view does not offer."""
        if act.link:
            if view.match and not view.result:
                raise ValueError("Leave this game first, then open the link once more.")
            return f"#{act.link}"
        if act.menu in dict(view.menu):
            return act.menu
        if view.go and act.go == view.go[0]:
            return act.go
        if not state or act.event != view.events or not (act.roll or act.stand):
            raise ValueError
        action = Stand() if act.stand else Roll(act.roll)
        if refusal := state.check(action):
            raise IllegalAction(refusal)
        return action

    def receive(self, act: Act) -> None:
        """Receive an act on the present view. Without one, a link waits for the next view, and others are dropped."""
        if self._view and self._act and not self._act.done():
            self._act.set_result(act)
        elif act.link:
            self._link = act

    def go_back(self) -> bool:
        """Leave a table or a menu; return False where nothing is left but the page."""
        if not self._view:
            return True
        back = [name for name, _ in self._view.menu if name in (HOME[0], LEAVE[0])]
        for name in back:
            self.receive(Act(menu=name))
        return bool(back)


class FeltTable(FrontEnd):
    """One match on the page. The next question shows the bots' throws; the start and the charge are sentences."""

    quiet_seconds = STORAGE_SECONDS

    def __init__(self, match: Match, felt: FeltPage) -> None:
        self.match = match
        self.turns = Turns(match)
        self.felt = felt
        people = [seat for seat, each in enumerate(match.lineup.seats) if not each.bot]
        self._names = ["You" if [seat] == people else name for seat, name in enumerate(match.names)]
        """The names in sentences: a single person is "You"."""
        self._mine = people[:1]
        """The seat of the person who is asked, or was last."""
        self._throws: list[FallingThrow] = []
        self._before: TableView | None = None
        """The table before the first of these throws."""
        self._line = ""
        """The last event in a sentence."""
        self._news: list[str] = []
        """Sentences of the start and the charge since the last view, which come before ``_line``."""
        if match.events:
            *_, last = replay(match.start, match.events)
            self._line = last_line(match, last.before, self._names)
        self._goes_on = bool(match.events) or match.set_up
        """Whether the first round has begun before."""

    async def ask_at_end(self) -> Chosen:
        stories = tuple(told.sentence for told in told_stories(self.match, self._names))
        view = self._view(menu=(HOME,), go=REMATCH)
        return await self.felt.ask(replace(view, news=(*view.news, *stories)))

    # -- the front end -------------------------------------------------------------------------------------------------

    def show_round(self) -> None:
        state = self.match.state
        if not self._goes_on and not state.automatic:
            assert state.starting_seat is not None
            self._line = name_and_verb(self._names[state.starting_seat], "starts.", "start.")
        self._goes_on = False

    async def ask(self, request: Request) -> Reply | None:
        assert isinstance(request, Decide)  # no real dice and no other machines
        self._mine = [request.seat]
        line = f"{self._line} {your_turn(self._names[request.seat])}.".lstrip()
        answer = await self._ask(self._view(line, asked=True, menu=(LEAVE,)), self.match.state)
        return None if isinstance(answer, str) else partial(self.turns.decide, answer)

    def show_taken_back(self, event: Event) -> None:  # noqa: ARG002 - real dice are for the terminal
        raise AssertionError

    async def show_event(self, before: State, event: Event) -> None:
        match = self.match
        if before.automatic:
            self._report(before)
            return
        if not self._throws:
            self._before = self._table(before, self._line)
        self._line = last_line(match, before, self._names)
        if isinstance(event.action, Roll):
            throw = throw_of(before, event)
            self._throws.append(FallingThrow(**asdict(throw), line=self._line))
        elif self._throws:
            last = self._throws[-1]
            self._throws[-1] = replace(last, line=f"{last.line} {self._line}")

    def _report(self, before: State) -> None:
        """Report the starting seat, or the result of a round, after an event without a choice."""
        state = self.match.state
        sentence = f"{state.report(self._names).headline}." if state.to_act is None else ""
        if before.starting_seat is None and state.starting_seat is not None:
            sentence = name_and_verb(self._names[state.starting_seat], "starts.", "start.")
        if sentence:
            self._news += filter(None, [self._line])
            self._line = sentence

    async def show_result(self, goes_on: bool) -> None:
        """Show the result of a round, unless the next one plays itself as well."""
        state = self.match.state
        if goes_on and not (state.automatic and state.next_round().automatic):
            await self.ask_after_round()

    async def ask_after_round(self) -> AfterRound:
        if self.match.state.outcome:
            return "end"
        await self._ask(self._view(menu=(LEAVE,), go=NEXT_ROUND))
        return "round"

    async def ask_unsaved(self, reason: str, refusal: Callable[[], str]) -> UnsavedAnswer:  # noqa: ARG002 - a button asks
        line = f"This game can't be saved right now. {sentence_case(reason)}."
        answer = await self._ask(self._view(line, menu=UNSAVED))
        return "play" if answer == "play" else "again"

    async def show_end(self, finished: bool) -> None:
        if not finished:
            kept = self.match.saved and (self.match.events or self.match.start_drawn)
            self.felt.tell("Game saved." if kept else "This game isn't saved.")

    # -- its views -----------------------------------------------------------------------------------------------------

    async def _ask(self, view: FeltView, state: State | None = None) -> Chosen:
        answer = await self.felt.ask(view, state)
        if answer == LEAVE[0]:
            raise MatchAbandonedError
        return answer

    def _view(
        self, line: str = "", *, menu: tuple[Label, ...], go: Label | None = None, asked: bool = False
    ) -> FeltView:
        """Return the match as it is, with the throws since the last view."""
        match, throws, news = self.match, tuple(self._throws), tuple(self._news)
        self._throws, self._news = [], []
        return FeltView(
            **asdict(self._table(match.state, line or self._line, asked)),
            match=match.identifier or "",
            throws=throws,
            before=self._before if throws else None,
            news=news,
            menu=menu,
            go=go,
        )

    def _table(self, state: State, line: str, asked: bool = False) -> TableView:
        match = self.match
        return table_view(
            state,
            match.names,
            len(match.events),
            line,
            mine=self._mine,
            acting=state.to_act,
            asked=asked,
            spoken=self._names,
        )


class FeltHome:
    """The menus, and what their buttons begin."""

    def __init__(self, history: History, felt: FeltPage) -> None:
        self.history = history
        self.felt = felt

    async def run(self, request: LaunchRequest) -> None:
        """Begin with what the page was started for; then carry out one button after the other."""
        chosen = await self._open(request)
        while True:
            try:
                chosen = await self._carry_out(chosen)
            except (ValueError, SaveError) as why:
                self.felt.tell(f"{sentence_case(str(why)).rstrip('.')}.")
                chosen = await self._choose_first()

    async def _open(self, request: LaunchRequest) -> str:
        page, found = self.felt.page, find_running(self.history, request)
        if found is not None:
            page.take_over()
            return f"resume {found}"
        if request.link:
            return f"#{request.link}"
        if request.game:
            try:
                match = await request.game.saved_match(self.history.journal())
            except ValueError as why:
                self.felt.tell(str(why))
            else:
                page.take_over()
                return await self._play(match)
        return HOME[0]

    async def _carry_out(self, name: str) -> str:
        """Carry out a button and return the next one. Raises ValueError and SaveError with the reason of a failure."""
        if name.startswith("#"):
            return await self._open_link(name[1:])
        verb, _, which = name.partition(" ")
        match verb:
            case "resume":
                return await self._resume(int(which))
            case "past":
                return await self._review(int(which)) if which else await self._choose_past()
            case "statistics":
                lines = tuple(statistics_lines(self.history, self._name))
                return await self._choose(menu_view("", HOME, caption="Statistics", news=lines))
            case "practice":
                return await self._practise(which) if which else await self._choose_practice()
            case _ if verb in GAMES:
                return await self._play_new(verb, which) if which else await self._choose_players(verb)
        return await self._choose_first()

    async def _choose(self, view: FeltView) -> str:
        answer = await self.felt.ask(view)
        assert isinstance(answer, str)
        return answer

    # -- menus ---------------------------------------------------------------------------------------------------------

    async def _choose_first(self) -> str:
        labels: list[Label] = [(key, game.name) for key, game in GAMES.items()]
        try:
            if self.history.is_begun():
                if unfinished := self.history.latest_unfinished():
                    title = unfinished.title(datetime.now(UTC))
                    labels.insert(0, (f"resume {unfinished.id}", f"Resume {title}"))
                if self.history.page(limit=1, unfinished=False):
                    labels += [("past", "Past games"), ("statistics", "Statistics")]
        except SaveError as why:
            self.felt.tell(f"The history cannot be read: {why}.")
        return await self._choose(menu_view("", *labels, ("practice", "Practice"), IN_TERMINAL))

    async def _choose_past(self) -> str:
        entries = self.history.page(limit=LISTED_GAMES, unfinished=False)
        offers = [
            (f"past {each.id}", f"{GAMES[each.game].name}, {day_and_time(each.started)}: {each.news}")
            for each in entries
        ]
        return await self._choose(menu_view("", *offers, HOME, caption="Past games"))

    async def _choose_players(self, game: str) -> str:
        offers = [(f"{game} {name}", label) for name, (label, _) in PLAYERS.items()]
        return await self._choose(menu_view(f"{GAMES[game].name}: {GAMES[game].summary}", *offers, HOME))

    async def _choose_practice(self) -> str:
        drawn = [(f"practice {key}", game.name) for key, game in GAMES.items()]
        line = "Positions where the choice matters."
        others = (("practice daily", "Today's puzzle"), ("practice mine", "Your mistakes"))
        return await self._choose(menu_view(line, *drawn, *others, HOME))

    async def _review(self, id: int) -> str:  # noqa: A002
        lines = tuple(review_lines(self.history.match(id)))
        menu = ("past", "Past games"), HOME
        return await self._choose(menu_view("", *menu, caption="A past game, reviewed", news=lines))

    # -- matches -------------------------------------------------------------------------------------------------------

    async def _play_new(self, game: str, players: str) -> str:
        _, seats = PLAYERS[players]
        return await self._play(Match.fresh(Lineup(parse_players(seats), game=game)), self.history.journal())

    async def _resume(self, id: int) -> str:  # noqa: A002
        try:
            match = await retry_while_locked(partial(self.history.resume, id), asyncio.sleep, STORAGE_SECONDS)
        except (ValueError, SaveError) as why:
            raise ValueError(f"This game can't be resumed: {why}.") from why
        if match.dice.typed or match.dice.shared:
            line = "This game is played with other dice: it goes on in the terminal."
            return await self._choose(menu_view(line, HOME, go=IN_TERMINAL))
        return await self._play(match)

    async def _play(self, match: Match, journal: Journal | None = None) -> str:
        """Play a match, saved in a journal if it is new, and its rematches; return the next button."""
        page, next_match = self.felt.page, match
        while True:
            table = FeltTable(next_match, self.felt)
            page.sit(next_match.identifier or "")
            try:
                finished = await Flow(table.turns, table, asyncio.sleep).play(journal)
            except PlayedElsewhereError:
                self.felt.tell("This game is now being played in another window.")
                return HOME[0]
            finally:
                page.sit("")
            if not finished:
                return HOME[0]
            page.persist()
            if (chosen := await table.ask_at_end()) != REMATCH[0]:
                assert isinstance(chosen, str)
                return chosen
            next_match, journal = next_match.rematch(), self.history.journal()

    async def _open_link(self, fragment: str) -> str:
        target = read_link(fragment)
        if isinstance(target, PuzzleLink):
            return await self._ask_puzzles(self._practice_session().daily(target.game, target.day))
        if isinstance(target, Record):
            finished, facts = verified_match(target)
            return await self._choose(menu_view(facts, HOME, news=tuple(review_lines(finished))))
        match = match_from_position(target)
        match.journal = self.history.journal()  # writes nothing before the first roll
        return await self._play(match)

    # -- practice ------------------------------------------------------------------------------------------------------

    async def _practise(self, which: str) -> str:
        game = which if which in GAMES else Lineup().game
        options = PracticeOptions(game, daily=which == "daily", mine=which == "mine")
        return await self._ask_puzzles(await self._practice_session().source(options))

    @property
    def _name(self) -> str:
        return UserFiles(self.felt.tell, self.felt.tell).load(Lineup, lineup_file()).first_person

    def _practice_session(self) -> TextPracticeSession:
        return TextPracticeSession(self.history, self._name, self.felt.tell)

    async def _ask_puzzles(self, source: Drawn) -> str:
        """Show the puzzles of a source, and the verdict after each answer; return the name of the next button."""
        number = 0
        while puzzle := await source.next():
            seat, state = puzzle.seat, puzzle.state
            shown = partial(table_view, state, puzzle.names, number, mine=[seat], acting=seat)
            caption = {"caption": f"{source.title}: {source.about}"} if source.about else {}
            answer, said = puzzle.answer(puzzle.choices[0].action), source.told
            if not said:
                question = FeltView(**asdict(shown(puzzle.question, asked=True)) | caption, menu=(HOME,))
                action = await self.felt.ask(question, state)
                if isinstance(action, str):
                    return action
                answer = puzzle.answer(action)
                self.felt.tell(source.note(answer))
                said = answer.verdict
            verdict = shown(f"{said} {answer.reason}")
            chosen = await self._choose(FeltView(**asdict(verdict) | caption, menu=(HOME,), go=("next", "Next")))
            if chosen != "next":
                return chosen
            number += 1
        self.felt.tell(source.ending)
        return HOME[0]


felt: FeltPage | None = None


async def play(page: BrowserPage, storage: file_storage.Storage, asked: str) -> None:
    """Play in the data folder of ``storage`` until the page is closed; ``asked`` is the JSON of ``LaunchRequest``."""
    global felt
    file_storage.storage = storage
    felt = shown = FeltPage(page)
    tables.fetch = partial(fetch_table, page, shown.tell)
    with closing(History(file_storage.history_file(), shown.tell)) as history:
        await FeltHome(history, shown).run(read_launch_request(asked))


def send(method: str, *values: object) -> None:
    """Receive ``act`` and its JSON from the page. An unreadable one shows the view again."""
    if felt and method == "act":
        try:
            act = json.decode("".join(map(str, values)), type=Act)
        except (MsgspecError, ValueError, RecursionError):
            act = Act()
        felt.receive(act)


def open_link(fragment: str) -> None:
    if felt:
        felt.receive(Act(link=fragment))


def back() -> bool:
    """Treat the browser's Back as the way back; return whether it leaves the page, from the home only."""
    return not (felt and felt.go_back())
