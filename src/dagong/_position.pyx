"""A hand in progress: apply, undo, and when it ends (R5, R6)."""

from libc.string cimport memset

from dagong._bits cimport at_least, bits_in_nibble, debug_assert, flag_count, low_nibbles, lowest_bit, nibble
from dagong._layout cimport (
    FIVE,
    JOKERS,
    KING,
    RANKS,
    ROLL,
    TEN,
    all_counts,
    counts_of,
    no_play,
    row_kind,
    row_length,
    row_size,
    row_strength,
)
from dagong._random cimport GAMMA, mix
from dagong._ruleset cimport is_bomb
from dagong._spends cimport NO_CARD


# The key of a position is the exclusive or of one word for each hand and one for all else.

cdef inline uint64_t hand_key(HandBits hand, int seat) noexcept nogil:
    return mix(hand.once + (seat + 1) * GAMMA) ^ mix(hand.twice + (seat + 5) * GAMMA)


cdef inline uint64_t bytes_word(const uint8_t* bytes) noexcept nogil:
    cdef uint64_t word = 0
    cdef int index
    for index in range(8):
        word |= <uint64_t>bytes[index] << (8 * index)
    return word


cdef inline uint64_t table_key(const Table* table) noexcept nogil:
    # Of the play to beat only what it takes to beat it: a bomb its strength, others kind and length too.
    cdef int strength = row_strength(table.last_play)
    cdef uint64_t to_beat = strength
    if not is_bomb(strength):
        to_beat |= <uint64_t>row_kind(table.last_play) << 16 | <uint64_t>row_length(table.last_play) << 24
    # phase to partner; then what follows them; places and points taken; rolls; what was dealt
    return (
        mix(to_beat + 9 * GAMMA)
        ^ mix(bytes_word(&table.phase) + 10 * GAMMA)
        ^ mix(
            (
                <uint64_t>table.called & 0xFF | <uint64_t>table.passed_bids << 8
                | <uint64_t>table.pile_points << 16 | <uint64_t>table.finished << 24
            ) + 11 * GAMMA
        )
        ^ mix(bytes_word(table.places) + 12 * GAMMA)
        ^ mix(bytes_word(<const uint8_t*>table.roll_worth) + 13 * GAMMA)
        ^ mix((<uint64_t>bytes_word(table.captured) >> 32) + 14 * GAMMA)
        ^ mix(bytes_word(<const uint8_t*>table.holdings) + 15 * GAMMA)
        ^ mix(bytes_word(<const uint8_t*>table.holdings + 8) + 16 * GAMMA)
    )


cdef uint64_t key_of(const Position* position) noexcept nogil:
    """The key computed from nothing; ``position.key`` is kept equal to it."""
    cdef uint64_t key = table_key(&position.table)
    cdef int seat
    for seat in range(SEATS):
        key ^= hand_key(position.hands[seat], seat)
    return key


cdef void begin(
    Position* position, const Rules* rules, int dealer, int called, int soloist, bint bidding
) noexcept nogil:
    """Set up everything but the hands, which are there already and count as those dealt."""
    lay_table(position, dealer, called, soloist, bidding)
    refresh_keys(position)


cdef void lay_table(
    Position* position, int dealer, int called, int soloist, bint bidding
) noexcept nogil:
    cdef Table* table = &position.table
    cdef int seat
    memset(table, 0, sizeof(Table))
    table.phase = BIDDING if bidding else PLAYING
    table.last_player = NOBODY
    table.dealer = dealer
    table.soloist = soloist
    table.called = called
    table.partner = NOBODY
    table.to_move = dealer if soloist == NOBODY else soloist
    for seat in range(SEATS):
        table.places[seat] = NOBODY
        find_holdings(&table.holdings[seat], position.hands[seat])
        if called != NO_CARD and seat != dealer and position.hands[seat].once >> called & 1:
            table.partner = seat


cdef void refresh_keys(Position* position) noexcept nogil:
    position.key = key_of(position)
    position.hands_key = position.key ^ table_key(&position.table)


cdef void find_holdings(Holdings* holdings, HandBits hand) noexcept nogil:
    """What earns a bonus (R7.6), whether or not the rules pay it."""
    cdef uint64_t counts = counts_of(hand)
    cdef uint64_t naturals = counts & low_nibbles(RANKS)
    holdings.sky = nibble(counts, JOKERS) == 4
    holdings.eights = flag_count(at_least(naturals, 8))
    holdings.sevens = flag_count(at_least(naturals, 7)) - holdings.eights
    holdings.four_510ks = (
        nibble(counts, FIVE) >= 4 and nibble(counts, TEN) >= 4 and nibble(counts, KING) >= 4
    )


cdef inline HandBits no_cards() noexcept nogil:
    cdef HandBits nothing
    nothing.once = nothing.twice = 0
    return nothing


cdef inline void remember(Undo* undo, const Position* position, int seat, HandBits cards) noexcept nogil:
    undo.table = position.table
    undo.hands_key = position.hands_key
    undo.key = position.key
    undo.cards = cards
    undo.seat = seat


cdef void undo_last(Position* position, const Undo* undo) noexcept nogil:
    """Take back the last play, pass or bid."""
    cdef HandBits* hand = &position.hands[undo.seat]
    cdef HandBits cards = undo.cards
    position.table = undo.table
    position.hands_key = undo.hands_key
    position.key = undo.key
    # A card that was held twice and spent once comes back as the second copy.
    hand.twice |= cards.twice | (hand.once & cards.once)
    hand.once |= cards.once


cdef void make_bid(Position* position, bint solo) noexcept nogil:
    cdef Table* table = &position.table
    if solo:
        table.soloist = table.dealer = table.to_move
        table.called = NO_CARD
        table.partner = NOBODY
    else:
        table.passed_bids += 1
        table.to_move = (table.to_move + 1) % SEATS      # after four of them the dealer again
    if solo or table.passed_bids == SEATS:
        table.phase = PLAYING
        table.passed_bids = 0            # how many there were does not matter any more


cdef void lay_play(
    Position* position, const Rules* rules, PlayRow play, HandBits cards
) noexcept nogil:
    cdef Table* table = &position.table
    cdef int seat = table.to_move
    cdef HandBits* hand = &position.hands[seat]
    debug_assert(counts_of(cards) == all_counts(play))
    debug_assert(cards.once & ~hand.once == 0 and cards.twice & ~hand.twice == 0)
    # copies left: of two less none two; of two less one, or of one less none, one
    hand.once = (hand.twice & ~cards.twice) | (hand.once & ~cards.once)
    hand.twice &= ~cards.once
    table.last_play = play
    table.last_player = seat
    table.pile_points += points_in(play.counts)
    if row_kind(play) == ROLL:
        table.rolls[seat] += 1
        table.roll_worth[seat] += 1 << (row_size(play) // 2 - 3)      # 2 for 8 cards, 4 for 10 (R7.7)
    # In a solo there is no partner, and no card to shift by.
    table.revealed |= (seat == table.partner) & (cards.once >> (table.called & 63) & 1)
    if hand.once == 0:
        table.places[table.finished] = seat
        table.finished += 1
        if seat == table.partner:
            table.revealed = 1
        end_if_decided(position, rules)


cdef void make_play(
    Position* position, const Rules* rules, PlayRow play, HandBits cards
) noexcept nogil:
    lay_play(position, rules, play, cards)
    if position.table.phase != OVER:
        make_pass(position, rules)


cdef void make_pass(Position* position, const Rules* rules) noexcept nogil:
    """On to the next seat; if it is the last player's turn again, or would be, the trick ends (R6.3)."""
    cdef Table* table = &position.table
    cdef int seat = table.to_move
    while True:
        seat = (seat + 1) & (SEATS - 1)
        if seat == table.last_player:
            end_trick(position, rules)
            return
        if holds_cards(position, seat):
            table.to_move = seat
            return


cdef int pass_to(Position* position, const Rules* rules, int holders, int able) noexcept nogil:
    """make_pass for several seats, without asking each: who is next could not be foreseen."""
    cdef Table* table = &position.table
    cdef int seat = (table.to_move + 1) & (SEATS - 1)
    cdef int steps = lowest_bit(turned(able | 1 << table.last_player, seat))
    cdef int passed = turned(holders, seat) & ((1 << steps) - 1)
    table.to_move = (seat + steps) & (SEATS - 1)
    if table.to_move == table.last_player:
        end_trick(position, rules)
    return bits_in_nibble(passed)


cdef void apply_bid(Position* position, bint solo, Undo* undo) noexcept nogil:
    """The seat to move plays solo, or leaves that to the next (R5.5)."""
    remember(undo, position, position.table.to_move, no_cards())
    make_bid(position, solo)
    position.key = position.hands_key ^ table_key(&position.table)


cdef void apply_play(
    Position* position, const Rules* rules, PlayRow play, HandBits cards, Undo* undo
) noexcept nogil:
    """The seat to move plays these cards, which must be ``play`` with its strength under the rules."""
    cdef int seat = position.table.to_move
    remember(undo, position, seat, cards)
    position.hands_key ^= hand_key(position.hands[seat], seat)
    make_play(position, rules, play, cards)
    position.hands_key ^= hand_key(position.hands[seat], seat)
    position.key = position.hands_key ^ table_key(&position.table)


cdef void apply_pass(Position* position, const Rules* rules, Undo* undo) noexcept nogil:
    remember(undo, position, position.table.to_move, no_cards())
    make_pass(position, rules)
    position.key = position.hands_key ^ table_key(&position.table)


cdef inline void clear_pile(Table* table) noexcept nogil:
    table.pile_points = 0
    table.last_play = no_play()
    table.last_player = NOBODY


cdef void end_trick(Position* position, const Rules* rules) noexcept nogil:
    """Its last player takes the points and leads; who has run out leaves the lead to another (R6.4)."""
    cdef Table* table = &position.table
    cdef int taker = table.last_player
    cdef int leader = taker, friend
    table.captured[taker] += table.pile_points
    clear_pile(table)
    if not holds_cards(position, taker):
        friend = partner_of(table, taker)
        if table.revealed and friend != NOBODY and holds_cards(position, friend):
            leader = friend
        else:
            leader = next_with_cards(position, taker)
    table.to_move = leader
    end_if_decided(position, rules)


cdef void end_if_decided(Position* position, const Rules* rules) noexcept nogil:
    """R6.6, to be looked at when a trick was taken or a seat ran out."""
    cdef Table* table = &position.table
    cdef int seat, holders = 0, last = NOBODY
    if table.finished == 0:
        return
    for seat in range(SEATS):
        if holds_cards(position, seat):
            holders += 1
            last = seat
    if table.soloist != NOBODY:
        if table.finished:
            table.ending = ENDED_SOLO
    elif holders <= 1:
        table.ending = ENDED_ONE_LEFT
        if holders:
            table.places[table.finished] = last
            table.finished += 1
    elif table.finished >= 2:
        if partners(table, table.places[0], table.places[1]):
            table.ending = ENDED_PARTNERS
        elif rules.arch:
            table.ending = early_ending(table)
    if table.ending:
        table.phase = OVER
        table.to_move = NOBODY
        if table.last_player != NOBODY:
            table.captured[table.last_player] += table.pile_points      # R6.7
            clear_pile(table)


cdef int early_ending(const Table* table) noexcept nogil:
    cdef int first = table.places[0], second = table.places[1]
    cdef int first_side = table.captured[first] + table.captured[partner_of(table, first)]
    if table.captured[second] >= 105 and first_side > 0:
        return ENDED_EARLY_SECOND
    if first_side >= 100 and table.captured[second] > 0:
        return ENDED_EARLY_FIRST
    return NOT_ENDED
