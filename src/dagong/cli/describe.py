"""What a play means, and why one beats another, in words.

The reasons come from what the plays are, not from ``Ruleset.strength``: a reader can follow them in
docs/rules.md, and the tests hold them against ``Ruleset.beats``.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from dagong import Kind, Play, Ruleset
from dagong.notation import RANKS

SUIT_NAMES = ("diamonds", "clubs", "hearts", "spades")
_NAMES = {
    Kind.SINGLE: "single",
    Kind.PAIR: "pair",
    Kind.TRIPLE: "triple",
    Kind.PAIR_RUN: "pair run",
    Kind.TRIPLE_RUN: "triple run",
}
_PARAGRAPHS = {
    Kind.SINGLE: "R3.1",
    Kind.PAIR: "R3.2",
    Kind.TRIPLE: "R3.3",
    Kind.PAIR_RUN: "R3.4",
    Kind.TRIPLE_RUN: "R3.5",
    Kind.FIVE_TEN_KING: "R3.8",
    Kind.BOMB: "R3.7",
    Kind.ROLL: "R3.10",
    Kind.SKY_BOMB: "R3.9",
}
# Lines of R4.3 from the weakest up. Bombs of one rank, soft or not, share one: size decides among them.
_MIXED, _FLUSH, _BOMB, _SEVEN, _ROLL, _EIGHT, _SKY = range(7)


class Verdict(NamedTuple):
    """Which of two plays beats the other (``a``, ``b`` or neither), why, and the rule that says so."""

    winner: Literal["a", "b"] | None
    reason: str
    rule: str


class Roll(NamedTuple):
    """What R4.4 looks at in a roll. Places are those of the ladder: a 2 under the 3 is 0, a 3 is 1."""

    cards: int
    hard: bool
    largest: int
    largest_place: int
    top: int


def meaning(rules: Ruleset, play: Play) -> str:
    """What a play is, in words, with its Chinese name and the rule that defines it.

    >>> from dagong import DAGUN
    >>> meaning(DAGUN, DAGUN.parse_play("4H 4S XB XR as pair_run 5 x2"))
    '連對, a pair run of 4 4 5 5, 2 jokers among them (R3.4)'
    """
    rank = "" if play.rank < 0 else RANKS[play.rank]
    if play.kind is Kind.SINGLE:
        text = f"a single {rank}"
    elif play.kind in (Kind.PAIR, Kind.TRIPLE):
        text = f"a {_NAMES[play.kind]} of {rank}s"
    elif play.kind in (Kind.PAIR_RUN, Kind.TRIPLE_RUN):
        each = 2 if play.kind is Kind.PAIR_RUN else 3
        run = RANKS[play.rank - play.length + 1 : play.rank + 1]
        text = f"a {_NAMES[play.kind]} of {' '.join(one for one in run for _ in range(each))}"
    elif play.kind is Kind.BOMB:
        text = f"{bomb_name(rules, play)}, all {rank}s"
    elif play.kind is Kind.ROLL:
        roll = roll_of(play)
        text = (
            f"a {'hard' if roll.hard else 'soft'} roll of {play.length} bombs, "
            f"{place_text(roll.top - play.length + 1)} to {place_text(roll.top)}, {roll.cards} cards, "
            f"the largest bomb {roll.largest} cards of rank {place_text(roll.largest_place)}"
        )
    else:
        text = bomb_name(rules, play)
    if play.kind is not Kind.SKY_BOMB and play.jokers:
        text += f", {joker_text(play)}"
    return f"{play.kind.chinese}, {text} ({_PARAGRAPHS[play.kind]})"


def joker_text(play: Play) -> str:
    """How many of its cards are jokers, in words."""
    if play.jokers == play.size:
        return "a joker" if play.size == 1 else "jokers alone"
    return "a joker among them" if play.jokers == 1 else f"{play.jokers} jokers among them"


def compared(rules: Ruleset, a: Play, b: Play) -> Verdict:
    """Which play beats the other, and why (R4). Both must be plays under the rules.

    >>> from dagong import DAGUN
    >>> a, b = DAGUN.parse_play("5H TH KD"), DAGUN.parse_play("5S TS KS")
    >>> compared(DAGUN, a, b)
    Verdict(winner='b', reason='a flush 510K stands above a mixed one', rule='R4.3')
    """
    line_a, line_b = line_of(rules, a), line_of(rules, b)
    if line_a is None and line_b is None:
        return compared_plain(a, b)
    if line_a is None or line_b is None:
        bomb, other = (b, a) if line_a is None else (a, b)
        reason = f"any bomb beats a {_NAMES[other.kind]}"
        if bomb.kind is not Kind.BOMB:
            reason = f"{bomb_name(rules, bomb)} counts as a bomb, and {reason}"
        return Verdict("b" if line_a is None else "a", reason, "R4.1")
    if line_a != line_b:
        high, low = (a, b) if line_a > line_b else (b, a)
        below = "a mixed one" if (high.kind, low.kind) == (Kind.FIVE_TEN_KING,) * 2 else bomb_name(rules, low)
        reason = f"{bomb_line_name(rules, high)} stands above {below}"
        return Verdict("a" if line_a > line_b else "b", reason, "R4.3")
    if line_a == _ROLL:
        return compared_rolls(rules, a, b)
    return compared_in_line(rules, line_a, a, b)


def compared_plain(a: Play, b: Play) -> Verdict:
    """The verdict on two plays that are no bombs."""
    if a.kind is not b.kind:
        reason = f"a {_NAMES[a.kind]} and a {_NAMES[b.kind]} differ in kind, and neither is a bomb"
        return Verdict(None, reason, "R4.1")
    if a.length != b.length:
        reason = (
            f"a {_NAMES[a.kind]} of {a.length} ranks and one of {b.length} differ in length, "
            "and neither is a bomb"
        )
        return Verdict(None, reason, "R4.1")
    same = "the same kind" if a.length == 1 else "the same kind and length"
    if a.rank == b.rank:
        return Verdict(None, f"{same} and the same rank, {RANKS[a.rank]}: a tie is not enough", "R4.2")
    high, low = max(a.rank, b.rank), min(a.rank, b.rank)
    reason = f"{same}, and rank {RANKS[high]} is above {RANKS[low]}"
    return Verdict("a" if a.rank > b.rank else "b", reason, "R4.1")


def compared_in_line(rules: Ruleset, line: int, a: Play, b: Play) -> Verdict:
    """The verdict on two bombs of one line of R4.3 other than rolls."""
    if line == _BOMB and a.size != b.size:
        reason = f"a bomb of {max(a.size, b.size)} cards stands above one of {min(a.size, b.size)}"
        return Verdict("a" if a.size > b.size else "b", reason, "R4.3")
    if line == _FLUSH and a.suit != b.suit:
        suits = sorted((a.suit or 0, b.suit or 0))
        reason = f"among flush 510Ks {SUIT_NAMES[suits[1]]} are above {SUIT_NAMES[suits[0]]}"
        return Verdict("a" if suits[1] == a.suit else "b", reason, "R4.3")
    if a.rank != b.rank:
        high, low = RANKS[max(a.rank, b.rank)], RANKS[min(a.rank, b.rank)]
        both = {_SEVEN: "both are sevens", _EIGHT: "both are eights"}.get(line, f"both have {a.size} cards")
        return Verdict("a" if a.rank > b.rank else "b", f"{both}, and rank {high} is above {low}", "R4.3")
    if line == _MIXED:
        return Verdict(None, "all mixed 510Ks tie, and a tie is not enough", "R4.2")
    if line == _FLUSH:
        return Verdict(None, f"flush 510Ks of {SUIT_NAMES[a.suit or 0]} tie, and a tie is not enough", "R4.2")
    if line == _SKY:
        return Verdict(None, "sky bombs tie, and a tie is not enough", "R4.2")
    reason = f"bombs of {a.size} cards of rank {RANKS[a.rank]} tie, and a tie is not enough"
    return Verdict(None, reason, "R4.2")


def compared_rolls(rules: Ruleset, a: Play, b: Play) -> Verdict:
    """The verdict on two rolls (R4.4)."""
    one, other = roll_of(a), roll_of(b)
    criteria: tuple[str, ...]
    if rules.roll_order == "cards_then_largest":
        criteria = ("cards", "largest", "largest_place", "top")
    elif rules.roll_order == "cards_then_top" or max(one.cards, other.cards) < 10:
        criteria = ("cards", "hard", "top")
    elif min(one.cards, other.cards) < 10:
        high, low = (one, other) if one.cards > other.cards else (other, one)
        reason = f"a roll of {high.cards} cards has ten or more and is above any with fewer, here {low.cards}"
        return Verdict("a" if high is one else "b", reason, "R4.4")
    else:
        criteria = ("largest", "hard", "largest_place", "cards", "top")
    ties = []
    for criterion in criteria:
        ours, theirs = getattr(one, criterion), getattr(other, criterion)
        if ours == theirs:
            ties.append(roll_tie(criterion, one))
            continue
        high, low = (one, other) if ours > theirs else (other, one)
        tied = f"{', '.join(ties)}; " if ties else ""
        return Verdict("a" if ours > theirs else "b", tied + roll_reason(criterion, high, low), "R4.4")
    return Verdict(None, f"the rolls tie ({', '.join(ties)}), and a tie is not enough", "R4.2")


def roll_tie(criterion: str, roll: Roll) -> str:
    """What two rolls have in common that tie by a criterion."""
    return {
        "cards": f"both rolls have {roll.cards} cards",
        "hard": f"both are {'hard' if roll.hard else 'soft'}",
        "largest": f"the largest bomb of both has {roll.largest} cards",
        "largest_place": f"that bomb is of {place_text(roll.largest_place)} in both",
        "top": f"both have the top rank {place_text(roll.top)}",
    }[criterion]


def roll_reason(criterion: str, high: Roll, low: Roll) -> str:
    """Why one roll is above another, by the criterion that decides."""
    if criterion == "cards":
        return f"a roll of {high.cards} cards is above one of {low.cards}"
    if criterion == "hard":
        return "a hard roll is above a soft one"
    if criterion == "largest":
        return f"its largest bomb has {high.largest} cards, the other's {low.largest}"
    if criterion == "largest_place":
        ranks = place_text(high.largest_place), place_text(low.largest_place)
        return f"its largest bomb is of rank {ranks[0]}, the other's of {ranks[1]}"
    return f"its top rank {place_text(high.top)} is above {place_text(low.top)}"


def roll_of(play: Play) -> Roll:
    """The measures of a roll; spare jokers make its largest bomb larger still (R3.10).

    >>> from dagong import DAGUN
    >>> roll_of(DAGUN.parse_play("5S 5H 5C 5D 6S 6H 6C 6D XB as roll 6 x2"))
    Roll(cards=9, hard=False, largest=5, largest_place=4, top=4)
    """
    counts = play.cards.rank_counts
    top = play.rank + 1
    places = range(top - play.length + 1, top + 1)
    # Place 0 is index -1 of the thirteen ranks, the 2, which stands at place 13 too.
    naturals = {place: int(counts[:13][place - 1]) for place in places}
    spare = play.jokers - sum(max(0, 4 - number) for number in naturals.values())
    largest, largest_place = max((max(4, number), place) for place, number in naturals.items())
    return Roll(play.size, play.jokers == 0, largest + spare, largest_place, top)


def place_text(place: int) -> str:
    """The rank at a place of the ladder."""
    return "2 under the 3" if place == 0 else RANKS[place - 1]


def line_of(rules: Ruleset, play: Play) -> int | None:
    """The line of R4.3 in which a bomb stands; None for what is no bomb."""
    if play.kind is Kind.SKY_BOMB:
        return _SKY
    if play.kind is Kind.ROLL:
        return _ROLL
    if play.kind is Kind.FIVE_TEN_KING:
        return _MIXED if play.suit is None else _FLUSH
    if play.kind is not Kind.BOMB:
        return None
    if rules.natural_bombs and not play.jokers and play.size >= 7:
        return _EIGHT if play.size == 8 else _SEVEN
    return _BOMB


def bomb_name(rules: Ruleset, play: Play) -> str:
    """A bomb in words, in as much as R4.3 tells it from others."""
    line = line_of(rules, play)
    if line == _FLUSH:
        return f"a flush 510K of {SUIT_NAMES[play.suit or 0]}"
    if line == _BOMB:
        soft = "soft " if rules.natural_bombs and play.size >= 7 else ""
        return f"a {soft}bomb of {play.size} cards"
    return {
        _SKY: "a sky bomb",
        _EIGHT: "an eight (8喜)",
        _ROLL: "a roll",
        _SEVEN: "a seven (7喜)",
        _MIXED: "a mixed 510K",
        None: "no bomb",
    }[line]


def bomb_line_name(rules: Ruleset, play: Play) -> str:
    """A bomb in words that name its line, not its place in it."""
    return "a flush 510K" if line_of(rules, play) == _FLUSH else bomb_name(rules, play)
