// What is on the screen: the point, the way there, the choices, the hands.

let here = start();
let drawn = 0;

function choicesGroup(choices, title, rows) {
  const all = rows ? rows.reduce((sum, row) => sum + row.reach, 0) : 0;
  const group = make("div", { className: "choices" });
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", title);
  for (const after of choices) {
    const { step } = after;
    const button = make("button", { type: "button" });
    button.dataset.spoken = step.spoken;
    if (step.rank === undefined) button.append(swatch(step.word), make("b", { textContent: wordName(step, here) }));
    else button.append(make("span", { className: "card", textContent: cardName(step.rank) }));
    if (all > 0) {
      const share = rows.reduce((sum, row) => sum + row.reach * shareOf(row, step), 0) / all;
      button.append(make("span", { textContent: percent(share) }));
    }
    button.addEventListener("click", () => goTo(after));
    group.append(button);
  }
  return group;
}

// A word of a step, with the seat where it is not clear who speaks.
function wordName(step, from) {
  const turn = kindOf(from) === "decision" ? nodes[from.node][PLAYER] : step.seat;
  return turn === step.seat ? partName(step.word) : `${partName(step.word)} (${seatName(step.seat)})`;
}

function drawTrail() {
  const path = pathTo(here);
  element("steps").replaceChildren(...path.map((point) => {
    const line = make("li");
    const button = make("button", { type: "button" });
    const { step } = point;
    if (step === null) button.textContent = phrase("opening");
    else if (step.rank === undefined) button.append(`${partName(step.word)} `, make("small", { textContent: seatName(step.seat) }));
    else button.append(make("b", { textContent: cardName(step.rank) }), " ", make("small", { textContent: seatName(step.seat) }));
    if (point === here) button.setAttribute("aria-current", "step");
    button.addEventListener("click", () => goTo(point));
    line.append(button);
    return line;
  }));
  element("back").disabled = here.before === null;
}

// The cards on the table, trick by trick, with the winner of each.
function drawTricks() {
  const laid = pathTo(here).map((point) => point.step).filter((step) => step?.rank !== undefined);
  const tricks = [];
  for (let k = 0; k < laid.length; k += 2) tricks.push(laid.slice(k, k + 2));
  element("tricks").replaceChildren(...tricks.map((cards, k) => {
    const figure = make("figure");
    for (const step of cards) {
      const one = make("span", { className: "laid" });
      one.append(make("small", { textContent: seatName(step.seat) }), make("span", { className: "card", textContent: cardName(step.rank) }));
      figure.append(one);
    }
    figure.append(make("figcaption", { textContent: `${phrase("trick", { number: k + 1 })} ${trickEnd(cards)}` }));
    return figure;
  }));
}

function trickEnd(cards) {
  if (cards.length < 2) return "";
  const [lead, other] = cards;
  if (lead.rank === other.rank) return phrase("spoiled");
  return phrase("taken", { seat: seatName(lead.rank < other.rank ? lead.seat : other.seat) });
}

const stakeName = (stake) => (typeof stake === "number" ? phrase(stake === 1 ? "point" : "points", { number: stake }) : phrase("stake " + stake));

function standing(rows) {
  const [stake, asked] = [nodes[here.node][STAKE], nodes[here.node][ASKED]];
  const parts = [phrase("stake", { stake: stakeName(stake) })];
  if (asked !== null) parts.push(phrase("asked", { stake: stakeName(asked) }));
  if (rows) parts.push(phrase("reached", { share: tiny(rows.reduce((sum, row) => sum + row.reach, 0)) }));
  return parts.join(settings.lang === "fr" ? "\u00a0; " : "; ") + ".";
}

function drawEnd() {
  const { winner, pays } = endOf(here);
  element("where").textContent = winner === DRAWN ? phrase("drawn") : phrase("won", { seat: seatName(winner) });
  const zero = data.unit === "points" ? 0 : 1;
  element("standing").textContent = pays === null
    ? phrase("new cards")
    : phrase("pays", { elder: worth(pays), dealer: worth(zero - pays), unit: phrase("unit") });
  element("choices").replaceChildren();
}

function heading() {
  const kind = kindOf(here);
  if (kind === "reveal") return phrase("shows", { seat: seatName(nodes[here.node][LEADER]) });
  if (kind === "show") return phrase("lays", { seat: seatName(1 - nodes[here.node][LEADER]) });
  const asked = nodes[here.node][ASKED] !== null;
  return phrase(asked ? "answers" : "acts", { seat: seatName(nodes[here.node][PLAYER]) });
}

function drawPoint(rows) {
  drawTrail();
  drawTricks();
  if (here.over) return drawEnd();
  element("where").textContent = heading();
  element("standing").textContent = standing(rows);
  const choices = choicesAt(here);
  const quiet = choicesAfterSilence(here);
  const groups = choices.length ? [choicesGroup(choices, phrase("choices"), rows)] : [];
  if (quiet.length) groups.push(make("p", { textContent: phrase("quiet") }), choicesGroup(quiet, phrase("quiet"), null));
  element("choices").replaceChildren(...groups);
}

async function drawHands() {
  const number = ++drawn;
  const at = here;
  const acts = !at.over && kindOf(at) === "decision" ? nodes[at.node][PLAYER] : -1;
  const seat = settings.seat ?? (acts >= 0 ? acts : 0);
  const rows = await rowsAt(at);
  const strategy = seat === acts;
  const shown = strategy ? rows : await rangeAt(at, seat);
  if (number !== drawn) return;
  drawPoint(rows);
  for (const button of element("seats").children) {
    const one = Number(button.dataset.seat);
    button.textContent = phrase(one === acts ? "strategy of" : "range of", { seat: seatName(one) });
    button.setAttribute("aria-pressed", String(one === seat));
    if (one === seat) element("table").setAttribute("aria-label", button.textContent);
  }
  const some = shown !== null && shown.length > 0;
  element("explained").textContent = some ? phrase(strategy ? "explain strategy" : "explain range") : missing(at);
  for (const id of ["filters", "legend", "scroll"]) element(id).hidden = !some;
  if (!some) return;
  element("under").hidden = !strategy;
  element("betting").hidden = !canBet(shown);
  const columns = strategy ? strategyColumns(shown) : rangeColumns();
  drawTable(shown, columns);
  drawLegend(strategy ? columns : []);
  document.body.dataset.ready = historyOf(at).join(",");
}

function missing(point) {
  const why = phrase("missing", { least: tiny(data.least) });
  const decides = !point.over && kindOf(point) === "decision";
  return decides ? `${why} ${phrase("ask", { history: historyOf(point).join(" ") })}` : why;
}

function goTo(point, { focus = true } = {}) {
  here = point;
  settings.seat = null;
  element("problem").hidden = true;
  const hash = "#" + historyOf(point).join(",");
  if (decodeURIComponent(location.hash || "#") !== hash) history.pushState(null, "", hash);
  return drawAll().then(() => focus && element("where").focus());
}

function fromAddress() {
  const { point, wrong } = walk(decodeURIComponent(location.hash.slice(1)));
  here = point;
  settings.seat = null;
  element("problem").hidden = wrong === null;
  if (wrong !== null) element("problem").textContent = phrase("wrong", { word: wrong });
  return drawAll();
}

function drawAll() {
  delete document.body.dataset.ready;
  return drawHands().catch((error) => {
    element("problem").hidden = false;
    element("problem").textContent = phrase(typeof DecompressionStream === "undefined" ? "old browser" : "damaged");
    if (typeof DecompressionStream !== "undefined") throw error;
  }).finally(() => (document.body.dataset.ready ??= historyOf(here).join(",")));
}

function drawFrame() {
  const root = document.documentElement;
  root.lang = settings.lang;
  root.dataset.theme = settings.theme;
  element("title").textContent = document.title = text.title;
  element("facts").textContent = text.facts;
  for (const one of document.querySelectorAll("[data-text]")) one.textContent = phrase(one.dataset.text);
  for (const one of document.querySelectorAll("[data-label]")) one.setAttribute("aria-label", phrase(one.dataset.label));
  for (const one of document.querySelectorAll("#languages button, #themes button")) {
    const pressed = one.dataset.lang === settings.lang || one.dataset.theme === settings.theme;
    one.setAttribute("aria-pressed", String(pressed));
  }
  element("notes").replaceChildren(...text.notes.map((note) => make("li", { textContent: note })));
}

function listen() {
  const redraw = () => drawAll();
  const choose = (change) => () => {
    change();
    remember();
    drawFrame();
    return drawAll();
  };
  for (const one of element("languages").children) one.addEventListener("click", choose(() => setLanguage(one.dataset.lang)));
  for (const one of element("themes").children) one.addEventListener("click", choose(() => (settings.theme = one.dataset.theme)));
  for (const one of element("seats").children) {
    one.addEventListener("click", () => {
      settings.seat = Number(one.dataset.seat);
      redraw();
    });
  }
  element("search").addEventListener("input", (event) => redraw((settings.search = event.target.value.trim())));
  element("bettors").addEventListener("change", (event) => redraw((settings.bettors = event.target.checked)));
  element("often").addEventListener("change", (event) => redraw((settings.often = event.target.checked)));
  element("below").addEventListener("change", (event) => redraw((settings.below = event.target.value)));
  element("filters").addEventListener("submit", (event) => event.preventDefault());
  element("back").addEventListener("click", () => here.before && goTo(here.before));
  element("skip").addEventListener("click", (event) => {
    event.preventDefault();
    element("whose").focus();
  });
  addEventListener("popstate", fromAddress);
  addEventListener("keydown", pressed);
}

// "/" searches, "b" goes back, "h" goes to the hands; arrows move along a group of buttons.
function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = ["INPUT", "SELECT"].includes(event.target.tagName) && event.target.type !== "checkbox";
  const group = event.target.closest?.("[role=group]");
  const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (move && group) {
    const all = [...group.querySelectorAll("button")];
    all[(all.indexOf(event.target) + move + all.length) % all.length].focus();
  } else if (!typing && event.key === "/") element("search").focus();
  else if (!typing && event.key === "b" && here.before) goTo(here.before);
  else if (!typing && event.key === "h") element("whose").focus();
  else if (event.target.id === "search" && event.key === "Escape") {
    event.target.value = settings.search = "";
    drawAll();
  } else return;
  event.preventDefault();
}

drawFrame();
listen();
fromAddress();
