"""Holds what the core says about a hand against the oracle.

Everything is turned into *lines*, texts that name a class of equal plays: a declaration, a colon, and the
labels of its cards, sorted by rank and then as text, so ``pair_run 5 x2: 4 4 X X``. See ``oracle.play_line``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product
from math import prod

import numpy as np

import oracle
from dagong import CARDS_DTYPE, PLAY_DTYPE, Card, Detail, Hand, Play, Plays, Ruleset
from dagong.kinds import Kind

KIND_LABELS = (None, *(kind.label for kind in Kind))


def oracle_play(play: Play) -> oracle.Play:
    """The play as the oracle writes it."""
    declaration = oracle.Declaration(KIND_LABELS[play.kind], play.rank, play.length, play.suit)
    return tuple(map(int, play.cards)), declaration


@cache
def labels(detail: str, called: int | None) -> tuple[tuple[int, str], ...]:
    """For each card what it sorts by in a line: its rank, then its label."""
    return tuple((oracle.rank_of(card), oracle.label(card, detail, called)) for card in range(54))


def line_of_cards(
    cards: Iterable[int], declaration: oracle.Declaration, detail: Detail, called: int | None
) -> str:
    """``oracle.play_line``, with the labels looked up."""
    table = labels(detail.name, called)
    return line_of(declaration, tuple([text for _, text in sorted([table[card] for card in cards])]))


@cache
def declaration_text(declaration: oracle.Declaration) -> str:
    return oracle.format_declaration(declaration)


def line_of(declaration: oracle.Declaration, texts: Iterable[str]) -> str:
    """``oracle.line_of``, with the declaration looked up."""
    return f"{declaration_text(declaration)}: {' '.join(texts)}"


def lines_of_plays(plays: Iterable[Play], detail: Detail, called: int | None) -> list[str]:
    """The lines of ``Play`` objects."""
    pairs = map(oracle_play, plays)
    return [line_of_cards(cards, declaration, detail, called) for cards, declaration in pairs]


def lines_of_rows(array: np.ndarray, detail: Detail, called: int | None) -> list[str]:
    """The lines of the records of a structured array."""
    names = array.dtype.names
    lines = []
    for values in array.tolist():
        row = dict(zip(names, values, strict=True))
        cards = cards_of_row(row)
        assert len(cards) == row["size"]
        lines.append(line_of_cards(cards, declaration_of_row(row), detail, called))
    return lines


def cards_of_row(row: dict[str, int]) -> list[int]:
    """The cards of a record: real ones where it has them, else some of the right ranks."""
    if "once" in row:
        return [code for plane in (row["once"], row["twice"]) for code in bits_of(plane)]
    naturals = [4 * rank for rank in range(13) for _ in range(row["counts"] >> (4 * rank) & 15)]
    return naturals + [oracle.BLACK_JOKER] * row["jokers"]


def bits_of(word: int) -> list[int]:
    """The places of the bits that are set."""
    places = []
    while word:
        places.append((word & -word).bit_length() - 1)
        word &= word - 1
    return places


def declaration_of_row(row: dict[str, int]) -> oracle.Declaration:
    """The declaration of a record."""
    suit = None if row["suit"] < 0 else row["suit"]
    return oracle.Declaration(KIND_LABELS[row["kind"]], row["rank"], row["length"], suit)


@cache
def label_choices(
    cards: tuple[int, ...], number: int, detail: str, called: int | None
) -> set[tuple[str, ...]]:
    """``oracle.label_choices``, each worked out once."""
    return oracle.label_choices(list(cards), number, detail, called)


class Expected:
    """What the oracle finds in a hand, worked out once for every detail and every play to beat."""

    def __init__(self, rules: Ruleset, cards: tuple[int, ...]) -> None:
        self.rules = rules.fields()
        self.held = {rank: tuple(held) for rank, held in oracle.held_by_rank(cards).items()}
        self.classes = list(oracle.rank_classes(self.rules, cards, None))
        self.five_ten_kings = list(oracle.five_ten_king_plays(self.rules, cards, None))

    def example(self, group: oracle.RankClass) -> oracle.Play:
        """One play of a class: they all are as strong."""
        cards = tuple(card for rank, number in group.sizes for card in self.held[rank][:number])
        return cards, group.declaration

    def beating(self, to_beat: oracle.Play | None) -> tuple[list[oracle.RankClass], list[oracle.Play]]:
        """The classes, and the 510Ks, that beat a play."""
        if to_beat is None:
            return self.classes, self.five_ten_kings
        return (
            [group for group in self.classes if oracle.beats(self.rules, self.example(group), to_beat)],
            [play for play in self.five_ten_kings if oracle.beats(self.rules, play, to_beat)],
        )

    def five_ten_king_lines(self, plays: list[oracle.Play], detail: Detail, called: int | None) -> set[str]:
        return {line_of_cards(*play, detail, called) for play in plays}

    def choices(
        self, group: oracle.RankClass, detail: Detail, called: int | None
    ) -> list[set[tuple[str, ...]]]:
        return [label_choices(self.held[rank], n, detail.name, called) for rank, n in group.sizes]

    def count(self, to_beat: oracle.Play | None, detail: Detail, called: int | None) -> int:
        """How many lines there are."""
        classes, five_ten_kings = self.beating(to_beat)
        return len(self.five_ten_king_lines(five_ten_kings, detail, called)) + sum(
            prod(map(len, self.choices(group, detail, called))) for group in classes
        )

    def lines(self, to_beat: oracle.Play | None, detail: Detail, called: int | None) -> set[str]:
        """The lines themselves."""
        classes, five_ten_kings = self.beating(to_beat)
        lines = self.five_ten_king_lines(five_ten_kings, detail, called)
        for group in classes:
            for chosen in product(*self.choices(group, detail, called)):
                labels = (text for labels in chosen for text in labels)
                lines.add(line_of(group.declaration, labels))
        return lines

    def bomb_keys(self) -> Iterator[tuple[str, tuple[int, tuple[int, ...]]]]:
        """The line at RANKS and the key of every bomb."""
        for play in [*map(self.example, self.classes), *self.five_ten_kings]:
            key = oracle.bomb_key(self.rules, *play)
            if key is not None:
                yield line_of_cards(*play, Detail.RANKS, None), key


def check_lines(plays: Plays, expected: set[str]) -> None:
    """The list has exactly these lines, each once, as objects and as records."""
    called = None if plays.called is None else int(plays.called)
    lines = lines_of_plays(plays, plays.detail, called)
    assert len(lines) == len(set(lines)), "the same play twice"
    assert set(lines) == expected
    assert lines_of_rows(plays.array, plays.detail, called) == lines


def check_records(plays: Plays) -> None:
    """Records, objects and cards say the same, and real cards come from the hand."""
    held = plays.hand.counts
    counts = plays.cards_array()
    assert counts.shape == (len(plays), 54)
    assert (counts <= held).all()
    array = plays.array
    for play, row, cards in zip(plays, array, counts, strict=True):
        assert (int(row["kind"]), int(row["rank"]), int(row["length"])) == (play.kind, play.rank, play.length)
        assert (int(row["size"]), int(row["jokers"])) == (play.size, play.jokers)
        assert int(row["suit"]) == (-1 if play.suit is None else play.suit)
        assert play.cards.counts.tolist() == cards.tolist()
        assert (
            play.size
            == len(play.cards)
            == sum(int(row["counts"]) >> 4 * rank & 15 for rank in range(13)) + play.jokers
        )
        assert play.jokers == int(cards[52]) + int(cards[53])
        for rank in range(13):
            assert int(row["counts"]) >> 4 * rank & 15 == int(cards[4 * rank : 4 * rank + 4].sum())


def check_places(plays: Plays, rules: Ruleset, step: int = 1) -> None:
    """Membership, index and strength of the plays (of every ``step``-th)."""
    array = plays.array
    for place in range(0, len(plays), step):
        play = plays[place]
        assert play in plays
        assert plays.index(play) == place
        assert rules.strength(play) == int(array["strength"][place])


def check_buffers(plays: Plays, rules: Ruleset) -> None:
    """``legal_plays_into`` writes what ``array`` has."""
    question = {"detail": plays.detail, "called": plays.called}
    dtypes = [CARDS_DTYPE] + [PLAY_DTYPE] * (plays.detail is Detail.RANKS)
    for dtype in dtypes:
        buffer = np.zeros(len(plays), dtype)
        assert rules.legal_plays_into(buffer, plays.hand, plays.to_beat, **question) == len(plays)
        for name in plays.array.dtype.names:
            assert (buffer[name] == plays.array[name]).all() if name in dtype.names else True
        if dtype == CARDS_DTYPE:
            both = [Hand.from_planes(int(row["once"]), int(row["twice"])) for row in buffer[:50]]
            assert both == [play.cards for play in plays[:50]]


def check_order(plays: Plays, expected: Expected) -> None:
    """The strengths of bombs are in the oracle's order, ties included, and above all else."""
    assert plays.detail is Detail.RANKS
    keys = dict(expected.bomb_keys())
    pairs = set()
    highest = -1
    array = plays.array
    for line, strength in zip(
        lines_of_rows(array, Detail.RANKS, None), array["strength"].tolist(), strict=True
    ):
        if line in keys:
            pairs.add((strength, keys[line]))
        else:
            highest = max(highest, strength)
    strengths, ordered = zip(*sorted(pairs), strict=True) if pairs else ((), ())
    assert len(set(strengths)) == len(strengths) == len(set(ordered))
    assert list(ordered) == sorted(ordered)
    assert not strengths or highest < strengths[0]


def check_follows(lead: Plays, follows: Plays, rules: Ruleset) -> None:
    """The follows are the leads that beat the play."""
    fields = rules.fields()
    to_beat = oracle_play(follows.to_beat)
    beating = [play for play in lead if oracle.beats(fields, oracle_play(play), to_beat)]
    assert len(follows) == len(beating)
    assert set(follows) == set(beating)


def check_hand(
    rules: Ruleset,
    cards: tuple[int, ...],
    to_beat: Play | None,
    details: tuple[Detail, ...],
    called: int | None,
    most_lines: int,
) -> int:
    """Everything above for one hand, leading and following; how many lists were compared.

    A list of more than ``most_lines`` plays is only counted, for the sake of time.
    """
    expected = Expected(rules, cards)
    hand = Hand(cards)
    for detail in details:
        lead = None
        for beaten in (None, to_beat) if to_beat is not None else (None,):
            wanted = None if beaten is None else oracle_play(beaten)
            number = expected.count(wanted, detail, called)
            question = {"detail": detail, "called": None if called is None else Card(called)}
            assert rules.count_plays(hand, beaten, **question) == number
            plays = rules.legal_plays(hand, beaten, **question)
            assert len(plays) == number
            if number > most_lines:
                continue
            check_lines(plays, expected.lines(wanted, detail, called))
            check_records(plays[:: 1 + number // 100])
            check_places(plays, rules, 1 + number // 100)
            check_buffers(plays, rules)
            if beaten is None:
                lead = plays
                if detail is Detail.RANKS:
                    check_order(plays, expected)
            elif lead is not None and len(lead) < 2000:
                check_follows(lead, plays, rules)
    return len(details) * (1 if to_beat is None else 2)
