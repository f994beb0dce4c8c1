"""Rolls (R3.10): listed, and counted by the ways to choose their cards.

A *place* is a rung of the ladder that rolls climb: place r + 1 for rank r, and, where a roll may hold 2s,
place 0 for a 2 below 3. A roll of both 2s would have fourteen ranks, more than a hand has cards for.
"""

from libc.stdint cimport uint64_t

from dagong._bits cimport EIGHTS, ONES, at_least, debug_assert, low_nibbles, lowest_bit, nibble
from dagong._lanes cimport LaneSums, add_lanes, lane, lanes_below, spend_more, sum_of_lane
from dagong._layout cimport HAND_CARDS, JOKERS, RANKS, ROLL, RUN_RANKS, TWO, PlayRow, naturals_of, pack_head
from dagong._ruleset cimport ROLL_STRENGTH, ROLLS_NONE, ROLLS_SOFT, Rules, roll_strength

cdef enum:
    PLACES = 14
    EACH = 4              # cards of each rank at least


# A roll under way: what it has so far, lowest place first.
cdef struct Climb:
    uint64_t counts       # natural cards by rank
    int length
    int naturals
    int shortage          # jokers that fill ranks up to four
    int largest           # cards of its largest bomb
    int largest_place
    uint64_t weight       # ways to choose its natural cards

# What does not change while a hand's rolls are walked through.
cdef struct Walk:
    const Rules* rules
    uint64_t ladder       # natural cards by place
    int last_place
    int jokers            # that may be used: none where rolls are hard
    int floor             # only stronger rolls count
    int step              # 1: write the rolls one behind the other; 0: only count them
    const Ways* ways      # NULL: every roll counts once
    uint64_t total


cdef inline uint64_t ladder_of(uint64_t counts) noexcept nogil:
    return (naturals_of(counts) << 4) | nibble(counts, TWO)


cdef inline uint64_t shortage_by_place(uint64_t ladder) noexcept nogil:
    return EACH * ONES - (
        (at_least(ladder, 1) >> 3) + (at_least(ladder, 2) >> 3)
        + (at_least(ladder, 3) >> 3) + (at_least(ladder, 4) >> 3)
    )


cdef inline uint64_t starts(const Rules* rules, uint64_t ladder, int jokers) noexcept nogil:
    """Flags the places at which a roll may begin: the next rank can be filled too."""
    cdef uint64_t shortage, bombs
    cdef uint64_t allowed = low_nibbles(PLACES - 1)
    if not rules.roll_two:
        allowed = low_nibbles(PLACES - 2) & ~low_nibbles(1)
    if jokers == 0:
        bombs = at_least(ladder, EACH)
        return bombs & (bombs >> 4) & allowed
    shortage = shortage_by_place(ladder)
    # at most 4 + 4, and 7 more fits a nibble
    return ~(shortage + (shortage >> 4) + (7 - jokers) * ONES) & EIGHTS & allowed


cdef PlayRow* climb_on(Walk* walk, int place, const Climb* climb, PlayRow* out) noexcept nogil:
    """Add the rank at ``place`` in every way; take what that makes, and go on from it."""
    cdef Climb higher
    cdef int held = nibble(walk.ladder, place)
    cdef int rank = place - 1 if place else TWO
    cdef int cards
    higher.length = climb.length + 1
    for cards in range(max(0, EACH - (walk.jokers - climb.shortage)), held + 1):
        higher.counts = climb.counts + (<uint64_t>cards << (4 * rank))
        higher.naturals = climb.naturals + cards
        higher.shortage = climb.shortage + max(0, EACH - cards)
        higher.largest = climb.largest
        higher.largest_place = climb.largest_place
        if max(EACH, cards) >= climb.largest:
            higher.largest = max(EACH, cards)
            higher.largest_place = place
        higher.weight = climb.weight * walk.ways.of[rank][cards] if walk.ways else 1
        if higher.length >= 2:
            out = take(walk, place, &higher, out)
        if (
            place < walk.last_place
            and EACH - nibble(walk.ladder, place + 1) <= walk.jokers - higher.shortage
        ):
            out = climb_on(walk, place + 1, &higher, out)
    return out


cdef inline PlayRow* take(Walk* walk, int place, const Climb* climb, PlayRow* out) noexcept nogil:
    """Write and count the roll with as many jokers as it needs, and with each spare one more."""
    cdef int jokers, size, strength
    cdef bint counts
    debug_assert(climb.naturals + climb.shortage <= HAND_CARDS)
    for jokers in range(climb.shortage, walk.jokers + 1):
        size = climb.naturals + jokers
        strength = roll_strength(
            walk.rules, size, jokers, climb.largest + jokers - climb.shortage, climb.largest_place, place
        )
        counts = strength > walk.floor
        out.head = pack_head(ROLL, place - 1, climb.length, size, strength, -1, jokers)
        out.counts = climb.counts
        out += counts * walk.step
        if walk.ways:
            walk.total += counts * climb.weight * walk.ways.of[JOKERS][jokers]
    return out


cdef PlayRow* walk_rolls(Walk* walk, uint64_t begin, PlayRow* out) noexcept nogil:
    cdef Climb ground
    cdef int place
    ground.counts = 0
    ground.length = ground.naturals = ground.shortage = ground.largest = ground.largest_place = 0
    ground.weight = 1
    for place in range(PLACES - 1):
        if nibble(begin, place):
            out = climb_on(walk, place, &ground, out)
    return out


cdef inline uint64_t prepare(
    Walk* walk, const Rules* rules, uint64_t counts, int jokers, int floor
) noexcept nogil:
    """Set up a walk; return the flags of the places that it begins at."""
    if rules.rolls == ROLLS_NONE:
        return 0
    walk.rules = rules
    walk.ladder = ladder_of(counts)
    walk.last_place = RANKS if rules.roll_two else RUN_RANKS
    walk.jokers = jokers if rules.rolls == ROLLS_SOFT else 0
    walk.floor = floor
    walk.step = 1
    walk.ways = NULL
    walk.total = 0
    return starts(rules, walk.ladder, walk.jokers)


cdef PlayRow* list_rolls(
    const Rules* rules, uint64_t counts, int jokers, int floor, PlayRow* out
) noexcept nogil:
    """Write the rolls stronger than ``floor``.

    Depth first: by lowest place on the ladder, then by how many naturals each rank spends, a roll
    before the longer ones that begin with it; each with its jokers ascending. One row behind the last
    may be written too.
    """
    cdef Walk walk
    cdef uint64_t begin = prepare(&walk, rules, counts, jokers, floor)
    return walk_rolls(&walk, begin, out) if begin else out


cdef uint64_t count_rolls_above(
    const Rules* rules, uint64_t counts, int jokers, int floor, const Ways* ways
) noexcept nogil:
    cdef Walk walk
    cdef PlayRow scratch
    cdef uint64_t begin = prepare(&walk, rules, counts, jokers, floor)
    walk.step = 0
    walk.ways = ways
    walk.total = 0
    walk_rolls(&walk, begin, &scratch)
    return walk.total


cdef uint64_t count_rolls(
    const Rules* rules, uint64_t counts, int jokers, int floor, const Ways* ways
) noexcept nogil:
    """The rolls stronger than ``floor``, each as often as its cards can be chosen.

    All of them are counted by a recurrence over their top rank; only against another roll, when each
    roll's strength matters, are they walked through.
    """
    cdef uint64_t filled[EACH + 1]
    cdef uint64_t longer[EACH + 1]
    cdef uint64_t ending[EACH + 1]
    cdef uint64_t ladder, number, total = 0
    cdef int usable = jokers if rules.rolls == ROLLS_SOFT else 0
    cdef int place, rank, held, cards, used, more
    if rules.rolls == ROLLS_NONE:
        return 0
    ladder = ladder_of(counts)
    if not starts(rules, ladder, usable):
        return 0
    if floor >= ROLL_STRENGTH:
        return count_rolls_above(rules, counts, jokers, floor, ways)
    for used in range(usable + 1):
        ending[used] = 0
    for place in range(0 if rules.roll_two else 1, PLACES if rules.roll_two else PLACES - 1):
        rank = place - 1 if place else TWO
        held = nibble(ladder, place)
        # filled[n]: ways to bring this rank to four cards or more with n jokers
        for used in range(usable + 1):
            filled[used] = ways.of[rank][EACH - used] if held >= EACH - used else 0
        for cards in range(EACH + 1, held + 1):
            filled[0] += ways.of[rank][cards]
        for used in range(usable + 1):
            number = 0
            for more in range(used + 1):
                number += ending[used - more] * filled[more]
            longer[used] = number
        for used in range(usable + 1):
            ending[used] = longer[used] + filled[used]
            # any number of spare jokers may go with it
            for more in range(used, usable + 1):
                total += longer[used] * ways.of[JOKERS][more]
    return total


cdef int count_rolls_by_rank(const Rules* rules, uint64_t counts, int jokers) noexcept nogil:
    """The rolls at ``Detail.RANKS``: the recurrence of count_rolls, packed into a word."""
    cdef int usable = jokers if rules.rolls == ROLLS_SOFT else 0
    cdef uint64_t ladder, begin, kept, ending = 0, longer
    cdef LaneSums sums
    cdef int place, held, full, spent, number = 0
    if rules.rolls == ROLLS_NONE:
        return 0
    ladder = ladder_of(counts)
    begin = starts(rules, ladder, usable)
    if begin == 0:
        return 0
    kept = lanes_below(usable + 1)
    sums.even = sums.odd = 0
    # Every two neighbours in a roll could begin one, so no roll reaches beyond these.
    place = lowest_bit(begin) >> 2
    begin = (begin | begin << 4) >> (4 * place)
    while begin:
        held = nibble(ladder, place)
        full = max(0, held - EACH + 1)
        longer = kept & (
            ending * full
            + (spend_more(ending, 1) if held >= 3 else 0)
            + (spend_more(ending, 2) if held >= 2 else 0)
            + (spend_more(ending, 3) if held >= 1 else 0)
            + spend_more(ending, 4)
        )
        add_lanes(&sums, longer)
        ending = longer + full + (kept & (
            (lane(1) if held >= 3 else 0) + (lane(2) if held >= 2 else 0)
            + (lane(3) if held >= 1 else 0) + lane(4)
        ))
        begin >>= 4
        place += 1
    for spent in range(usable + 1):
        number += sum_of_lane(sums, spent) * (usable - spent + 1)
    return number
