"""Pair runs and triple runs (R3.4, R3.5), listed and counted.

A run of a given length is a *stretch* of adjacent ranks. What a stretch lacks is its *shortage*: two (or
three) for each rank less the natural cards there. It can be played if the jokers cover the shortage.
Jokers left over may replace natural cards, which makes further plays: those *placements* are read from a
table, written for a stretch that begins at rank 0 and shifted to where it really begins.
"""

from libc.stdint cimport int16_t, int64_t, uint8_t, uint64_t

from dagong._bits cimport EIGHTS, ONES, at_least, debug_assert, flag_count, low_nibbles, lowest_bit
from dagong._lanes cimport LaneSums, add_lanes, lane, lanes_below, spend_more, sum_of_lane
from dagong._layout cimport JOKER_FIELD, PAIR_RUN, RUN_RANKS, PlayRow, pack_head
from dagong._rows cimport CHUNK, write_two_placed

cdef enum:
    MOST_PLACEMENTS = 1820  # of up to four jokers on twelve ranks
    GROUP = 4               # lengths whose stretches share a word: a bit of each nibble for each


# Placements of up to so many jokers, each a nibble word of the jokers by rank (bits 0-47) with their sum
# in bits 56-63. They are ordered by the highest rank used, so those that keep to the first n ranks are
# the first upto[n].
cdef struct Placements:
    uint64_t* word
    int16_t upto[RUN_RANKS + 1]

# By whether a rank takes at most two or three jokers, then by how many there are.
cdef Placements placements[2][5]
cdef uint64_t placement_words[2][5][MOST_PLACEMENTS + CHUNK]
# How many more there are with so many jokers, up to two, than with one fewer, by length of the stretch.
cdef uint8_t more_placements[2][3][RUN_RANKS + 1]


cdef int place(Placements* table, int number, int ranks, uint64_t word, int left, int most) noexcept nogil:
    """Append all placements of ``left`` jokers or fewer on the first ``ranks`` ranks, added to ``word``."""
    cdef int here
    if ranks == 0:
        table.word[number] = word
        return number + 1
    for here in range(min(left, most) + 1):
        number = place(
            table, number, ranks - 1,
            word + (<uint64_t>here << (4 * (ranks - 1))) + (<uint64_t>here << 56), left - here, most,
        )
    return number


cdef void fill_placements() noexcept nogil:
    cdef int most, jokers, ranks, here, number
    cdef Placements* table
    for most in range(2, 4):
        for jokers in range(5):
            table = &placements[most - 2][jokers]
            table.word = placement_words[most - 2][jokers]
            table.word[0] = 0
            table.upto[0] = 1
            for ranks in range(1, RUN_RANKS + 1):
                number = table.upto[ranks - 1]
                for here in range(1, min(jokers, most) + 1):
                    number = place(
                        table, number, ranks - 1,
                        (<uint64_t>here << (4 * (ranks - 1))) + (<uint64_t>here << 56), jokers - here, most,
                    )
                table.upto[ranks] = number
                if jokers <= 2:
                    more_placements[most - 2][jokers][ranks] = number - (
                        placements[most - 2][jokers - 1].upto[ranks] if jokers else 0
                    )

fill_placements()


# The run of natural cards on a stretch, and the nibbles that it covers.
cdef struct Stretch:
    uint64_t head
    uint64_t counts
    uint64_t span
    int64_t length

# By whether a rank holds two or three cards, then by group of lengths (2 to 5, 6 to 9, 10 to 12), then by
# the bit that stands for the stretch: 4 * its lowest rank + its length - the least of the group.
cdef Stretch stretch_table[2][3][GROUP * RUN_RANKS]


cdef void fill_stretches() noexcept nogil:
    cdef int each, group, bit, start, length
    cdef Stretch* stretch
    for each in range(2, 4):
        for group in range(3):
            for bit in range(GROUP * RUN_RANKS):
                start = bit // GROUP
                length = 2 + GROUP * group + bit % GROUP
                if start + length <= RUN_RANKS:
                    stretch = &stretch_table[each - 2][group][bit]
                    stretch.length = length
                    stretch.span = low_nibbles(length) << (4 * start)
                    stretch.counts = each * ONES & stretch.span
                    stretch.head = pack_head(
                        PAIR_RUN + each - 2, start + length - 1, length, each * length,
                        start + length - 1, -1, 0,
                    )

fill_stretches()


cdef inline uint64_t shortage_by_rank(uint64_t counts, int each) noexcept nogil:
    """What each rank lacks to have ``each`` cards; 7, more than there are jokers, where no run may go."""
    cdef uint64_t shortage = each * ONES - (at_least(counts, 1) >> 3) - (at_least(counts, 2) >> 3)
    if each == 3:
        shortage -= at_least(counts, 3) >> 3
    return (shortage & low_nibbles(RUN_RANKS)) | (7 * ONES & ~low_nibbles(RUN_RANKS))


cdef inline uint64_t lengthen(uint64_t short_from, uint64_t short_of_rank, int length) noexcept nogil:
    """The shortage of every stretch of ``length`` ranks, by its lowest, from that of the shorter ones."""
    cdef uint64_t longer = short_from + (short_of_rank >> (4 * (length - 1)))
    # A nibble that reaches 8 becomes 7: too much for any jokers, and so it stays.
    cdef uint64_t over = longer & EIGHTS
    return (longer | (over - (over >> 3))) & (7 * ONES)


cdef inline uint64_t short_of_at_least(uint64_t short_from, int number) noexcept nogil:
    """Flags the stretches that lack so many cards or more."""
    return (short_from + (8 - number) * ONES) & EIGHTS


cdef PlayRow* list_runs(
    uint64_t counts, int jokers, int each, bint wild_alone, PlayRow* out
) noexcept nogil:
    """Write all runs of ``each`` cards a rank.

    Those of up to five ranks come first, then those of up to nine, then the rest; each of these in two
    parts, first the stretches that need every joker, then the others; each part by lowest rank, length
    and place of the jokers. Up to ``CHUNK - 1`` rows behind the last may be written too.
    """
    if jokers == 0:
        return list_natural_runs(counts, each, out)
    if jokers == 4 and each == 2 and not wild_alone:
        # Four jokers alone are no pair run (R2.3), so two ranks may have three at the most.
        out = list_lengths(counts, 3, each, ONES, 1, out)
        return list_lengths(counts, 4, each, 14 * ONES, 3, out)
    return list_lengths(counts, jokers, each, 15 * ONES, 3, out)


cdef PlayRow* list_natural_runs(uint64_t counts, int each, PlayRow* out) noexcept nogil:
    """list_runs where there are no jokers: nothing is short, and nothing can be replaced."""
    cdef uint64_t starts = at_least(counts, each) & low_nibbles(RUN_RANKS), stretches
    cdef int group, index
    for group in range(3):
        stretches = 0
        for index in range(GROUP):
            # of a run that is longer by one, the next rank starts a run too
            starts &= starts >> 4
            stretches |= starts >> (3 - index)
        out = write_tight(stretches, stretch_table[each - 2][group], 0, 0, out)
        if starts == 0:
            break
    return out


cdef PlayRow* list_lengths(
    uint64_t counts, int jokers, int each, uint64_t first_lengths, int groups, PlayRow* out
) noexcept nogil:
    """Write the runs of the first groups of lengths, of the first group only those of a bit given."""
    cdef uint64_t short_of_rank = shortage_by_rank(counts, each)
    cdef uint64_t short_from = short_of_rank
    cdef uint64_t[GROUP] short_by_length
    cdef uint64_t wanted = first_lengths & low_nibbles(RUN_RANKS)
    cdef uint64_t tight, too_short, unplayable = 0, without_spare
    cdef int group, index
    for group in range(groups):
        tight = too_short = 0
        for index in range(GROUP):
            short_from = lengthen(short_from, short_of_rank, 2 + GROUP * group + index)
            short_by_length[index] = short_from
            unplayable = short_of_at_least(short_from, jokers + 1)
            without_spare = short_of_at_least(short_from, jokers)
            tight |= (unplayable ^ without_spare) >> (3 - index)
            too_short |= without_spare >> (3 - index)
        out = write_tight(
            tight & wanted, stretch_table[each - 2][group], jokers, short_of_rank, out
        )
        out = write_loose(
            ~too_short & wanted, stretch_table[each - 2][group], each, jokers, short_of_rank,
            short_by_length, out,
        )
        if unplayable == EIGHTS:
            break
        wanted = low_nibbles(RUN_RANKS)
    return out


cdef PlayRow* list_runs_above(
    uint64_t counts, int jokers, int each, bint wild_alone, int length, int above, PlayRow* out
) noexcept nogil:
    """Write the runs of one length with a top rank higher than ``above``, in the order of list_runs."""
    cdef uint64_t short_of_rank = shortage_by_rank(counts, each)
    cdef uint64_t short_from = short_of_rank
    cdef uint64_t[GROUP] short_by_length
    cdef uint64_t unplayable, without_spare
    cdef uint64_t higher = EIGHTS & low_nibbles(RUN_RANKS) & ~low_nibbles(max(0, above - length + 2))
    cdef int group = (length - 2) // GROUP, index = (length - 2) % GROUP
    cdef int grown
    if jokers == 4 and each == 2 and length == 2 and not wild_alone:
        jokers = 3
    for grown in range(2, length + 1):
        short_from = lengthen(short_from, short_of_rank, grown)
    short_by_length[index] = short_from
    unplayable = short_of_at_least(short_from, jokers + 1)
    without_spare = short_of_at_least(short_from, jokers)
    out = write_tight(
        ((unplayable ^ without_spare) & higher) >> (3 - index), stretch_table[each - 2][group],
        jokers, short_of_rank, out,
    )
    return write_loose(
        (~without_spare & higher) >> (3 - index), stretch_table[each - 2][group],
        each, jokers, short_of_rank, short_by_length, out,
    )


cdef inline PlayRow* write_tight(
    uint64_t bits, const Stretch* stretches, int jokers, uint64_t short_of_rank, PlayRow* out
) noexcept nogil:
    cdef uint64_t joker_field = <uint64_t>jokers << 56
    cdef const Stretch* stretch
    while bits:
        stretch = &stretches[lowest_bit(bits)]
        bits &= bits - 1
        out.head = stretch.head + joker_field
        out.counts = stretch.counts - (short_of_rank & stretch.span)
        out += 1
    return out


cdef inline PlayRow* write_loose(
    uint64_t bits, const Stretch* stretches, int each, int jokers, uint64_t short_of_rank,
    const uint64_t* short_by_length, PlayRow* out,
) noexcept nogil:
    cdef const Placements* tables = placements[each - 2]
    cdef const Placements* table
    cdef const Stretch* stretch
    cdef const uint64_t* words
    cdef PlayRow* end
    cdef uint64_t head, counts
    cdef int bit, shift, lacking
    while bits:
        bit = lowest_bit(bits)
        bits &= bits - 1
        stretch = &stretches[bit]
        shift = bit & ~3
        lacking = <int>(short_by_length[bit & 3] >> shift) & 15
        table = &tables[jokers - lacking]
        words = table.word
        head = stretch.head + (<uint64_t>lacking << 56)
        counts = stretch.counts - (short_of_rank & stretch.span)
        end = out + table.upto[stretch.length]
        if lacking and jokers > each:
            out = write_fitting(
                words, end - out, head, counts, shift, each, (short_of_rank & stretch.span) >> shift, out
            )
            continue
        while True:
            write_two_placed(out, words, head, counts, shift)
            write_two_placed(out + 2, words + 2, head, counts, shift)
            write_two_placed(out + 4, words + 4, head, counts, shift)
            write_two_placed(out + 6, words + 6, head, counts, shift)
            out += CHUNK
            words += CHUNK
            if out >= end:
                break
        out = end
    return out


cdef inline PlayRow* write_fitting(
    const uint64_t* words, Py_ssize_t number, uint64_t head, uint64_t counts, int shift, int each,
    uint64_t shortage, PlayRow* out,
) noexcept nogil:
    """Write the placements that give no rank more jokers than it has cards."""
    # The sum of a nibble reaches 8 if what is lacking and what is placed there exceed a rank's cards.
    cdef uint64_t limit = shortage + (7 - each) * ONES
    cdef uint64_t over = EIGHTS & low_nibbles(RUN_RANKS)
    cdef Py_ssize_t index
    for index in range(number):
        out.head = head + (words[index] & JOKER_FIELD)
        out.counts = counts - ((words[index] & low_nibbles(RUN_RANKS)) << shift)
        out += ((limit + words[index]) & over) == 0
    return out


cdef inline uint64_t flag_mask(uint64_t flags, int index) noexcept nogil:
    """All ones if the nibble is flagged, else 0."""
    return 0 - ((flags >> (4 * index + 3)) & 1)


cdef int count_all_runs(uint64_t counts, int jokers, bint wild_alone) noexcept nogil:
    """How many pair runs and triple runs there are."""
    if jokers == 0:
        return count_stretches(counts, 0, 2) + count_stretches(counts, 0, 3)
    if jokers == 1:
        return count_stretches(counts, 1, 2) + count_stretches(counts, 1, 3)
    if jokers == 2:
        return count_stretches(counts, 2, 2) + count_stretches(counts, 2, 3)
    # Four jokers alone were counted as pair runs of every two ranks (R2.3).
    return count_by_top_rank(counts, jokers) - (RUN_RANKS - 1 if jokers == 4 and not wild_alone else 0)


cdef inline int count_stretches(uint64_t counts, int jokers, int each) noexcept nogil:
    """The runs of up to two jokers: every stretch as often as its spare jokers have placements.

    No rank can be given too many jokers, since two are no more than a rank's cards.
    """
    # Flags of the ranks that lack no card, no more than one, no more than two.
    cdef uint64_t ranks_full = at_least(counts, each) & low_nibbles(RUN_RANKS)
    cdef uint64_t ranks_short_1 = at_least(counts, each - 1) & low_nibbles(RUN_RANKS)
    cdef uint64_t ranks_short_2 = (
        (EIGHTS if each == 2 else at_least(counts, 1)) & low_nibbles(RUN_RANKS)
    )
    # The same of the stretches, flagged at their lowest rank; each set contains those before it.
    cdef uint64_t full = ranks_full, short_1 = ranks_short_1, short_2 = ranks_short_2
    cdef const uint8_t* more_full = more_placements[each - 2][jokers]
    cdef const uint8_t* more_short_1 = more_placements[each - 2][max(0, jokers - 1)]
    cdef int length, number = 0
    for length in range(2, RUN_RANKS + 1):
        ranks_full >>= 4
        ranks_short_1 >>= 4
        ranks_short_2 >>= 4
        if jokers >= 2:
            short_2 = (short_2 & ranks_full) | (short_1 & ranks_short_1) | (full & ranks_short_2)
            number += flag_count(short_2)
        if jokers >= 1:
            short_1 = (short_1 & ranks_full) | (full & ranks_short_1)
            number += flag_count(short_1) * more_short_1[length]
        full &= ranks_full
        number += flag_count(full) * more_full[length]
        if (full if jokers == 0 else short_1 if jokers == 1 else short_2) == 0:
            break
    return number


cdef int count_by_top_rank(uint64_t counts, int jokers) noexcept nogil:
    """The runs of any number of jokers, four alone included.

    The runs with top rank r are those with top rank r - 1 made longer, and the one of r alone, which is
    no run yet; each times the ways that r can be filled. Both kinds go through one loop, since each is a
    chain of dependent steps.
    """
    cdef uint64_t one = at_least(counts, 1), two = at_least(counts, 2), three = at_least(counts, 3)
    cdef uint64_t kept = lanes_below(jokers + 1)
    cdef uint64_t pairs = 0, triples = 0, longer_pairs, longer_triples
    cdef uint64_t has_one, has_two, has_three
    cdef LaneSums sums
    cdef int rank, spent, number = 0
    sums.even = sums.odd = 0
    for rank in range(RUN_RANKS):
        has_one, has_two, has_three = flag_mask(one, rank), flag_mask(two, rank), flag_mask(three, rank)
        longer_pairs = kept & (
            (pairs & has_two) + (spend_more(pairs, 1) & has_one) + spend_more(pairs, 2)
        )
        longer_triples = kept & (
            (triples & has_three) + (spend_more(triples, 1) & has_two)
            + (spend_more(triples, 2) & has_one) + spend_more(triples, 3)
        )
        add_lanes(&sums, longer_pairs)
        add_lanes(&sums, longer_triples)
        pairs = longer_pairs + (lane(0) & has_two) + (lane(1) & has_one) + lane(2)
        triples = (
            longer_triples + (lane(0) & has_three) + (lane(1) & has_two) + (lane(2) & has_one) + lane(3)
        )
    for spent in range(jokers + 1):
        number += sum_of_lane(sums, spent)
    return number


# A slot is a playable stretch and a placement of the jokers that it has to spare, among them placements
# that give a rank more jokers than it has cards. With two jokers or fewer there are none of those.
cdef struct Slot:
    const Stretch* stretch
    uint64_t word          # of Placements
    uint64_t short_of_rank
    int shift
    int each
    int lacking

cdef enum:
    NO_SLOT = 1 << 30      # a number beyond all


cdef int count_run_slots(uint64_t counts, int jokers, bint wild_alone) noexcept nogil:
    cdef Slot unused
    if jokers <= 2:
        return count_all_runs(counts, jokers, wild_alone)
    return find_slot(counts, jokers, NO_SLOT, &unused)


cdef bint run_in_slot(
    uint64_t counts, int jokers, bint wild_alone, int slot, PlayRow* out
) noexcept nogil:
    """Write the run of a slot, 0 to ``count_run_slots`` less one; False if it has none."""
    cdef Slot found
    find_slot(counts, jokers, slot, &found)
    return write_slot(&found, jokers, wild_alone, out)


cdef int find_slot(uint64_t counts, int jokers, int slot, Slot* found) noexcept nogil:
    """Find the slot of a number; return how many come before its kind, or all there are if it is none."""
    cdef int each, length, lacking, here, ways, number = 0
    cdef uint64_t short_of_rank, short_from, enough, fewer, stretches
    for each in range(2, 4):
        short_of_rank = short_from = shortage_by_rank(counts, each)
        for length in range(2, RUN_RANKS + 1):
            short_from = lengthen(short_from, short_of_rank, length)
            fewer = 0
            for lacking in range(jokers + 1):
                enough = ~short_of_at_least(short_from, lacking + 1) & EIGHTS
                stretches = enough ^ fewer
                fewer = enough
                ways = placements[each - 2][jokers - lacking].upto[length]
                here = flag_count(stretches) * ways
                if slot - number >= here:
                    number += here
                    continue
                slot -= number
                while slot >= ways:
                    slot -= ways
                    stretches &= stretches - 1
                found.shift = lowest_bit(stretches) & ~3
                found.stretch = &stretch_table[each - 2][(length - 2) // GROUP][
                    found.shift + (length - 2) % GROUP
                ]
                found.word = placements[each - 2][jokers - lacking].word[slot]
                found.short_of_rank = short_of_rank
                found.each = each
                found.lacking = lacking
                return number
            if fewer == 0:
                break
    debug_assert(slot == NO_SLOT)
    return number


cdef inline bint write_slot(const Slot* slot, int jokers, bint wild_alone, PlayRow* out) noexcept nogil:
    cdef uint64_t shortage = slot.short_of_rank & slot.stretch.span
    out[0].head = slot.stretch.head + (<uint64_t>slot.lacking << 56)
    out[0].counts = slot.stretch.counts - shortage
    if slot.lacking and jokers > slot.each:
        if write_fitting(
            &slot.word, 1, out[0].head, out[0].counts, slot.shift, slot.each, shortage >> slot.shift, out
        ) == out:
            return False
    else:
        out[0].head += slot.word & JOKER_FIELD
        out[0].counts -= (slot.word & low_nibbles(RUN_RANKS)) << slot.shift
    # Four jokers alone are no pair run if they may not be what one likes (R2.3).
    return out[0].counts != 0 or wild_alone
