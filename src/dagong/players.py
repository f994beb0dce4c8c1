"""Players for a table: what to bid and play, from what a seat may know and nothing else."""

from __future__ import annotations

import random
from typing import Protocol

import numpy as np

from dagong._core import Plays
from dagong._play import Play
from dagong.kinds import Kind
from dagong.outcome import Observation

WORTH_A_BOMB = 15      # points in a trick
NEARLY_OUT = 5         # cards that an opponent has left
END_OF_HAND = 10       # cards that a player has left who need not keep bombs any more


class Player(Protocol):
    """Decides for a seat."""

    def bid(self, seen: Observation) -> bool:
        """Whether to play solo."""

    def choose(self, seen: Observation, plays: Plays) -> Play | None:
        """One of the legal plays, or None to pass; a leader must not pass."""


class RandomPlayer:
    """Never bids; any play or the pass, each as likely."""

    def __init__(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def bid(self, seen: Observation) -> bool:
        """No."""
        return False

    def choose(self, seen: Observation, plays: Plays) -> Play | None:
        """A random one of the plays, or the pass if it is allowed."""
        number = self._random.randrange(len(plays) + (seen.last_play is not None))
        return plays[number] if number < len(plays) else None


class SimplePlayer:
    """Follows with the weakest play, keeps bombs for points or the end, spares a known partner.

    >>> from dagong import DAYE, State
    >>> state = State.from_hands(DAYE, ["9S", "3S 4H TC TS 9S", "3C", "4C"], dealer=0, called="9S", to_move=3)
    >>> state.play("4C")
    >>> state.pass_()
    >>> str(SimplePlayer().choose(state.observe(1), state.legal_plays()))
    '9S as single 9'
    """

    def bid(self, seen: Observation) -> bool:
        """Only with three jokers or more and three natural bombs."""
        counts = seen.hand.rank_counts
        return int(counts[13]) >= 3 and int((counts[:13] >= 4).sum()) >= 3

    def choose(self, seen: Observation, plays: Plays) -> Play | None:
        """Out if it can; else the cheapest play that serves."""
        if not plays:
            return None
        rows = plays.array
        last = np.flatnonzero(rows["size"] == len(seen.hand))
        if last.size:
            return plays[int(last[0])]
        bombs = rows["kind"] >= Kind.FIVE_TEN_KING
        low = rows["rank"].astype(int) - rows["length"] + 1
        breaks = breaks_bomb(seen, rows)
        if seen.last_play is None:
            order = np.lexsort((-rows["size"].astype(int), low, rows["jokers"], breaks, bombs))
            return plays[int(order[0])]
        if seen.last_player is not None and side_of(seen, seen.last_player) is True:
            return None
        hurry = (
            seen.pile_points >= WORTH_A_BOMB
            or len(seen.hand) <= END_OF_HAND
            or any(
                0 < size <= NEARLY_OUT and seat != seen.seat and side_of(seen, seat) is not True
                for seat, size in enumerate(seen.hand_sizes)
            )
        )
        order = np.lexsort((rows["strength"], rows["size"], rows["jokers"], breaks, bombs))
        best = int(order[0])
        dear = bombs[best] or breaks[best] or rows["jokers"][best] > 0
        return plays[best] if hurry or not dear else None


def breaks_bomb(seen: Observation, rows: np.ndarray) -> np.ndarray:
    """Which plays of one rank would take cards from a natural bomb without being one."""
    bombs_held = seen.hand.rank_counts[:13] >= 4
    broken: np.ndarray = (rows["kind"] <= Kind.TRIPLE) & bombs_held[np.clip(rows["rank"], 0, 12)]
    return broken


def side_of(seen: Observation, seat: int) -> bool | None:
    """Whether a seat is on the viewer's side, as far as the viewer may know; None if not known."""
    if seat == seen.seat:
        return True
    if seen.soloist is not None:
        return seen.soloist not in (seat, seen.seat)
    if seen.partner is not None:
        side = (seen.dealer, seen.partner)
        return (seat in side) == (seen.seat in side)
    if seen.seat != seen.dealer and seat == seen.dealer:
        return False    # the dealer's partner would know
    return None
