// The public tree, walked as `truc-solve query` walks a history: a point is a node of the tree, the board of cards laid,
// the lead of the last trick once it is shown, and the step that led there from the point before.

const data = JSON.parse(document.getElementById("data").textContent);
const { ranks, copies, nodes, edges, spaces, words, kinds } = data.tree;
const [KIND, PLAYER, LEADER, SPACE, FIRST, STAKE, ASKED, WINNERS, PAYS] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const [CHILD, WORD, LINKED] = [0, 1, 2];
const DRAWN = 2;
const SAME = new Map([["call", ["call", "see"]], ["see", ["see", "call"]]]);

const kindOf = (point) => kinds[nodes[point.node][KIND]];
const spaceOf = (point) => spaces[nodes[point.node][SPACE]];
const start = () => ({ node: 0, board: 0, lead: -1, over: false, laid: [[], []], before: null, step: null });

function edgesOf(node) {
  const last = node + 1 < nodes.length ? nodes[node + 1][FIRST] : edges.length;
  return Array.from({ length: last - nodes[node][FIRST] }, (_, k) => nodes[node][FIRST] + k);
}

function wordOf(edge) {
  return edges[edge][WORD] < 0 ? "" : words[edges[edge][WORD]];
}

function take(point, edge, step, moved = {}) {
  const after = { ...point, ...moved, node: edges[edge][CHILD], before: point, step };
  const kind = kindOf(after);
  if (kind === "chance") return { ...take(after, edgesOf(after.node)[0], step), before: point };
  after.over = kind === "leaf" || step.word === "fold";
  return after;
}

function withCard(point, seat, rank) {
  return point.laid.map((cards, side) => (side === seat ? [...cards, rank] : cards));
}

// What lies on the table leaves no more of a rank than the deck has.
function remains(point, rank) {
  return point.laid.flat().filter((card) => card === rank).length < copies[rank];
}

function play(point, rank) {
  if (point.over || !remains(point, rank)) return null;
  const node = nodes[point.node];
  const kind = kindOf(point);
  const seat = kind === "decision" ? node[PLAYER] : kind === "reveal" ? node[LEADER] : 1 - node[LEADER];
  const step = { seat, rank, spoken: ranks[rank] };
  const laid = withCard(point, seat, rank);
  if (kind === "reveal") return take(point, edgesOf(point.node)[0], step, { lead: rank, laid });
  if (kind === "show") return { ...point, laid, before: point, step, over: true };
  for (const edge of edgesOf(point.node)) {
    if (!edges[edge][LINKED] || edges[edge][WORD] >= 0) continue;
    const below = spaces[nodes[edges[edge][CHILD]][SPACE]];
    const board = below.card.findIndex((card, k) => card === rank && below.from[k] === point.board);
    if (board >= 0) return take(point, edge, step, { board, laid });
  }
  return null;
}

function speaksInTurn(node) {
  return data.tree.windows && edgesOf(node).some((edge) => wordOf(edge) === "silent");
}

function say(point, word) {
  if (point.over || kindOf(point) !== "decision") return null;
  const edge = edgesOf(point.node).find((one) => (SAME.get(word) ?? [word]).includes(wordOf(one)));
  if (edge === undefined || wordOf(edge) === "") return null;
  const seat = nodes[point.node][PLAYER];
  const said = wordOf(edge);
  const prefix = said !== "silent" && speaksInTurn(point.node) ? "ed"[seat] + ":" : "";
  return take(point, edge, { seat, word: said, spoken: prefix + said });
}

// Every direct choice at a point: words first, then cards from the strongest.
function choicesAt(point) {
  if (point.over) return [];
  const spoken = kindOf(point) === "decision" ? edgesOf(point.node).map(wordOf).filter(Boolean) : [];
  const said = spoken.map((word) => say(point, word));
  return [...said, ...ranks.map((_, rank) => play(point, rank))].filter(Boolean);
}

// What can come after one or more silences: what others may say, and the cards.
function choicesAfterSilence(point) {
  const found = [];
  for (let at = say(point, "silent"); at !== null && !at.over; ) {
    const next = say(at, "silent");
    found.push(...choicesAt(at).filter((one) => one.step.word !== "silent"));
    at = next;
  }
  return found;
}

function pathTo(point) {
  const path = [];
  for (let at = point; at !== null; at = at.before) path.unshift(at);
  return path;
}

// A history as `query --history` reads it; silence is written at the end only.
function historyOf(point) {
  const steps = pathTo(point).slice(1).map((one) => one.step);
  const last = steps.findLastIndex((step) => step.word !== "silent");
  return steps.filter((step, k) => k > last || step.word !== "silent").map((step) => step.spoken);
}

function apply(point, seat, word) {
  const rank = ranks.indexOf(word);
  for (let at = point; at !== null && !at.over; at = say(at, "silent")) {
    const after = rank >= 0 ? play(at, rank) : say(at, word);
    const mine = after !== null && (seat === null || after.step.seat === seat);
    if (mine) return after;
    if (after !== null && rank >= 0) return null;
  }
  return null;
}

const FRENCH = new Map([["R", "K"], ["D", "Q"], ["V", "J"], ["10", "T"]]);

function cardLabel(text) {
  const label = text.toUpperCase();
  const english = FRENCH.get(label);
  return ranks.includes(label) ? label : ranks.includes(english) ? english : null;
}

// The point after a history, as far as it can be, and the first word that cannot come there.
function walk(text) {
  let point = start();
  for (const token of text.split(/[\s,]+/).filter(Boolean)) {
    const seat = /^[ed]:/i.test(token) ? "ed".indexOf(token[0].toLowerCase()) : null;
    const bare = seat === null ? token : token.slice(2);
    const word = cardLabel(bare) ?? bare.toLowerCase();
    if (word === "refuse" && data.tree.refusals && point.before === null) continue;
    const after = apply(point, seat, word);
    if (after === null) return { point, wrong: token };
    point = after;
  }
  return { point, wrong: null };
}

// Who wins, and what the elder gets; null where three new cards follow.
function endOf(point) {
  const node = nodes[point.node];
  const last = point.step.rank;
  const shown = kindOf(point) === "show" && last !== undefined;
  const kind = shown ? Math.sign(point.lead - last) + 1 : 0;
  return { winner: node[WINNERS][kind], pays: node[PAYS][kind] };
}
