"""A slow second reading of the rules of Dagong for whole hands, for checking a faster one against.

It goes with the slow reading of single plays in `oracle`: who may do what, tricks, captured points,
the partner, places, how a hand ends, what it is worth. One small function stands for each rule, and
numbers such as R6.4 point to the paragraphs of the project's rules. Cards are codes and rule sets
plain dictionaries, as in `oracle`; seats are 0 to 3. An *action* is a play or a pass.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import oracle
from oracle import Cards, Declaration, Play, Rules

SEATS = (0, 1, 2, 3)
Hands = tuple[Cards, Cards, Cards, Cards]
CARD_POINTS = {oracle.FIVE: 5, oracle.TEN: 10, oracle.KING: 10}
ALL_POINTS = 200


class Trick(NamedTuple):
    """A trick that is over: the action that ended it, who took it, its points, who leads next."""

    ended_by: int
    taker: int
    points: int
    next_leader: int | None


class RollPlayed(NamedTuple):
    """A roll that was played, kept for R7.7."""

    seat: int
    size: int


class Reason(NamedTuple):
    """One payment: the rule it is due to, what each seat receives, and a comment."""

    rule: str
    amounts: list[int]
    words: str


class Result(NamedTuple):
    """What a hand that is over comes to."""

    ending: str
    places: list[int]
    points: list[int]
    winners: list[int]
    multiplier: int
    payoffs: list[int]
    reasons: list[Reason]


# Cards, seats, sides


def points_of(cards: Iterable[int]) -> int:
    """What cards are worth; a joker is worth nothing, whatever it stands for (R1.5)."""
    return sum(CARD_POINTS.get(oracle.rank_of(card), 0) for card in cards)


def seats_after(seat: int) -> list[int]:
    """The other three seats in playing order."""
    return [(seat + step) % 4 for step in (1, 2, 3)]


def partner_by_call(hands: Sequence[Cards], dealer: int, called: int | None) -> int:
    """Who holds the other copy of the called card (R5.3).

    The dealer may hold one copy or none (it may be gone already); exactly one other seat must hold
    the card, once. Anything else leaves no two against two, so it is refused.
    """
    holders = [seat for seat in seats_after(dealer) if called in hands[seat]]
    if called is None or len(holders) != 1:
        raise ValueError("without a soloist, one seat besides the dealer must hold the called card")
    if hands[dealer].count(called) > 1 or hands[holders[0]].count(called) > 1:
        raise ValueError("nobody may hold both copies of the called card")
    return holders[0]


def check_hands(hands: Sequence[Cards]) -> None:
    """Refuse hands that two packs do not contain, and a seat without cards."""
    counts = Counter(card for hand in hands for card in hand)
    if len(hands) != 4 or any(len(hand) == 0 for hand in hands):
        raise ValueError("four hands are needed, none of them empty")
    if any(not 0 <= card <= oracle.RED_JOKER or number > 2 for card, number in counts.items()):
        raise ValueError("the hands are not from two packs")


class Game:
    """A position of a hand, from the bids to the end.

    The hands given are the dealt ones as far as R7.6 is concerned. With a soloist, or once somebody
    has declared a solo, there is no called card and no partner, and the soloist is the dealer.
    """

    def __init__(
        self,
        rules: Rules,
        hands: Sequence[Cards],
        dealer: int,
        called: int | None = None,
        soloist: int | None = None,
        bidding: bool = False,
    ) -> None:
        check_hands(hands)
        if bidding and soloist is not None:
            raise ValueError("with a soloist there is nothing to bid")
        self.rules = rules
        self.dealt: list[Cards] = [tuple(sorted(hand)) for hand in hands]
        self.hands: list[list[int]] = [sorted(hand) for hand in hands]
        self.dealer = dealer
        self.called = called
        self.partner: int | None = None
        self.revealed = False
        self.revealed_at: int | None = None  # which action revealed the partner
        self.soloist: int | None = None
        self.bids: list[bool] = []
        self.phase = "bid" if bidding else "play"
        self.to_move: int | None = dealer
        self.last_play: Play | None = None
        self.last_player: int | None = None
        self.passed: list[int] = []  # who has passed since the last play
        self.pile_points = 0
        self.captured = [0, 0, 0, 0]
        self.places: list[int] = []
        self.actions = 0  # how many plays and passes there have been
        self.tricks: list[Trick] = []
        self.rolls: list[RollPlayed] = []
        self.played: list[list[int]] = [[], [], [], []]  # the cards each seat has played
        self.ending: str | None = None
        if soloist is None:
            self.partner = partner_by_call(hands, dealer, called)
        else:
            self._start_solo(soloist)

    # Bids (R5.5)

    def bid(self, solo: bool) -> None:
        """The seat to move declares a solo or does not (R5.5)."""
        if self.phase != "bid" or self.to_move is None:
            raise ValueError("nobody is asked for a bid now")
        self.bids.append(solo)
        if solo:
            self._start_solo(self.to_move)
        elif len(self.bids) == 4:
            self.phase, self.to_move = "play", self.dealer
        else:
            self.to_move = (self.to_move + 1) % 4

    def _start_solo(self, seat: int) -> None:
        """One against three: the soloist deals and leads, and nobody is anyone's partner (R5.5)."""
        self.soloist = self.dealer = self.to_move = seat
        self.called = self.partner = None
        self.phase = "play"

    # Who may do what (R6.1)

    def can_pass(self) -> bool:
        """Whether a pass is allowed: to anyone but a leader."""
        return self.phase == "play" and self.last_play is not None

    def legal_lines(self) -> set[str]:
        """What the seat to move may play, as the lines of `oracle.plays`."""
        if self.phase != "play" or self.to_move is None:
            return set()
        return oracle.plays(self.rules, tuple(self.hands[self.to_move]), self.last_play)

    def is_legal(self, cards: Sequence[int], declaration: Declaration) -> bool:
        """Whether the seat to move holds these cards, and may declare them so, and so beats the last."""
        if self.phase != "play" or self.to_move is None:
            return False
        ordered = tuple(sorted(cards))
        held = not Counter(ordered) - Counter(self.hands[self.to_move])
        if not held or not oracle.may_be(self.rules, ordered, declaration):
            return False
        return self.last_play is None or oracle.beats(self.rules, (ordered, declaration), self.last_play)

    # Actions

    def play(self, cards: Sequence[int], declaration: Declaration) -> None:
        """The seat to move makes a play."""
        seat = self.to_move
        if seat is None or not self.is_legal(cards, declaration):
            raise ValueError("not a legal play")
        for card in cards:
            self.hands[seat].remove(card)
        self.played[seat].extend(cards)
        self.pile_points += points_of(cards)
        self.last_play = (tuple(sorted(cards)), declaration)
        self.last_player = seat
        self.passed = []
        if declaration.kind == "roll":
            self.rolls.append(RollPlayed(seat, len(cards)))
        self._reveal()
        if not self.hands[seat]:
            self.places.append(seat)
            self.ending = self._ending_reached()
        self.actions += 1
        if self.ending is None:
            self.to_move = self._next_holder(seat)
        else:
            self._take_trick(seat)
            self._close()

    def pass_(self) -> None:
        """The seat to move passes."""
        seat = self.to_move
        if seat is None or not self.can_pass() or self.last_player is None:
            raise ValueError("not allowed to pass")
        self.passed.append(seat)
        self.actions += 1
        others = [other for other in seats_after(self.last_player) if self.hands[other]]
        if set(self.passed) != set(others):
            self.to_move = self._next_holder(seat)
            return
        self._take_trick(self.last_player)
        if self.ending is not None:
            self._close()

    def _next_holder(self, seat: int) -> int:
        """The next seat in order that still holds cards."""
        return next(other for other in seats_after(seat) if self.hands[other])

    def _reveal(self) -> None:
        """The partner is known once the called card of theirs is played, or they are out (R5.4)."""
        if self.partner is None or self.revealed:
            return
        if self.called in self.played[self.partner] or not self.hands[self.partner]:
            self.revealed, self.revealed_at = True, self.actions

    # Tricks (R6.3, R6.4, R6.7)

    def _take_trick(self, taker: int) -> None:
        """The taker gets the points and somebody leads, unless the hand is over."""
        points = self.pile_points
        self.captured[taker] += points
        self.pile_points = 0
        self.last_play = self.last_player = None
        self.passed = []
        if self.ending is None:
            self.ending = self._ending_reached()
        self.to_move = self._next_leader(taker) if self.ending is None else None
        self.tricks.append(Trick(self.actions - 1, taker, points, self.to_move))

    def _next_leader(self, taker: int) -> int:
        """Who leads after a trick: its taker, or who stands in for a taker without cards (R6.4)."""
        if self.hands[taker]:
            return taker
        partners = [seat for seat in self.side(taker) if seat != taker and self.hands[seat]]
        if self.revealed and partners:
            return partners[0]
        return self._next_holder(taker)

    # The end (R6.6)

    def side(self, seat: int) -> list[int]:
        """The seats that win and lose with this one, itself included."""
        if self.soloist is not None:
            together = [self.soloist]
        else:
            together = [s for s in SEATS if s in (self.dealer, self.partner)]
        return together if seat in together else [s for s in SEATS if s not in together]

    def other_side(self, seat: int) -> list[int]:
        """The seats that play against this one."""
        return [other for other in SEATS if other not in self.side(seat)]

    def captured_by(self, seats: Iterable[int]) -> int:
        """What these seats have captured together."""
        return sum(self.captured[seat] for seat in seats)

    def _ending_reached(self) -> str | None:
        """How the hand is over by now, or None; the points of a trick under way do not count."""
        if self.soloist is not None:
            return "solo" if self.places else None
        if sum(1 for hand in self.hands if hand) == 1:
            return "one_left"
        if len(self.places) < 2:
            return None
        first, second = self.places[:2]
        if second in self.side(first):
            return "partners"
        if self.rules["scoring"] == "arch":
            return self._early_ending(first, second)
        return None

    def _early_ending(self, first: int, second: int) -> str | None:
        """The two ways in which a hand of DAYE is settled before it is played out."""
        first_side = self.captured_by(self.side(first))
        if self.captured[second] >= 105 and first_side > 0:
            return "early_second"
        if first_side >= 100 and self.captured[second] > 0:
            return "early_first"
        return None

    def _close(self) -> None:
        """The hand is over; the one player left with cards gets the last place (R6.5)."""
        self.phase = "over"
        self.to_move = None
        if self.ending == "one_left":
            self.places += [seat for seat in SEATS if self.hands[seat]]

    # Result and payment (R7)

    def result(self) -> Result:
        """What the hand comes to."""
        if self.ending is None:
            raise ValueError("the hand is not over")
        points = points_after_unplayed(self)
        rule, winners, base, words = win(self, points)
        multiplier = base * 2 ** len(doubling_rolls(self, winners))
        reasons = [
            Reason(rule, payment(self, winners, multiplier), words),
            *holding_bonuses(self),
            *roll_payments(self, winners),
        ]
        payoffs = [sum(reason.amounts[seat] for reason in reasons) for seat in SEATS]
        return Result(self.ending, list(self.places), points, winners, multiplier, payoffs, reasons)


def points_after_unplayed(game: Game) -> list[int]:
    """The captured points once the last player's points are given away (R7.2)."""
    points = list(game.captured)
    if game.ending != "one_left":
        return points
    first, _, third, last = game.places
    points[first] += points[last]
    points[last] = 0
    heir = third if game.rules["unplayed_points_to"] == "third" else first
    points[heir] += points_of(game.hands[last])
    return points


Win = tuple[str, list[int], int, str]  # the rule, the winners, the multiplier before rolls, words


def win(game: Game, points: list[int]) -> Win:
    """Who wins and by what, before rolls are looked at."""
    if game.soloist is not None:
        return win_of_solo(game)
    if game.ending == "partners":
        return win_of_partners(game)
    if game.rules["scoring"] == "points":
        return win_by_points(game, points)
    return win_by_places(game, points)


def win_of_solo(game: Game) -> Win:
    """A soloist wins by being first (R7.1)."""
    first = game.places[0]
    words = "solo won" if first == game.soloist else "solo lost"
    return "R7.1", game.side(first), game.rules["solo_multiplier"], words


def win_of_partners(game: Game) -> Win:
    """Partners who are first and second win, the more so if the others took nothing (R7.3, R7.4)."""
    first = game.places[0]
    rule = "R7.3" if game.rules["scoring"] == "points" else "R7.4"
    if game.captured_by(game.other_side(first)) == 0:
        return rule, game.side(first), 4, "partners first and second, the others without points"
    return rule, game.side(first), 2, "partners first and second"


def win_by_points(game: Game, points: list[int]) -> Win:
    """More points win; of equals the side with the last player loses; all 200 count double (R7.3)."""
    first, last = game.places[0], game.places[-1]
    ours = sum(points[seat] for seat in game.side(first))
    theirs = sum(points[seat] for seat in game.other_side(first))
    if ours == theirs:
        return "R7.3", game.other_side(last), 1, "equal points, the last player's side loses"
    winners = game.side(first) if ours > theirs else game.other_side(first)
    must_be_out = game.rules["sweep_needs_out"]
    if max(ours, theirs) == ALL_POINTS and not (must_be_out and last in winners):
        return "R7.3", winners, 2, "all 200 points"
    return "R7.3", winners, 1, "more points"


def win_by_places(game: Game, points: list[int]) -> Win:
    """DAYE: what counts depends on the places of the first player's side (R7.4)."""
    first, second = game.places[:2]
    ours, theirs = game.side(first), game.other_side(first)
    if game.ending == "early_second":
        return "R7.4", theirs, 1, "ended early by second"
    if game.ending == "early_first":
        return "R7.4", ours, 1, "ended early by the first player's side"
    if game.places[2] in ours:
        return win_of_first_and_third(ours, theirs, points[second])
    our_points = sum(points[seat] for seat in ours)
    their_points = sum(points[seat] for seat in theirs)
    multiplier = 2 if ALL_POINTS in (our_points, their_points) else 1
    if our_points >= 100:
        return "R7.4", ours, multiplier, "first and last with 100 or more"
    return "R7.4", theirs, multiplier, "first and last with less than 100"


def win_of_first_and_third(ours: list[int], theirs: list[int], taken: int) -> Win:
    """First and third against second and last: what the second player took decides (R7.4)."""
    if taken == 0:
        return "R7.4", ours, 2, "first and third, second took nothing"
    if taken <= 100:
        return "R7.4", ours, 1, "first and third, second took 5 to 100"
    if taken < ALL_POINTS:
        return "R7.4", theirs, 1, "first and third, second took 105 to 195"
    return "R7.4", theirs, 2, "first and third, second took all 200"


def payment(game: Game, winners: list[int], amount: int) -> list[int]:
    """What each seat gets if every loser pays the amount, a soloist's share being three (R7.5)."""
    amounts = [amount if seat in winners else -amount for seat in SEATS]
    if game.soloist is not None:
        amounts[game.soloist] *= 3
    return amounts


def from_the_others(seat: int, amount: int) -> list[int]:
    """What each seat gets if the other three pay the amount to this one (R7.6)."""
    return [3 * amount if other == seat else -amount for other in SEATS]


def holding_bonuses(game: Game) -> list[Reason]:
    """What is paid for cards dealt, whoever wins (R7.6)."""
    reasons = []
    for seat in SEATS:
        for amount, words in bonuses_of_hand(game.rules["holding_bonuses"], game.dealt[seat]):
            reasons.append(Reason("R7.6", from_the_others(seat, amount), f"seat {seat}: {words}"))
    return reasons


def bonuses_of_hand(paid: Sequence[str], hand: Cards) -> list[tuple[int, str]]:
    """What each of the others owes for this dealt hand, bonus by bonus (R7.6)."""
    ranks = Counter(oracle.rank_of(card) for card in hand)
    naturals = [ranks[rank] for rank in range(oracle.JOKER_RANK)]
    found = []
    if "sky" in paid and ranks[oracle.JOKER_RANK] == 4:
        found.append((1, "four jokers"))
    if "eight" in paid:
        found += [(2, "eight of a rank")] * naturals.count(8)
    if "seven" in paid:
        found += [(1, "seven of a rank")] * naturals.count(7)
    scoring_ranks = (oracle.FIVE, oracle.TEN, oracle.KING)
    if "four_510k" in paid and all(ranks[rank] >= 4 for rank in scoring_ranks):
        found.append((1, "four 510Ks"))
    return found


def roll_worth(size: int) -> int:
    """What a roll of so many cards is worth: 2 for eight or nine, doubled for each two more (R7.7)."""
    worth = 2
    while size >= 10:
        worth *= 2
        size -= 2
    return worth


def roll_payments(game: Game, winners: list[int]) -> list[Reason]:
    """The side payments for rolls, in the order played (R7.7)."""
    if game.rules["roll_bonus"] != "side_payment":
        return []
    reasons = []
    for roll in game.rolls:
        if game.soloist is not None and roll.seat != game.soloist:
            continue
        if game.soloist is not None:
            receivers = winners
        elif game.hands[roll.seat]:
            receivers = game.other_side(roll.seat)
        else:
            receivers = game.side(roll.seat)
        amounts = payment(game, receivers, roll_worth(roll.size))
        reasons.append(Reason("R7.7", amounts, f"roll of {roll.size} by seat {roll.seat}"))
    return reasons


def doubling_rolls(game: Game, winners: list[int]) -> list[RollPlayed]:
    """The rolls that double the multiplier: those of the winning side (R7.7)."""
    if game.rules["roll_bonus"] != "winner_doubles":
        return []
    return [roll for roll in game.rolls if roll.seat in winners]


# Written hands: the `game` cases and the hands of `rare_hands`


def act(game: Game, text: str) -> None:
    """Carry out an action written as `pass` or as a play."""
    if text == "pass":
        game.pass_()
    else:
        game.play(*oracle.parse_play(text))


def start(case: Mapping[str, Any]) -> Game:
    """The game that a written hand begins with, the bids made if it has any."""
    rules = case["rules"]
    if isinstance(rules, str) or "base" in rules:
        rules = oracle.rules_of(rules)
    hands = [oracle.parse_cards(hand) for hand in case["hands"]]
    called = None if case["called"] is None else oracle.parse_card(case["called"])
    bids = case.get("bids")
    game = Game(rules, hands, case["dealer"], called, case.get("soloist"), bidding=bids is not None)
    for solo in bids or []:
        game.bid(solo)
    return game


def replay(case: Mapping[str, Any], count_legal: bool = True) -> dict[str, Any]:
    """Carry out a written hand and tell all that the `expect` of a `game` case tells."""
    game = start(case)
    legal_counts = []
    for seat, text in case["actions"]:
        if seat != game.to_move:
            raise ValueError(f"action {game.actions} is by seat {seat}, not {game.to_move}")
        if count_legal:
            legal_counts.append(len(game.legal_lines()))
        act(game, text)
    result = game.result()
    told = {
        "soloist": game.soloist,
        "partner": game.partner,
        "revealed_at": game.revealed_at,
        "tricks": [list(trick) for trick in game.tricks],
        "captured": game.captured,
        **result._asdict(),
        "reasons": [list(reason) for reason in result.reasons],
    }
    return {**told, "legal_counts": legal_counts} if count_legal else told


# Random hands


class Lean(NamedTuple):
    """What random players lean towards; chances lie between 0 and 1."""

    pass_chances: tuple[float, float, float, float] = (0.3, 0.3, 0.3, 0.3)  # by seat
    longest_chance: float = 0.7  # of choosing among the plays with the most cards
    bomb_chance: float = 0.3  # of looking at bombs where there are other plays
    roll_chance: float = 0.0  # of choosing a roll where there is one
    keep_called_chance: float = 0.0  # of not looking at plays with a called card, where possible


LEANS: dict[str, Lean] = {
    "even": Lean(),
    "eager": Lean((0.0, 0.0, 0.0, 0.0), bomb_chance=1.0, longest_chance=0.5),
    "rolls": Lean((0.2, 0.2, 0.2, 0.2), bomb_chance=0.8, roll_chance=1.0),
    "hidden": Lean(keep_called_chance=1.0),
    "one_strong": Lean((0.0, 0.95, 0.95, 0.95), bomb_chance=1.0, longest_chance=0.9),
    "one_weak": Lean((0.98, 0.1, 0.1, 0.1), bomb_chance=0.8),
    "two_strong": Lean((0.0, 0.95, 0.0, 0.95), bomb_chance=0.9),
}


class Step(NamedTuple):
    """One action of a recorded hand: what was possible, what was done, what came of it."""

    legal: int
    seat: int
    play: Play | None  # None for a pass
    captured: list[int]
    places: list[int]
    next_seat: int | None


class Record(NamedTuple):
    """A whole random hand. `game` is the position it ended in."""

    rules: Rules
    hands: Hands
    dealer: int
    called: int
    bids: list[bool]
    steps: list[Step]
    result: Result
    game: Game


def random_rules(rng: random.Random) -> dict[str, Any]:
    """A house rule set: each field from one preset or another, as far as they fit together."""
    rules = {field: rng.choice(values) for field, values in oracle.FIELDS.items()}
    rules["unplayed_points_to"] = rng.choice(["third", "first"])
    rules["solo_multiplier"] = rng.choice([1, 4, 6])
    kinds = ("sky", "eight", "seven", "four_510k")
    rules["holding_bonuses"] = tuple(kind for kind in kinds if rng.random() < 0.5)
    if rules["rolls"] == "none":
        rules.update(roll_two=False, roll_order="cards_then_top", roll_bonus="none")
    return rules


def short_pack(rng: random.Random, size: int) -> list[int]:
    """So many cards in order: all the copies of a few ranks, jokers counted as a rank."""
    ranks = list(range(oracle.JOKER_RANK + 1))
    rng.shuffle(ranks)
    codes = [card for rank in ranks for card in range(oracle.RED_JOKER + 1) if card // 4 == rank]
    return sorted(codes[: size // 2] * 2)


def deal(rng: random.Random, cards_each: int = 27, lump: int = 1) -> Hands:
    """Four hands, each in the order dealt.

    Fewer than 27 cards each come from a pack of fewer ranks. With a lump above 1 so many cards that
    are neighbours by rank mostly go to one hand, which makes bombs, rolls and bonuses frequent; each
    hand then trades one card with the next, so that few hands have no card to call.
    """
    pack = short_pack(rng, 4 * cards_each)
    lumps = [pack[place : place + lump] for place in range(0, len(pack), lump)]
    rng.shuffle(lumps)
    cards = [card for one in lumps for card in one]
    hands = [cards[seat * cards_each : (seat + 1) * cards_each] for seat in SEATS]
    for hand in hands:
        rng.shuffle(hand)
    if lump > 1:
        for seat in SEATS:
            hands[seat][0], hands[seat - 1][-1] = hands[seat - 1][-1], hands[seat][0]
    for hand in hands:
        rng.shuffle(hand)
    return tuple(hands[0]), tuple(hands[1]), tuple(hands[2]), tuple(hands[3])


def possible_calls(hands: Sequence[Cards], dealer: int) -> list[int]:
    """The cards that the dealer holds once and another seat holds once."""
    others = Counter(card for seat in seats_after(dealer) for card in hands[seat])
    return [card for card in hands[dealer] if hands[dealer].count(card) == others[card] == 1]


def random_call(rules: Rules, rng: random.Random, hands: Hands, dealer: int) -> int:
    """A called card: by R5.3 where all 108 cards are dealt, else any that makes a partner."""
    if sum(len(hand) for hand in hands) == 108:
        return rng.choice(sorted(oracle.called_card(rules, hands[dealer], rng.random() < 0.5)))
    return rng.choice(possible_calls(hands, dealer))


def plays_of_line(game: Game, line: str) -> Iterator[Play]:
    """Plays of the seat to move that the line stands for: all of a 510K, else three at most."""
    assert game.to_move is not None
    hand = tuple(game.hands[game.to_move])
    if line.startswith("five_ten_king"):
        for play in oracle.five_ten_king_plays(game.rules, hand, game.last_play):
            if oracle.play_line(*play, "RANKS", None) == line:
                yield play
        return
    declared, labels = line.split(": ")
    held = oracle.held_by_rank(hand)
    for number in range(3):
        cards: list[int] = []
        for text, size in Counter(labels.split()).items():
            of_rank = held[oracle.JOKER_RANK if text == "X" else oracle.RANKS.index(text)]
            turn = number % len(of_rank)
            cards += (of_rank[turn:] + of_rank[:turn])[:size]
        yield tuple(sorted(cards)), oracle.parse_declaration(declared)


def is_bomb_line(line: str) -> bool:
    """Whether a line is for plays that R4.1 calls bombs."""
    return line.startswith(("bomb", "five_ten_king", "roll", "sky_bomb"))


def choose(game: Game, lines: set[str], rng: random.Random, lean: Lean) -> Play | None:
    """A random action of the seat to move, who has these lines to choose from; None is a pass."""
    assert game.to_move is not None
    if not lines or (game.can_pass() and rng.random() < lean.pass_chances[game.to_move]):
        return None
    left = sorted(lines)
    rolls = [line for line in left if line.startswith("roll")]
    tame = [line for line in left if not is_bomb_line(line)]
    if rolls and rng.random() < lean.roll_chance:
        left = rolls
    elif tame and rng.random() >= lean.bomb_chance:
        left = tame
    if rng.random() < lean.longest_chance:
        most = max(len(line.split(": ")[1]) for line in left)
        left = [line for line in left if len(line.split(": ")[1]) == most]
    plays = [play for line in rng.sample(left, min(3, len(left))) for play in plays_of_line(game, line)]
    without = [play for play in plays if game.called not in play[0]]
    if without and rng.random() < lean.keep_called_chance:
        plays = without
    return rng.choice(plays)


def play_random(
    rules: Rules,
    rng: random.Random,
    hands: Hands | None = None,
    dealer: int | None = None,
    called: int | None = None,
    solo_chance: float = 0.03,
    lean: Lean = LEANS["even"],
    cards_each: int = 27,
    lump: int = 1,
) -> Record:
    """Play a hand at random and record it; each seat asked declares a solo with the chance given.

    Without hands they are dealt anew until the dealer has a card to call.
    """
    if dealer is None:
        dealer = rng.randrange(4)
    given = hands
    hands = given or deal(rng, cards_each, lump)
    while given is None and not possible_calls(hands, dealer):
        hands = deal(rng, cards_each, lump)
    if called is None:
        called = random_call(rules, rng, hands, dealer)
    game = Game(rules, hands, dealer, called, bidding=True)
    while game.phase == "bid":
        game.bid(rng.random() < solo_chance)
    steps = []
    while game.to_move is not None:
        seat, lines = game.to_move, game.legal_lines()
        play = choose(game, lines, rng, lean)
        if play is None:
            game.pass_()
        else:
            game.play(*play)
        state = (list(game.captured), list(game.places), game.to_move)
        steps.append(Step(len(lines), seat, play, *state))
    return Record(rules, hands, dealer, called, game.bids, steps, game.result(), game)


# What a seat cannot rule out


def count_of(cards: Iterable[int], wanted: int | None) -> int:
    """How many of the cards are the one wanted."""
    return sum(1 for card in cards if card == wanted)


def dealer_copies(game: Game) -> int:
    """How many copies of the called card everybody knows the dealer to hold still (R5.3)."""
    dealt, played = game.dealt[game.dealer], game.played[game.dealer]
    return count_of(dealt, game.called) - count_of(played, game.called)


def is_consistent_deal(game: Game, seat: int, hands: Sequence[Cards]) -> bool:
    """Whether the hands left might be these, for all that this seat knows.

    It knows its own cards, how many the others hold, and which cards are out. Without a soloist it
    also knows how many called cards the dealer holds: a second copy that is neither its own nor out
    is then with another seat. Passes tell nothing.
    """
    if sorted(hands[seat]) != sorted(game.hands[seat]):
        return False
    if [len(hand) for hand in hands] != [len(hand) for hand in game.hands]:
        return False
    if Counter(c for hand in hands for c in hand) != Counter(c for hand in game.hands for c in hand):
        return False
    if game.soloist is not None:
        return True
    return count_of(hands[game.dealer], game.called) == dealer_copies(game)


def splits(cards: Cards, sizes: Sequence[int]) -> Iterator[list[Cards]]:
    """Every way to hand out the cards in hands of these sizes, equal cards counted as different."""
    if not sizes:
        yield []
        return
    places = range(len(cards))
    for chosen in combinations(places, sizes[0]):
        rest = tuple(cards[place] for place in places if place not in chosen)
        for others in splits(rest, sizes[1:]):
            yield [tuple(cards[place] for place in chosen), *others]


def unseen_deals(game: Game, seat: int) -> dict[Hands, int]:
    """All the hands that this seat cannot rule out, each sorted, and how often each comes up.

    The weight is the number of ways to hand out the physical cards so, two equal cards being two.
    Only for small endings.
    """
    others = seats_after(seat)
    hidden = tuple(sorted(card for other in others for card in game.hands[other]))
    weights: Counter[Hands] = Counter()
    for parts in splits(hidden, [len(game.hands[other]) for other in others]):
        by_seat = dict(zip(others, parts, strict=True)) | {seat: tuple(game.hands[seat])}
        hands = (by_seat[0], by_seat[1], by_seat[2], by_seat[3])
        if is_consistent_deal(game, seat, hands):
            weights[hands] += 1
    return dict(weights)


# Hands made by hand for what is rare. Each is worked out from the rules in the comment above it.


def actions_of(text: str) -> list[list[Any]]:
    """Actions written as `SEAT CARD`, `SEAT CARDS as DECLARATION` or `SEAT -`, with `;` between them."""
    actions: list[list[Any]] = []
    for part in text.split(";"):
        seat, words = part.strip().split(" ", 1)
        if words == "-":
            words = "pass"
        elif " as " not in words:
            words = f"{words} as single {words[0]}"
        actions.append([int(seat), words])
    return actions


def rare_hand(
    rules: Rules,
    name: str,
    changed: Mapping[str, Any],
    hands: str,
    called: str,
    text: str,
    expect: Mapping[str, Any],
    soloist: int | None = None,
    bids: list[bool] | None = None,
    dealer: int = 0,
) -> dict[str, Any]:
    """A hand in the form that `replay` takes, under the rules with these fields changed."""
    case = {
        "name": name,
        "rules": {**rules, **changed},
        "hands": [hand.strip() for hand in hands.split("|")],
        "dealer": dealer,
        "called": called,
        "soloist": soloist,
        "actions": actions_of(text) if text else [],
        "expect": dict(expect),
    }
    return case if bids is None else {**case, "bids": bids}


POINTS = {"scoring": "points", "roll_bonus": "none"}
ARCH = {"scoring": "arch", "roll_bonus": "none"}
NO_BONUS = {"holding_bonuses": ()}
SIX_KINGS = "KD KC KH KS KD KC"


def rare_hands(rules: Rules) -> list[dict[str, Any]]:
    """Hands for the rare paths; what they show holds whatever the fields they leave alone."""
    return [
        *rare_calls(rules),
        *rare_leads(rules),
        *rare_points(rules),
        *rare_sweeps(rules),
        *rare_early_endings(rules),
        *rare_solos(rules),
        *rare_rolls(rules),
        *rare_bonuses(rules),
    ]


def rare_calls(rules: Rules) -> list[dict[str, Any]]:
    """The called card: jokers, and cards that cannot be called. `refused` hands do not begin."""
    return [
        # R5.3: a dealer with both copies has no partner, so the hand is none.
        rare_hand(rules, "dealer_holds_both", {}, "3S 3S | 4D | 5D | 6D", "3S", "", {"refused": True}),
        # R5.3: nor if nobody has the other copy.
        rare_hand(rules, "other_copy_missing", {}, "3S | 4D | 5D | 6D", "3S", "", {"refused": True}),
        # R5.3, R5.4: the red joker is called. Seat 2 shows a black one first, which reveals nothing,
        # then the red one (action 6). R6.4: seat 0 runs out with its own red joker uppermost, so the
        # partner leads and runs out: partners, nobody took anything, x4 (R7.3, R7.4).
        rare_hand(
            rules,
            "joker_called",
            {"roll_bonus": "none"},
            "4D 4C 9D XR | 5D JD | 3D 6D 8D XB XR | 7D QD",
            "XR",
            "0 4D 4C as pair 4; 1 -; 2 6D XB as pair 6; 3 -; 0 -; 1 -;"
            "2 8D XR as pair 8; 3 -; 0 9D XR as pair 9; 1 -; 2 -; 3 -; 2 3D",
            {
                "partner": 2,
                "revealed_at": 6,
                "tricks": [[5, 2, 0, 2], [11, 0, 0, 2], [12, 2, 0, None]],
                "captured": [0, 0, 0, 0],
                "ending": "partners",
                "places": [0, 2],
                "winners": [0, 2],
                "multiplier": 4,
                "payoffs": [4, -4, 4, -4],
            },
        ),
    ]


def rare_leads(rules: Rules) -> list[dict[str, Any]]:
    """Who leads after a player who has run out (R6.4), and what reveals the partner (R5.4)."""
    return [
        # R5.4: the dealer's own 3S (action 0) reveals nothing, and seat 2 never shows the other.
        # Seat 3 is out first, seat 0 second with the K uppermost; unrevealed, so seat 1 leads and not
        # seat 2 (R6.4). R7.2: the 5 left with seat 2 goes to the third, seat 1. R7.3: 10 against 5.
        rare_hand(
            rules,
            "next_player_leads",
            {**POINTS, "unplayed_points_to": "third"},
            "3S KD | 4D 6D | 3S 5D 8D | 7D AD",
            "3S",
            "0 3S; 1 4D; 2 8D; 3 AD; 0 -; 1 -; 2 -; 3 7D; 0 KD; 1 -; 2 -; 1 6D",
            {
                "partner": 2,
                "revealed_at": None,
                "tricks": [[6, 3, 0, 3], [10, 0, 10, 1], [11, 1, 0, None]],
                "captured": [10, 0, 0, 0],
                "ending": "one_left",
                "places": [3, 0, 1, 2],
                "points": [10, 5, 0, 0],
                "winners": [0, 2],
                "multiplier": 1,
                "payoffs": [1, -1, 1, -1],
                "reasons": [["R7.3", [1, -1, 1, -1]]],
            },
        ),
        # Seat 2 reveals itself (action 2). Seat 0 runs out uppermost: its partner 2 leads and not the
        # next player 1 (R6.4). Then seat 3 likewise: its partner 1 leads. Seat 1 had passed at 17 and
        # still plays in the hand (R6.2). R7.3: 10 against 5.
        rare_hand(
            rules,
            "partner_leads",
            POINTS,
            "3D 6S KD | 4D 7D 9D | 5D 6S 8D | 7C JD QD",
            "6S",
            "0 3D; 1 4D; 2 6S; 3 -; 0 KD; 1 -; 2 -; 3 -; 0 6S; 1 -; 2 -; 3 -;"
            "2 5D; 3 7C; 1 9D; 2 -; 3 JD; 1 -; 2 -; 3 QD; 1 -; 2 -; 1 7D",
            {
                "revealed_at": 2,
                "tricks": [[7, 0, 10, 0], [11, 0, 0, 2], [18, 3, 5, 3], [21, 3, 0, 1], [22, 1, 0, None]],
                "captured": [10, 0, 0, 5],
                "ending": "one_left",
                "places": [0, 3, 1, 2],
                "points": [10, 0, 0, 5],
                "winners": [0, 2],
                "payoffs": [1, -1, 1, -1],
                "reasons": [["R7.3", [1, -1, 1, -1]]],
            },
        ),
        # The partner's 6S (action 2) reveals both sides. Seat 1 passed at 1, plays its last card at 5
        # (R6.2) and has the trick: its partner 3 leads and not the next player 2 (R6.4). Seat 3 runs
        # out with the 5 in an unfinished trick, which is its own (R6.7). The dealer's side has
        # nothing: x4.
        rare_hand(
            rules,
            "other_sides_partner_leads",
            {"roll_bonus": "none"},
            "3D 6S 9D | 8D | 4D 6S TD | 5D 7D",
            "6S",
            "0 3D; 1 -; 2 6S; 3 7D; 0 -; 1 8D; 2 -; 3 -; 0 -; 3 5D",
            {
                "revealed_at": 2,
                "tricks": [[8, 1, 0, 3], [9, 3, 5, None]],
                "captured": [0, 0, 0, 5],
                "ending": "partners",
                "places": [1, 3],
                "winners": [1, 3],
                "multiplier": 4,
                "payoffs": [-4, 4, -4, 4],
            },
        ),
        # The partner runs out with the called card (action 2), which reveals it, and takes the trick:
        # the dealer leads and not the next player 3. Seat 3 is second: its partner 1 leads and not the
        # next player 0 (R6.4). R7.3: 5 against 10; R7.4: first and last with less than 100.
        rare_hand(
            rules,
            "partner_runs_out",
            {"roll_bonus": "none"},
            "4D 6S 9D | 5D 7D | 6S | 8D TD",
            "6S",
            "0 4D; 1 5D; 2 6S; 3 -; 0 -; 1 -; 0 9D; 1 -; 3 TD; 0 -; 1 -; 3 8D; 0 -; 1 -; 1 7D",
            {
                "revealed_at": 2,
                "tricks": [[5, 2, 5, 0], [10, 3, 10, 3], [13, 3, 0, 1], [14, 1, 0, None]],
                "captured": [0, 0, 5, 10],
                "ending": "one_left",
                "places": [2, 3, 1, 0],
                "points": [0, 0, 5, 10],
                "winners": [1, 3],
                "multiplier": 1,
                "payoffs": [-1, 1, -1, 1],
            },
        ),
    ]


def rare_points(rules: Rules) -> list[dict[str, Any]]:
    """Whose a point is: bombs, jokers, unfinished tricks, unplayed cards (R1.5, R6.7, R7.2)."""
    unplayed = (
        "3S TD | 4D | 3S KD KC XB | 4C 6D",
        "3S",
        "0 TD; 1 -; 2 -; 3 -; 0 3S; 1 4D; 2 -; 3 6D; 2 -; 3 4C",
    )
    unplayed_expect = {
        "tricks": [[3, 0, 10, 0], [8, 3, 0, 3], [9, 3, 0, None]],
        "captured": [10, 0, 0, 0],
        "places": [0, 1, 3, 2],
        "multiplier": 1,
    }
    return [
        # Seat 1's T lies under seat 2's last card, a K, when first and second are out: both go to
        # seat 2, whose play is uppermost (R6.7), so seat 1's side has nothing: x4 (R7.3, R7.4).
        rare_hand(
            rules,
            "unfinished_trick",
            {"roll_bonus": "none"},
            "4D 6S 9D | 5D TD TC | 6S KD | 8D 8C",
            "6S",
            "0 4D; 1 5D; 2 6S; 3 -; 0 9D; 1 -; 2 -; 3 -; 0 6S; 1 TD; 2 KD",
            {
                "revealed_at": 2,
                "tricks": [[7, 0, 5, 0], [10, 2, 20, None]],
                "captured": [5, 0, 20, 0],
                "ending": "partners",
                "places": [0, 2],
                "winners": [0, 2],
                "multiplier": 4,
                "payoffs": [4, -4, 4, -4],
            },
        ),
        # R1.5: the cards of bombs count like others: a K (10), a flush 510K (25) and four 5s (20) are
        # 55 for seat 3. It runs out first; nobody is revealed, so the next player 0 leads (R6.4).
        # R7.3: 55 against 0, which is not all 200.
        rare_hand(
            rules,
            "points_in_bombs",
            POINTS,
            "3S 4D | 5D 6D TD KD | 3S 7D KC | 5D 5C 5H 5S 8D",
            "3S",
            "0 4D; 1 -; 2 KC; 3 -; 0 -; 1 5D TD KD as five_ten_king D; 2 -;"
            "3 5D 5C 5H 5S as bomb 5; 0 -; 1 -; 2 -; 3 8D; 0 -; 1 -; 2 -; 0 3S; 1 6D",
            {
                "tricks": [[10, 3, 55, 3], [14, 3, 0, 0], [16, 1, 0, None]],
                "captured": [0, 0, 0, 55],
                "ending": "one_left",
                "places": [3, 0, 1, 2],
                "winners": [1, 3],
                "multiplier": 1,
                "payoffs": [-1, 1, -1, 1],
                "reasons": [["R7.3", [-1, 1, -1, 1]]],
            },
        ),
        # R1.5: a K with a joker is 10 and not 20, 5 and T with a joker 15 and not 25.
        rare_hand(
            rules,
            "joker_scores_nothing",
            POINTS,
            "3S QD QC | 5D 6D TD KD XB XR | 3S 9D | 4D 7D",
            "3S",
            "0 QD QC as pair Q; 1 KD XB as pair K; 2 -; 3 -; 0 -;"
            "1 5D TD XR as five_ten_king D; 2 -; 3 -; 0 -; 1 6D; 2 9D; 3 -; 0 -;"
            "2 3S; 3 4D; 0 -; 3 7D",
            {
                "revealed_at": 13,
                "tricks": [[4, 1, 10, 1], [8, 1, 15, 1], [12, 2, 0, 2], [15, 3, 0, 3], [16, 3, 0, None]],
                "captured": [0, 25, 0, 0],
                "ending": "one_left",
                "places": [1, 2, 3, 0],
                "winners": [1, 3],
                "payoffs": [-1, 1, -1, 1],
            },
        ),
        # R7.2: seat 2 is left with two Ks (20; its joker is nothing). To the third, seat 3: 10
        # against 20. To the first, seat 0: 30 against 0.
        rare_hand(
            rules,
            "unplayed_to_third",
            {**POINTS, "unplayed_points_to": "third"},
            *unplayed,
            {**unplayed_expect, "points": [10, 0, 0, 20], "winners": [1, 3], "payoffs": [-1, 1, -1, 1]},
        ),
        rare_hand(
            rules,
            "unplayed_to_first",
            {**POINTS, "unplayed_points_to": "first"},
            *unplayed,
            {**unplayed_expect, "points": [30, 0, 0, 0], "winners": [0, 2], "payoffs": [1, -1, 1, -1]},
        ),
        # R7.2: the last player took all 15, and they go to the first, on the other side.
        rare_hand(
            rules,
            "last_players_points_go_to_first",
            POINTS,
            "5D 9S | 4D 6D | 3D 9S | 7D 8D TD",
            "9S",
            "0 5D; 1 6D; 2 -; 3 TD; 0 -; 1 -; 2 -; 3 7D; 0 -; 1 -; 2 9S; 3 -; 0 -; 1 -;"
            "2 3D; 3 -; 0 -; 1 4D; 3 -; 0 9S",
            {
                "revealed_at": 10,
                "tricks": [[6, 3, 15, 3], [13, 2, 0, 2], [19, 0, 0, None]],
                "captured": [0, 0, 0, 15],
                "ending": "one_left",
                "places": [2, 1, 0, 3],
                "points": [0, 0, 15, 0],
                "winners": [0, 2],
                "multiplier": 1,
                "payoffs": [1, -1, 1, -1],
                "reasons": [["R7.3", [1, -1, 1, -1]]],
            },
        ),
    ]


def rare_sweeps(rules: Rules) -> list[dict[str, Any]]:
    """All 200 points on one side, and 100 on each (R7.3)."""
    sweep_hands = (
        f"3S {SIX_KINGS} TD TC TH TS TD TC 5D 5C 5H | 4D 6D |3S 3D KH KS TH TS 5D 5C 5H 5S 5S | 4C 7D",
        "3S",
    )
    # Seat 0 takes 60 + 60 + 15 and runs out; seat 2 plays KH on seat 1's 4D and goes on: 65.
    sweep_text = (
        f"0 {SIX_KINGS} as bomb K; 1 -; 2 -; 3 -; 0 TD TC TH TS TD TC as bomb T; 1 -; 2 -; 3 -;"
        "0 5D 5C 5H as triple 5; 1 -; 2 -; 3 -; 0 3S; 1 4D; 2 KH; 3 -; 1 -;"
        "2 5D 5C 5H 5S 5S as bomb 5; 3 -; 1 -; 2 TH TS as pair T; 3 -; 1 -; 2 KS; 3 -; 1 -;"
        "2 3D; 3 4C; 1 6D; 2 -;"
    )
    sweep_tricks = [
        [3, 0, 60, 0],
        [7, 0, 60, 0],
        [11, 0, 15, 0],
        [16, 2, 10, 2],
        [19, 2, 25, 2],
        [22, 2, 20, 2],
        [25, 2, 10, 2],
    ]
    sweep = {"captured": [135, 0, 65, 0], "ending": "one_left", "winners": [0, 2]}
    # Seat 3 passes, so seat 2 leads (unrevealed, R6.4) and is third; seat 3 is last.
    out = {
        **sweep,
        "revealed_at": 31,
        "tricks": [*sweep_tricks, [30, 1, 0, 2], [31, 2, 0, None]],
        "places": [0, 1, 2, 3],
        "points": [135, 0, 65, 0],
        "multiplier": 2,
        "payoffs": [2, -2, 2, -2],
    }
    # Seat 3 plays and is third; seat 2 is last, and its 65 go to seat 0 (R7.2).
    last = {
        **sweep,
        "revealed_at": None,
        "tricks": [*sweep_tricks, [30, 3, 0, None]],
        "places": [0, 1, 3, 2],
        "points": [200, 0, 0, 0],
    }
    level = {"ending": "one_left", "multiplier": 1}
    return [
        # R7.3: the last player is on the other side, so 200 counts double either way.
        rare_hand(
            rules,
            "all_200_and_out",
            {**POINTS, "sweep_needs_out": True},
            *sweep_hands,
            sweep_text + "3 -; 2 3S",
            out,
        ),
        rare_hand(
            rules,
            "all_200_and_out_not_needed",
            {**POINTS, "sweep_needs_out": False},
            *sweep_hands,
            sweep_text + "3 -; 2 3S",
            out,
        ),
        # R7.3: the last player is on the side with all 200.
        rare_hand(
            rules,
            "all_200_but_last",
            {**POINTS, "sweep_needs_out": True},
            *sweep_hands,
            sweep_text + "3 7D",
            {**last, "multiplier": 1, "payoffs": [1, -1, 1, -1]},
        ),
        rare_hand(
            rules,
            "all_200_though_last",
            {**POINTS, "sweep_needs_out": False},
            *sweep_hands,
            sweep_text + "3 7D",
            {**last, "multiplier": 2, "payoffs": [2, -2, 2, -2]},
        ),
        # 100 each. Seat 0 takes 40 + 20 + 40 and is first, seat 1 takes 20 + 40 + 20 and is second
        # (unrevealed, so seat 2 leads), seat 3 is third with the last 20 (R6.7); seat 2 is last.
        # R7.3: its side loses.
        rare_hand(
            rules,
            "level_first_side_last",
            POINTS,
            f"3S {SIX_KINGS} TD TC TH TS | 4D KH KS TD TC TH TS 5D 5C 5H 5S |3S 4C | 5D 5C 5H 5S 6D",
            "3S",
            "0 KD KC KH KS as bomb K; 1 -; 2 -; 3 -; 0 KD KC as pair K; 1 -; 2 -; 3 -;"
            "0 TD TC TH TS as bomb T; 1 -; 2 -; 3 -; 0 3S; 1 4D; 2 -; 3 -;"
            "1 KH KS as pair K; 2 -; 3 -; 1 TD TC TH TS as bomb T; 2 -; 3 -;"
            "1 5D 5C 5H 5S as bomb 5; 2 -; 3 -; 2 4C; 3 6D; 2 -; 3 5D 5C 5H 5S as bomb 5",
            {
                **level,
                "revealed_at": None,
                "tricks": [
                    [3, 0, 40, 0],
                    [7, 0, 20, 0],
                    [11, 0, 40, 0],
                    [15, 1, 0, 1],
                    [18, 1, 20, 1],
                    [21, 1, 40, 1],
                    [24, 1, 20, 2],
                    [27, 3, 0, 3],
                    [28, 3, 20, None],
                ],
                "captured": [100, 80, 0, 20],
                "places": [0, 1, 3, 2],
                "points": [100, 80, 0, 20],
                "winners": [1, 3],
                "payoffs": [-1, 1, -1, 1],
            },
        ),
        # 100 each again, but seat 1 takes its side's 100 alone (30 + 40 + 20 + 10) and seat 3 is last
        # with nothing to give away (R7.2). R7.3: the side of seat 3 loses.
        rare_hand(
            rules,
            "level_other_side_last",
            POINTS,
            f"3D 3C AS {SIX_KINGS} TD TC TH TS | 4D 4C KH KS TD TC TH TS 5D 5C 5H 5S 5D 5C |"
            "8C AS | 5H 5S 6D 7D",
            "AS",
            "0 KD KC KH KS as bomb K; 1 -; 2 -; 3 -; 0 KD KC as pair K; 1 -; 2 -; 3 -;"
            "0 TD TC TH TS as bomb T; 1 -; 2 -; 3 -;"
            "0 3D 3C as pair 3; 1 -; 2 -; 3 5H 5S as pair 5; 0 -; 1 KH KS as pair K; 2 -; 3 -; 0 -;"
            "1 TD TC TH TS as bomb T; 2 -; 3 -; 0 -; 1 5D 5C 5H 5S as bomb 5; 2 -; 3 -; 0 -;"
            "1 5D 5C as pair 5; 2 -; 3 -; 0 -; 1 4D; 2 -; 3 -; 0 AS; 1 -; 2 -; 3 -;"
            "1 4C; 2 AS; 3 -; 2 8C",
            {
                **level,
                "revealed_at": 41,
                "tricks": [
                    [3, 0, 40, 0],
                    [7, 0, 20, 0],
                    [11, 0, 40, 0],
                    [20, 1, 30, 1],
                    [24, 1, 40, 1],
                    [28, 1, 20, 1],
                    [32, 1, 10, 1],
                    [39, 0, 0, 1],
                    [42, 2, 0, 2],
                    [43, 2, 0, None],
                ],
                "captured": [100, 100, 0, 0],
                "places": [0, 1, 2, 3],
                "points": [100, 100, 0, 0],
                "winners": [0, 2],
                "payoffs": [1, -1, 1, -1],
            },
        ),
    ]


def rare_early_endings(rules: Rules) -> list[dict[str, Any]]:
    """The early endings of R6.6 met and missed by the least, and what R7.4 makes of them."""
    arch = {**ARCH, **NO_BONUS}
    tens = "TD TC TH TS"
    second_plays = f"1 {SIX_KINGS} as bomb K; 2 -; 3 -; 1 {tens} as bomb T; 2 -; 3 -"
    first_plays = f"0 {SIX_KINGS} as bomb K; 1 -; 2 -; 3 -; 0 {tens} as bomb T; 1 -; 2 -; 3 -; 0 3S;"
    first_tricks = [[3, 0, 60, 0], [7, 0, 40, 0]]
    first_side_wins = {"winners": [0, 2], "multiplier": 1, "payoffs": [1, -1, 1, -1]}
    second_side_wins = {"winners": [1, 3], "multiplier": 1, "payoffs": [-1, 1, -1, 1]}
    early_first = {**first_side_wins, "ending": "early_first", "places": [0, 1]}
    return [
        # Seat 1 runs out second at action 11 with 65 taken and 40 under way, so not yet; the trick is
        # taken at 13: 105, and seat 0 has its 5. The side of seat 1 wins x1.
        rare_hand(
            rules,
            "second_has_105",
            arch,
            f"3S 5D | 5C {SIX_KINGS} {tens} | 3S 4C 6C | 4H 6H",
            "3S",
            f"0 5D; 1 -; 2 -; 3 -; 0 3S; 1 5C; 2 -; 3 -; {second_plays}",
            {
                **second_side_wins,
                "tricks": [[3, 0, 5, 0], [7, 1, 5, 1], [10, 1, 60, 1], [13, 1, 40, None]],
                "captured": [5, 105, 0, 0],
                "ending": "early_second",
                "places": [0, 1],
                "points": [5, 105, 0, 0],
                "reasons": [["R7.4", [-1, 1, -1, 1]]],
            },
        ),
        # With a 7 in the place of seat 1's 5 it has 100: played on. Nobody is revealed: seat 2 leads.
        # First and last have less than 100 (5): the others win x1.
        rare_hand(
            rules,
            "second_has_100",
            arch,
            f"3S 5D | 7D {SIX_KINGS} {tens} | 3S 4C 6C | 4H 6H",
            "3S",
            f"0 5D; 1 -; 2 -; 3 -; 0 3S; 1 7D; 2 -; 3 -; {second_plays};2 3S; 3 -; 2 4C; 3 6H; 2 -; 3 4H",
            {
                **second_side_wins,
                "revealed_at": 14,
                "tricks": [
                    [3, 0, 5, 0],
                    [7, 1, 0, 1],
                    [10, 1, 60, 1],
                    [13, 1, 40, 2],
                    [15, 2, 0, 2],
                    [18, 3, 0, 3],
                    [19, 3, 0, None],
                ],
                "captured": [5, 100, 0, 0],
                "ending": "one_left",
                "places": [0, 1, 3, 2],
                "points": [5, 100, 0, 0],
            },
        ),
        # Seat 1 has 105, but the other side nothing: played on, till seat 2 takes a 5 (action 17).
        rare_hand(
            rules,
            "second_has_105_others_later",
            arch,
            f"3S 9D | 5C {SIX_KINGS} {tens} | 3S 4C 5D | 4H 6H",
            "3S",
            f"0 9D; 1 -; 2 -; 3 -; 0 3S; 1 5C; 2 -; 3 -; {second_plays}; 2 3S; 3 -; 2 5D; 3 -",
            {
                **second_side_wins,
                "tricks": [
                    [3, 0, 0, 0],
                    [7, 1, 5, 1],
                    [10, 1, 60, 1],
                    [13, 1, 40, 2],
                    [15, 2, 0, 2],
                    [17, 2, 5, None],
                ],
                "captured": [0, 105, 5, 0],
                "ending": "early_second",
                "places": [0, 1],
            },
        ),
        # The other side never takes anything: played out. 105 is not all 200, so x1.
        rare_hand(
            rules,
            "second_has_105_others_nothing",
            arch,
            f"3S 9D | 5C {SIX_KINGS} {tens} | 3S 4C 6C | 4H 6H",
            "3S",
            f"0 9D; 1 -; 2 -; 3 -; 0 3S; 1 5C; 2 -; 3 -; {second_plays};2 3S; 3 -; 2 4C; 3 6H; 2 -; 3 4H",
            {**second_side_wins, "captured": [0, 105, 0, 0], "ending": "one_left", "places": [0, 1, 3, 2]},
        ),
        # Seat 0 has 100 and is first; seat 1 has its 5 when it runs out second: over at once.
        rare_hand(
            rules,
            "first_side_has_100",
            arch,
            f"3S {SIX_KINGS} {tens} | 4D 5C | 3S 6C | 6H 7H",
            "3S",
            f"{first_plays} 1 5C; 2 -; 3 -; 1 4D",
            {
                **early_first,
                "tricks": [*first_tricks, [11, 1, 5, 1], [12, 1, 0, None]],
                "captured": [100, 5, 0, 0],
                "points": [100, 5, 0, 0],
                "reasons": [["R7.4", [1, -1, 1, -1]]],
            },
        ),
        # The same with a 5 in the unfinished trick, which is seat 1's (R6.7).
        rare_hand(
            rules,
            "first_side_has_100_points_under_way",
            arch,
            f"3S {SIX_KINGS} {tens} | 5C 5D | 3S 6C | 6H 7H",
            "3S",
            f"{first_plays} 1 5C; 2 -; 3 -; 1 5D",
            {
                **early_first,
                "tricks": [*first_tricks, [11, 1, 5, 1], [12, 1, 5, None]],
                "captured": [100, 10, 0, 0],
            },
        ),
        # Seat 1's only 5 is under way when it runs out, so not taken yet; it is once all have passed.
        rare_hand(
            rules,
            "second_takes_with_last_card",
            arch,
            f"3S {SIX_KINGS} {tens} | 4D 5D | 3S 6C | 6H 7H",
            "3S",
            f"{first_plays} 1 4D; 2 -; 3 -; 1 5D; 2 -; 3 -",
            {
                **early_first,
                "tricks": [*first_tricks, [11, 1, 0, 1], [14, 1, 5, None]],
                "captured": [100, 5, 0, 0],
            },
        ),
        # 95 (60 + 30 + 5): played out. Seats 0 and 2 are first and third and second has taken 5: x1.
        rare_hand(
            rules,
            "first_side_has_95",
            arch,
            f"3S 5D {SIX_KINGS} TD TC TH | 4D 5C | 3S 6C | 6H 7H",
            "3S",
            f"0 {SIX_KINGS} as bomb K; 1 -; 2 -; 3 -; 0 TD TC TH as triple T; 1 -; 2 -; 3 -;"
            "0 5D; 1 -; 2 -; 3 -; 0 3S; 1 5C; 2 -; 3 -; 1 4D; 2 6C; 3 -; 2 3S",
            {
                **first_side_wins,
                "revealed_at": 19,
                "tricks": [
                    [3, 0, 60, 0],
                    [7, 0, 30, 0],
                    [11, 0, 5, 0],
                    [15, 1, 5, 1],
                    [18, 2, 0, 2],
                    [19, 2, 0, None],
                ],
                "captured": [95, 5, 0, 0],
                "ending": "one_left",
                "places": [0, 1, 2, 3],
            },
        ),
        # 100, but second never takes anything: played out. First and third, second took 0: x2.
        rare_hand(
            rules,
            "first_side_has_100_second_nothing",
            arch,
            f"3S {SIX_KINGS} {tens} | 4D 8D | 3S 6C | 6H 7H",
            "3S",
            f"{first_plays} 1 4D; 2 -; 3 -; 1 8D; 2 -; 3 -; 2 6C; 3 -; 2 3S",
            {
                "revealed_at": 17,
                "tricks": [*first_tricks, [11, 1, 0, 1], [14, 1, 0, 2], [16, 2, 0, 2], [17, 2, 0, None]],
                "captured": [100, 0, 0, 0],
                "ending": "one_left",
                "places": [0, 1, 2, 3],
                "winners": [0, 2],
                "multiplier": 2,
                "payoffs": [2, -2, 2, -2],
            },
        ),
        # The same 100 with points scoring end no hand early (R6.6 has it of DAYE only); see
        # `first_side_has_100`. Seat 2 wins the lead and is third; 100 against 5.
        rare_hand(
            rules,
            "no_early_ending_with_points",
            {**POINTS, **NO_BONUS},
            f"3S {SIX_KINGS} {tens} | 4D 5C | 3S 6C | 6H 7H",
            "3S",
            f"{first_plays} 1 5C; 2 -; 3 -; 1 4D; 2 6C; 3 -; 2 3S",
            {**first_side_wins, "captured": [100, 5, 0, 0], "ending": "one_left", "places": [0, 1, 2, 3]},
        ),
    ]


def rare_solos(rules: Rules) -> list[dict[str, Any]]:
    """One against three (R5.5, R6.6, R7.1)."""
    solo = {"solo_multiplier": 4, "roll_bonus": "none"}
    return [
        # Seats 3 and 0 decline, seat 1 declares, seat 2 is not asked. Seat 1 leads and is out at once.
        rare_hand(
            rules,
            "solo_bid_won",
            solo,
            "3S 6D | AD | 4D 7D | 4D 9D",
            "4D",
            "1 AD",
            {
                "soloist": 1,
                "partner": None,
                "revealed_at": None,
                "tricks": [[0, 1, 0, None]],
                "ending": "solo",
                "places": [1],
                "winners": [1],
                "multiplier": 4,
                "payoffs": [-4, 12, -4, -4],
                "reasons": [["R7.1", [-4, 12, -4, -4]]],
            },
            bids=[False, False, True],
            dealer=3,
        ),
        # Seat 0 has the more points, but seat 2 is out first: lost. Playing the other 3S, once the
        # called card, reveals nobody.
        rare_hand(
            rules,
            "solo_lost",
            solo,
            "3S 4D KD | 5D 6D | 3S 7D | 8D 9D",
            "3S",
            "0 KD; 1 -; 2 -; 3 -; 0 3S; 1 -; 2 7D; 3 -; 0 -; 1 -; 2 3S",
            {
                "soloist": 0,
                "partner": None,
                "revealed_at": None,
                "tricks": [[3, 0, 10, 0], [9, 2, 0, 2], [10, 2, 0, None]],
                "captured": [10, 0, 0, 0],
                "ending": "solo",
                "places": [2],
                "winners": [1, 2, 3],
                "multiplier": 4,
                "payoffs": [-12, 4, 4, 4],
                "reasons": [["R7.1", [-12, 4, 4, 4]]],
            },
            soloist=0,
        ),
    ]


def rare_rolls(rules: Rules) -> list[dict[str, Any]]:
    """Rolls played and what they pay (R7.7)."""
    side_payment = {**NO_BONUS, "rolls": "soft", "roll_bonus": "side_payment", "solo_multiplier": 4}
    doubled = {**NO_BONUS, "rolls": "hard", "roll_bonus": "winner_doubles", "solo_multiplier": 4}
    low, high, ten = ("3D 3C 3H 3S 4D 4C 4H 4S", "8D 8C 8H 8S 9D 9C 9H 9S", "8D 8C 8H 8S 9D 9C 9H 9S 9D 9C")
    # Seat 0 rolls and is first, seat 2 second: x4, since nobody takes anything (R7.3, R7.4).
    won = (
        f"{low} AS | 6D 7D | 8D AS | 6C 7C",
        "AS",
        f"0 {low} as roll 4 x2; 1 -; 2 -; 3 -; 0 AS; 1 -; 2 -; 3 -; 1 6D; 2 8D; 3 -; 1 -; 2 AS",
    )
    # Seat 1 rolls ten cards, seats 0 and 2 are first and second all the same: x4 again.
    lost = (
        f"3D AS | 4D 4C 6C {ten} | QD AS | 6D 7D",
        "AS",
        f"0 3D; 1 {ten} as roll 9 x2; 2 -; 3 -; 0 -; 1 4D; 2 QD; 3 -; 0 AS; 1 -; 2 -; 3 -; 1 4C; 2 AS",
    )
    solo_won = (f"{low} AS | 6D 7D | 8D AS | 6C 7C", "AS", f"0 {low} as roll 4 x2; 1 -; 2 -; 3 -; 0 AS")
    solo_lost = (
        f"{low} AS 5D | {high} 6D 7D | 8D AS | 6C 7C",
        "AS",
        f"0 {low} as roll 4 x2; 1 {high} as roll 9 x2; 2 -; 3 -; 0 -; 1 6D; 2 -; 3 -; 0 -; 1 7D",
    )
    # Seats 0, 1 and 2 roll in one trick. Seat 2 is first, seat 3 second, seat 0 third with a T and a K,
    # seat 1 is last: x1 to seats 0 and 2 by 20 to 0 (R7.3).
    three = (
        f"{low} KD AS | {high} 6D 7D | JD JC JH JS QD QC QH QS 8D AS | TC",
        "AS",
        f"0 {low} as roll 4 x2; 1 {high} as roll 9 x2; 2 JD JC JH JS QD QC QH QS as roll Q x2; 3 -;"
        "0 -; 1 -; 2 AS; 3 -; 0 -; 1 -; 2 8D; 3 TC; 0 KD; 1 -; 0 AS",
    )
    three_expect = {
        "revealed_at": 6,
        "tricks": [[5, 2, 0, 2], [9, 2, 0, 2], [13, 0, 20, 0], [14, 0, 0, None]],
        "captured": [20, 0, 0, 0],
        "ending": "one_left",
        "places": [2, 3, 0, 1],
        "winners": [0, 2],
    }
    return [
        # Worth 2 to seats 0 and 2 on top.
        rare_hand(
            rules,
            "roll_paid",
            side_payment,
            *won,
            {"places": [0, 2], "multiplier": 4, "payoffs": [6, -6, 6, -6]},
        ),
        # Doubled once for the winners' roll.
        rare_hand(
            rules,
            "roll_doubles",
            doubled,
            *won,
            {"places": [0, 2], "multiplier": 8, "payoffs": [8, -8, 8, -8]},
        ),
        # Worth 4; seat 1 has not run out, so it and seat 3 pay.
        rare_hand(
            rules,
            "roll_lost",
            side_payment,
            *lost,
            {"places": [0, 2], "multiplier": 4, "payoffs": [8, -8, 8, -8]},
        ),
        # The losers' roll doubles nothing.
        rare_hand(
            rules,
            "losers_roll_does_not_double",
            doubled,
            *lost,
            {"places": [0, 2], "multiplier": 4, "payoffs": [4, -4, 4, -4]},
        ),
        # 2 each for the rolls of seats 0 and 2; the last player, seat 1, has not run out and pays.
        rare_hand(
            rules,
            "three_rolls_paid",
            {**side_payment, "scoring": "points"},
            *three,
            {
                **three_expect,
                "multiplier": 1,
                "payoffs": [7, -7, 7, -7],
                "reasons": [["R7.3", [1, -1, 1, -1]], *[["R7.7", [2, -2, 2, -2]]] * 3],
            },
        ),
        # Doubled twice, for both of the winners' rolls.
        rare_hand(
            rules,
            "two_of_three_rolls_double",
            {**doubled, "scoring": "points"},
            *three,
            {**three_expect, "multiplier": 4, "payoffs": [4, -4, 4, -4]},
        ),
        # Each of the three pays 4 and the roll's 2.
        rare_hand(
            rules,
            "soloists_roll_won",
            side_payment,
            *solo_won,
            {
                "places": [0],
                "multiplier": 4,
                "payoffs": [18, -6, -6, -6],
                "reasons": [["R7.1", [12, -4, -4, -4]], ["R7.7", [6, -2, -2, -2]]],
            },
            soloist=0,
        ),
        # In a solo too the winner's roll doubles.
        rare_hand(
            rules,
            "soloists_roll_doubles",
            doubled,
            *solo_won,
            {"multiplier": 8, "payoffs": [24, -8, -8, -8], "reasons": [["R7.1", [24, -8, -8, -8]]]},
            soloist=0,
        ),
        # The soloist's roll (2) is paid out, the one of seat 1 does not count.
        rare_hand(
            rules,
            "soloists_roll_lost",
            side_payment,
            *solo_lost,
            {
                "places": [1],
                "multiplier": 4,
                "payoffs": [-18, 6, 6, 6],
                "reasons": [["R7.1", [-12, 4, 4, 4]], ["R7.7", [-6, 2, 2, 2]]],
            },
            soloist=0,
        ),
        # Of the two rolls the one by seat 1, of the winning side, doubles.
        rare_hand(
            rules,
            "opponents_roll_doubles",
            doubled,
            *solo_lost,
            {"multiplier": 8, "payoffs": [-24, 8, 8, 8]},
            soloist=0,
        ),
    ]


def rare_bonuses(rules: Rules) -> list[dict[str, Any]]:
    """Several bonuses for cards held at once (R7.6)."""
    eight, seven = "3D 3C 3H 3S 3D 3C 3H 3S", "4D 4C 4H 4S 4D 4C 4H"
    sets = "5D 5C 5H 5S TD TC TH TS KD KC KH KS"
    # Seats 0 and 2 are first and second, and nobody takes anything: x4.
    hand = (
        f"{eight} {seven} AS XB XB XR XR | {sets} 6D | QD AS | 7D 8D",
        "AS",
        f"0 {eight} as bomb 3; 1 -; 2 -; 3 -; 0 {seven} XB XB XR XR as bomb 4; 1 -; 2 -; 3 -;"
        "0 AS; 1 -; 2 -; 3 -; 1 6D; 2 QD; 3 -; 1 -; 2 AS",
    )
    expect = {"ending": "partners", "places": [0, 2], "multiplier": 4}
    every = ("sky", "eight", "seven", "four_510k")
    return [
        # Each of the others owes seat 0 1 + 2 + 1, and owes seat 1 one for four 510Ks.
        rare_hand(
            rules,
            "bonuses_add_up",
            {"holding_bonuses": every, "roll_bonus": "none"},
            *hand,
            {**expect, "payoffs": [4 + 12 - 1, -4 - 4 + 3, 4 - 4 - 1, -4 - 4 - 1]},
        ),
        rare_hand(
            rules,
            "no_bonuses",
            {"holding_bonuses": (), "roll_bonus": "none"},
            *hand,
            {**expect, "payoffs": [4, -4, 4, -4]},
        ),
        rare_hand(
            rules,
            "seven_only",
            {"holding_bonuses": ("seven",), "roll_bonus": "none"},
            *hand,
            {**expect, "payoffs": [4 + 3, -4 - 1, 4 - 1, -4 - 1]},
        ),
    ]
