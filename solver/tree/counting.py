"""The size of a hand's tree, counted without building it: equal parts of the tree are counted once."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from solver.rules.model import RuleSet, check_left_out
from solver.rules.score import Score
from solver.tree.boards import Space
from solver.tree.build import boards_of, space_plan
from solver.tree.machine import BettingMachine, build_machine
from solver.tree.model import CALL, FOLD, TreeSize

#: what a part of the tree begins with: waiting for a bet or card, for an answer, or an end
IDLE, ANSWER, END = "idle", "answer", "end"
#: what it begins with, the space, the state of the betting, and the window
Part = tuple[str, int, int, int]
ACTOR = 0  # column of the plan


@dataclass(frozen=True, slots=True)
class Start:
    """The first node of a part: who decides, -1 where nobody does; and the parts below it."""

    player: int
    below: list[Part]


@dataclass(slots=True)
class Counter:
    """Counts the parts of one hand; the kernel ``expand`` lays the same betting over the same spaces."""

    machine: BettingMachine
    spaces: list[Space]
    states: list[tuple[int, int]]
    plan: NDArray[np.int64]
    sizes: dict[Part, NDArray[np.object_]] = field(default_factory=dict)

    def lanes(self, space: int, side: int) -> int:
        """Length of a side's vectors in a space."""
        return self.spaces[space].boards * self.states[space][side]

    def start(self, part: Part) -> Start:
        """What a part begins with."""
        what, space, state, step = part
        if what == END:
            return Start(-1, [])
        if what == ANSWER:
            pending = self.machine.pending[state]
            return Start(pending.answerer, [self.answered(part, how, to) for _, how, to in pending.answers])
        return self.idle(space, state, step)

    def answered(self, part: Part, how: int, target: int) -> Part:
        """The part after an answer."""
        _, space, _, step = part
        if how == FOLD:
            return (END, space, 0, 0)
        return (IDLE, space, target, step + 1) if how == CALL else (ANSWER, space, target, step)

    def idle(self, space: int, state: int, step: int) -> Start:
        """Where nothing waits for an answer."""
        actor, _, winner, last, windows, tell, _ = self.plan[space].tolist()
        if winner >= 0:
            return Start(-1, [])
        while step < windows and not self.spoken(space, state, step, tell):
            step += 1
        speaks = step < windows
        cards = [(IDLE, link[0], state, 0) for link in self.spaces[space].links]
        if not speaks and last:
            return Start(-1, cards if last == 1 else [])
        seat = 1 - actor if speaks and step == 1 else actor
        below = cards if not last and (not speaks or self.machine.combined) else [(IDLE, space, state, step + 1)]
        return Start(seat, below + (self.spoken(space, state, step, tell) if speaks else []))

    def spoken(self, space: int, state: int, step: int, tell: int) -> list[Part]:
        """The parts after what may be said in a window."""
        idle, actor = self.machine.idle[state], int(self.plan[space, ACTOR])
        seat = actor if step == 0 else 1 - actor
        bets = [(ANSWER, space, to, step) for _, to, mask in idle.bets[seat] if not mask or tell > step]
        return bets + [(END, space, 0, 0)] * (idle.fold and step == 0)

    def size(self, part: Part, start: Start) -> NDArray[np.object_]:
        """Nodes, boards, slots and information sets of a part whose smaller parts are counted."""
        space, side = part[1], start.player
        own = [1, self.spaces[space].boards, 0, 0]
        if side >= 0:
            own[2:] = [sum(self.lanes(below[1], side) for below in start.below), self.lanes(space, side)]
        parts = [np.array(own, object), *(self.sizes[below] for below in start.below)]
        return np.asarray(np.sum(parts, axis=0))

    def count(self, root: Part) -> TreeSize:
        """The size of the tree below a part."""
        waiting = [root]
        while waiting:
            start = self.start(waiting[-1])
            missing = [below for below in start.below if below not in self.sizes]
            if missing:
                waiting += missing
            else:
                part = waiting.pop()
                self.sizes[part] = self.size(part, start)
        nodes, boards, slots, infosets = self.sizes[root].tolist()
        return TreeSize(nodes, boards, slots, infosets)


def count_tree(rules: RuleSet, score: Score) -> TreeSize:
    """The size that the tree of a hand will have; UsageError as for ``build_game``."""
    check_left_out(rules)
    boards, machine = boards_of(rules, True), build_machine(rules, score)
    plan, _ = space_plan(boards, machine.both)
    states = [boards.states(space) for space in boards.spaces]
    root: Part = (ANSWER, 0, 0, -1) if machine.asks else (IDLE, 0, 0, 0)
    return Counter(machine, list(boards.spaces), states, plan).count(root)
