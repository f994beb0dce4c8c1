from dagong._state import State
from dagong.kinds import Detail

def perft(state: State, depth: int, *, detail: Detail | int = ...) -> int: ...
