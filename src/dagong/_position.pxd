"""A hand in progress: apply, undo, and when it ends (R5, R6).

A position is plain memory without pointers; copying it is a memcpy. Functions here trust their arguments:
a play must be legal, a pass possible, the phase right.
"""

from libc.stdint cimport int8_t, uint8_t, uint16_t, uint64_t

from dagong._bits cimport nibble
from dagong._layout cimport FIVE, KING, TEN, HandBits, PlayRow
from dagong._ruleset cimport Rules
from dagong._spends cimport NO_CARD

cdef enum:
    SEATS = 4
    NOBODY = 4             # where a seat is meant and there is none
    ALL_SEATS = 15         # as a mask

cdef enum PhaseCode:
    BIDDING = 0
    PLAYING = 1
    OVER = 2

cdef enum EndingCode:
    NOT_ENDED = 0
    ENDED_SOLO = 1
    ENDED_ONE_LEFT = 2
    ENDED_PARTNERS = 3
    ENDED_EARLY_SECOND = 4
    ENDED_EARLY_FIRST = 5

# What a seat was dealt that earns bonuses (R7.6).
cdef struct Holdings:
    uint8_t sky
    uint8_t eights
    uint8_t sevens
    uint8_t four_510ks

# All of a position but the hands.
cdef struct Table:
    PlayRow last_play      # NO_PLAY when the seat to move leads
    uint8_t phase
    uint8_t ending
    uint8_t to_move        # NOBODY when over
    uint8_t last_player    # NOBODY when the seat to move leads
    uint8_t dealer
    uint8_t soloist
    uint8_t partner        # who holds, or held, the other copy of the called card
    uint8_t revealed
    int8_t called          # NO_CARD in a solo
    uint8_t passed_bids
    uint8_t pile_points
    uint8_t finished       # how many of places are set
    uint8_t places[SEATS]
    uint8_t captured[SEATS]
    uint8_t rolls[SEATS]   # played by each seat (R7.7)
    uint16_t roll_worth[SEATS]
    Holdings holdings[SEATS]

cdef struct Position:
    HandBits hands[SEATS]
    Table table
    uint64_t hands_key
    uint64_t key

# What undoes one play, pass or bid.
cdef struct Undo:
    Table table
    uint64_t hands_key
    uint64_t key
    HandBits cards
    uint8_t seat


cdef void begin(
    Position* position, const Rules* rules, int dealer, int called, int soloist, bint bidding
) noexcept nogil
cdef void apply_bid(Position* position, bint solo, Undo* undo) noexcept nogil
cdef void apply_play(
    Position* position, const Rules* rules, PlayRow play, HandBits cards, Undo* undo
) noexcept nogil
cdef void apply_pass(Position* position, const Rules* rules, Undo* undo) noexcept nogil

# The same where neither the way back nor the keys are needed, which are then left as they are.
cdef void lay_table(
    Position* position, int dealer, int called, int soloist, bint bidding
) noexcept nogil
cdef void make_bid(Position* position, bint solo) noexcept nogil
cdef void make_play(
    Position* position, const Rules* rules, PlayRow play, HandBits cards
) noexcept nogil
cdef void make_pass(Position* position, const Rules* rules) noexcept nogil

# make_play in two steps, for those who know which seats with cards there are, and which of them may have an
# answer, as masks: a play is laid down; then those behind the seat to move pass up to the next in ``able``.
# How many did is returned.
cdef void lay_play(
    Position* position, const Rules* rules, PlayRow play, HandBits cards
) noexcept nogil
cdef int pass_to(Position* position, const Rules* rules, int holders, int able) noexcept nogil
cdef void undo_last(Position* position, const Undo* undo) noexcept nogil
cdef void find_holdings(Holdings* holdings, HandBits hand) noexcept nogil
cdef void refresh_keys(Position* position) noexcept nogil
cdef void end_if_decided(Position* position, const Rules* rules) noexcept nogil
cdef uint64_t key_of(const Position* position) noexcept nogil


cdef inline bint can_pass(const Position* position) noexcept nogil:
    return position.table.phase == PLAYING and position.table.last_player != NOBODY


cdef inline bint partners(const Table* table, int one, int other) noexcept nogil:
    """Whether two seats are on one side; in a solo the three are."""
    cdef int first = table.dealer if table.soloist == NOBODY else table.soloist
    cdef int second = table.partner if table.soloist == NOBODY else table.soloist
    return (one == first or one == second) == (other == first or other == second)


cdef inline int secret_card(const Table* table) noexcept nogil:
    """The called card while the partnership is secret; after that, and in a solo, NO_CARD."""
    return table.called | -table.revealed        # NO_CARD is -1; which it is could not be foreseen


cdef inline int partner_of(const Table* table, int seat) noexcept nogil:
    """The other seat of a side; NOBODY in a solo."""
    if table.soloist != NOBODY:
        return NOBODY
    if seat == table.dealer:
        return table.partner
    if seat == table.partner:
        return table.dealer
    return 6 - table.dealer - table.partner - seat      # seats add up to 6


cdef inline int points_in(uint64_t counts) noexcept nogil:
    return 5 * nibble(counts, FIVE) + 10 * (nibble(counts, TEN) + nibble(counts, KING))


cdef inline bint holds_cards(const Position* position, int seat) noexcept nogil:
    return position.hands[seat].once != 0


cdef inline int turned(int seats, int seat) noexcept nogil:
    """A mask of seats turned so that bit 0 is ``seat``, bit 1 the next."""
    return ((seats | seats << SEATS) >> seat) & ALL_SEATS


cdef inline int next_with_cards(const Position* position, int seat) noexcept nogil:
    seat = (seat + 1) & (SEATS - 1)
    while not holds_cards(position, seat):
        seat = (seat + 1) & (SEATS - 1)
    return seat
