// Unpacks the figures of a node when a reader first comes to it (see figures.py for their layout).

const CODE = data.codes;
const packed = document.getElementById("figures").textContent.trim().split("\n");
const unpacked = new Map();

async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function readNode(bytes) {
  const view = new DataView(bytes.buffer);
  const points = view.getUint32(0, true);
  const first = new Map();
  let rows = 0;
  for (let k = 0; k < points; k++) {
    const count = view.getUint16(4 + 4 * points + 2 * k, true);
    first.set(view.getUint32(4 + 4 * k, true), [rows, count]);
    rows += count;
  }
  const head = 4 + 6 * points;
  const columns = (bytes.length - head) / (2 * rows);
  const code = (column, row) => {
    const low = head + 2 * rows * column + row;
    return bytes[low] | (bytes[low + rows] << 8);
  };
  return { first, columns, code };
}

function figuresOf(node) {
  const line = data.lines[node];
  if (line === undefined) return Promise.resolve(null);
  if (!unpacked.has(node)) unpacked.set(node, inflate(packed[line]).then(readNode));
  return unpacked.get(node);
}

const fromLog = (code) => (code === 0 ? 0 : 10 ** (code / CODE.perDecade - CODE.decades));

// Cards of every hand by its number, strongest first.
const HANDS = ranks.flatMap((_, a) =>
  ranks.slice(a).flatMap((_, b) => ranks.slice(a + b).map((_, c) => [a, a + b, a + b + c])));
const strength = [];
data.tree.order.forEach((hand, place) => (strength[hand] = place));

function without(cards, laid) {
  const rest = [...cards];
  for (const card of laid) {
    const place = rest.indexOf(card);
    if (place >= 0) rest.splice(place, 1);
  }
  return rest;
}

const holds = (cards, laid) => without(cards, laid).length === cards.length - laid.length;

// The rows of the side that acts at a point, null where the page carries none.
async function rowsAt(point) {
  if (point.over || kindOf(point) !== "decision") return null;
  const figures = await figuresOf(point.node);
  const shown = point.lead >= 0;
  const place = shown ? point.board * ranks.length + point.lead : point.board;
  const [first, count] = figures?.first.get(place) ?? [0, 0];
  if (!count) return null;
  const seat = nodes[point.node][PLAYER];
  const said = edgesOf(point.node).map(wordOf).filter(Boolean);
  return Array.from({ length: count }, (_, k) => readRow(figures, first + k, said, point.laid[seat]));
}

function readRow(figures, row, said, laid) {
  const [hand, reach, arrival, best, spent] = [0, 1, 2, 3, 4].map((column) => figures.code(column, row));
  const number = hand & (CODE.rare - 1);
  const held = [...new Set(without(HANDS[number], laid))];
  const known = best !== CODE.nothing;
  const places = held.length > 2 ? ["high", "middle", "low"] : ["high", "low"];
  const actions = [];
  for (let column = 5; column + 1 < figures.columns; column += 2) {
    const [often, lost] = [figures.code(column, row), figures.code(column + 1, row)];
    const k = (column - 5) / 2;
    if (often === CODE.nothing) continue;
    const card = k - said.length;
    actions.push({
      part: card < 0 ? said[k] : places[card],
      rank: card < 0 ? -1 : held[card],
      share: (often & (CODE.close - 1)) / 1000,
      close: (often & CODE.close) > 0,
      loss: lost === CODE.nothing ? NaN : lost * CODE.step,
      ev: known && lost !== CODE.nothing ? (best - CODE.zero - lost) * CODE.step : NaN,
    });
  }
  const losses = actions.map((one) => one.loss).filter((one) => !Number.isNaN(one)).sort((a, b) => a - b);
  return {
    hand: number,
    rare: (hand & CODE.rare) > 0,
    indifferent: actions.some((one) => one.close),
    reach: fromLog(reach),
    arrival: fromLog(arrival),
    value: known ? (best - CODE.zero - spent) * CODE.step : NaN,
    edge: losses.length > 1 ? losses[1] : NaN,
    best: actions.find((one) => one.loss === 0)?.part ?? "",
    actions,
  };
}

// How often a side's hands have said and laid all that they did on the way here; null where figures are missing.
async function ownReach(point, side) {
  const own = HANDS.map((cards) => (holds(cards, point.laid[side]) ? 1 : 0));
  const path = pathTo(point);
  for (let k = 1; k < path.length; k++) {
    const { step, before } = path[k];
    if (step.seat !== side || kindOf(before) !== "decision") continue;
    const rows = await rowsAt(before);
    if (rows === null) return null;
    const share = new Map(rows.map((row) => [row.hand, shareOf(row, step)]));
    own.forEach((much, hand) => (own[hand] = much * (share.get(hand) ?? 0)));
  }
  return own;
}

function shareOf(row, step) {
  const same = (one) => (step.rank === undefined ? one.part === step.word : one.rank === step.rank);
  return row.actions.find(same)?.share ?? 0;
}

const choose = (n, k) => (k > n ? 0 : k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k);
const countOf = (cards, rank) => cards.filter((card) => card === rank).length;
const COUNTS = HANDS.map((cards) => ranks.map((_, rank) => countOf(cards, rank)));

// In how many ways two hands are dealt together.
function dealt(one, other) {
  return copies.reduce(
    (ways, copy, r) => ways * choose(copy, COUNTS[one][r]) * choose(copy - COUNTS[one][r], COUNTS[other][r]), 1);
}

// Every hand the side may hold: how likely by now, how likely by the cards alone, how often it plays this way.
async function rangeAt(point, side) {
  const own = await ownReach(point, side);
  const rival = await ownReach(point, 1 - side);
  if (own === null || rival === null) return null;
  const may = HANDS.map((_, hand) => hand).filter((hand) => holds(HANDS[hand], point.laid[side]));
  const facing = HANDS.map((_, hand) => hand).filter((hand) => holds(HANDS[hand], point.laid[1 - side]));
  const rows = may.map((hand) => {
    const ways = facing.map((other) => dealt(hand, other));
    const now = ways.reduce((sum, much, k) => sum + much * rival[facing[k]], 0) * own[hand];
    return { hand, now, dealt: ways.reduce((sum, much) => sum + much, 0), own: own[hand], actions: [] };
  }).filter((row) => row.dealt > 0);
  const [now, all] = ["now", "dealt"].map((key) => rows.reduce((sum, row) => sum + row[key], 0));
  return rows.map((row) => ({ ...row, now: now > 0 ? row.now / now : NaN, dealt: row.dealt / all }));
}
