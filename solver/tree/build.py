"""From a rule set, a score and a unit to the public tree of one hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from solver.cards.hands import merge, multisets
from solver.errors import ResourceError
from solver.rules.labels import labels_of
from solver.rules.model import RuleSet, check_left_out
from solver.rules.options import HAND_SIZE
from solver.rules.score import Amount, Score
from solver.tree.boards import NOBODY, BoardBuilder, Space, hand_winner
from solver.tree.kernels import ANSWER, IDLE, Expansion, expand
from solver.tree.machine import BettingArrays, Outcome, Utility, build_machine, machine_arrays
from solver.tree.model import DECISION, LEAF, SHOW, PublicTree, check_tree, slot_counts
from solver.tree.reading import stake_of

#: nodes of the largest tree that is built: larger ones take minutes before anything is solved
MOST_NODES = 1_000_000
#: chance of the elder to win the long after three spoiled tricks, given the three ranks that each side held (G6)
TieShare = Callable[[tuple[int, ...]], float]


@dataclass(frozen=True, slots=True)
class HandGame:
    """One hand at one score: the tree and what is needed to read it in words of the game.

    unit       "points" or "match"
    outcomes   how the hand can end, by the numbers in the tree
    worth      float64 [outcomes]: what each is worth to the elder
    """

    rules: RuleSet
    score: Score
    unit: str
    tree: PublicTree
    spaces: tuple[Space, ...]
    outcomes: tuple[Outcome, ...]
    worth: NDArray[np.float64]

    def worth_by(self, utility: Utility) -> NDArray[np.float64]:
        """What the outcomes are worth by a utility, float64 [outcomes]."""
        return np.array([utility(*outcome) for outcome in self.outcomes], np.float64)

    def amount_at(self, node: int) -> Amount:
        """What the hand is played for at a node, a bet that waits not counted."""
        return self.outcomes[stake_of(self.tree, node)].amount

    def worth_of(self, winner: int, amount: Amount) -> float:
        """Elder's payoff when a side takes an amount."""
        return float(self.worth[self.outcomes.index(Outcome(winner, amount))])


def build_game(
    rules: RuleSet,
    score: Score,
    utility: Utility,
    unit: str,
    merged: bool = True,
    tie_share: TieShare | None = None,
) -> HandGame:
    """The hand of ``rules`` at ``score`` with the elder's payoffs given by ``utility``.

    merged      False lays the third trick card by card: the slow twin of the merged block
    tie_share   elder's chance after three spoiled tricks, by the hand both held; None: a drawn hand

    UsageError for rules that cannot change a value and have no place in the tree (T9, G5), ResourceError for a tree of
    more than ``MOST_NODES``.
    """
    check_left_out(rules)
    boards = boards_of(rules, merged)
    machine = build_machine(rules, score)
    bets, masks = machine_arrays(machine)
    out = expand_all(bets, machine.asks, *space_plan(boards, machine.both))
    tree = assemble(rules, boards, (bets, masks), out)
    if tie_share is not None:
        tree = with_tie_shares(tree, boards, tie_share)
    check_tree(tree)
    game = HandGame(rules, score, unit, tree, tuple(boards.spaces), tuple(machine.outcomes), np.zeros(0))
    return replace(game, worth=game.worth_by(utility))


@lru_cache(maxsize=4)
def boards_of(rules: RuleSet, merged: bool) -> BoardBuilder:
    """The boards of a rule set: the same at every score, so made once for a whole match."""
    return BoardBuilder(rules, merged)


def with_tie_shares(tree: PublicTree, boards: BoardBuilder, tie_share: TieShare) -> PublicTree:
    """Three spoiled tricks give the elder ``tie_share`` of the hand that both held, and are no drawn hand (G6)."""
    ties, shares, filled = tree.ties.copy(), [], 0
    cards = multisets(HAND_SIZE, boards.n_ranks).cards
    for number, space in enumerate(boards.spaces):
        spoiled = space.winner == NOBODY or (space.revealed and set(space.tricks) == {NOBODY})
        if not spoiled:
            continue
        laid = merge(HAND_SIZE - space.held[0], space.held[0], boards.n_ranks)[space.played[:, 0]]
        shares.append(np.array([tie_share(tuple(cards[hand].tolist())) for hand in laid.reshape(-1)]))
        leaves = np.flatnonzero((tree.space == number) & ((tree.kind == SHOW) | (tree.kind == LEAF)))
        ties[leaves] = filled
        filled += len(shares[-1])
    return tree._replace(ties=ties, tie_share=np.concatenate(shares))


def space_plan(boards: BoardBuilder, both: bool) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The tables ``plan`` and ``links`` of ``kernels.expand``; ``both``: the other may speak before a card too."""
    spaces = boards.spaces
    plan = np.full((len(spaces), 7), -1, np.int64)
    links = np.full((len(spaces), max(len(space.links) for space in spaces), 2), -1, np.int64)
    for number, space in enumerate(spaces):
        last = 2 if space.revealed else 1 if boards.merged and space.held == (1, 1) else 0
        other_speaks = both and space.winner < 0 and not space.revealed and space.held[1 - space.actor] > 0
        whole = space.winner < 0 and space.held[space.actor] == HAND_SIZE
        tell = 0 if not whole else 1 if not both else 2 if space.held == (HAND_SIZE, HAND_SIZE) else 0
        spoiled = hand_winner((*space.tricks, NOBODY)) if last else -1
        plan[number] = space.actor, space.leader, space.winner, last, 1 + other_speaks, tell, spoiled
        for k, link in enumerate(space.links):
            links[number, k] = link
    return plan, links


def expand_all(
    bets: BettingArrays, asks: bool, plan: NDArray[np.int64], links: NDArray[np.int64]
) -> Expansion:
    """Count the nodes and edges, then fill them; ResourceError when there are more than ``MOST_NODES``."""
    first, n_nodes, n_edges = np.array([ANSWER if asks else IDLE, 0, 0, -1 if asks else 0], np.int64), 0, 0
    for _ in ("count", "fill"):
        out = Expansion(
            np.zeros((n_nodes, 6), np.int32), np.full((n_edges, 4), -1, np.int32), np.zeros((n_nodes, 3), np.int32)
        )
        n_nodes, n_edges = expand(bets, plan, links, first, out, np.int64(MOST_NODES))
        if n_nodes > MOST_NODES:
            raise ResourceError(too_large(f"more than {MOST_NODES:,} nodes"))
    return out


def too_large(size: str) -> str:
    """The sentence for a tree that is not built."""
    return (
        f"The tree of this hand has {size}, too many to build and solve; take fewer bets (a shorter --set ladder, "
        "counter_raise=false) or a score nearer to the end of the match."
    )


def subtree_ends(n_nodes: int, first_edge: NDArray[np.int32], child: NDArray[np.int32]) -> NDArray[np.int32]:
    """One past the last node of every subtree of a depth-first order."""
    end = np.arange(1, n_nodes + 1, dtype=np.int32)
    for node in range(n_nodes - 1, -1, -1):
        if first_edge[node + 1] > first_edge[node]:
            end[node] = end[child[first_edge[node + 1] - 1]]
    return end


def hand_mask(rules: RuleSet, label: str) -> NDArray[np.bool_]:
    """Which hands may truthfully announce a label (U8, G7), bool [hands]."""
    cards = multisets(HAND_SIZE, len(rules.ranks)).cards.tolist()
    return np.array([label in labels_of(rules, tuple(hand)) for hand in cards])


def assemble(
    rules: RuleSet, boards: BoardBuilder, betting: tuple[BettingArrays, list[str]], out: Expansion
) -> PublicTree:
    """Join spaces and betting sequences into one tuple of arrays; ``betting``: the bets, and the names of masks."""
    nodes, edges, (bets, mask_names) = out.nodes, out.edges, betting
    n_nodes, n_ranks = len(nodes), len(rules.ranks)
    first_edge = np.append(nodes[:, 4], len(edges)).astype(np.int32)
    space_matrix, weights, board_matrix = boards.matrices
    masks = [hand_mask(rules, mask) for mask in mask_names]
    hands = len(multisets(HAND_SIZE, n_ranks))
    cuts = [space.cut for space in boards.spaces]
    cut_first = np.cumsum([0, *map(len, cuts)])[:-1]
    ranks = np.arange(n_ranks)
    tree = PublicTree(
        kind=nodes[:, 0].copy(), player=nodes[:, 1].copy(), leader=nodes[:, 2].copy(), space=nodes[:, 3].copy(),
        edges=first_edge, end=subtree_ends(n_nodes, first_edge, edges[:, 0]), outcome=out.outcome,
        stake=nodes[:, 5].copy(), matrix=space_matrix[nodes[:, 3]], ties=np.full(n_nodes, -1, np.int64),
        source=np.repeat(np.arange(n_nodes, dtype=np.int32), np.diff(first_edge)),
        child=edges[:, 0].copy(), link=edges[:, 1].copy(), word=edges[:, 2].copy(),
        mask=np.where(edges[:, 3] < 0, -1, edges[:, 3] * hands).astype(np.int32), slot=np.zeros(len(edges), np.int64),
        boards=np.array([space.boards for space in boards.spaces], np.int32),
        states=np.array([boards.states(space) for space in boards.spaces], np.int32),
        root=np.array([space.root for space in boards.spaces], np.int32), cut=cut_first.astype(np.int64),
        link_lanes=np.array(boards.link_lanes, np.int64), lane_map=np.concatenate(boards.lane_maps),
        board_matrix=board_matrix, weights=weights,
        mask_value=np.concatenate(masks) if masks else np.zeros(0, np.bool_), cut_value=np.concatenate(cuts),
        tie_share=np.zeros(0), tie_ends=bets.ends[0, :2].astype(np.int32),
        compare=(np.sign(ranks[:, None] - ranks[None, :]) + 1).astype(np.int32),
    )  # fmt: skip
    return place_slots(tree)


def place_slots(tree: PublicTree) -> PublicTree:
    """The tree with the first slot of every edge set; nodes and edges keep their order."""
    counts = slot_counts(tree)
    decided = np.repeat(tree.kind == DECISION, np.diff(tree.edges))
    slot = np.where(decided, np.cumsum(counts) - counts, -1)
    return tree._replace(slot=slot)
