"""``dagong play``: a person against three players, in the terminal."""

from __future__ import annotations

import io
import secrets
import sys
from typing import TextIO

import click
import numpy as np

from dagong import Kind, Play, Plays, Ruleset, State
from dagong.cli.common import SEED, BadInput, WholeNumber, rules_options
from dagong.cli.hands import PLACES, grouped, result_lines, short_play, side_words, ungrouped
from dagong.notation import split_play
from dagong.outcome import Observation
from dagong.players import Player, RandomPlayer, SimplePlayer, side_of
from dagong.records import record_text

PAGE = 6      # hints of each kind at once
HELP = "Type a hint's number, a play such as 4H 4S or 4HS, p to pass, ? for more hints, quit to leave."


class Leaves(Exception):
    """The person wants to leave, or the input is at its end."""


@click.command()
@rules_options
@click.option("--seed", type=SEED, metavar="N", help="The same seed, the same cards; random unless told.")
@click.option(
    "--seat", type=WholeNumber(0, 3), default=0, show_default=True, metavar="SEAT", help="Where you sit.",
)
@click.option(
    "--opponents", type=click.Choice(["simple", "random"]), default="simple", show_default=True,
    help="How the others play.",
)
@click.option("--save", metavar="FILE", help="Write the hand's record there, also if you leave early.")
def play(rules: Ruleset, seed: int | None, seat: int, opponents: str, save: str | None) -> None:
    """Play a hand against three others.

    You see your cards, what you may play as numbered hints, and what happens at the table. If you leave
    early, with quit or Ctrl-C, the hand's record so far is shown.

    \b
    dagong play --rules daye
    dagong play --rules xianning --seed 7 --seat 2 --opponents random
    """
    if sys.stdin is None:
        raise BadInput("standard input is closed, so you cannot play")
    if isinstance(sys.stdin, io.TextIOWrapper):     # what is no text is no play either, and reads as such
        sys.stdin.reconfigure(errors="replace")
    if seed is None:
        seed = secrets.randbits(64)
    state = State.deal(rules, seed)
    tags = {"seed": str(seed)}
    if save is not None:    # now, not after the hand: what cannot be written there would be lost
        write_record(save, record_text(state, tags))
    click.echo(f"{rules}, seed {seed}")
    other: Player = SimplePlayer() if opponents == "simple" else RandomPlayer(seed)
    try:
        Session(state, seat, other, sys.stdin).run()
    except (Leaves, KeyboardInterrupt):
        click.echo("\n\nYou leave the table. The hand so far:\n")
        click.echo(record_text(state, tags), nl=False)
    if save is not None:
        try:
            write_record(save, record_text(state, tags))
        except BadInput:
            click.echo(f"\nThe hand could not be saved. Its record:\n\n{record_text(state, tags)}", nl=False)
            raise


def write_record(file: str, text: str) -> None:
    """Write what ``--save`` asks for."""
    try:
        with open(file, "w", encoding="utf-8") as stream:
            stream.write(text)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise BadInput(f"--save {file!r}: {getattr(error, 'strerror', None) or error}") from None


class Session:
    """One hand at the terminal."""

    def __init__(self, state: State, seat: int, other: Player, stdin: TextIO) -> None:
        self.state = state
        self.seat = seat
        self.other = other
        self.stdin = stdin

    def run(self) -> None:
        """From the bids to the payments."""
        state = self.state
        click.echo(f"You are seat {self.seat}. {HELP}\n")
        click.echo(f"{self.does(state.dealer, 'deal')} and {self.verb(state.dealer, 'call')} {state.called}.")
        if state.partner == self.seat:
            click.echo("You hold the other one: you are the secret partner 對家!")
        while state.phase == "bid":
            self.bid()
        while state.phase == "play":
            self.turn()
        result = state.result
        assert result is not None
        click.echo(f"\n{side_words(state)}")
        for line in result_lines(state):
            click.echo(line)
        payoff = result.payoffs[self.seat]
        sentence = f"You {'win' if payoff > 0 else 'pay'} {abs(payoff)}." if payoff else "You come out even."
        click.echo(f"\n{click.style(sentence, bold=True)}")

    def bid(self) -> None:
        """One seat's bid."""
        state = self.state
        seat = state.to_move
        assert seat is not None
        if seat != self.seat:
            solo = self.other.bid(state.observe(seat))
        else:
            click.echo(f"\nYour cards: {grouped(state.hands[seat])}")
            reply = ""
            while reply not in ("y", "yes", "n", "no"):
                reply = self.ask("Play solo 硬牌, alone against three? y or n")
            solo = reply in ("y", "yes")
        state.bid(solo)
        if solo:
            click.echo(f"{self.does(seat, 'play')} solo 硬牌!")

    def turn(self) -> None:
        """One seat's play or pass, and what it leads to."""
        state = self.state
        seat = state.to_move
        assert seat is not None
        revealed, places, captured, last = state.revealed, state.places, state.captured, state.last_player
        if seat == self.seat:
            self.own_turn()
        else:
            chosen = self.other.choose(state.observe(seat), state.legal_plays())
            if chosen is None:
                state.pass_()
            else:
                state.play(chosen)
        made = state.history[-1].play
        if made is None:
            self.say(self.does(seat, "pass", "passes"))
        else:
            last = seat
            self.say(f"{self.does(seat, 'play')} {short_play(made)} {made.kind.chinese}")
        if state.revealed and not revealed and state.partner is not None:
            self.say(f"明雞! {self.does(state.partner, 'are', 'is')} the dealer's partner")
        for place in range(len(places), len(state.places)):
            if place < 3:
                self.say(f"{self.does(state.places[place], 'are', 'is')} out: {PLACES[place]}")
        if state.last_player is None or state.phase == "over":
            assert last is not None
            points = sum(state.captured) - sum(captured)
            self.say(f"{self.does(last, 'take')} the trick: {points} points")
            if state.to_move not in (None, last):
                assert state.to_move is not None
                self.say(f"接風: {self.does(state.to_move, 'lead')} next")

    def own_turn(self) -> None:
        """Ask until something legal is typed."""
        state = self.state
        plays = state.legal_plays()
        if not plays:
            self.show_table()
            click.echo("Nothing of yours beats that.")
            state.pass_()
            return
        hints = Hints(plays)
        self.show_table()
        self.show_lines(hints.page())
        while True:
            typed = self.ask("pass or play" if state.can_pass else "you lead")
            word = typed.lower()
            if word in ("?", "hint", "h"):
                self.show_lines(hints.page())
                continue
            try:
                if word in ("p", "pass"):
                    state.pass_()
                elif word.isascii() and word.isdecimal():
                    state.play(hints.numbered(int(word)))
                else:
                    state.play(self.meant(typed))
                return
            except ValueError as error:
                click.echo(f"  {error}")

    def meant(self, typed: str) -> Play:
        """The play typed; among several declarations of its cards, the only one that is legal now."""
        typed = ungrouped(typed)
        cards, declaration = split_play(typed)
        if declaration is None and (beaten := self.state.last_play) is not None:
            rules = self.state.rules
            legal = [play for play in rules.identify(cards) if rules.beats(play, beaten)]
            if len(legal) == 1:
                return legal[0]
        return self.state.rules.parse_play(typed)

    def show_table(self) -> None:
        """Who has what, and the hand."""
        seen = self.state.observe(self.seat)
        seats = []
        for seat in range(4):
            known = side_of(seen, seat) is True and seat != self.seat
            friend = " (with you)" if known else ""
            size = seen.hand_sizes[seat]
            cards = f"{size} card{'s' * (size > 1)}" if size else "out"
            seats.append(f"{self.name(seat)}{friend} {cards} {seen.captured[seat]} points")
        click.echo(f"\n{click.style(' | '.join(seats), dim=True)}")
        click.echo(click.style(self.sides(seen), dim=True))
        if seen.last_play is not None and seen.last_player is not None:
            worth = f", {seen.pile_points} points in the trick" if seen.pile_points else ""
            beaten = f"{short_play(seen.last_play)} {seen.last_play.kind.chinese}"
            click.echo(f"To beat: {beaten} by {self.name(seen.last_player)}{worth}")
        click.echo(f"Your cards: {click.style(grouped(seen.hand), bold=True)}")

    def sides(self, seen: Observation) -> str:
        """Who dealt and called what, and who is with whom as far as the person may know."""
        if seen.soloist is not None:
            return f"{self.does(seen.soloist, 'play')} solo 硬牌 against the other three"
        call = f"{self.does(seen.dealer, 'deal')} and {self.verb(seen.dealer, 'call')} {seen.called}"
        if seen.partner is None:
            return f"{call}; the partner is secret"
        secretly = "" if seen.revealed else " in secret"
        partner = f"{self.name(seen.partner)} {self.verb(seen.partner, 'are', 'is')}"
        return f"{call}; {partner} the partner{secretly}"

    def show_lines(self, lines: list[str]) -> None:
        """Hints, or that there are no more."""
        click.echo("\n".join(lines) if lines else "  Those were all; ? shows the first again")

    def ask(self, prompt: str) -> str:
        """A line that was typed; ``Leaves`` at the end of input, or if it says so."""
        click.echo(f"{prompt} > ", nl=False)
        line = self.stdin.readline()
        if not line or line.strip().lower() in ("quit", "q", "exit"):
            raise Leaves
        return line.strip()

    def say(self, sentence: str) -> None:
        """Something that happened."""
        click.echo(f"  {sentence}")

    def name(self, seat: int) -> str:
        """How a seat is called."""
        return "you" if seat == self.seat else f"seat {seat}"

    def verb(self, seat: int, plain: str, third: str = "") -> str:
        """A verb as that seat's name wants it."""
        return plain if seat == self.seat else third or plain + "s"

    def does(self, seat: int, plain: str, third: str = "") -> str:
        """A seat and its verb, as a sentence begins."""
        return f"{self.name(seat).capitalize()} {self.verb(seat, plain, third)}"


class Hints:
    """The legal plays by kind, those without jokers first, numbered from 1 and shown page by page."""

    def __init__(self, plays: Plays) -> None:
        self.plays = plays
        rows = plays.array
        self.order = np.lexsort((rows["jokers"], rows["kind"]))
        kinds = rows["kind"][self.order]
        self.spans = {
            kind: (int(np.searchsorted(kinds, kind)), int(np.searchsorted(kinds, kind, "right")))
            for kind in Kind
        }
        self.shown = 0
        """How many of each kind were shown."""

    def numbered(self, number: int) -> Play:
        """The play with a number."""
        if not 1 <= number <= len(self.order):
            raise ValueError(f"there is no hint {number}: they run from 1 to {len(self.order)}")
        return self.plays[int(self.order[number - 1])]

    def page(self) -> list[str]:
        """The next few of each kind, a line a kind; after the last, none once, and then the first."""
        lines = []
        for kind, (start, end) in self.spans.items():
            first = start + self.shown
            if first >= end:
                continue
            numbers = range(first + 1, min(first + PAGE, end) + 1)
            shown = [f"{number}: {short_play(self.numbered(number))}" for number in numbers]
            left = end - first - len(shown)
            more = f"   … {left:,} more: ?" if left else ""
            lines.append(f"  {kind.chinese} {kind.label}   {'   '.join(shown)}{more}")
        self.shown = self.shown + PAGE if lines else 0
        return lines
