/* The one pad at the bottom. Nothing is fetched to open it: round, column,
   value and base come from the cell. Resting, it waits on the lowest open cell of the own column. */
"use strict";
(() => {
  const { scoresheet } = window;
  const outbox = scoresheet?.outbox;
  if (!outbox) return;
  const { page, body, sheet, words, nameOf, cellOf, rowOf, isOpen, tool } = scoresheet;
  const LOCK = 600, LOCK_UNANSWERED = 1500; // milliseconds after a write in which more taps are the same tap
  const AT_MOST = 12, BESIDE_DIGITS = 6; // chips
  const SHAPES = { A: "A", B: "B", 0: "A", 1: "B", 2: "C", 3: "D" };
  const columns = page.classList.contains("two") ? ["A", "B"] : ["0", "1", "2", "3"];
  const isTwo = columns.length === 2;
  const isHost = page.dataset.role === "host";
  /* A host's tap opens the whole deal, unless the host sits and another phone has a seat. */
  const wholeRows = () => isHost
    && !("sits" in page.dataset && Number(document.getElementById("now").dataset.seated) > 1);
  const may = page.dataset.may.split(" ").filter(Boolean);
  const mayWrite = (column) => may.includes(column) && (isOpen() || isHost);

  const pad = page.querySelector("[data-pad]");
  const part = (name) => pad?.querySelector(`[data-pad-${name}]`);
  const [input, answer, chips, keys] = ["value", "answer", "chips", "keys"].map((name) => part(name));
  const trouble = pad?.querySelector("[data-trouble]");
  const notes = new Map([...document.querySelectorAll("#words [data-note]")].map((n) => [n.dataset.note, n.textContent]));

  /* Where the pad stands: {number, column, mode, isBusy, isSent, isSided, base, rowBase, drafts, digits}.
     Busy: a person has begun something here, so nothing moves the pad but that person.
     Sided: a whole deal of two sides, and the tap on a cell has said whose points they are. */
  let spot = null;
  let chipsShown = "";
  scoresheet.isBusy = () => Boolean(spot?.isBusy) || Boolean(document.getElementById("settle")?.open);

  const placeOf = ({ mode, number, column }) => (mode === "row" ? String(number) : `${number}.${column}`);
  const usual = () => (pad.dataset.values || "0").split(" ").map(Number);
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
    say("");
    input.removeAttribute("aria-invalid");
    keyboard(false);
    forgetDraft();
  }

  /* Rest on the lowest open cell of the own column; for a host who keeps the sheet, of any. */
  function rest() {
    if (!pad || spot?.isBusy || spot?.isSent) return;
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
    const entry = outbox.get(placeOf(spot));
    if (isTrouble(entry)) showTrouble(entry);
    bringIntoView(cellOf(number, column));
    input.focus({ preventScroll: true });
  }

  function close() {
    if (spot) spot.isBusy = spot.isSent = false;
    stand(null);
    rest();
  }

  function bringIntoView(cell) {
    if (!cell) return;
    const box = cell.getBoundingClientRect(), frame = sheet.getBoundingClientRect();
    if (box.top < frame.top) sheet.scrollTop -= frame.top - box.top;
    else if (box.bottom > frame.bottom) sheet.scrollTop += box.bottom - frame.bottom;
  }

  /* ---- how it looks ---- */

  function render() {
    if (!pad) return;
    const wasAtBottom = sheet.scrollTop > -2;
    pad.hidden = !spot && !trouble.childElementCount;
    pad.querySelector("form").hidden = !spot;
    if (!spot) { chipsShown = ""; showTroubles(); return; }
    const { number, column, mode } = spot;
    const isHalves = isHalved();
    pad.dataset.padCell = placeOf(spot);
    pad.className = `pad ${isHalves ? "" : SHAPES[column]}`;
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
    showTroubles();
    if (wasAtBottom && !spot.isBusy) sheet.scrollTop = 0;
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
    part("deal").textContent = words(hasBegun ? "dealBegun" : "deal", { number, next: number + 1 });
    pad.toggleAttribute("data-begun", hasBegun);
  }

  function renderKeys(isHalves) {
    const { number, column, mode } = spot;
    const isListed = Boolean(cellOf(number, column)?.dataset.only) && mode === "cell";
    const digits = spot.digits ?? (usual().length < 2 || !(isTwo || isListed));
    keys.hidden = !digits || isKeyboard();
    const offer = offerOf(number, column);
    const drawn = JSON.stringify([isHalves, digits, isHalves ? usual() : valuesFor(number, column), column, offer]);
    if (drawn === chipsShown) return;
    chipsShown = drawn;
    chips.classList.toggle("halves", isHalves);
    if (isHalves) {
      chips.replaceChildren(...columns.map((side) => half(side)), ...("tie" in page.dataset ? [tieChip()] : []));
      return;
    }
    const values = pick(valuesFor(number, column), digits ? BESIDE_DIGITS : AT_MOST, offer);
    chips.dataset.count = values.length;
    chips.replaceChildren(...values.map((value) => chip(value)));
    if (offer !== undefined) {
      const key = chips.querySelector(`[data-chip="${offer}"]`);
      key.dataset.offered = "";
      key.querySelector("small")?.remove();
      key.firstChild.append(Object.assign(document.createElement("small"), { textContent: words("workedOut") }));
    }
  }

  /* What a cell can hold: what somebody worked out for it, then its own list, else what is usual;
     beside a number of the other side, 0. */
  function valuesFor(number, column) {
    const offer = offerOf(number, column);
    const values = possible(number, column);
    return offer === undefined ? values : [offer, ...values.filter((value) => value !== offer)];
  }

  function offerOf(number, column) {
    const offer = spot.mode === "cell" ? cellOf(number, column)?.dataset.offer : undefined;
    return offer === undefined ? undefined : Number(offer);
  }

  function possible(number, column) {
    if (spot.mode === "row" && isTwo) return usual();
    const cell = cellOf(number, column);
    if (cell?.dataset.only) return cell.dataset.only.split(" ").map(Number);
    const other = isTwo ? valueOf(number, column === "A" ? "B" : "A") : undefined;
    return Number(other) > 0 ? [0] : usual();
  }

  /* What is offered, then the most usual row and the others, each rising. */
  function pick(values, most, offer) {
    if (offer !== undefined) return [offer, ...pick(values.filter((value) => value !== offer), most - 1)];
    const shown = values.slice(0, most);
    const rising = (a, b) => a - b;
    if (isTwo || shown.length <= 6) return shown.sort(rising);
    return [...shown.slice(0, 6).sort(rising), ...shown.slice(6).sort(rising)];
  }

  function chip(value, side = "") {
    const key = document.createElement("button");
    key.type = "button";
    key.className = "key";
    key.dataset.chip = value;
    if (side) key.dataset.side = side;
    const face = document.createElement("span");
    face.textContent = value;
    const note = notes.get(String(value));
    if (note) {
      const small = document.createElement("small");
      small.textContent = note;
      face.append(small);
    }
    key.append(face);
    return key;
  }

  function half(side) {
    const box = document.createElement("div");
    box.className = `half ${SHAPES[side]}`;
    const head = document.createElement("p");
    const mark = document.createElement("i");
    mark.className = "mark";
    const name = document.createElement("span");
    name.textContent = nameOf(side);
    name.dataset.name = side;
    head.append(mark, name);
    const grid = document.createElement("div");
    grid.append(...pick(usual().filter((value) => value > 0), 9).map((value) => chip(value, side)));
    box.append(head, grid);
    return box;
  }

  function tieChip() {
    const key = chip("0 : 0", "tie");
    key.classList.add("wide");
    return key;
  }

  /* ---- what a tap does ---- */

  function choose(key) {
    if (!spot || spot.isSent) return;
    const { chip: value, side } = key.dataset;
    navigator.vibrate?.(10);
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
    goOn(entry.place);
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

  /* Working a hand out: its script comes with the first tap, so that a sheet opens sooner. */
  function workOut(number) {
    if (scoresheet.workOut) { scoresheet.workOut(number); return; }
    if (document.querySelector("script[data-hand]")) return; // it is on its way
    const script = document.createElement("script");
    script.src = document.getElementById("settle").dataset.script;
    script.dataset.hand = "";
    script.onload = () => scoresheet.workOut(number);
    script.onerror = () => { script.remove(); scoresheet.tellUnsent(); };
    document.head.append(script);
  }

  const isKeyboard = () => input.inputMode !== "none";
  function keyboard(isOn) {
    if (input) input.inputMode = isOn ? "numeric" : "none";
  }

  /* ---- drafts survive a reload ---- */

  const draftKey = `draft ${page.dataset.matchUrl}`;
  function keepDraft() {
    try {
      const { number, column, mode, drafts } = spot;
      sessionStorage.setItem(draftKey, JSON.stringify({ number, column, mode, drafts, digits: spot.digits }));
    } catch { /* a browser that keeps nothing */ }
  }
  function forgetDraft() {
    try { sessionStorage.removeItem(draftKey); } catch { /* nothing was kept */ }
  }
  function recallDraft() {
    try { return JSON.parse(sessionStorage.getItem(draftKey)); } catch { return null; }
  }

  /* ---- what the server answered ---- */

  function say(html) {
    if (!answer) return;
    if (!html) { answer.replaceChildren(); return; }
    const found = new DOMParser().parseFromString(html, "text/html");
    answer.replaceChildren(document.importNode(found.querySelector(".answer") ?? found.body.firstElementChild ?? found.body, true));
    scoresheet.times(answer);
    window.htmx.process(answer);
  }

  const isTrouble = (entry) => entry !== undefined && ["refused", "failed", "late"].includes(entry.state);

  function showTrouble(entry) {
    if (entry.state === "failed") {
      answer.replaceChildren(box("unsent", choices(entry, "again")));
    } else {
      say(entry.html);
      if (!answer.childElementCount) answer.replaceChildren(box("trouble"));
      if (!answer.querySelector("[data-attempt]")) {
        answer.querySelector(".choices")?.remove();
        answer.firstElementChild.append(choices(entry, "anyway"));
      }
    }
    spot.drafts = { ...entry.cells };
    input.value = spot.drafts[spot.column] ?? "";
    input.setAttribute("aria-invalid", String(entry.state === "refused"));
    spot.isBusy = true;
    spot.isSent = false;
    spot.trouble = entry.op; // until a person types something else
    render();
  }

  function box(word, ...more) {
    const found = document.createElement("div");
    found.className = "answer";
    found.dataset.code = word;
    const text = document.createElement("p");
    text.className = "say";
    text.textContent = words(word, told(spot, input.value));
    found.append(text, ...more);
    return found;
  }

  const told = ({ number, column, mode }, value) => ({ number, value, name: mode === "row" ? words("whole") : nameOf(column) });

  function choices(entry, word) {
    const found = document.createElement("div");
    found.className = "choices";
    if (entry.state !== "late" && !["gone", "not-whole"].includes(entry.code)) {
      const again = tool(words(word), () => { restAfter(entry.place); outbox.again(entry.place); });
      again.classList.add("strong");
      again.dataset.again = "";
      found.append(again);
    }
    found.append(tool(words("forget"), () => outbox.forget(entry.place)));
    if (entry.code === "forbidden") found.append(outbox.seatLink());
    return found;
  }

  function restAfter(place) {
    if (!spot || placeOf(spot) !== place) return;
    const { number, column, mode } = spot;
    spot.isBusy = false;
    stand({ number, column, mode, isSent: true, until: Date.now() + LOCK });
    goOn(place);
  }

  /* Numbers in trouble that the pad does not stand on. */
  function showTroubles() {
    const here = spot?.isBusy ? placeOf(spot) : "";
    const list = outbox.all().filter((entry) => isTrouble(entry) && entry.place !== here);
    trouble.replaceChildren(...list.map((entry) => {
      const [number, only] = entry.place.split(".");
      const column = only ?? columns[0];
      const value = Object.values(entry.cells).join(" : ");
      const button = tool(words(entry.state === "late" ? "lateWaits" : "trouble", { number, name: only ? nameOf(only) : words("whole"), value }), () =>
        open(Number(number), column, { mode: only ? "cell" : "row" }));
      return button;
    }));
    if (list.length) pad.hidden = false;
  }

  const splitPlace = (place) => ({ number: place.split(".")[0], column: place.split(".")[1] });

  document.addEventListener("outbox:changed", ({ detail: { entry } }) => {
    if (!pad) return;
    const isHere = spot && placeOf(spot) === entry.place;
    if (entry.state === "unheard") {
      if (isHere && spot.isSent) unlock(entry.place);
    } else if (entry.state === "done" || entry.state === "forgotten") {
      if (!isHere) { showTroubles(); return; }
      if (entry.state === "forgotten") { close(); return; }
      if (entry.state === "done" && spot.isSent) unlock(entry.place);
      else if (spot.trouble === entry.op) close(); // it went through after all
    } else if (entry.state === "late") {
      scoresheet.say(words("lateWaits", told({ ...splitPlace(entry.place), mode: "cell" }, Object.values(entry.cells)[0])));
      if (isHere) close();
      else showTroubles();
    } else if (isTrouble(entry)) {
      if (isHere) {
        showTrouble(entry);
      } else if (!spot?.isBusy) {
        const [number, only] = entry.place.split(".");
        stand({ number: Number(number), column: only ?? Object.keys(entry.cells)[0], mode: only ? "cell" : "row", isBusy: true });
        showTrouble(entry);
      } else {
        showTroubles();
      }
    }
  });

  document.addEventListener("sheet:changed", () => {
    if (!pad) return;
    if (!spot?.isBusy && !spot?.isSent) { rest(); return; }
    renderDeal();
    if (!spot.isSent) renderKeys(isHalved()); // what the cell can hold may have changed
  });

  /* ---- taps ---- */

  sheet.addEventListener("click", (event) => {
    const cell = event.target.closest("[data-cell]");
    if (!pad || !cell || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const [number, column] = cell.dataset.cell.split(".");
    if (!mayWrite(column)) return;
    event.preventDefault();
    scoresheet.hidePanels(); // a question under the sheet stands where the pad comes up
    if (cell.dataset.state === "pending" && outbox.isUnderWay(cell.dataset.cell)) return;
    if (spot?.mode === "row" && spot.isBusy && spot.number === Number(number) && !spot.isSided) turnTo(column);
    else if (!spot?.isBusy || placeOf(spot) !== cell.dataset.cell) open(Number(number), column);
    input.focus({ preventScroll: true });
  });

  if (pad) {
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
    pad.addEventListener("keydown", (event) => { if (event.key === "Escape") close(); });
    const settle = page.querySelector("[data-settle]");
    if (settle) {
      settle.hidden = false;
      settle.addEventListener("click", () => workOut(spot?.number ?? document.getElementById("now").dataset.next));
    }
    part("close").addEventListener("click", close);
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
    part("keyboard").addEventListener("click", () => {
      keyboard(!isKeyboard());
      spot.isBusy = true;
      input.blur();
      input.focus({ preventScroll: true });
      render();
      if (isKeyboard()) bringIntoView(cellOf(spot.number, spot.column));
    });
    part("row")?.addEventListener("click", () => {
      open(spot.number, spot.column, { mode: spot.mode === "row" ? "cell" : "row" });
    });
    answer.addEventListener("submit", (event) => {
      const form = event.target.closest("form[data-attempt]");
      if (!form || !spot) return;
      event.preventDefault();
      const data = new FormData(form);
      const place = form.closest("[data-for]").dataset.for;
      const only = place.split(".")[1];
      const cells = only ? { [only]: data.get("value") }
        : Object.fromEntries(columns.filter((one) => data.has(`value_${one}`)).map((one) => [one, data.get(`value_${one}`)]));
      send({ place, cells, url: form.getAttribute("action"), base: data.get("base"), op: data.get("op"), sure: data.has("sure") });
    });
    answer.addEventListener("click", (event) => {
      const place = event.target.closest("[data-for]")?.dataset.for;
      if (event.target.closest("[data-keep]")) {
        event.preventDefault();
        if (place) outbox.forget(place);
        close();
      } else if (event.target.closest("[data-whole-row]") && place) {
        event.preventDefault();
        const [number, column] = place.split(".");
        const text = input.value;
        outbox.forget(place);
        open(Number(number), column, { mode: "row" });
        if (!isTwo) draft(text);
      }
    });
  }

  /* ---- begin ---- */

  if (pad) {
    const kept = recallDraft();
    const cell = kept && cellOf(kept.number, kept.column);
    if (cell && mayWrite(kept.column)) {
      stand({ number: kept.number, column: kept.column, mode: kept.mode, digits: kept.digits, isBusy: true });
      for (const [column, text] of Object.entries(kept.drafts)) {
        spot.column = column;
        draft(text);
      }
      turnTo(kept.column);
    } else {
      rest();
    }
  }
})();
