"""A slow second reading of the rules of Dagong, for checking a faster one against.

Everything here is spelled out as plainly as possible: to find out whether some cards are a play,
every way of letting the jokers stand for something is tried, and the result is held against the
definition of the kind. Numbers such as R3.8 point to the paragraphs of the project's rules.

Cards are codes from 0 to 53: four times the rank plus the suit for natural cards (ranks 3 to 2 as
0 to 12, suits D C H S as 0 to 3), 52 for a black joker and 53 for a red one. A rule set is a plain
dictionary of the fields of R8.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, combinations_with_replacement, product
from math import prod
from typing import Any, NamedTuple

RANKS = "3456789TJQKA2"
SUITS = "DCHS"
THREE, FIVE, TEN, KING, ACE, TWO = (RANKS.index(rank) for rank in "35TKA2")
BLACK_JOKER, RED_JOKER = 52, 53
JOKER_LABELS = {BLACK_JOKER: "XB", RED_JOKER: "XR"}
JOKER_RANK = 13  # where jokers sort: after every rank

Rules = Mapping[str, Any]
Cards = tuple[int, ...]

FIELDS: dict[str, tuple[Any, Any, Any]] = {  # R8: DAGUN, DAYE, XIANNING
    "lone_jokers": ("threes", "wild", "threes"),
    "ftk_max_jokers": (1, 3, 1),
    "sky_bomb": (True, False, True),
    "natural_bombs": (True, False, True),
    "rolls": ("soft", "none", "hard"),
    "roll_two": (True, False, False),
    "roll_order": ("largest_from_ten", "cards_then_top", "cards_then_largest"),
    "call_rule": ("after_second_copy", "first_singleton", "after_second_copy"),
    "call_jokers": (False, False, True),
    "scoring": ("points", "arch", "points"),
    "unplayed_points_to": ("third", "third", "third"),
    "sweep_needs_out": (True, False, False),
    "solo_multiplier": (4, 4, 4),
    "holding_bonuses": (("sky", "eight", "seven"), (), ("sky", "eight", "seven", "four_510k")),
    "roll_bonus": ("side_payment", "none", "winner_doubles"),
}
PRESETS: dict[str, dict[str, Any]] = {
    name: {field: values[column] for field, values in FIELDS.items()}
    for column, name in enumerate(("DAGUN", "DAYE", "XIANNING"))
}


def rules_of(spec: str | Mapping[str, Any]) -> dict[str, Any]:
    """The rule set for a preset's name, or for a mapping of its `base` and the fields changed."""
    if isinstance(spec, str):
        return dict(PRESETS[spec])
    changed = {field: value for field, value in spec.items() if field != "base"}
    return {**PRESETS[spec["base"]], **changed}


class Declaration(NamedTuple):
    """What a play is said to be: kind, top rank, number of ranks, and the suit of a flush 510K."""

    kind: str
    rank: int = -1
    length: int = 1
    suit: int | None = None


Play = tuple[Cards, Declaration]

SKY_BOMB = Declaration("sky_bomb")
FIVE_TEN_KINGS = [Declaration("five_ten_king", suit=suit) for suit in (None, 0, 1, 2, 3)]
RUN_KINDS = ("pair_run", "triple_run", "roll")

# The declarations that say how many cards of each rank there are, conceivable under any rules.
RANK_DECLARATIONS = [
    Declaration(kind, rank) for kind in ("single", "pair", "triple", "bomb") for rank in range(13)
] + [
    Declaration(kind, rank, length)
    for kind in RUN_KINDS
    for rank in range(13)
    for length in range(2, 14)
]
DECLARATIONS = frozenset([*RANK_DECLARATIONS, *FIVE_TEN_KINGS, SKY_BOMB])


# Text forms (R1.6)


def parse_card(text: str) -> int:
    """The code of one card, such as `3S`, `10H` or `XR`."""
    for joker, label in JOKER_LABELS.items():
        if text == label:
            return joker
    rank, suit = text[:-1].replace("10", "T"), text[-1]
    return 4 * RANKS.index(rank) + SUITS.index(suit)


def parse_cards(text: str) -> Cards:
    """The sorted codes of cards written with spaces between them."""
    return tuple(sorted(parse_card(word) for word in text.split()))


def format_card(card: int) -> str:
    """A card as text."""
    return JOKER_LABELS.get(card) or RANKS[card // 4] + SUITS[card % 4]


def format_cards(cards: Iterable[int]) -> str:
    """Cards as text, in the order given."""
    return " ".join(format_card(card) for card in cards)


def format_declaration(declaration: Declaration) -> str:
    """A declaration as text, such as `pair_run 5 x2` or `five_ten_king mixed`."""
    kind, rank, length, suit = declaration
    if kind == "sky_bomb":
        return kind
    if kind == "five_ten_king":
        return f"{kind} {'mixed' if suit is None else SUITS[suit]}"
    if kind in RUN_KINDS:
        return f"{kind} {RANKS[rank]} x{length}"
    return f"{kind} {RANKS[rank]}"


def parse_declaration(text: str) -> Declaration:
    """The declaration that is written so."""
    for declaration in DECLARATIONS:
        if format_declaration(declaration) == text:
            return declaration
    raise ValueError(f"not a declaration: {text!r}")


def parse_play(text: str) -> Play:
    """The cards and the declaration of a play written as `CARDS as DECLARATION`."""
    cards, declaration = text.split(" as ")
    return parse_cards(cards), parse_declaration(declaration)


# What is a play (R2, R3)


def is_joker(card: int) -> bool:
    """Whether the card is a joker of either colour."""
    return card >= BLACK_JOKER


def rank_of(card: int) -> int:
    """The rank of a natural card, or the place after all ranks for a joker."""
    return card // 4


def run_ranks(declaration: Declaration) -> list[int]:
    """The ranks of a pair or triple run, lowest first; none if it leaves 3 to A (R3.4, R3.5)."""
    ranks = list(range(declaration.rank - declaration.length + 1, declaration.rank + 1))
    return ranks if ranks[0] >= THREE and ranks[-1] <= ACE else []


def roll_ranks(rules: Rules, declaration: Declaration) -> list[int]:
    """The ranks of a roll, lowest on the ladder first; none if it leaves the ladder (R3.10).

    With `roll_two` a 2 stands at both ends of the ladder, and a roll may reach one of them only.
    """
    ladder = list(range(THREE, ACE + 1))
    if rules["roll_two"]:
        ladder = [TWO, *ladder, TWO]
    if declaration.rank not in ladder:
        return []
    top = len(ladder) - 1 - ladder[::-1].index(declaration.rank)
    bottom = top - declaration.length + 1
    if bottom < 0:
        return []
    ranks = ladder[bottom : top + 1]
    return ranks if ranks.count(TWO) <= 1 else []


def spanned_ranks(rules: Rules, declaration: Declaration) -> list[int]:
    """The ranks that a play with this declaration consists of, lowest first; none if impossible."""
    if declaration.kind == "roll":
        return roll_ranks(rules, declaration)
    if declaration.kind in RUN_KINDS:
        return run_ranks(declaration)
    return [declaration.rank]


# Each of the next functions is told how many cards of each rank there are, jokers counted as what
# they stand for, and the ranks that the declaration spans.
RankCounts = Mapping[int, int]


def is_single(counts: RankCounts, ranks: list[int]) -> bool:
    """One card (R3.1)."""
    return counts == {ranks[0]: 1}


def is_pair(counts: RankCounts, ranks: list[int]) -> bool:
    """Two cards of a rank (R3.2)."""
    return counts == {ranks[0]: 2}


def is_triple(counts: RankCounts, ranks: list[int]) -> bool:
    """Three cards of a rank (R3.3)."""
    return counts == {ranks[0]: 3}


def is_pair_run(counts: RankCounts, ranks: list[int]) -> bool:
    """Two cards of each of two or more ranks in a row (R3.4)."""
    return len(ranks) >= 2 and counts == dict.fromkeys(ranks, 2)


def is_triple_run(counts: RankCounts, ranks: list[int]) -> bool:
    """Three cards of each of two or more ranks in a row (R3.5)."""
    return len(ranks) >= 2 and counts == dict.fromkeys(ranks, 3)


def is_bomb(counts: RankCounts, ranks: list[int]) -> bool:
    """At least four cards of a rank and nothing besides (R3.7)."""
    return set(counts) == {ranks[0]} and counts[ranks[0]] >= 4


def is_roll(counts: RankCounts, ranks: list[int]) -> bool:
    """At least four cards of each of two or more ranks in a row (R3.10)."""
    return len(ranks) >= 2 and set(counts) == set(ranks) and min(counts.values()) >= 4


IS_OF_KIND = {
    "single": is_single,
    "pair": is_pair,
    "triple": is_triple,
    "pair_run": is_pair_run,
    "triple_run": is_triple_run,
    "bomb": is_bomb,
    "roll": is_roll,
}

# The least and the greatest number of cards of each rank; only there to keep searches short.
CARDS_PER_RANK = {
    "single": (1, 1),
    "pair": (2, 2),
    "triple": (3, 3),
    "pair_run": (2, 2),
    "triple_run": (3, 3),
    "bomb": (4, 12),
    "roll": (4, 12),
}


def is_five_ten_king(cards: Iterable[int]) -> bool:
    """A 5, a 10 and a K, with no joker left undecided (R3.8)."""
    return sorted(rank_of(card) for card in cards) == [FIVE, TEN, KING]


def lone_jokers_as_threes(rules: Rules, jokers: int) -> Declaration:
    """All that jokers without a natural card are where they count as 3s (R2.3, R3.9)."""
    if jokers == 4 and rules["sky_bomb"]:
        return SKY_BOMB
    return Declaration(("single", "pair", "triple", "bomb")[jokers - 1], THREE)


def jokers_allowed(rules: Rules, declaration: Declaration, naturals: int, jokers: int) -> bool:
    """Whether the rules let a play with this declaration hold so many jokers at all."""
    if naturals == 0 and rules["lone_jokers"] == "threes":  # R2.3
        return jokers > 0 and declaration == lone_jokers_as_threes(rules, jokers)
    if declaration.kind == "sky_bomb":  # R3.9
        return bool(rules["sky_bomb"])
    if declaration.kind == "five_ten_king":  # R2.4
        return bool(jokers <= rules["ftk_max_jokers"])
    if declaration.kind == "roll":  # R3.10
        return rules["rolls"] == "soft" or (rules["rolls"] == "hard" and jokers == 0)
    return True


def joker_readings(naturals: Cards, jokers: int, ranks: list[int]) -> Iterator[dict[int, int]]:
    """The cards of each rank, for every way of giving each joker one of the ranks (R2.1, R2.2)."""
    for meant in combinations_with_replacement(ranks, jokers):
        yield dict(Counter([rank_of(card) for card in naturals] + list(meant)))


def may_be_by_ranks(rules: Rules, naturals: Cards, jokers: int, declaration: Declaration) -> bool:
    """Whether some reading of the jokers makes these cards a play of a kind told by its ranks.

    A joker meant as a rank outside the declaration would spoil the play, so none is tried; nor is
    any where the number of cards is wrong already.
    """
    least, most = CARDS_PER_RANK[declaration.kind]
    size = len(naturals) + jokers
    if not least * declaration.length <= size <= most * declaration.length:
        return False
    ranks = spanned_ranks(rules, declaration)
    if not ranks:
        return False
    is_of_kind = IS_OF_KIND[declaration.kind]
    return any(is_of_kind(counts, ranks) for counts in joker_readings(naturals, jokers, ranks))


def may_be_five_ten_king(naturals: Cards, jokers: int, declaration: Declaration) -> bool:
    """Whether these cards are a 510K and the suit declared is the best they can have (R3.8).

    Each joker is tried as every 5, 10 and K. Mixed counts below every suit, so that a 510K that
    can be flush is never mixed, and three jokers are spades.
    """
    fives_tens_kings = [4 * rank + suit for rank in (FIVE, TEN, KING) for suit in range(4)]
    mixed = -1
    reached = set()
    for meant in combinations_with_replacement(fives_tens_kings, jokers):
        cards = naturals + meant
        if is_five_ten_king(cards):
            suits = {card % 4 for card in cards}
            reached.add(suits.pop() if len(suits) == 1 else mixed)
    declared = mixed if declaration.suit is None else declaration.suit
    return len(reached) > 0 and declared == max(reached)


def may_be(rules: Rules, cards: Cards, declaration: Declaration) -> bool:
    """Whether exactly these cards are a play with this declaration (R2, R3)."""
    naturals = tuple(card for card in cards if not is_joker(card))
    jokers = len(cards) - len(naturals)
    if declaration not in DECLARATIONS:
        return False
    if not jokers_allowed(rules, declaration, len(naturals), jokers):
        return False
    if declaration.kind == "sky_bomb":
        return len(naturals) == 0 and jokers == 4
    if declaration.kind == "five_ten_king":
        return len(cards) == 3 and may_be_five_ten_king(naturals, jokers, declaration)
    return may_be_by_ranks(rules, naturals, jokers, declaration)


def identify(rules: Rules, cards: Cards) -> set[Declaration]:
    """Every declaration that exactly these cards may be played with."""
    return {declaration for declaration in DECLARATIONS if may_be(rules, cards, declaration)}


# What beats what (R4)


def roll_key(rules: Rules, cards: Cards, declaration: Declaration) -> tuple[int, ...]:
    """How strong a roll is among rolls (R4.4), with the strongest reading of its jokers."""
    ranks = roll_ranks(rules, declaration)
    naturals = tuple(card for card in cards if not is_joker(card))
    jokers = len(cards) - len(naturals)
    hard = int(jokers == 0)
    top = declaration.rank + 1  # steps of the ladder: 2 below 3 is 0, 3 is 1, 2 above A is 13
    bottom = top - len(ranks) + 1
    largest_size, largest_step = max(
        (counts[rank], bottom + place)
        for counts in joker_readings(naturals, jokers, ranks)
        if is_roll(counts, ranks)
        for place, rank in enumerate(ranks)
    )
    if rules["roll_order"] == "cards_then_largest":
        return (len(cards), largest_size, largest_step, top)
    if rules["roll_order"] == "cards_then_top" or len(cards) < 10:
        return (0, len(cards), hard, top)
    return (1, largest_size, hard, largest_step, len(cards), top)


def bomb_key(
    rules: Rules, cards: Cards, declaration: Declaration
) -> tuple[int, tuple[int, ...]] | None:
    """The line of R4.3 a bomb stands in, counted from the weakest, and its strength within it.

    Of two bombs the one that beats the other has the greater key. None for what is no bomb.
    """
    mixed_line, flush_line, bomb_line, seven_line, roll_line, eight_line, sky_line = range(7)
    if declaration.kind == "sky_bomb":
        return (sky_line, ())
    if declaration.kind == "roll":
        return (roll_line, roll_key(rules, cards, declaration))
    if declaration.kind == "five_ten_king":
        if declaration.suit is None:
            return (mixed_line, ())
        return (flush_line, (declaration.suit,))
    if declaration.kind == "bomb":
        natural = rules["natural_bombs"] and not any(is_joker(card) for card in cards)
        if natural and len(cards) == 8:
            return (eight_line, (declaration.rank,))
        if natural and len(cards) == 7:
            return (seven_line, (declaration.rank,))
        return (bomb_line, (len(cards), declaration.rank))
    return None


def beats(rules: Rules, a: Play, b: Play) -> bool:
    """Whether play a beats play b (R4.1, R4.2)."""
    a_declared, b_declared = a[1], b[1]
    a_key, b_key = bomb_key(rules, *a), bomb_key(rules, *b)
    if a_key is not None and b_key is not None:
        return a_key > b_key
    if a_key is not None or b_key is not None:
        return b_key is None
    same_shape = a_declared.kind == b_declared.kind and a_declared.length == b_declared.length
    return same_shape and a_declared.rank > b_declared.rank


# The plays of a hand, as lines


def label(card: int, detail: str, called: int | None) -> str:
    """What a line calls the card at this detail: itself, or only its rank, or X for a joker."""
    if detail == "CARDS":
        return format_card(card)
    if detail == "STRATEGIC" and (card == called or rank_of(card) in (FIVE, TEN, KING)):
        return format_card(card)
    return "X" if is_joker(card) else RANKS[rank_of(card)]


def line_of(declaration: Declaration, labels: Iterable[str]) -> str:
    """The line for a declaration and labels that are in their order already."""
    return f"{format_declaration(declaration)}: {' '.join(labels)}"


def play_line(cards: Cards, declaration: Declaration, detail: str, called: int | None) -> str:
    """The line that stands for this play and for all that count as one with it."""
    labels = [(rank_of(card), label(card, detail, called)) for card in cards]
    return line_of(declaration, (text for _, text in sorted(labels)))


def digest(lines: Iterable[str]) -> str:
    """A short fingerprint of a set of lines."""
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:16]


def held_by_rank(hand: Iterable[int]) -> dict[int, list[int]]:
    """The cards of the hand for each rank, those of JOKER_RANK being the jokers."""
    held: dict[int, list[int]] = {rank: [] for rank in range(JOKER_RANK + 1)}
    for card in sorted(hand):
        held[rank_of(card)].append(card)
    return held


def fillings(kind: str, holdings: list[int], jokers: int) -> Iterator[list[tuple[int, int]]]:
    """Every way to fill ranks with natural cards and jokers, as the numbers of both per rank.

    There are so many natural cards of each rank to choose from, and so many jokers in all.
    """
    if not holdings:
        yield []
        return
    least, most = CARDS_PER_RANK[kind]
    for naturals in range(min(holdings[0], most) + 1):
        for added in range(jokers + 1):
            if least <= naturals + added <= most:
                for rest in fillings(kind, holdings[1:], jokers - added):
                    yield [(naturals, added), *rest]


class RankClass(NamedTuple):
    """All the plays with one declaration and the same number of cards of each rank."""

    declaration: Declaration
    sizes: tuple[tuple[int, int], ...]  # (rank, number of cards), jokers under JOKER_RANK


def rank_classes(rules: Rules, hand: Cards, to_beat: Play | None) -> Iterator[RankClass]:
    """The plays of the hand, other than 510Ks, that beat the other; suits are left open.

    Suits make no difference to these kinds, so one play speaks for its whole class.
    """
    held = held_by_rank(hand)
    all_jokers = len(held[JOKER_RANK])
    found: set[RankClass] = set()
    if all_jokers == 4 and may_be(rules, tuple(held[JOKER_RANK]), SKY_BOMB):
        found.add(RankClass(SKY_BOMB, ((JOKER_RANK, 4),)))
    for declaration in RANK_DECLARATIONS:
        ranks = spanned_ranks(rules, declaration)
        if not ranks:
            continue
        holdings = [len(held[rank]) for rank in ranks]
        for filling in fillings(declaration.kind, holdings, all_jokers):
            naturals = sum(number for number, _ in filling)
            jokers = sum(number for _, number in filling)
            counts = {rank: sum(both) for rank, both in zip(ranks, filling, strict=True)}
            holds = IS_OF_KIND[declaration.kind](counts, ranks)
            if holds and jokers_allowed(rules, declaration, naturals, jokers):
                used = [(rank, number) for rank, (number, _) in zip(ranks, filling, strict=True)]
                found.add(RankClass(declaration, (*sorted(used), (JOKER_RANK, jokers))))
    for declaration, sizes in found:
        example = tuple(card for rank, number in sizes for card in held[rank][:number])
        if to_beat is None or beats(rules, (example, declaration), to_beat):
            yield RankClass(declaration, sizes)


def five_ten_king_plays(rules: Rules, hand: Cards, to_beat: Play | None) -> Iterator[Play]:
    """The 510Ks of the hand that beat the other, card by card, since suits matter (R3.8)."""
    fitting = sorted(c for c in hand if is_joker(c) or rank_of(c) in (FIVE, TEN, KING))
    for cards in set(combinations(fitting, 3)):
        for declaration in FIVE_TEN_KINGS:
            play = (cards, declaration)
            if may_be(rules, *play) and (to_beat is None or beats(rules, play, to_beat)):
                yield play


def label_choices(
    cards: list[int], number: int, detail: str, called: int | None
) -> set[tuple[str, ...]]:
    """The different sets of labels that so many of these cards can have."""
    labels = sorted(label(card, detail, called) for card in cards)
    return set(combinations(labels, number))


def plays(
    rules: Rules,
    hand: Cards,
    to_beat: Play | None = None,
    detail: str = "RANKS",
    called: int | None = None,
) -> set[str]:
    """The lines of all plays of the hand, or of those that beat another play."""
    held = held_by_rank(hand)
    lines = {
        play_line(cards, declaration, detail, called)
        for cards, declaration in five_ten_king_plays(rules, hand, to_beat)
    }
    for declaration, sizes in rank_classes(rules, hand, to_beat):
        choices = [label_choices(held[rank], number, detail, called) for rank, number in sizes]
        for chosen in product(*choices):
            lines.add(line_of(declaration, (text for labels in chosen for text in labels)))
    return lines


def counts_by_kind(
    rules: Rules,
    hand: Cards,
    to_beat: Play | None = None,
    detail: str = "RANKS",
    called: int | None = None,
) -> dict[str, int]:
    """How many lines there are of each kind, found without writing them all down."""
    held = held_by_rank(hand)
    five_ten_kings = {
        play_line(cards, declaration, detail, called)
        for cards, declaration in five_ten_king_plays(rules, hand, to_beat)
    }
    counts = Counter({"five_ten_king": len(five_ten_kings)})
    for declaration, sizes in rank_classes(rules, hand, to_beat):
        counts[declaration.kind] += prod(
            len(label_choices(held[rank], number, detail, called)) for rank, number in sizes
        )
    return {kind: number for kind, number in counts.items() if number > 0}


def count(
    rules: Rules,
    hand: Cards,
    to_beat: Play | None = None,
    detail: str = "RANKS",
    called: int | None = None,
) -> int:
    """How many lines there are."""
    return sum(counts_by_kind(rules, hand, to_beat, detail, called).values())


def plays_by_subsets(
    rules: Rules,
    hand: Cards,
    to_beat: Play | None = None,
    detail: str = "RANKS",
    called: int | None = None,
) -> set[str]:
    """The same lines as `plays`, by trying every set of cards of a small hand."""
    lines = set()
    for size in range(1, len(hand) + 1):
        for cards in set(combinations(sorted(hand), size)):
            for declaration in identify(rules, cards):
                if to_beat is None or beats(rules, (cards, declaration), to_beat):
                    lines.add(play_line(cards, declaration, detail, called))
    return lines


# The called card (R5.3)


def called_card(rules: Rules, dealt: Cards, first_hand: bool) -> set[int]:
    """The cards among which the call falls, given the dealer's cards in the order dealt."""
    copies = Counter(dealt)
    callable_cards = [card for card in dealt if rules["call_jokers"] or not is_joker(card)]
    once = [card for card in callable_cards if copies[card] == 1]
    if first_hand and once:
        return set(once)
    if not first_hand and rules["call_rule"] == "after_second_copy":
        place = 0
        while place < len(dealt):
            card = dealt[place]
            if card in once:
                return {card}
            if card in callable_cards:  # both copies: go on behind the second
                place = len(dealt) - 1 - dealt[::-1].index(card)
            place += 1
    return {once[0]} if once else {next(card for card in dealt if copies[card] == 1)}
