/* The one pad at the bottom. Nothing is fetched to open it: round, column,
   value and base come from the cell. Resting, it waits on the lowest open cell of the own column. */
(() => {
  "use strict";
  const { scoresheet } = window;
  const { outbox, keys: keypad, answers } = scoresheet ?? {};
  if (!answers) return;
  const { page, body, sheet, words, nameOf, cellOf, rowOf, isOpen } = scoresheet;
  const { columns, isTwo, shapeOf, usual } = keypad;
  const LOCK = 600, LOCK_UNANSWERED = 1500; // milliseconds after a write in which more taps are the same tap
  const isHost = page.dataset.role === "host";
  /* A host's tap opens the whole deal, unless the host sits and another phone has a seat. */
  const wholeRows = () => isHost
    && !("sits" in page.dataset && Number(document.getElementById("now").dataset.seated) > 1);
  const may = page.dataset.may.split(" ").filter(Boolean);
  const mayWrite = (column) => may.includes(column) && (isOpen() || isHost);

  const pad = page.querySelector("[data-pad]");
  const part = (name) => pad.querySelector(`[data-pad-${name}]`);
  const [input, chips, keys] = ["value", "chips", "keys"].map((name) => part(name));
  const slate = page.querySelector(".slate");
  part("scored").textContent = words(isTwo ? "scoredTwo" : "scoredOne");
  if (!isHost) part("row").remove();

  /* Where the pad stands: {number, column, mode, isBusy, isSent, isSided, base, rowBase, drafts, digits}.
     Busy: a person has begun something here, so nothing moves the pad but that person.
     Sided: a whole deal of two sides, and the tap on a cell has said whose points they are. */
  let spot = null;
  scoresheet.isBusy = () => Boolean(spot?.isBusy) || Boolean(document.getElementById("settle")?.open);

  const isAt = (place) => spot !== null && placeOf(spot) === place;
  const placeOf = ({ mode, number, column }) => (mode === "row" ? String(number) : `${number}.${column}`);
  const isHalved = () => spot.mode === "row" && isTwo && !spot.isSided && !spot.digits && usual().length > 1;
  const valueOf = (number, column) => cellOf(number, column)?.dataset.value;

  /* ---- where it stands ---- */

  function stand(next) {
    leave();
    spot = next;
    if (spot) {
      spot.base = cellOf(spot.number, spot.column)?.dataset.version ?? "0";
      spot.rowBase = rowOf(spot.number)?.dataset.version ?? "0";
      spot.drafts ??= {};
      input.value = spot.drafts[spot.column] ?? "";
    }
    render();
  }

  function leave() {
    for (const cell of body.querySelectorAll("[data-cell]:is([data-editing], [data-draft])")) {
      delete cell.dataset.editing;
      delete cell.dataset.draft;
      delete cell.querySelector("a")?.dataset.draft;
      scoresheet.release(cell);
    }
    answers.clear();
    input.removeAttribute("aria-invalid");
    keyboard(false);
    forgetDraft();
  }

  /* Rest on the lowest open cell of the own column; for a host who keeps the sheet, of any. */
  function rest() {
    if (spot?.isBusy || spot?.isSent) return;
    let found = null;
    if (isOpen()) {
      for (const row of body.querySelectorAll("tr[data-round]")) {
        const open = [...row.querySelectorAll('[data-cell][data-state="open"]')].map((cell) => cell.dataset.cell.split(".")[1]);
        const column = wholeRows() ? open[0] : open.find((one) => one === page.dataset.own);
        if (column) {
          found = { number: Number(row.dataset.round), column, mode: wholeRows() ? "row" : "cell" };
          break;
        }
      }
    }
    scoresheet.unspace();
    if (found && spot && found.number === spot.number && found.column === spot.column && found.mode === spot.mode) {
      render();
      return;
    }
    stand(found);
  }

  function open(number, column, more = {}) {
    stand({ number, column, mode: wholeRows() ? "row" : "cell", isBusy: true, isSided: isTwo && !more.mode, ...more });
    keepDraft();
    answers.showHere();
    bringIntoView();
    input.focus({ preventScroll: true });
  }

  /* By a key, focus goes back to the cell; a thumb needs none. */
  function close({ byKey = false } = {}) {
    const link = spot && cellOf(spot.number, spot.column)?.querySelector("a");
    if (spot) spot.isBusy = spot.isSent = false;
    stand(null);
    rest();
    if (byKey) link?.focus({ preventScroll: true });
  }

  /* The cell between totals and pad, be it the sheet or the whole page that scrolls. */
  function bringIntoView() {
    const flows = getComputedStyle(sheet).overflowY === "visible";
    if (flows && !spot.isBusy) { pad.scrollIntoView({ block: "end" }); return; }
    const cell = cellOf(spot.number, spot.column)?.getBoundingClientRect();
    if (!cell) return;
    const frame = sheet.getBoundingClientRect();
    const top = flows ? slate.getBoundingClientRect().bottom : frame.top;
    const bottom = flows ? pad.getBoundingClientRect().top : frame.bottom;
    const scroller = flows ? document.body : sheet;
    if (cell.top < top) scroller.scrollTop -= top - cell.top;
    else if (cell.bottom > bottom) scroller.scrollTop += cell.bottom - bottom;
  }

  /* ---- how it looks ---- */

  function render() {
    pad.querySelector("form").hidden = !spot;
    page.toggleAttribute("data-busy", Boolean(spot?.isBusy));
    answers.showOthers();
    if (!spot) return;
    const { number, column, mode } = spot;
    const isHalves = isHalved();
    pad.dataset.padCell = placeOf(spot);
    pad.className = `pad ${isHalves ? "" : shapeOf(column)}`;
    part("mark").hidden = isHalves;
    part("who").textContent = isHalves ? words("whole") : nameOf(column);
    part("scored").hidden = isHalves;
    renderDeal();
    renderKeys(isHalves);
    const cell = cellOf(number, column);
    for (const one of body.querySelectorAll("[data-editing]")) if (!isActive(one)) delete one.dataset.editing;
    for (const one of rowOf(number)?.querySelectorAll("[data-cell]") ?? []) {
      if (isActive(one)) one.dataset.editing = spot.isBusy ? "busy" : "resting";
    }
    const isRow = mode === "row";
    const blanks = columns.filter((one) => !spot.drafts[one] && valueOf(number, one) === undefined);
    part("clear").hidden = isRow || !(cell?.dataset.entry ?? cell?.dataset.value);
    part("others").hidden = !isRow || isHalves || !Object.values(spot.drafts).some(Boolean) || !blanks.length;
    const details = part("details");
    details.hidden = isRow || cell?.dataset.value === undefined;
    details.href = cell?.querySelector("a").href ?? "";
    const row = part("row");
    if (row) {
      row.hidden = wholeRows() && !isTwo;
      row.setAttribute("aria-pressed", String(isRow));
    }
    part("close").hidden = !spot.isBusy;
    part("ok").hidden = !keys.hidden || input.value.trim() === "";
    const hasDigits = !keys.hidden || isKeyboard();
    part("digits").hidden = hasDigits || !part("ok").hidden;
    part("keyboard").hidden = !hasDigits;
    part("keyboard").setAttribute("aria-pressed", String(isKeyboard()));
    pad.toggleAttribute("data-digits", hasDigits);
    pad.toggleAttribute("data-locked", Boolean(spot.isSent));
  }

  function isActive(cell) {
    const [number, column] = cell.dataset.cell.split(".");
    if (Number(number) !== spot.number) return false;
    return column === spot.column || isHalved();
  }

  function renderDeal() {
    const { number } = spot;
    const hasBegun = [...body.querySelectorAll("tr[data-round]")].some((row) =>
      Number(row.dataset.round) > number && row.querySelector("[data-value]"));
    const value = spot.mode === "cell" ? cellOf(number, spot.column)?.dataset.was : undefined;
    const was = value === undefined ? "" : ` · ${words("was", { value })}`;
    part("deal").textContent = words(hasBegun ? "dealBegun" : "deal", { number, next: number + 1 }) + was;
    pad.toggleAttribute("data-begun", hasBegun);
  }

  function renderKeys(isHalves) {
    const hasDigits = spot.digits ?? keypad.needDigits(spot);
    keys.hidden = !hasDigits || isKeyboard();
    keypad.draw(spot, { isHalves, hasDigits });
  }

  /* ---- what a tap does ---- */

  function choose(key) {
    if (!spot || spot.isSent) return;
    const { chip: value, side } = key.dataset;
    if (side) {
      write(Object.fromEntries(columns.map((one) => [one, one === side ? value : "0"])), "row");
    } else if (spot.mode === "row" && isTwo && !spot.digits && usual().length > 1) {
      const other = spot.column === "A" ? "B" : "A";
      write(Number(value) > 0 ? { [spot.column]: value, [other]: "0" } : { [spot.column]: value }, "row");
    } else if (spot.mode === "row") {
      draft(value);
      advance();
    } else {
      write({ [spot.column]: value }, "cell");
    }
  }

  function write(cells, mode) {
    const place = placeOf({ ...spot, mode });
    if (outbox.isUnderWay(place)) return;
    const cell = cellOf(spot.number, spot.column);
    const before = outbox.get(place);
    const isSame = before?.state === "failed" && JSON.stringify(before.cells) === JSON.stringify(cells);
    const base = mode === "row"
      ? (spot.isBusy ? spot.rowBase : rowOf(spot.number).dataset.version)
      : (spot.isBusy ? spot.base : cell.dataset.version);
    const address = `${page.dataset.matchUrl}r/${spot.number}/${mode === "row" ? "" : `${spot.column}/`}`;
    send({ place, cells, url: address, base: isSame ? before.base : base, op: isSame ? before.op : undefined });
  }

  function send(entry) {
    const { number, column, mode, isSided } = spot;
    spot.isBusy = false;
    stand({ number, column, mode, isSided, isSent: true, until: Date.now() + LOCK });
    if (!outbox.put(entry)) { spot.isSent = false; render(); return; }
    feel();
    goOn(entry.place);
  }

  /* The thumb feels that its number was taken, where a phone can do that and nobody minds. */
  function feel() {
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) navigator.vibrate?.(10); // milliseconds
  }

  /* The outbox has a cell's number: the pad goes on, with or without an answer. */
  function goOn(place) {
    if (place.includes(".")) unlock(place, scoresheet.hasSignal() ? LOCK_UNANSWERED - LOCK : 0);
  }

  function unlock(place, more = 0) {
    const sent = spot;
    setTimeout(() => {
      if (spot === sent && sent.isSent && placeOf(sent) === place) { sent.isSent = false; rest(); }
    }, Math.max(0, (spot.until ?? 0) - Date.now()) + more);
  }

  /* Typed text: kept by column, shown in the cell, and again after a reload. */
  function draft(text) {
    if (!spot.isBusy) {
      spot.isBusy = true;
      spot.base = cellOf(spot.number, spot.column)?.dataset.version ?? "0";
      spot.rowBase = rowOf(spot.number)?.dataset.version ?? "0";
    }
    spot.isSent = false;
    delete spot.trouble;
    if (input.value !== text) input.value = text;
    spot.drafts[spot.column] = text;
    const cell = cellOf(spot.number, spot.column);
    if (cell) {
      for (const one of [cell, cell.querySelector("a")]) {
        if (text === "") delete one.dataset.draft;
        else one.dataset.draft = text;
      }
    }
    keepDraft();
    render();
  }

  function turnTo(column) {
    spot.column = column;
    input.value = spot.drafts[column] ?? "";
    render();
  }

  function advance() {
    const from = columns.indexOf(spot.column);
    const order = [...columns.slice(from + 1), ...columns.slice(0, from)];
    const next = order.find((one) => !spot.drafts[one] && valueOf(spot.number, one) === undefined);
    if (next) turnTo(next);
  }

  function submit() {
    if (!spot || spot.isSent) return;
    if (spot.mode === "row") {
      const cells = Object.fromEntries(columns.filter((one) => spot.drafts[one]?.trim()).map((one) => [one, spot.drafts[one]]));
      const [only, ...more] = Object.keys(cells);
      if (isTwo && only && !more.length && Number(cells[only]) > 0) {
        cells[only === "A" ? "B" : "A"] = "0"; // one side scores, so the other has nothing
      }
      if (only) write(cells, "row");
    } else if (input.value.trim() !== "") {
      write({ [spot.column]: input.value }, "cell");
    }
  }

  function press(key) {
    if (key === "ok") return;
    if (spot.isSent) return;
    draft(key === "erase" ? input.value.slice(0, -1) : input.value + key);
  }

  /* Working a hand out: script and style come with the first tap, so that a sheet opens sooner. */
  let coming = null;
  async function workOut(number) {
    const { script, style } = scoresheet.given.hand;
    const { fetched, htmx } = scoresheet;
    coming ??= Promise.all([htmx(), fetched("link", { rel: "stylesheet", href: style }), fetched("script", { src: script })]);
    try {
      await coming;
    } catch {
      coming = null;
      scoresheet.tellUnsent();
      return;
    }
    scoresheet.workOut(number);
  }

  /* The phone's own keyboard: a tap on the box or on its button brings it. */
  const isKeyboard = () => input.inputMode !== "none";
  function keyboard(isOn) {
    input.inputMode = isOn ? "numeric" : "none";
  }

  function turnKeyboard(isOn) {
    keyboard(isOn);
    spot.isBusy = true;
    input.blur();
    input.focus({ preventScroll: true });
    render();
    if (isOn) bringIntoView();
  }

  /* ---- what is open survives a reload, with the versions it was begun on ---- */

  const draftKey = `draft ${page.dataset.matchUrl}`;
  function keepDraft() {
    try {
      const { number, column, mode, drafts, digits, isSided, base, rowBase } = spot;
      sessionStorage.setItem(draftKey, JSON.stringify({ number, column, mode, drafts, digits, isSided, base, rowBase }));
    } catch { /* a browser that keeps nothing */ }
  }
  function forgetDraft() {
    try { sessionStorage.removeItem(draftKey); } catch { /* nothing was kept */ }
  }
  function recallDraft() {
    try { return JSON.parse(sessionStorage.getItem(draftKey)); } catch { return null; }
  }
  function takeUp({ number, column, mode, drafts, digits, isSided, base, rowBase }) {
    stand({ number, column, mode, digits, isSided, isBusy: true });
    Object.assign(spot, { base, rowBase });
    for (const [one, text] of Object.entries(drafts)) {
      spot.column = one;
      draft(text);
    }
    turnTo(column);
    keepDraft();
    const { cells } = outbox.get(placeOf(spot)) ?? {};
    const isAnother = Object.entries(drafts).some(([one, text]) => text && text !== cells?.[one]);
    if (!isAnother) answers.showHere();
    input.focus({ preventScroll: true });
  }

  /* ---- what comes from elsewhere ---- */

  /* A number that was not taken stands in the box again, until a person types something else. */
  function takeBack(entry) {
    spot.drafts = { ...entry.cells };
    input.value = spot.drafts[spot.column] ?? "";
    input.setAttribute("aria-invalid", String(entry.state === "refused"));
    spot.isBusy = true;
    spot.isSent = false;
    spot.trouble = entry.op;
    render();
  }

  /* What lies in the outbox for this place has been answered, or nobody wants it any more. */
  function settled(entry) {
    if (entry.state === "forgotten") close();
    else if (spot.isSent) unlock(entry.place);
    else if (spot.trouble === entry.op) close(); // it went through after all
  }

  /* It is sent once more. */
  function restAfter(place) {
    if (!isAt(place)) return;
    const { number, column, mode } = spot;
    spot.isBusy = false;
    stand({ number, column, mode, isSent: true, until: Date.now() + LOCK });
    goOn(place);
  }

  document.addEventListener("sheet:changed", () => {
    if (!spot?.isBusy && !spot?.isSent) { rest(); return; }
    renderDeal();
    if (!spot.isSent) renderKeys(isHalved()); // what the cell can hold may have changed
  });

  /* ---- taps ---- */

  sheet.addEventListener("click", (event) => {
    const cell = event.target.closest("[data-cell]");
    if (!cell || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const [number, column] = cell.dataset.cell.split(".");
    if (!mayWrite(column)) return;
    event.preventDefault();
    scoresheet.hidePanels(); // a question under the sheet stands where the pad comes up
    if (cell.dataset.state === "pending" && outbox.isUnderWay(cell.dataset.cell)) return;
    if (spot?.mode === "row" && spot.isBusy && spot.number === Number(number) && !spot.isSided) turnTo(column);
    else if (!spot?.isBusy || placeOf(spot) !== cell.dataset.cell) open(Number(number), column);
    input.focus({ preventScroll: true });
  });

  pad.addEventListener("click", (event) => { // the same thumb, felt twice
    if (!spot?.isSent || !event.detail || event.target.closest("[data-trouble], [data-pad-answer]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);
  chips.addEventListener("click", (event) => {
    const key = event.target.closest("[data-chip]");
    if (!key) return;
    if (key.dataset.side === "tie") write({ A: "0", B: "0" }, "row");
    else choose(key);
  });
  keys.addEventListener("click", (event) => {
    const key = event.target.closest("[data-key]");
    if (key && spot) press(key.dataset.key);
  });
  pad.querySelector("[data-pad-form]").addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  input.addEventListener("input", () => {
    input.removeAttribute("aria-invalid");
    if (spot) draft(input.value);
  });
  input.addEventListener("click", ({ detail }) => { if (detail && spot && !isKeyboard()) turnKeyboard(true); });
  pad.addEventListener("keydown", (event) => { if (event.key === "Escape") close({ byKey: true }); });
  const settle = page.querySelector("[data-settle]");
  if (settle) {
    settle.hidden = false;
    settle.addEventListener("click", () => workOut(spot?.number ?? document.getElementById("now").dataset.next));
  }
  part("close").addEventListener("click", ({ detail }) => close({ byKey: !detail }));
  part("digits").addEventListener("click", () => {
    spot.digits = keys.hidden;
    spot.isBusy = true;
    render();
    input.focus({ preventScroll: true });
  });
  part("clear").addEventListener("click", () => { if (!spot.isSent) write({ [spot.column]: "" }, "cell"); });
  part("others").addEventListener("click", () => {
    const blanks = columns.filter((one) => !spot.drafts[one] && valueOf(spot.number, one) === undefined);
    for (const column of blanks) {
      turnTo(column);
      draft("0");
    }
  });
  part("keyboard").addEventListener("click", () => turnKeyboard(!isKeyboard()));
  part("row")?.addEventListener("click", () => {
    open(spot.number, spot.column, { mode: spot.mode === "row" ? "cell" : "row" });
  });
  addEventListener("resize", () => { if (spot?.isBusy) bringIntoView(); }); // turned, or a keyboard came up

  /* ---- begin ---- */

  scoresheet.pad = { spot: () => spot, placeOf, isAt, open, close, stand, send, draft, takeBack, settled, unlock, restAfter };
  const kept = recallDraft();
  const isReload = performance.getEntriesByType("navigation")[0]?.type === "reload";
  const isOpenStill = kept && (isReload || Object.values(kept.drafts).some(Boolean));
  if (isOpenStill && cellOf(kept.number, kept.column) && mayWrite(kept.column)) {
    takeUp(kept);
  } else {
    rest();
  }
  if (spot) bringIntoView();
})();
