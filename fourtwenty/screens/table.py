"""The table: the hand to play, every other seat, and what was rolled; it hands the players' actions to the match.

What is legal, what it means and what it came to are said by the match; nothing here knows which game is played.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.events import Click, Key
from textual.reactive import var
from textual.screen import Screen
from textual.widgets import Static

from fourtwenty.games.game import NUMBERS, Action, InvalidAction, Roll, Stand, State, dice_in_words
from fourtwenty.match import Match
from fourtwenty.widgets.button import MouseButton
from fourtwenty.widgets.coach import LAMP_OFF, LAMP_ON, Coach, percent, points
from fourtwenty.widgets.die import Die
from fourtwenty.widgets.hand import Hand
from fourtwenty.widgets.keys import Keys
from fourtwenty.widgets.seats import Row, Seats, mark, tint

if TYPE_CHECKING:
    from fourtwenty.odds import Choice, Odds

THINK_SECONDS = 0.7
"""How long a bot's choice is shown before it rolls."""
LOOK_SECONDS = 1.1
"""How long a roll is shown before the table turns to the next hand."""
LOG_LINES = 60
SELECT = Binding.Group("Select", compact=True)


class Table(Screen[None]):
    """One match at one laptop; it turns to the hand that is to play."""

    HELP = """\
## The table

Select the dice **to roll** with `1` to `4` or a click; the others stay. Then roll with `r`, **enter** or the button.

Bots play by themselves; any key skips ahead to the next person.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(
                str(die),
                f"pick({die})",
                f"Die {die}",
                id=f"table.die-{die}",
                group=SELECT,
                tooltip="Roll this die or let it stay",
            )
            for die in (1, 2, 3, 4)
        ),
        Binding("a", "all", "All", id="table.all", tooltip="Select every die"),
        Binding("escape", "none", "None", key_display="esc", id="table.none", tooltip="Let every die stay"),
        Binding("enter,r", "roll", "Roll", key_display="enter", id="table.roll", tooltip="Roll the selected dice"),
        Binding("s", "stand", "Stand", id="table.stand", tooltip="Keep the hand and end the turn"),
        Binding("h", "hint", "Hint", id="table.hint", tooltip="Every choice with its chances, the best first"),
        Binding("up", "look(-1)", "Seats up", show=False),
        Binding("down", "look(1)", "Seats down", show=False),
        Binding("question_mark", "app.rules", "Rules", key_display="?", id="table.rules", tooltip="The rules"),
        Binding("q", "leave", "Leave", id="table.leave", tooltip="Leave the match"),
    ]

    picked: var[frozenset[int]] = var(frozenset(), init=False)
    """Places of the dice selected to be rolled."""

    def __init__(self, match: Match, pace: float = 1.0) -> None:
        """Seat a match. The pace is how long bots and rolls are shown, as a multiple of the usual; 0 shows nothing."""
        super().__init__()
        self.match = match
        self.game = match.game
        self.pace = pace
        self.odds: Odds | None = None
        """The mathematics of the game, when anybody asks."""
        if match.lineup.coach != "off" or match.lineup.warning:
            from fourtwenty.odds import odds_of

            self.odds = odds_of(match.state)
        self.hand = Hand(match.game.dice)
        self._told: list[str] = []
        self._decision: asyncio.Future[Action | None] | None = None
        """Awaited while a person is to act, and None when they leave; None while the table plays by itself."""
        self._left = False
        """Whether the players leave the match unfinished."""
        self._skip = asyncio.Event()
        """Set from the moment somebody skips ahead until a person is to act."""
        self._resumed = asyncio.Event()
        """Set when the table comes to the top again."""

    @property
    def coached(self) -> bool:
        """Whether the odds are shown."""
        return self.odds is not None and self.match.lineup.coach != "off"

    # -- what it looks like ------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Lay out the hand, the seats and the log."""
        yield Static("", id="caption", markup=False)
        with Horizontal(id="felt"):
            with Vertical(id="play"):
                yield Static("", id="turn", markup=False)
                yield self.hand
                yield Static("", id="line", markup=False)
                if self.coached:
                    yield Coach()
                with Horizontal(id="actions"):
                    yield MouseButton("Roll", id="roll", variant="primary")
                    yield MouseButton("All", id="all")
                    yield MouseButton("None", id="none")
                    yield MouseButton("Stand", id="stand")
                with VerticalScroll(id="log", can_focus=False):
                    yield Static("", markup=False)
            yield Seats(id="seats")
        yield Keys(spare=("all", "none"))  # they have their buttons

    def on_mount(self) -> None:
        """Prepare what stays the same for the whole match, and tell what has happened in it already."""
        seats = self.query_one(Seats)
        coached = self.odds.goal(self.match.state).chance if self.odds and self.coached else ""
        seats.border_title = f"Seats: {coached}" if coached else "Seats"
        self.query_one("#log").border_title = "Rolls"
        self._tell_again()
        seats.coloured = not self.match.lineup.monocolor

    def show_hand_of(self, seat: int) -> None:
        """Turn the table to a seat: its name, its colour, its dice."""
        lineup = self.match.lineup
        colour = lineup.colour(seat, self.match.first)
        shades = {f"-tint-{number}": False for number in range(6)}
        shades["-plain" if lineup.monocolor else f"-tint-{tint(colour)}"] = True
        self.query_one("#play").update_classes(shades)
        self.hand.show(self.match.state.hand(seat))
        self.query_one(Seats).pointed = seat

    def show_turn(self, words: str, seat: int, aside: str = "") -> None:
        """Say over the hand whose it is and what goes on, with a quiet word beside it."""
        lineup = self.match.lineup
        side = lineup.side(seat, self.match.first)
        named = f" ({side})" if side else ""
        colour = lineup.colour(seat, self.match.first)
        shade = "" if lineup.monocolor else f"$seat-{tint(colour)}"
        turn = Content.assemble(
            (f"{mark(colour)} ", shade), f"{words}{named}", (f"   {aside}" if aside else "", "$quiet not bold")
        )
        self.query_one("#turn", Static).update(turn, layout=False)

    def show_line(self, words: str, refused: bool = False) -> None:
        """Say under the hand what the selection means."""
        line = self.query_one("#line", Static)
        line.set_class(refused, "-refused")
        line.update(Content.styled(words, "$warning bold reverse") if refused else Content(words), layout=False)

    def show_standings(self) -> None:
        """Show how every seat stands, and where the match does."""
        match, state = self.match, self.match.state
        shares = self._shares(state)
        self.query_one(Seats).rows = tuple(self._row(state, seat, *shares[seat]) for seat in range(state.seats))
        caption = f"{match.game.name}   {state.caption()}"
        if state.player_one is not None:
            caption += f"   {self._first(state.player_one)}"
        if self.coached:
            caption += f"   Coach: {match.lineup.coach}"
        self.query_one("#caption", Static).update(caption, layout=False)

    def show_choices(self) -> None:
        """Offer what the seat to act may do, and dim the rest; between turns, all of it."""
        forced = self._forced_dice
        self.query_one("#roll", MouseButton).label = f"Roll all {NUMBERS[len(forced)]}" if len(forced) > 1 else "Roll"
        for button in self.query(MouseButton):
            allowed = self.check_action(button.id or "", ())
            button.display = allowed is not False
            button.set_class(not allowed, "-dimmed")
        self.refresh_bindings()

    def tell(self, *lines: str) -> None:
        """Add lines to the log."""
        self._told = [*self._told, *lines][-LOG_LINES:]
        self.query_one("#log > Static", Static).update("\n".join(self._told))
        self.query_one("#log", VerticalScroll).scroll_end(animate=False)

    def _tell_again(self) -> None:
        """Add what happened before the match was left."""
        number, lines = 0, []
        for before, event in self.match.story():
            if before.round != number:
                number = before.round
                lines.append(self._heading(before))
            lines.append(f"{self.match.names[event.seat]}: {before.tell(event.action, event.faces)}")
        self.tell(*lines)

    def _heading(self, state: State) -> str:
        """Say which round begins, and who began it."""
        first = f" {self._first(state.player_one)}." if state.player_one is not None else ""
        return f"Round {state.round}.{first}"

    def _first(self, seat: int) -> str:
        """Say who began the round."""
        return f"{self.game.first[0].upper()}{self.game.first[1:]}: {self.match.names[seat]}"

    def _shares(self, state: State) -> list[tuple[float | None, str]]:
        """By seat, the chance that its bar shows and what is said beside it."""
        if not self.coached or not self.odds:
            return [(None, "")] * state.seats
        wins = self.odds.values(state)
        said = [percent(chance) for chance in wins]
        second = self.odds.second(state)
        if second:
            form = ".0%" if second.share else ".1f"
            said = [f"{win:.0%}  {second.name} {more:{form}}" for win, more in zip(wins, second.numbers, strict=True)]
        return [(wins[seat], said[seat]) if state.standing(seat).playing else (None, "") for seat in range(state.seats)]

    def show_odds(self, picked: frozenset[int]) -> None:
        """Say what the odds make of a selection, as far as the match is coached."""
        coach = self.query(Coach).first()
        state = self.match.state
        if not self.odds or state.to_act is None:
            coach.show({})
            return
        full = self.match.lineup.coach == "full"
        lamp = self.odds.others_matter(state) if full else None
        chosen = self._choice_of(picked)
        if chosen is None:
            coach.show({}, "", "h shows every choice" if full else "", lamp)
            return
        loss = self._loss(chosen)
        only = len(self.odds.choices(state)) == 1
        verdict = "forced" if only else f"loses {points(round(loss, 1))}" if loss >= 0.05 else "best"
        chances = {
            **dict(zip(self.odds.LABELS, map(percent, chosen.chances), strict=True)),
            **({} if chosen.amount is None else {self.odds.AMOUNT: f"{chosen.amount:.1f}"}),
        }
        goal = f"{self.odds.goal(state).name}: {percent(chosen.value)}"
        coach.show(chances, goal, verdict if full else "", lamp)

    def _choice_of(self, picked: frozenset[int]) -> Choice | None:
        """What the odds call the roll of these dice, or standing without any; None when it is not legal."""
        from fourtwenty.odds import choice_of

        state = self.match.state
        action = Roll(tuple(picked)) if picked else Stand()
        if not self.odds or state.check(action):
            return None
        return choice_of(self.odds.choices(state), state, action)

    def _loss(self, choice: Choice) -> float:
        """What a choice loses against the best, in points."""
        assert self.odds
        return 100 * (self.odds.choices(self.match.state)[0].value - choice.value)

    def _row(self, state: State, seat: int, chance: float | None, said: str) -> Row:
        standing = state.standing(seat)
        return Row(
            colour=self.match.lineup.colour(seat, self.match.first),
            name=self.match.names[seat],
            tag=self.game.first if seat == state.player_one else "",
            detail=standing.detail,
            note=standing.note,
            playing=standing.playing,
            tally=standing.tally,
            share=chance,
            said=said,
        )

    # -- how it goes on ----------------------------------------------------------------------------------------

    async def play_round(self) -> bool:
        """Play until the round is over, and return True, or until the players leave, and return False.

        Nothing goes on while another screen covers the table.
        """
        match = self.match
        await self._uncovered()
        self._skip.clear()
        self.show_standings()
        if match.commitment and not match.events:
            self.tell(f"The dice are sealed: {match.commitment[:12]}…")
        if self.odds and match.lineup.coach == "full" and not match.events:
            self.tell(f"{LAMP_OFF} turns {LAMP_ON} where other hands matter to the best choice. {self.odds.LAMP}")
        if self._heading(match.state) not in self._told:
            self.tell(self._heading(match.state))
        while (seat := match.state.to_act) is not None and not self._left:
            self.show_hand_of(seat)
            action = await (self._bot_decides(seat) if match.bot_to_act else self._person_decides(seat))
            if self._left or action is None:
                break
            await self._carry_out(seat, action)
        await self._uncovered()
        return not self._left

    async def _person_decides(self, seat: int) -> Action | None:
        self._skip.clear()
        self._decision = asyncio.get_running_loop().create_future()
        name = self.match.names[seat]
        self.show_turn("Your turn" if name.casefold() == "you" else f"{name}, your turn", seat)
        self.show_choices()
        self._select(self._forced_dice)
        try:
            return await self._decision
        finally:
            self._decision = None

    async def _bot_decides(self, seat: int) -> Action:
        action = self.match.bot_action()
        if not self._skip.is_set():
            self.show_turn(f"{self.match.names[seat]} plays", seat, aside="any key skips ahead")
            self._select(frozenset(action.dice) if isinstance(action, Roll) else frozenset())
            await self._pause(THINK_SECONDS)
        return action

    async def _carry_out(self, seat: int, action: Action) -> None:
        before = self.match.state
        event = self.match.act(action)
        told = before.tell(event.action, event.faces)
        thrown = event.action.dice if isinstance(event.action, Roll) else ()
        self.show_turn(f"{self.match.names[seat]}: {_what(event.action)}", seat)
        if not self._skip.is_set():
            self.show_line("")
            if self.coached:
                self.query(Coach).first().show({})
            self.show_choices()
            if thrown and self.match.lineup.animation:
                await self.hand.throw(dict(zip(thrown, event.faces, strict=True)))
        self.hand.show(self.match.state.hand(seat), fresh=thrown)
        self.tell(f"{self.match.names[seat]}: {told}")
        self.show_standings()
        self.show_line(told[0].upper() + told[1:])
        await self._pause(LOOK_SECONDS)

    async def _pause(self, seconds: float) -> None:
        """Let the players look, unless they skip ahead; wait on while another screen covers the table."""
        await asyncio.sleep(0)  # many bots in a row, skipped, still leave the screen time to paint
        with suppress(TimeoutError):
            await asyncio.wait_for(self._skip.wait(), seconds * self.pace)
        await self._uncovered()

    async def _uncovered(self) -> None:
        """Wait until no other screen covers the table."""
        while not self.is_active:
            self._resumed.clear()
            await self._resumed.wait()

    def on_screen_resume(self) -> None:
        """Go on."""
        self._resumed.set()

    # -- what the players do -----------------------------------------------------------------------------------

    @property
    def waiting(self) -> bool:
        """Whether a person is to act."""
        return self._decision is not None and not self._decision.done()

    @property
    def _forced_dice(self) -> frozenset[int]:
        """The dice of the only legal action; none when there is a choice."""
        actions = self.match.state.actions
        only = actions[0] if len(actions) == 1 else None
        return frozenset(only.dice) if isinstance(only, Roll) else frozenset()

    def _select(self, dice: frozenset[int]) -> None:
        """Select dice and say what that means, even when the same were selected before."""
        self.set_reactive(Table.picked, dice)
        self.watch_picked(dice)

    def watch_picked(self, picked: frozenset[int]) -> None:
        """Show the selection, and what it means."""
        self.hand.pick(picked)
        self.show_line(self.match.state.preview(picked))
        if self.coached:
            self.show_odds(picked)
        roll = self.query_one("#roll")
        refused = self.check_action("roll", ()) is None
        if roll.has_class("-dimmed") != refused:
            roll.set_class(refused, "-dimmed")
            self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Hide what this game does not have; dim what cannot be done now."""
        match = self.match
        if action == "pick" and isinstance(parameters[0], int) and parameters[0] > match.game.dice:
            return False
        if action == "stand" and not any(isinstance(legal, Stand) for legal in match.state.actions):
            return False
        if action in ("pick", "all", "none", "roll", "stand", "hint") and not self.waiting:
            return None
        if action == "hint":
            return match.lineup.coach == "full" or None
        if action in ("pick", "all", "none"):
            return not self._forced_dice or None
        if action == "roll":
            return self._refusal(self.picked) is None or None
        return True

    def _refusal(self, picked: frozenset[int]) -> str | None:
        """Why these dice may not be rolled."""
        try:
            return self.match.state.check(Roll(tuple(picked)))
        except InvalidAction as error:
            return str(error)

    def on_key(self, event: Key) -> None:
        """Skip ahead while the table plays by itself; explain what is tried in vain."""
        active = self.active_bindings.get(event.key)
        if active and active.enabled:
            return
        if not self.waiting:
            event.stop()
            self.skip()
        elif active:
            event.stop()
            self.explain(active.binding.action)

    @on(MouseButton.Pressed)
    async def press(self, event: MouseButton.Pressed) -> None:
        """Do by mouse what the key of the same name does."""
        await self.do(event.button.id or "")

    @on(Die.Clicked)
    async def click_die(self, event: Die.Clicked) -> None:
        """Toggle a die by mouse."""
        await self.do("pick", event.place)

    async def do(self, action: str, *parameters: int) -> None:
        """Do what was clicked, or explain why it cannot be done."""
        if not self.waiting:
            self.skip()
        elif self.check_action(action, parameters) is not True:
            self.explain(action)
        else:
            await self.run_action(f"{action}({','.join(map(str, parameters))})")

    def on_click(self, event: Click) -> None:  # noqa: ARG002
        """Skip ahead by a click anywhere."""
        if not self.waiting:
            self.skip()

    def skip(self) -> None:
        """Let dice that tumble land; when none do, go on to the next person."""
        if self.hand.tumbling:
            self.run_worker(self.hand.land())
        else:
            self._skip.set()

    def explain(self, action: str = "") -> None:
        """Say why what was tried is not possible."""
        state = self.match.state
        if action == "hint":
            self.show_line("Hints come with the full coach: c in the lobby.", refused=True)
            self.app.bell()
            return
        self.show_line(
            state.preview(self.picked) if self._forced_dice else self._refusal(self.picked) or "", refused=True
        )
        self.app.bell()

    def action_pick(self, die: int) -> None:
        """Select a die, or let it stay."""
        self.picked ^= {die}

    def action_all(self) -> None:
        """Select every die."""
        self.picked = frozenset(range(1, self.match.game.dice + 1))

    def action_none(self) -> None:
        """Let every die stay."""
        self.picked = frozenset()

    def action_roll(self) -> None:
        """Roll the selected dice."""
        self._consider(Roll(tuple(self.picked)))

    def action_stand(self) -> None:
        """Keep the hand."""
        self._consider(Stand())

    def action_hint(self) -> None:
        """Show every choice; the review will know."""
        from fourtwenty.screens.hint import Hint

        if self.odds and self.is_active:
            self.match.hint()
            self.app.push_screen(Hint(self.odds, self.match.state))

    def _consider(self, action: Action) -> None:
        """Take the action, unless it loses so much that they want to be asked first."""
        from fourtwenty.odds import choice_of

        least = self.match.lineup.warning
        if not self.odds or not least:
            self._decide(action)
            return
        state = self.match.state
        loss = self._loss(choice_of(self.odds.choices(state), state, action))
        if loss < least:
            self._decide(action)
        elif self.is_active:
            from fourtwenty.screens.hint import Warn

            def answered(answer: str | None) -> None:
                if answer == "play":
                    self._decide(action)
                elif answer == "show":
                    self.action_hint()

            self.app.push_screen(Warn(loss), answered)

    def _decide(self, action: Action) -> None:
        if self._decision and self.waiting:
            self._decision.set_result(action)

    def action_look(self, step: int) -> None:
        """Scroll the seats."""
        self.query_one(Seats).scroll_relative(y=step, animate=False)

    def action_leave(self) -> None:
        """Leave the match; once they are sure, when something would be lost."""
        from fourtwenty.screens.confirm import LeaveMatch

        if self.match.kept or not self.match.events:
            self._leave_if(True)
        elif self.is_active:
            self.app.push_screen(LeaveMatch(), self._leave_if)

    def _leave_if(self, sure: bool | None) -> None:
        if sure:
            self._left = True
            self._skip.set()
            if self._decision and self.waiting:
                self._decision.set_result(None)


def _what(action: Action) -> str:
    return dice_in_words(len(action.dice)) if isinstance(action, Roll) else "stands"
