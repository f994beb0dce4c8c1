"""Play: some cards and what they are declared to be; and the rules that it was made under."""

from libc.string cimport memset

from dagong._generate cimport MOST_DECLARATIONS, identify
from dagong._hand cimport as_hand, new_hand
from dagong._layout cimport (
    HAND_CARDS,
    cards_in,
    row_jokers,
    row_kind,
    row_length,
    row_rank,
    row_size,
    row_suit,
    without_strength,
)
from dagong._ruleset cimport (
    BONUS_EIGHT,
    BONUS_FOUR_510K,
    BONUS_SEVEN,
    BONUS_SKY,
    CARDS_THEN_LARGEST,
    CARDS_THEN_TOP,
    LARGEST_FROM_TEN,
    ROLL_PAYS_NOTHING,
    ROLL_PAYS_SIDE,
    ROLL_WINNER_DOUBLES,
    ROLLS_HARD,
    ROLLS_NONE,
    ROLLS_SOFT,
    compile_rules,
)

from dagong import notation
from dagong.kinds import Kind

cdef tuple KINDS = (None, *Kind)
cdef object UNCHECKED = object()      # known in here only: what it makes is filled in by new_play
cdef dict ROLL_MODES = {"none": ROLLS_NONE, "hard": ROLLS_HARD, "soft": ROLLS_SOFT}
cdef dict ROLL_BONUSES = {
    "none": ROLL_PAYS_NOTHING, "side_payment": ROLL_PAYS_SIDE, "winner_doubles": ROLL_WINNER_DOUBLES
}
cdef dict BONUSES = {
    "sky": BONUS_SKY, "eight": BONUS_EIGHT, "seven": BONUS_SEVEN, "four_510k": BONUS_FOUR_510K
}
cdef dict ROLL_ORDERS = {
    "cards_then_largest": CARDS_THEN_LARGEST,
    "largest_from_ten": LARGEST_FROM_TEN,
    "cards_then_top": CARDS_THEN_TOP,
}


cdef class CompiledRules:
    """The fields of R8, compiled into the tables of the core."""

    def _compile(
        self, *, lone_jokers, ftk_max_jokers, sky_bomb, natural_bombs, rolls, roll_two, roll_order,
        call_rule="first_singleton", call_jokers=False, scoring="points", unplayed_points_to="third",
        sweep_needs_out=False, solo_multiplier=4, holding_bonuses=(), roll_bonus="none",
    ):
        """Fill the tables, once; the values were checked before."""
        if self.ready:
            raise TypeError("a rule set is immutable")
        memset(&self.rules, 0, sizeof(Rules))
        self.rules.wild_alone = lone_jokers == "wild"
        self.rules.ftk_max_jokers = ftk_max_jokers
        self.rules.sky_bomb = sky_bomb
        self.rules.natural_bombs = natural_bombs
        self.rules.rolls = ROLL_MODES[rolls]
        self.rules.roll_two = roll_two
        self.rules.roll_order = ROLL_ORDERS[roll_order]
        self.rules.call_singleton = call_rule == "first_singleton"
        self.rules.call_jokers = call_jokers
        self.rules.arch = scoring == "arch"
        self.rules.unplayed_to_first = unplayed_points_to == "first"
        self.rules.sweep_needs_out = sweep_needs_out
        self.rules.solo_multiplier = solo_multiplier
        self.rules.roll_bonus = ROLL_BONUSES[roll_bonus]
        for name in holding_bonuses:
            self.rules.bonuses |= BONUSES[name]
        compile_rules(&self.rules)
        self.ready = True


cdef Rules* rules_in(CompiledRules compiled) except NULL:
    if not compiled.ready:
        raise TypeError("this rule set was never initialised")
    return &compiled.rules


# Whatever may be a play under some rules is one under these.
cdef CompiledRules ANY_RULES = CompiledRules()
ANY_RULES._compile(
    lone_jokers="wild", ftk_max_jokers=3, sky_bomb=True, natural_bombs=True, rolls="soft", roll_two=True,
    roll_order="cards_then_largest",
)


cdef Play new_play(PlayRow row, HandBits bits, CompiledRules under):
    cdef Play play = Play.__new__(Play, UNCHECKED)
    play.row = row
    play.bits = bits
    play.under = under
    return play


cdef HandBits playable_bits(object cards) except *:
    """The cards of a hand in play or of a play; both have 27 cards at the most."""
    cdef HandBits bits = as_hand(cards).bits
    cdef int size = cards_in(bits)
    if size > HAND_CARDS:
        raise ValueError(f"{size} cards: a hand holds at most {HAND_CARDS} (R5.1)")
    return bits


cdef int find_declaration(PlayRow* row, CompiledRules compiled, HandBits bits, PlayRow wanted) except -1:
    """Set ``row`` to the wanted declaration of the cards; whether the rules have it."""
    cdef PlayRow[MOST_DECLARATIONS] rows
    cdef int index
    for index in range(identify(rules_in(compiled), bits, rows)):
        if without_strength(rows[index].head) == without_strength(wanted.head):
            row[0] = rows[index]
            return True
    return False


cdef int row_under(PlayRow* row, CompiledRules compiled, Play play) except -1:
    """Set ``row`` to the play with its strength under the given rules."""
    if play is None:
        raise TypeError("None is no play")
    if play.under is compiled:
        row[0] = play.row
    elif not find_declaration(row, compiled, play.bits, play.row):
        raise ValueError(f"'{play}' is no play under {compiled}")
    return 0


cdef class Play:
    """Play(text)

    Cards and what they are declared to be (R3): immutable, hashable, equal if both are equal.

    Plays come from a ``Ruleset``: ``identify``, ``legal_plays``, ``parse_play``. Made directly from
    text, a play need only be legal under some rule set.

    Raises ``ValueError`` for text that is no play or may be several.

    >>> play = Play("4H 4S XB XR as pair_run 5 x2")
    >>> play.kind, play.rank, play.length, play.size, play.jokers
    (<Kind.PAIR_RUN: 4>, 2, 2, 4, 2)
    >>> play.cards
    Hand('4H 4S XB XR')
    """

    def __cinit__(self, text=None):
        cdef Play play
        if text is not UNCHECKED:
            play = parse_play(ANY_RULES, text)
            self.row = play.row
            self.bits = play.bits
            self.under = play.under

    def __init__(self, text=None):
        pass

    @property
    def kind(self):
        """Its ``Kind``."""
        return KINDS[row_kind(self.row)]

    @property
    def rank(self):
        """0 to 12; the highest of a run or, on its ladder, of a roll; -1 for a 510K and a sky bomb."""
        return row_rank(self.row)

    @property
    def length(self):
        """How many ranks it spans; 1 where that has no meaning."""
        return row_length(self.row)

    @property
    def suit(self):
        """The suit of a flush 510K, 0 to 3 for D C H S; else None."""
        return row_suit(self.row) if row_suit(self.row) >= 0 else None

    @property
    def size(self):
        """How many cards it has."""
        return row_size(self.row)

    @property
    def jokers(self):
        """How many of its cards are jokers."""
        return row_jokers(self.row)

    @property
    def cards(self):
        """Its cards, a ``Hand``."""
        return new_hand(self.bits)

    @property
    def points(self):
        """What its 5s, 10s and Ks are worth; jokers score nothing (R1.5)."""
        return self.cards.points

    @property
    def declaration(self):
        """Kind, rank, length and suit: a named tuple that two plays alike but for cards share."""
        return notation.Declaration(self.kind, self.rank, self.length, self.suit)

    def __eq__(self, other):
        if not isinstance(other, Play):
            return NotImplemented
        cdef Play play = <Play>other
        return (
            without_strength(self.row.head) == without_strength(play.row.head)
            and self.bits.once == play.bits.once
            and self.bits.twice == play.bits.twice
        )

    def __hash__(self):
        return hash((without_strength(self.row.head), self.bits.once, self.bits.twice))

    def __str__(self):
        return f"{self.cards} as {notation.declaration_text(self.declaration)}"

    def __repr__(self):
        return f"Play({str(self)!r})"

    def __reduce__(self):
        return Play, (str(self),)


def parse_play(CompiledRules compiled not None, text):
    """The play that a text means under the rules; see ``Ruleset.parse_play``."""
    cdef PlayRow[MOST_DECLARATIONS] rows
    cdef HandBits bits
    cdef int index, number
    if not isinstance(text, str):
        raise TypeError(f"{text!r} is no text of a play")
    codes, declaration = notation.split_play(text)
    bits = playable_bits(codes)
    number = identify(rules_in(compiled), bits, rows)
    plays = [new_play(rows[index], bits, compiled) for index in range(number)]
    if declaration is not None:
        plays = [play for play in plays if play.declaration == declaration]
    if not plays:
        raise ValueError(f"{notation.shown(text)} is no play under {rules_name(compiled)}")
    if len(plays) > 1:
        choices = ", ".join(notation.declaration_text(play.declaration) for play in plays)
        raise ValueError(f"{notation.shown(text)} may be declared in several ways: {choices}")
    return plays[0]


cdef str rules_name(CompiledRules compiled):
    return "any rules" if compiled is ANY_RULES else str(compiled)
