"""The core's Python face: the rule set's methods and the lists of plays they return."""

from collections.abc import Sequence

import numpy as np

from cpython.buffer cimport (
    PyBUF_ANY_CONTIGUOUS,
    PyBUF_WRITABLE,
    PyBuffer_FillInfo,
    PyBuffer_Release,
    PyObject_GetBuffer,
)
from libc.stdint cimport int64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from dagong._generate cimport generate, identify
from dagong._hand cimport new_hand
from dagong._layout cimport NO_PLAY, no_play, row_kind, row_strength, without_strength
from dagong._play cimport new_play, playable_bits, row_under, rules_in
from dagong._ruleset cimport beats
from dagong._spends cimport number_of_spend

from dagong.cards import Card
from dagong.kinds import Detail, Kind

# The fields of PlayRow and CardRow for NumPy; the layout is drawn in _layout.pxd.
_FIELDS = [
    ("kind", "u1"), ("rank", "i1"), ("length", "u1"), ("size", "u1"), ("strength", "<u2"), ("suit", "i1"),
    ("jokers", "u1"), ("counts", "<u8"),
]
PLAY_DTYPE = np.dtype(_FIELDS)
CARDS_DTYPE = np.dtype([*_FIELDS, ("once", "<u8"), ("twice", "<u8")])

cdef object RANKS_DETAIL = Detail.RANKS


cdef int as_detail(object detail) except -1:
    if detail is RANKS_DETAIL:
        return DETAIL_RANKS
    try:
        return int(Detail(detail))
    except ValueError:
        raise ValueError(f"{detail!r} is no Detail: expected RANKS, STRATEGIC or CARDS") from None


cdef int as_called(object called) except -2:
    return NO_CARD if called is None else Card(called)


cdef Play as_play(object play):
    if not isinstance(play, Play):
        raise TypeError(f"{play!r} is no Play: make one with parse_play")
    return <Play>play


cdef int as_row(PlayRow* row, CompiledRules rules, object to_beat) except -1:
    if to_beat is None:
        row[0] = no_play()
    else:
        row_under(row, rules, as_play(to_beat))
    return 0


cdef class RulesetCore(CompiledRules):
    """What a rule set does; its fields are those of ``Ruleset``."""

    def identify(self, cards):
        """Everything that exactly these cards may be declared as (R3), in order of kind, length, rank.

        ``cards`` is a ``Hand`` or what makes one. Returns a tuple of ``Play``, empty if they are no play.
        Raises ``ValueError`` for bad cards or more than 27.

        >>> from dagong import DAGUN
        >>> [str(play) for play in DAGUN.identify("4S 4H XB XR")]
        ['4H 4S XB XR as pair_run 4 x2', '4H 4S XB XR as pair_run 5 x2', '4H 4S XB XR as bomb 4']
        """
        cdef PlayRow[MOST_DECLARATIONS] rows
        cdef HandBits bits = playable_bits(cards)
        cdef int index, number = identify(rules_in(self), bits, rows)
        return tuple([new_play(rows[index], bits, self) for index in range(number)])

    def legal_plays(self, hand, to_beat=None, *, detail=Detail.RANKS, called=None):
        """Every play in the hand that beats ``to_beat`` (every play, if it is None), without the pass.

        ``hand`` is a ``Hand`` or what makes one, of at most 27 cards. ``detail`` says when two plays count
        as one; the one listed carries the cards that break up least. ``called`` is the called card while
        the partnership is secret: spent last, and at ``Detail.STRATEGIC`` a card of its own (R5.4).

        Returns ``Plays``. Raises ``ValueError`` for bad cards, too many cards, or a ``to_beat`` that these
        rules do not have; ``TypeError`` if ``to_beat`` is no ``Play``.

        >>> from dagong import XIANNING
        >>> plays = XIANNING.legal_plays("3S 4D 4H XB")
        >>> len(plays), str(plays[-1])
        (8, '3S 4D 4H XB as pair_run 4 x2')
        """
        cdef PlayRow row
        as_row(&row, self, to_beat)
        return new_plays(self, playable_bits(hand), row, to_beat, as_detail(detail), as_called(called))

    def count_plays(self, hand, to_beat=None, *, detail=Detail.RANKS, called=None):
        """``len(legal_plays(...))`` without listing: exact, in about a microsecond at every detail.

        >>> from dagong import DAGUN, Detail
        >>> DAGUN.count_plays("4D 4D 4C 4C 4H 4H 4S 4S", detail=Detail.CARDS)
        80
        """
        cdef PlayRow row
        as_row(&row, self, to_beat)
        return count_plays(
            rules_in(self), playable_bits(hand), row, as_detail(detail), as_called(called)
        )

    def legal_plays_into(self, buffer, hand, to_beat=None, *, detail=Detail.RANKS, called=None):
        """Write the plays of ``legal_plays`` as rows into ``buffer`` and return how many there are.

        ``buffer`` is a contiguous array of ``CARDS_DTYPE`` (any detail) or ``PLAY_DTYPE`` (``RANKS``
        only). Rows behind those counted may be overwritten.

        Raises ``ValueError`` if the buffer is too small for every play, and then leaves it as it was, or if
        it is read-only, not one-dimensional, not contiguous or not aligned; ``TypeError`` if its dtype is
        another.

        >>> import numpy as np
        >>> from dagong import PLAY_DTYPE, XIANNING
        >>> buffer = np.empty(10, PLAY_DTYPE)
        >>> number = XIANNING.legal_plays_into(buffer, "3S 4D 4H XB")
        >>> buffer["rank"][:number].tolist()
        [0, 0, 1, 1, 1, 1, 0, 1]
        """
        cdef Py_buffer view
        cdef PlayRow row
        cdef HandBits bits = playable_bits(hand)
        cdef int detail_code = as_detail(detail), called_code = as_called(called)
        dtype = getattr(buffer, "dtype", None)
        if dtype != CARDS_DTYPE and (dtype != PLAY_DTYPE or detail_code != DETAIL_RANKS):
            raise TypeError(
                f"buffer has the dtype {dtype}: expected CARDS_DTYPE, or PLAY_DTYPE at Detail.RANKS"
            )
        as_row(&row, self, to_beat)
        PyObject_GetBuffer(buffer, &view, PyBUF_WRITABLE | PyBUF_ANY_CONTIGUOUS)
        try:
            if view.ndim != 1:
                raise ValueError(f"buffer has {view.ndim} dimensions: expected one")
            if <size_t>view.buf % sizeof(uint64_t):
                raise ValueError("buffer is not aligned to eight bytes")
            if dtype == PLAY_DTYPE:
                return write_rows(rules_in(self), bits, row, <PlayRow*>view.buf, view.len // sizeof(PlayRow))
            plays = new_plays(self, bits, row, to_beat, detail_code, called_code)
            check_room(len(plays), view.len // sizeof(CardRow))
            fill_card_rows(plays, <CardRow*>view.buf)
            return len(plays)
        finally:
            PyBuffer_Release(&view)

    def beats(self, a, b):
        """Whether play ``a`` beats play ``b`` (R4).

        Raises ``ValueError`` for a play that these rules do not have.

        >>> from dagong import DAYE, Play
        >>> DAYE.beats(Play("3H 3H 3S 3S as bomb 3"), Play("2H 2S as pair 2"))
        True
        """
        cdef PlayRow one, other
        row_under(&one, self, as_play(a))
        row_under(&other, self, as_play(b))
        return bool(beats(one, other))

    def strength(self, play):
        """A number by which bombs compare: of two bombs the greater beats the other, and equal are equal.

        Any bomb is above any other play; plays of one kind and length compare by it too. It says nothing
        about plays of different kinds that are no bombs.

        >>> from dagong import DAYE, Play
        >>> DAYE.strength(Play("5S TS KS as five_ten_king S"))
        20
        """
        cdef PlayRow row
        row_under(&row, self, as_play(play))
        return row_strength(row)


cdef Py_ssize_t ROW_SIZE = sizeof(PlayRow)


cdef int check_room(Py_ssize_t number, Py_ssize_t room) except -1:
    if number > room:
        raise ValueError(f"buffer has room for {room} plays: there are {number}")
    return 0


cdef Py_ssize_t write_rows(
    const Rules* rules, HandBits hand, PlayRow to_beat, PlayRow* out, Py_ssize_t room
) except -1:
    cdef PlayRow* rows
    cdef Py_ssize_t number
    if room >= MOST_PLAYS + SLACK:
        with nogil:
            number = generate(rules, hand, to_beat, out)
        return number
    rows = new_scratch()
    try:
        number = generate(rules, hand, to_beat, rows)
        check_room(number, room)
        memcpy(out, rows, number * sizeof(PlayRow))
        return number
    finally:
        free(rows)


cdef PlayRow* new_scratch() except NULL:
    """Room for any list, not on the stack, since a thread's may be smaller."""
    cdef PlayRow* rows = <PlayRow*>malloc((MOST_PLAYS + SLACK) * sizeof(PlayRow))
    if rows == NULL:
        raise MemoryError()
    return rows


cdef Plays new_plays(
    CompiledRules rules, HandBits hand, PlayRow to_beat, object beaten, int detail, int called,
    int kind=NO_PLAY,
):
    cdef Plays plays = Plays.__new__(Plays)
    cdef PlayRow* rows = new_scratch()
    cdef Py_ssize_t number = generate(rules_in(rules), hand, to_beat, rows)
    if kind != NO_PLAY:
        number = keep_kind(rows, number, kind)
    try:
        take_rows(plays, rows, number, detail != DETAIL_RANKS)
    finally:
        free(rows)
    find_spends(plays.spends, hand, detail, called)
    plays.rules = rules
    plays.bits = hand
    plays.beaten = beaten
    plays.finer = detail
    plays.called_code = called
    plays.only_kind = kind
    plays.step = 1
    plays.number = number if plays.ends == NULL else count_ends(plays)
    return plays


cdef int take_rows(Plays plays, const PlayRow* rows, Py_ssize_t number, bint with_ends) except -1:
    """Give a list its memory: the rows, where each ends, and the spends."""
    cdef size_t rows_size = number * sizeof(PlayRow)
    cdef size_t ends_size = number * sizeof(uint64_t) if with_ends else 0
    plays.block = malloc(rows_size + ends_size + sizeof(Spends))
    if plays.block == NULL:
        raise MemoryError()
    plays.rows = <PlayRow*>plays.block
    plays.ends = <uint64_t*>(<char*>plays.block + rows_size) if with_ends else NULL
    plays.spends = <Spends*>(<char*>plays.block + rows_size + ends_size)
    memcpy(plays.rows, rows, rows_size)
    plays.number_of_rows = number
    return 0


cdef uint64_t count_ends(Plays plays) noexcept:
    """Add up how many plays the rows stand for."""
    cdef uint64_t total = 0
    cdef Py_ssize_t index
    for index in range(plays.number_of_rows):
        total += count_spends(plays.spends, plays.rows[index])
        plays.ends[index] = total
    return total


cdef Py_ssize_t keep_kind(PlayRow* rows, Py_ssize_t number, int kind) noexcept nogil:
    cdef Py_ssize_t index, kept = 0
    for index in range(number):
        if row_kind(rows[index]) == kind:
            rows[kept] = rows[index]
            kept += 1
    return kept


# A position in a list of plays: the row that stands for the play, and which of its spends it is.
cdef struct Cursor:
    Py_ssize_t row
    uint64_t spend


cdef inline Cursor seek(Plays plays, Py_ssize_t index) noexcept nogil:
    """Where play ``index`` of the whole list stands."""
    cdef Cursor cursor
    cdef Py_ssize_t low = 0, high = plays.number_of_rows, middle
    cursor.row = index
    cursor.spend = 0
    if plays.ends != NULL:
        while low < high:
            middle = (low + high) // 2
            if plays.ends[middle] <= <uint64_t>index:
                low = middle + 1
            else:
                high = middle
        cursor.row = low
        cursor.spend = index - (plays.ends[low - 1] if low else 0)
    return cursor


cdef inline Py_ssize_t position(Plays plays, Py_ssize_t index) noexcept nogil:
    """The place in the whole list of play ``index`` of a slice."""
    return plays.start + index * plays.step


cdef inline HandBits cards_at(Plays plays, Cursor cursor) noexcept nogil:
    return spend(plays.spends, plays.rows[cursor.row], cursor.spend)


cdef int fill_card_rows(Plays plays, CardRow* out) except -1:
    cdef Py_ssize_t index
    cdef Cursor cursor
    with nogil:
        for index in range(plays.number):
            cursor = seek(plays, position(plays, index))
            out[index].play = plays.rows[cursor.row]
            out[index].cards = cards_at(plays, cursor)
    return 0


cdef class Plays:
    """A list of plays: a sequence of ``Play`` that is made as it is read.

    It holds one record a play at ``Detail.RANKS``, and at the other details one record for all plays alike
    but for suits; ``len``, indexing and slicing are quick however many plays that stands for. ``play in
    plays`` tells whether a play is legal here; at ``RANKS`` and ``STRATEGIC`` its cards need not be those
    that the list shows for it.

    The order is the same on every machine; docs/notation.md has it. ``of_kind`` picks the plays of a kind.

    >>> from dagong import DAGUN, Detail, Play
    >>> plays = DAGUN.legal_plays("3S 4D 4H XB", detail=Detail.CARDS)
    >>> len(plays), plays[0], Play("4D XB as pair 4") in plays
    (10, Play('3S as single 3'), True)
    >>> plays[-2:].array["kind"].tolist()
    [1, 4]
    """

    def __init__(self):
        raise TypeError("Plays come from Ruleset.legal_plays")

    def __dealloc__(self):
        free(self.block)

    @property
    def hand(self):
        """The hand whose plays they are."""
        return new_hand(self.bits)

    @property
    def to_beat(self):
        """The play that they beat, or None."""
        return self.beaten

    @property
    def detail(self):
        """When two plays count as one: a ``Detail``."""
        return Detail(self.finer)

    @property
    def called(self):
        """The called card, or None."""
        return None if self.called_code == NO_CARD else Card(self.called_code)

    def __len__(self):
        return self.number

    def __getitem__(self, index):
        cdef Py_ssize_t start
        cdef Cursor cursor
        if isinstance(index, slice):
            places = range(*index.indices(self.number))
            return slice_of(self, places.start, places.step if len(places) > 1 else 1, len(places))
        try:
            start = index
        except OverflowError:
            raise IndexError(f"play {index} of {self.number}") from None
        if start < 0:
            start += self.number
        if not 0 <= start < self.number:
            raise IndexError(f"play {index} of {self.number}")
        cursor = seek(self, position(self, start))
        return new_play(self.rows[cursor.row], cards_at(self, cursor), self.rules)

    def __iter__(self):
        cdef PlaysIterator iterator = PlaysIterator.__new__(PlaysIterator)
        iterator.plays = self
        return iterator

    def __reversed__(self):
        return iter(self[::-1])

    def __contains__(self, play):
        return isinstance(play, Play) and find(self, <Play>play) >= 0

    def index(self, play):
        """The place of a play in the list, or of the one that stands for it; ``ValueError`` if none."""
        cdef Py_ssize_t place = find(self, as_play(play))
        if place < 0:
            raise ValueError(f"'{play}' is not among the plays")
        return place

    def count(self, play):
        """How often a play is in the list: 0 or 1."""
        return int(play in self)

    def of_kind(self, kind):
        """The plays of one ``Kind``: a list of its own, as quick to make as this one.

        Raises ``ValueError`` for what is no kind, or if this is a slice.

        >>> from dagong import DAGUN, Kind
        >>> [str(play) for play in DAGUN.legal_plays("3S 4D 4H XB").of_kind(Kind.PAIR)]
        ['3S XB as pair 3', '4D XB as pair 4', '4D 4H as pair 4']
        """
        cdef PlayRow row
        wanted = Kind(kind)
        if self.owner is not None:
            raise ValueError("of_kind takes a whole list of plays, not a slice")
        if self.only_kind != NO_PLAY and self.only_kind != wanted:
            return self[:0]
        as_row(&row, self.rules, self.beaten)
        return new_plays(self.rules, self.bits, row, self.beaten, self.finer, self.called_code, wanted)

    @property
    def array(self):
        """The plays as a read-only structured array.

        At ``Detail.RANKS`` it has the dtype ``PLAY_DTYPE``, 16 bytes a row, and shares the list's memory.
        Otherwise it has ``CARDS_DTYPE``, 32 bytes a row, with the cards in the planes ``once`` and
        ``twice``, and is made anew by each call; slice the list where that would be too much at once.

        ========== ===== ===========================================================
        field      dtype
        ========== ===== ===========================================================
        kind       u1    ``int(Kind)``
        rank       i1    highest rank 0 to 12; -1 for a 510K and a sky bomb
        length     u1    ranks spanned
        size       u1    cards, jokers included
        strength   u2    ``Ruleset.strength``
        suit       i1    of a flush 510K, else -1
        jokers     u1    jokers among the cards
        counts     u8    natural cards by rank, four bits each, those of 3s lowest
        ========== ===== ===========================================================
        """
        if self.finer == DETAIL_RANKS:
            if self.number == 0:
                array = np.empty(0, PLAY_DTYPE)
            else:
                array = np.ndarray(
                    self.number, PLAY_DTYPE, RowMemory(self),
                    self.start * ROW_SIZE, self.step * ROW_SIZE,
                )
        else:
            array = np.empty(self.number, CARDS_DTYPE)
            fill_card_array(self, array)
        array.flags.writeable = False
        return array

    def cards_array(self):
        """The cards of each play: uint8[n, 54], copies of each card by code."""
        cdef Py_ssize_t index
        cdef int code
        cdef HandBits cards
        array = np.empty((self.number, 54), np.uint8)
        cdef uint8_t[:, ::1] view = array
        with nogil:
            for index in range(self.number):
                cards = cards_at(self, seek(self, position(self, index)))
                for code in range(54):
                    view[index, code] = (cards.once >> code & 1) + (cards.twice >> code & 1)
        return array

    def __eq__(self, other):
        if not isinstance(other, Plays):
            return NotImplemented
        return self._asked() == (<Plays>other)._asked()

    def __hash__(self):
        return hash(self._asked())

    def _asked(self):
        return (
            self.rules, self.hand, self.beaten, self.finer, self.called_code, self.only_kind,
            self.start, self.step, self.number,
        )

    def __repr__(self):
        return f"<Plays: {self.number} at Detail.{self.detail.name}>"

    def __reduce__(self):
        return list_again, self._asked()


Sequence.register(Plays)


def list_again(rules, hand, to_beat, detail, called, kind, start, step, number):
    """A list of plays, or a slice of it, from what was asked for; how ``Plays`` are unpickled."""
    plays = rules.legal_plays(hand, to_beat, detail=detail, called=None if called == NO_CARD else called)
    if kind != NO_PLAY:
        plays = plays.of_kind(kind)
    last = start + step * (number - 1)
    if step == 0 or number < 0 or number and not (0 <= start < len(plays) and 0 <= last < len(plays)):
        raise ValueError(f"{len(plays)} plays have no slice of {number} from {start} in steps of {step}")
    return slice_of(plays, start, step, number)


cdef Plays slice_of(Plays plays, Py_ssize_t start, Py_ssize_t step, Py_ssize_t number):
    cdef Plays part = Plays.__new__(Plays)
    part.rules = plays.rules
    part.bits = plays.bits
    part.beaten = plays.beaten
    part.finer = plays.finer
    part.called_code = plays.called_code
    part.only_kind = plays.only_kind
    part.owner = plays if plays.owner is None else plays.owner
    part.rows = plays.rows
    part.ends = plays.ends
    part.spends = plays.spends
    part.number_of_rows = plays.number_of_rows
    part.start = position(plays, start) if number else 0
    part.step = step * plays.step if number > 1 else 1
    part.number = number
    return part


cdef Py_ssize_t find(Plays plays, Play play):
    """The index of a play, or of the one that stands for it; -1 if it is not in the list."""
    cdef Py_ssize_t row, place
    cdef int64_t spend_number
    cdef uint64_t head = without_strength(play.row.head)
    if play.bits.once & ~plays.bits.once or play.bits.twice & ~plays.bits.twice:
        return -1
    for row in range(plays.number_of_rows):
        if plays.rows[row].counts == play.row.counts and without_strength(plays.rows[row].head) == head:
            place = row
            if plays.ends != NULL:
                spend_number = number_of_spend(plays.spends, plays.rows[row], play.bits)
                if spend_number < 0:
                    return -1
                place = (plays.ends[row - 1] if row else 0) + spend_number
            place -= plays.start
            if place % plays.step:
                return -1
            place //= plays.step
            return place if 0 <= place < plays.number else -1
    return -1


cdef int fill_card_array(Plays plays, array) except -1:
    cdef Py_buffer view
    PyObject_GetBuffer(array, &view, PyBUF_WRITABLE | PyBUF_ANY_CONTIGUOUS)
    try:
        return fill_card_rows(plays, <CardRow*>view.buf)
    finally:
        PyBuffer_Release(&view)


cdef class RowMemory:
    """The records of a list of plays, lent to NumPy."""

    cdef Plays plays

    def __cinit__(self, Plays plays not None):
        self.plays = plays

    def __getbuffer__(self, Py_buffer* view, int flags):
        PyBuffer_FillInfo(
            view, self, self.plays.rows, self.plays.number_of_rows * sizeof(PlayRow), True, flags
        )


cdef class PlaysIterator:
    """Reads a list of plays one by one."""

    cdef Plays plays
    cdef Py_ssize_t next

    def __init__(self):
        raise TypeError("iterators come from iter(plays)")

    def __iter__(self):
        return self

    def __next__(self):
        cdef Plays plays = self.plays
        cdef Py_ssize_t index = self.next
        cdef Cursor cursor
        if plays is None:
            raise TypeError("this iterator was never initialised")
        if index >= plays.number:
            raise StopIteration
        self.next = index + 1
        cursor = seek(plays, position(plays, index))
        return new_play(plays.rows[cursor.row], cards_at(plays, cursor), plays.rules)

    def __length_hint__(self):
        return 0 if self.plays is None else self.plays.number - self.next
