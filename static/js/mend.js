/* What was written is mended: the last own entry taken back with one tap, a deal in the wrong place. */
(() => {
  "use strict";
  const { scoresheet } = window;
  const { outbox, pad } = scoresheet ?? {};
  if (!outbox || !pad) return;
  const { page, body, sheet, words, cellOf, rowOf, TIMES } = scoresheet;

  /* ---- the last own entry ---- */

  const button = page.querySelector("[data-pad-undo]");
  let last = null; // {number, cells: [a td], version} of what this phone has written
  let forgetting = 0;

  const versionOf = (cells) => Math.max(...cells.map((cell) => Number(cell.dataset.version)));

  function draw() {
    const stands = last && last.cells.every((cell) => cell.isConnected) && versionOf(last.cells) === last.version;
    if (last && !stands) last = null; // somebody else wrote there, or the deal has moved
    button.hidden = !last;
    if (last) button.querySelector("span").textContent = words("undo", { number: last.number });
  }

  document.addEventListener("outbox:changed", ({ detail: { entry } }) => {
    if (entry.state !== "done") return;
    const number = Number(entry.place.split(".")[0]);
    const cells = Object.keys(entry.cells).map((column) => cellOf(number, column)).filter(Boolean);
    const version = cells.length ? versionOf(cells) : 0;
    last = version > Number(entry.base) ? { number, cells, version } : null; // else it stood there before
    clearTimeout(forgetting);
    forgetting = setTimeout(() => { last = null; draw(); }, TIMES.undo);
    draw();
  });
  document.addEventListener("sheet:changed", draw);

  button.addEventListener("click", async () => {
    if (!last) return;
    const { version } = last;
    last = null;
    draw();
    const { status, text } = await outbox.post(`${page.dataset.matchUrl}undo/`, { version, base: version, op: outbox.newOp() });
    const parts = status === 200 ? scoresheet.parse(text) : null;
    if (parts) {
      scoresheet.apply(parts);
    } else if (status >= 400 && status < 500) {
      scoresheet.ask(text);
    } else {
      if (!status) scoresheet.noSignal();
      scoresheet.tellUnsent(text);
    }
  });

  /* ---- the host: a tap on the number of a deal asks whether it stands in the wrong place ---- */

  const moves = document.getElementById("moves");
  if (!moves) return;
  const form = moves.querySelector("[data-moves]");
  const lastDeal = () => Number(document.getElementById("now").dataset.next) - 1;

  function openMoves(number) {
    const values = [...rowOf(number).querySelectorAll("[data-cell]")].map((cell) => cell.dataset.value ?? "–");
    moves.querySelector("[data-moves-deal]").textContent = words("dealHolds", { number, values: values.join(" : ") });
    form.action = `${page.dataset.matchUrl}r/${number}/deal/`;
    form.querySelector("[value=up]").disabled = number === 1;
    form.querySelector("[value=down]").disabled = number >= lastDeal();
    form.querySelector("a[href*=history]").href = `${page.dataset.matchUrl}history/?deal=${number}`;
    scoresheet.showPanel(moves);
  }

  sheet.addEventListener("click", (event) => {
    const row = event.target.closest("th")?.closest("tr[data-round]");
    if (!row || !body.contains(row) || scoresheet.isBusy()) return;
    const number = Number(row.dataset.round);
    if (number <= lastDeal()) openMoves(number);
  });
  form.addEventListener("htmx:configRequest", ({ detail }) => { detail.path = form.getAttribute("action"); });
})();
