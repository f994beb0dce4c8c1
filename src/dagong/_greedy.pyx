"""A scripted player: quick, sensible, and the same on every machine.

It looks at nothing that its seat may not know. Leading, it gets rid of as many cards with as little
strength as it can. Following, it spares a partner that it knows of, beats with the weakest play that costs
it nothing dear, and gives up jokers, bombs or a part of a bomb only if the trick is worth it, somebody else
is nearly out, or it is nearly out itself.
"""

from libc.stdint cimport uint64_t

from dagong._bits cimport at_least, flag_count, low_nibbles
from dagong._generate cimport generate
from dagong._layout cimport (
    RANKS,
    cards_in,
    counts_of,
    jokers_of,
    naturals_of,
    no_play,
    row_jokers,
    row_size,
    row_strength,
)
from dagong._position cimport (
    NOBODY,
    SEATS,
    Table,
    partners,
    points_in,
)
from dagong._ruleset cimport is_bomb

cdef enum:
    SOLO_JOKERS = 3
    SOLO_BOMBS = 3
    ENDGAME = 8            # cards: so few that every play is looked at, those with jokers too
    NEARLY_OUT = 5         # cards that an opponent has left
    FEW_LEFT = 10          # cards left to one who need not keep anything any more
    # what a play costs, in points that the trick should be worth
    COST_OF_BREAKING = 10
    COST_OF_JOKER = 15
    COST_OF_BOMB = 10      # and for each card above three
    COST_OF_BOMB_CARD = 5
    # leading
    WORTH_OF_CARD = 4      # ranks of strength that getting rid of one more card is worth
    WORTH_OF_POINTS = 5    # points that may be lost by leading them, for one rank


cdef bint greedy_bid(HandBits hand) noexcept nogil:
    """Whether to play solo: with three jokers and three natural bombs or more."""
    cdef uint64_t counts = counts_of(hand)
    return (
        jokers_of(counts) >= SOLO_JOKERS
        and flag_count(at_least(naturals_of(counts), 4)) >= SOLO_BOMBS
    )


cdef PlayRow greedy_play(
    const Rules* rules, const Position* position, Scratch* scratch
) noexcept nogil:
    """The play of the seat to move; NO_PLAY if it passes."""
    cdef const Table* table = &position.table
    cdef HandBits hand = position.hands[table.to_move]
    cdef int cards = cards_in(hand)
    cdef PlayRow play = no_play()
    if cards <= ENDGAME and plays_all(rules, hand, cards, table.last_play, scratch, &play):
        return play
    if table.last_player == NOBODY:
        return lead(rules, hand, cards, scratch)
    if knows_partner(table, table.to_move, table.last_player):
        return no_play()
    return follow(
        rules, hand, table.last_play, table.pile_points,
        cards <= FEW_LEFT or opponent_nearly_out(position), scratch,
    )


cdef inline HandBits without_jokers(HandBits hand) noexcept nogil:
    hand.once &= low_nibbles(RANKS)
    hand.twice &= low_nibbles(RANKS)
    return hand


cdef inline uint64_t bombs_held(uint64_t counts) noexcept nogil:
    """A mask of the ranks that are bombs without a joker, all bits of their nibbles."""
    return (at_least(naturals_of(counts), 4) >> 3) * 15


cdef inline bint knows_partner(const Table* table, int seat, int other) noexcept nogil:
    """Whether a seat may know that another is on its side (R5.4): who holds the called card knows."""
    if table.soloist == NOBODY and not table.revealed and seat != table.partner:
        return False
    return partners(table, seat, other) and (
        table.soloist != NOBODY or table.revealed or other == table.dealer
    )


cdef bint opponent_nearly_out(const Position* position) noexcept nogil:
    cdef int seat, cards, mover = position.table.to_move
    for seat in range(SEATS):
        cards = cards_in(position.hands[seat])
        if 0 < cards <= NEARLY_OUT and seat != mover and not knows_partner(&position.table, mover, seat):
            return True
    return False


cdef bint plays_all(
    const Rules* rules, HandBits hand, int cards, PlayRow to_beat, Scratch* scratch, PlayRow* play
) noexcept nogil:
    """Find the strongest play of all cards left, if there is one."""
    cdef int index
    cdef bint found = False
    for index in range(generate(rules, hand, to_beat, scratch.rows)):
        if row_size(scratch.rows[index]) == cards and not (
            found and row_strength(scratch.rows[index]) <= row_strength(play[0])
        ):
            play[0] = scratch.rows[index]
            found = True
    return found


cdef PlayRow lead(const Rules* rules, HandBits hand, int cards, Scratch* scratch) noexcept nogil:
    """Many cards of little strength; what is dear only if there is nothing else."""
    cdef HandBits looked_at = without_jokers(hand)
    cdef uint64_t bombs = bombs_held(counts_of(hand))
    cdef int index, worth, best = 0, most = -1000000
    if cards <= ENDGAME or looked_at.once == 0:
        looked_at = hand
    for index in range(generate(rules, looked_at, no_play(), scratch.rows)):
        worth = (
            row_size(scratch.rows[index]) * WORTH_OF_CARD
            - points_in(scratch.rows[index].counts) // WORTH_OF_POINTS
            - WORTH_OF_CARD * cost_of(scratch.rows[index], bombs)
        )
        if not is_bomb(row_strength(scratch.rows[index])):
            worth -= row_strength(scratch.rows[index])
        if worth > most:
            most = worth
            best = index
    return scratch.rows[best]


cdef inline int cost_of(PlayRow play, uint64_t bombs) noexcept nogil:
    cdef int cost = row_jokers(play) * COST_OF_JOKER
    if is_bomb(row_strength(play)):
        return cost + COST_OF_BOMB + COST_OF_BOMB_CARD * (row_size(play) - 3)
    return cost + COST_OF_BREAKING * (play.counts & bombs != 0)


cdef PlayRow follow(
    const Rules* rules, HandBits hand, PlayRow to_beat, int points, bint hurry, Scratch* scratch
) noexcept nogil:
    """The cheapest play, then the weakest, if the trick is worth it; plays of jokers only in need."""
    cdef uint64_t counts = counts_of(hand)
    cdef uint64_t bombs = bombs_held(counts)
    cdef PlayRow play
    cdef int cost = cheapest(rules, without_jokers(hand), bombs, to_beat, scratch, &play)
    if cost > 0 and (hurry or points >= COST_OF_JOKER) and jokers_of(counts):
        cost = cheapest(rules, hand, bombs, to_beat, scratch, &play)
    return play if cost <= points or hurry else no_play()


cdef int cheapest(
    const Rules* rules, HandBits hand, uint64_t bombs, PlayRow to_beat, Scratch* scratch, PlayRow* play
) noexcept nogil:
    """Find it and return its cost; without any, the pass, dearer than all."""
    cdef int index, cost, least = 1000
    play[0] = no_play()
    for index in range(generate(rules, hand, to_beat, scratch.rows)):
        cost = cost_of(scratch.rows[index], bombs)
        if cost < least or (
            cost == least and row_strength(scratch.rows[index]) < row_strength(play[0])
        ):
            least = cost
            play[0] = scratch.rows[index]
    return least
