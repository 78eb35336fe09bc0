// The table of hands: which columns there are, which rows are shown, in which order.

const DIGITS = Math.max(0, Math.round(-Math.log10(CODE.step)));

const decimal = (text) => (settings.lang === "fr" ? text.replace(".", ",") : text);
const percent = (share, digits = 1) =>
  Number.isNaN(share) ? "–" : decimal((100 * share).toFixed(digits)) + (settings.lang === "fr" ? "\u00a0%" : "%");

function worth(value, signed = data.unit === "points") {
  if (Number.isNaN(value)) return "–";
  const text = Math.abs(value).toFixed(DIGITS);
  const sign = value < 0 && Number(text) > 0 ? "−" : signed ? "+" : "";
  return sign + decimal(text);
}

function tiny(share) {
  if (share === 0) return "0";
  if (share >= 0.001) return percent(share, share < 0.1 ? 2 : 1);
  const [digits, exponent] = share.toExponential(1).split("e");
  return `${decimal(digits)}·10${[...exponent].map((one) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[one] ?? "⁻").join("")}`;
}

const cardName = (rank) => text.cards[rank];
const handName = (hand) => HANDS[hand].map(cardName).join(" ");
const partName = (part) => text.parts[part] ?? part;
const seatName = (seat) => phrase("seat " + seat);
const isBet = (part) => data.tree.bets.includes(part);

const betShare = (row) => row.actions.reduce((sum, one) => sum + (isBet(one.part) ? one.share : 0), 0);
const actionOf = (row, part) => row.actions.find((one) => one.part === part);

// Columns are {key, name, sort(row), cell(row) → <td>}.
function strategyColumns(rows) {
  const order = [...new Set(rows.flatMap((row) => row.actions.map((one) => one.part)))];
  const places = ["high", "middle", "low"];
  const parts = [...order.filter((part) => !places.includes(part)), ...places.filter((part) => order.includes(part))];
  return [
    handColumn(),
    ...parts.map((part) => ({
      key: part, name: partName(part), sort: (row) => actionOf(row, part)?.share ?? -1,
      cell: (row) => actionCell(actionOf(row, part)),
    })),
    { key: "value", name: phrase("value"), sort: (row) => row.value, cell: (row) => cell(worth(row.value)) },
    { key: "edge", name: phrase("edge"), sort: (row) => row.edge, cell: (row) => cell(worth(row.edge, false)) },
    { key: "reach", name: phrase("reach"), sort: (row) => row.reach, cell: (row) => cell(tiny(row.reach)) },
    { key: "arrival", name: phrase("arrival"), sort: (row) => row.arrival, cell: (row) => cell(tiny(row.arrival)) },
    { key: "marks", name: phrase("marks"), sort: (row) => -(2 * row.rare + row.indifferent), cell: marksCell, text: true },
  ];
}

function rangeColumns() {
  return [
    handColumn(),
    { key: "now", name: phrase("now"), sort: (row) => row.now, cell: (row) => shareCell(row.now) },
    { key: "dealt", name: phrase("dealt"), sort: (row) => row.dealt, cell: (row) => cell(percent(row.dealt, 2)) },
    { key: "own", name: phrase("own"), sort: (row) => row.own, cell: (row) => cell(percent(row.own)) },
  ];
}

const handColumn = () => ({ key: "hand", name: phrase("hand"), sort: (row) => -strength[row.hand], cell: handCell });

function cell(content, className = "") {
  return make("td", { className, textContent: content });
}

function shareCell(share) {
  const found = cell(percent(share, 2), "action");
  paint(found, share > 0 ? Math.min(1, share * 20) : 0, "high");
  return found;
}

function paint(element, share, part) {
  element.style.setProperty("--share", String(share));
  element.style.setProperty("--colour", data.colours[part]);
}

function actionCell(action) {
  if (action === undefined) return cell("");
  const card = action.rank >= 0 ? `${cardName(action.rank)} ` : "";
  const found = cell("", action.loss === 0 ? "action best" : "action");
  paint(found, action.share, action.part);
  found.dataset.part = action.part;
  found.dataset.share = action.share.toFixed(3);
  const below = settings.below === "loss" ? worth(action.loss, false) : worth(action.ev);
  found.append(card + percent(action.share), make("small", { textContent: (action.close ? "≈ " : "") + below }));
  return found;
}

function marksCell(row) {
  const marks = [row.indifferent && phrase("indifferent"), row.rare && phrase("rare")].filter(Boolean);
  return cell(marks.join("; "), "text");
}

function handCell(row) {
  const found = make("th", { scope: "row", textContent: handName(row.hand) });
  found.dataset.hand = HANDS[row.hand].map((rank) => ranks[rank]).join(" ");
  if (row.actions.length) {
    const bar = make("div", { className: "bar" });
    bar.setAttribute("aria-hidden", "true");
    for (const action of row.actions.filter((one) => one.share > 0)) {
      const piece = make("i");
      piece.style.width = `${100 * action.share}%`;
      piece.style.background = data.colours[action.part];
      bar.append(piece);
    }
    found.append(bar);
  }
  return found;
}

function sortedRows(rows, columns) {
  const column = columns.find((one) => one.key === settings.sort) ?? columns[0];
  const sign = settings.descending ? -1 : 1;
  const keyed = rows.map((row) => [column.sort(row), row]);
  keyed.sort(([a, one], [b, other]) => {
    const last = Number.isNaN(a) - Number.isNaN(b);
    return last || sign * (a - b || 0) || strength[one.hand] - strength[other.hand];
  });
  return keyed.map(([, row]) => row);
}

// Cards of a search such as "7 8" or "R D": null for a text that is none.
function searched(wanted) {
  const cards = [];
  for (let rest = wanted.replace(/[\s,]+/g, ""); rest !== ""; ) {
    const size = [3, 2, 1].find((length) => rest.length >= length && cardLabel(rest.slice(0, length)) !== null);
    if (size === undefined) return null;
    cards.push(ranks.indexOf(cardLabel(rest.slice(0, size))));
    rest = rest.slice(size);
  }
  return cards;
}

function filteredRows(rows) {
  const cards = searched(settings.search);
  if (cards === null) return [];
  return rows.filter((row) =>
    holds(HANDS[row.hand], cards) &&
    (!settings.bettors || !canBet(rows) || betShare(row) >= 0.001) &&
    (!settings.often || !(row.rare ?? row.own < 0.001)));
}

const canBet = (rows) => rows.some((row) => row.actions.some((one) => isBet(one.part)));

function drawTable(rows, columns) {
  const shown = sortedRows(filteredRows(rows), columns);
  const wrong = searched(settings.search) === null;
  element("count").textContent = wrong
    ? phrase("no card", { search: settings.search })
    : phrase("count", { shown: shown.length, all: rows.length });
  const heads = make("tr");
  for (const column of columns) heads.append(headCell(column));
  element("table").tHead.replaceChildren(heads);
  element("table").tBodies[0].replaceChildren(...shown.map((row) => {
    const line = make("tr", { className: row.rare ? "rare" : "" });
    line.append(...columns.map((column) => column.cell(row)));
    return line;
  }));
}

function headCell(column) {
  const head = make("th", { scope: "col", className: column.text ? "text" : "" });
  const sorted = settings.sort === column.key;
  head.setAttribute("aria-sort", sorted ? (settings.descending ? "descending" : "ascending") : "none");
  const button = make("button", { type: "button", textContent: column.name });
  button.dataset.sort = column.key;
  button.addEventListener("click", () => {
    settings.descending = sorted ? !settings.descending : true;
    settings.sort = column.key;
    drawAll().then(() => document.querySelector(`[data-sort="${column.key}"]`)?.focus());
  });
  head.append(button);
  return head;
}

function drawLegend(columns) {
  const parts = columns.filter((column) => column.key in data.colours);
  element("legend").replaceChildren(...parts.map((column) => {
    const line = make("li");
    line.append(swatch(column.key), column.name);
    return line;
  }));
}

function swatch(part) {
  const found = make("span", { className: "swatch" });
  found.style.background = data.colours[part];
  found.setAttribute("aria-hidden", "true");
  return found;
}
