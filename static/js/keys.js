/* The keys of the pad: which numbers a cell can hold, in which order, and how they look. */
(() => {
  "use strict";
  const { scoresheet } = window;
  const { page, words, nameOf, cellOf } = scoresheet ?? {};
  const pad = page?.querySelector("[data-pad]");
  if (!pad) return;
  const AT_MOST = 12, BESIDE_DIGITS = 6; // keys that write
  const box = pad.querySelector("[data-pad-chips]");
  const isTwo = page.classList.contains("two");
  const columns = isTwo ? ["A", "B"] : ["0", "1", "2", "3"];
  const shapeOf = (column) => (isTwo ? column : "ABCD"[column]);
  const notes = new Map([...document.querySelectorAll("#notes [data-note]")].map((n) => [n.dataset.note, n.textContent]));
  let shown = "";

  const usual = () => (pad.parentElement.dataset.values || "0").split(" ").map(Number);
  const isListed = ({ number, column, mode }) => mode === "cell" && Boolean(cellOf(number, column)?.dataset.only);

  /* Whether numbers are typed unless a person says otherwise: there are too many to tap. */
  const needDigits = (spot) => usual().length < 2 || !(isTwo || isListed(spot));

  /* What a cell can hold: what somebody worked out for it, then its own list, else what is usual;
     beside a number of the other side, 0. */
  function possible({ number, column, mode }) {
    if (mode === "row" && isTwo) return usual();
    const { only } = cellOf(number, column)?.dataset ?? {};
    if (only) return only.split(" ").map(Number);
    const other = isTwo ? cellOf(number, column === "A" ? "B" : "A")?.dataset.value : undefined;
    return Number(other) > 0 ? [0] : usual();
  }

  function offerOf({ number, column, mode }) {
    const offer = mode === "cell" ? cellOf(number, column)?.dataset.offer : undefined;
    return offer === undefined ? undefined : Number(offer);
  }

  /* What is offered, then the most usual row and the others, each rising. */
  function pick(values, most, offer) {
    if (offer !== undefined) return [offer, ...pick(values.filter((value) => value !== offer), most - 1)];
    const first = values.slice(0, most);
    const rising = (a, b) => a - b;
    if (isTwo || first.length <= 6) return first.sort(rising);
    return [...first.slice(0, 6).sort(rising), ...first.slice(6).sort(rising)];
  }

  /* The keys for a place; isHalves: a whole deal of two sides, a half of the keys for each. */
  function draw(spot, { isHalves, hasDigits }) {
    const offer = offerOf(spot);
    const values = isHalves ? usual() : possible(spot);
    const drawn = JSON.stringify([isHalves, hasDigits, values, spot.column, offer]);
    if (drawn === shown) return;
    shown = drawn;
    box.classList.toggle("halves", isHalves);
    if (isHalves) {
      delete box.dataset.count;
      box.replaceChildren(...columns.map(half), ...("tie" in page.dataset ? [tie()] : []));
      return;
    }
    const keys = pick(values, hasDigits ? BESIDE_DIGITS : AT_MOST, offer).map((value) => chip(value));
    box.dataset.count = keys.length;
    box.replaceChildren(...keys);
    if (offer !== undefined) markOffered(keys[0]);
  }

  function chip(value, side = "") {
    const key = document.createElement("button");
    key.type = "button";
    key.className = "key";
    key.dataset.chip = value;
    if (side) key.dataset.side = side;
    const face = document.createElement("span");
    face.textContent = value;
    if (notes.has(String(value))) face.append(small(notes.get(String(value))));
    key.append(face);
    return key;
  }

  const small = (text) => Object.assign(document.createElement("small"), { textContent: text });

  function markOffered(key) {
    key.dataset.offered = "";
    key.querySelector("small")?.remove();
    key.firstChild.append(small(words("workedOut")));
  }

  function half(side) {
    const part = document.createElement("div");
    part.className = `half ${shapeOf(side)}`;
    part.setAttribute("role", "group");
    part.setAttribute("aria-labelledby", `half-${side}`);
    const head = document.createElement("p");
    const mark = document.createElement("i");
    mark.className = "mark";
    const name = document.createElement("span");
    name.textContent = nameOf(side);
    name.dataset.name = side;
    name.id = `half-${side}`;
    head.append(mark, name);
    const grid = document.createElement("div");
    grid.append(...pick(usual().filter((value) => value > 0), 9).map((value) => chip(value, side)));
    part.append(head, grid);
    return part;
  }

  function tie() {
    const key = chip("0 : 0", "tie");
    key.classList.add("wide");
    return key;
  }

  scoresheet.keys = { columns, isTwo, shapeOf, usual, needDigits, draw };
})();
