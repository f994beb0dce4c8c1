"""A match: hands in sequence, with the account of each seat (R5.2)."""

from __future__ import annotations

import secrets

import numpy as np

from dagong._state import State
from dagong.outcome import Result
from dagong.rules import Ruleset


class Match:
    """Any number of hands under one rule set.

    A card turned up finds the dealer of the first hand; after that whoever finished first deals (R5.2).
    ``seed`` is a whole number below 2**64, a NumPy generator, or None for a random one. The same seed and
    the same actions give the same match on every machine.

    >>> from dagong import DAYE, Match
    >>> match = Match(DAYE, seed=7, stake=10)
    >>> for hand in range(3):
    ...     state = match.state
    ...     while state.phase == "bid":
    ...         state.bid(False)
    ...     while state.phase == "play":
    ...         state.pass_() if state.can_pass else state.play(state.legal_plays()[-1])
    ...     state = match.next_hand()
    >>> match.hands_played, sum(match.accounts), state.dealer == match.history[-1].places[0]
    (3, 0, True)
    """

    def __init__(
        self, rules: Ruleset, *, seed: int | np.random.Generator | None = None, stake: int = 1
    ) -> None:
        if isinstance(stake, bool) or not isinstance(stake, int) or stake < 1:
            raise ValueError(f"stake = {stake!r}: expected a whole number from 1")
        if seed is None:
            seed = secrets.randbits(64)
        elif isinstance(seed, np.random.Generator):
            seed = int(seed.integers(1 << 64, dtype=np.uint64))
        self.rules = rules
        self.seed = seed
        """What the deals follow from, also where none was given."""
        self.stake = stake
        """What a payoff of 1 is worth (底)."""
        self._results: list[Result] = []
        self._state = State.deal(rules, seed)

    @property
    def state(self) -> State:
        """The current hand."""
        return self._state

    @property
    def history(self) -> tuple[Result, ...]:
        """The results of the hands that are over, the current one included."""
        result = self._state.result
        return (*self._results, result) if result is not None else tuple(self._results)

    @property
    def hands_played(self) -> int:
        """How many hands are over."""
        return len(self.history)

    @property
    def accounts(self) -> tuple[int, ...]:
        """What each seat has received in all, times the stake; the sum is 0."""
        history = self.history
        return tuple(self.stake * sum(result.payoffs[seat] for result in history) for seat in range(4))

    def next_hand(self) -> State:
        """Deal the next hand and return it.

        Raises ``ValueError`` while the current one is not over.
        """
        result = self._state.result
        if result is None:
            raise ValueError("the current hand is not over")
        self._results.append(result)
        self._state = State.deal(
            self.rules, self.seed, hand_index=len(self._results), dealer=result.places[0]
        )
        return self._state

    def __repr__(self) -> str:
        return f"<Match: {self.rules}, {self.hands_played} hands played, accounts {self.accounts}>"
