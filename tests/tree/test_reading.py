"""Nodes, edges, lanes and slots as they are read, against the tree's arrays entry by entry."""

from __future__ import annotations

import numpy as np
import pytest

from solver.cards.hands import multisets
from solver.rules.labels import labels_of
from solver.rules.words import WORDS
from solver.tree import reading
from solver.tree.model import CHANCE, DECISION, LEAF, REVEAL, SHOW, PublicTree
from tests.tree.small_trees import MAKERS, Read, hand, made, size

__all__ = ["hand"]  # a fixture


def parents(tree: PublicTree, edge: int, side: int) -> list[int]:
    """The lane above every lane below an edge."""
    count = size(tree, int(tree.child[edge]), side)
    if tree.link[edge] < 0:
        return list(range(count))
    return [int(tree.lane_map[tree.link_lanes[tree.link[edge], side] + lane]) for lane in range(count)]


def word_of(tree: PublicTree, edge: int) -> str:
    return WORDS[tree.word[edge]] if tree.word[edge] >= 0 else ""


def leaving(tree: PublicTree, node: int) -> list[int]:
    return [edge for edge in range(len(tree.child)) if tree.source[edge] == node]


def counted(tree: PublicTree, edge: int) -> int:
    """Slots of an edge."""
    node = int(tree.source[edge])
    return size(tree, int(tree.child[edge]), int(tree.player[node])) if tree.kind[node] == DECISION else 0


def keeps_its_lanes(tree: PublicTree, edge: int) -> bool:
    """At a REVEAL the leader's lanes stay, the follower becomes (class, lead): no lane leads to a lane."""
    return bool(tree.kind[tree.source[edge]] != REVEAL)


def test_the_hands_have_all_that_is_read() -> None:
    trees = [made(name).tree for name in MAKERS]
    assert {int(kind) for tree in trees for kind in tree.kind} == {DECISION, CHANCE, REVEAL, LEAF, SHOW}
    assert any((tree.mask >= 0).any() for tree in trees)
    assert {int(kind) for tree in trees for kind in tree.kind[tree.ties >= 0]} == {LEAF, SHOW}
    assert {int(leader) for tree in trees for leader in tree.leader} == {-1, 0, 1}


def test_a_node_has_the_columns_of_its_number(hand: Read) -> None:
    tree = hand.tree
    for number in range(len(tree.kind)):
        node, space = reading.node_at(tree, number), tree.space[number]
        assert (node.number, node.kind, node.player) == (number, tree.kind[number], tree.player[number])
        assert (node.leader, node.space, node.end) == (tree.leader[number], space, tree.end[number])
        assert (node.boards, node.states, node.ties) == (tree.boards[space], (*tree.states[space],), tree.ties[number])
        assert list(node.edges) == leaving(tree, number)
        assert reading.player_of(tree, number) == tree.player[number]
        for side in (0, 1):
            assert node.lanes(side) == size(tree, number, side)
            assert node.decides(side) == (tree.kind[number] == DECISION and tree.player[number] == side)


def test_an_edge_has_the_columns_of_its_number(hand: Read) -> None:
    tree = hand.tree
    for number in range(len(tree.child)):
        edge = reading.edge_at(tree, number)
        assert (edge.number, edge.source, edge.child) == (number, tree.source[number], tree.child[number])
        assert (edge.word, edge.link) == (word_of(tree, number), tree.link[number])
        assert (edge.masked, edge.linked) == (tree.mask[number] >= 0, tree.link[number] >= 0)


def test_edges_are_those_that_leave_the_node(hand: Read) -> None:
    tree = hand.tree
    for node in range(len(tree.kind)):
        numbers = leaving(tree, node)
        assert [edge.number for edge in reading.edges_of(tree, node)] == numbers
        for wanted in (("raise",), ("call", "see"), ("fold",), ("tierce", "trut"), ("silent",)):
            first = next((edge for edge in numbers if word_of(tree, edge) in wanted), None)
            found = reading.edge_with(tree, node, *wanted)
            assert (found.number if found else None) == first


@pytest.mark.parametrize("kinds", [(DECISION,), (REVEAL, CHANCE), (LEAF, SHOW), ()])
def test_nodes_of_a_kind(hand: Read, kinds: tuple[int, ...]) -> None:
    tree = hand.tree
    wanted = [node for node in range(len(tree.kind)) if int(tree.kind[node]) in kinds]
    assert [node.number for node in reading.nodes_of_kind(tree, *kinds)] == wanted
    if kinds == (DECISION,):
        assert [node.number for node in reading.decisions(tree)] == wanted


def test_vectors_go_down_and_up_along_an_edge(hand: Read) -> None:
    tree, random = hand.tree, np.random.default_rng(1)
    for number in filter(lambda edge: keeps_its_lanes(tree, edge), range(len(tree.child))):
        edge = reading.edge_at(tree, number)
        for side in (0, 1):
            lanes = parents(tree, number, side)
            above, below = (size(tree, node, side) for node in (edge.source, edge.child))
            found = reading.lane_map(tree, edge, side)
            assert found.dtype == np.int64
            assert found.tolist() == lanes
            vector = random.random(above)
            assert reading.moved(tree, edge, side, vector).tolist() == [vector[lane] for lane in lanes]
            up, sums = random.random(below), [0.0] * above
            for lane, part in zip(lanes, up, strict=True):
                sums[lane] += part
            assert reading.gathered(tree, edge, side, up) == pytest.approx(sums, rel=1e-14)


def test_lanes_that_may_take_an_edge(hand: Read) -> None:
    tree = hand.tree
    for number in filter(lambda edge: tree.kind[tree.source[edge]] == DECISION, range(len(tree.child))):
        edge, player = reading.edge_at(tree, number), int(tree.player[tree.source[number]])
        states, mask = int(tree.states[tree.space[edge.source], player]), tree.mask[number]
        may = [bool(mask < 0 or tree.mask_value[mask + lane % states]) for lane in range(counted(tree, number))]
        assert reading.legal(tree, edge).tolist() == may
        honest = reading.heard(tree, edge, (None, None))
        truthful = honest[player]
        assert honest[1 - player] is None
        assert (truthful is None) == (mask < 0)
        if truthful is not None:
            assert hand.game is not None
            cards = multisets(3, len(hand.game.rules.ranks)).cards.tolist()
            assert truthful.tolist() == [edge.word in labels_of(hand.game.rules, tuple(held)) for held in cards]


def test_slots_are_one_a_lane_and_each_is_somebodys(hand: Read) -> None:
    tree, used = hand.tree, [0] * hand.tree.n_slots
    for edge in filter(lambda edge: counted(tree, edge), range(len(tree.child))):
        found = reading.slots(tree, reading.edge_at(tree, edge))
        assert (found.start, found.stop - found.start, found.step) == (tree.slot[edge], counted(tree, edge), None)
        for slot in range(tree.n_slots)[found]:
            used[slot] += 1
    assert set(used) == {1}


def test_slots_of_every_subtree(hand: Read) -> None:
    tree = hand.tree

    def below(node: int) -> int:
        return sum(counted(tree, edge) + below(int(tree.child[edge])) for edge in range(*tree.edges[node : node + 2]))

    assert reading.slots_below(tree).tolist() == [below(node) for node in range(len(tree.kind))]


def test_places_of_edges_among_those_of_their_node(hand: Read) -> None:
    sources, places = reading.edge_places(hand.tree)
    pairs = [(node, place) for node in range(len(hand.tree.kind)) for place, _ in enumerate(leaving(hand.tree, node))]
    assert list(zip(sources.tolist(), places.tolist(), strict=True)) == pairs


def test_every_link_has_its_first_edge(hand: Read) -> None:
    first: dict[int, int] = {}
    for edge, link in enumerate(hand.tree.link.tolist()):
        if link >= 0:
            first.setdefault(link, edge)
    assert {link: edge.number for link, edge in reading.links(hand.tree).items()} == first


def test_cut_roots_are_the_first_below_the_cut(hand: Read) -> None:
    tree, roots = hand.tree, []

    def descend(node: int) -> None:
        if node and tree.root[tree.space[node]] >= 0:
            roots.append(node)
        else:
            for edge in range(tree.edges[node], tree.edges[node + 1]):
                descend(int(tree.child[edge]))

    descend(0)
    assert reading.cut_roots(tree) == roots
    assert roots


def test_cuts_part_the_boards_by_their_root_board(hand: Read) -> None:
    tree, found = hand.tree, reading.cuts(hand.tree)
    assert len(found) == len(tree.boards)
    for space, (cut, root) in enumerate(zip(found, tree.root.tolist(), strict=True)):
        if root < 0:
            assert cut.tolist() == [0, 0]
            continue
        assert [cut[0], cut[-1], len(cut)] == [0, tree.boards[space], tree.boards[root] + 1]
        for part in range(len(cut) - 1):
            assert {ancestor(hand, space, board) for board in range(cut[part], cut[part + 1])} <= {part}


def ancestor(hand: Read, space: int, board: int) -> int:
    """The root board that a board comes from."""
    if hand.game is None:
        return board
    at = hand.game.spaces[space]
    while at.number != at.root:
        board, at = int(at.parent_board[board]), hand.game.spaces[at.parent]
    return board
