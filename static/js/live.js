/* How a sheet takes news: one function, apply(), for what polls bring, for answers to writes, and
   later for the stream. Older never replaces newer; what a person is typing is never touched. */
"use strict";
(() => {
  const POLL = 1500, TIMEOUT = 8000, LATE = 5000, OFF = 25000, GO_AFTER = 3000; // milliseconds

  /* Times travel in UTC and are shown in the phone's own. */
  function times(root) {
    for (const time of root.querySelectorAll("time[datetime]")) {
      const at = new Date(time.dateTime);
      if (!Number.isNaN(at.valueOf())) {
        time.textContent = at.toLocaleTimeString(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
      }
    }
  }
  times(document);

  const page = document.getElementById("page");
  if (!page) return;
  const table = page.querySelector("[data-sheet]");
  const body = page.querySelector("[data-body]");
  const sheet = page.querySelector(".sheet");
  const chip = document.querySelector("[data-live]");
  const say = document.querySelector("[data-say]");
  const texts = document.getElementById("words").dataset;
  const scoresheet = (window.scoresheet = { page, body, sheet, times });

  let shown = Number(table.dataset.version); // the newest header on the page
  let since = shown; // what polls have brought; answers to writes do not move it
  let isStale = false; // names or house rules changed: buttons outside the parts are the old ones
  const held = new WeakMap(); // a guarded cell -> its newest state, shown when it is let go

  const text = (name) => texts[`t${name[0].toUpperCase()}${name.slice(1)}`] ?? "";
  scoresheet.words = (name, values = {}) =>
    text(name).replace(/%\((\w+)\)s/g, (_all, key) => values[key] ?? "");
  scoresheet.nameOf = (column) => page.querySelector(`#n${column} span`)?.textContent ?? "";
  scoresheet.cellOf = (number, column) => body.querySelector(`[data-cell="${number}.${column}"]`);
  scoresheet.rowOf = (number) => body.querySelector(`tr[data-round="${number}"]`);
  scoresheet.isBusy = () => false; // the pad says whether somebody is in the middle of an entry

  const isGuarded = (cell) =>
    cell.dataset.state === "pending" || cell.dataset.state === "refused" || cell.dataset.editing === "busy"
    || cell.dataset.draft !== undefined;

  /* ---- taking news ---- */

  function parse(html) {
    const found = new DOMParser().parseFromString(html, "text/html");
    return found.querySelector("[data-parts]") || found.querySelector("[data-current]");
  }

  function apply(parts) {
    noteCurrent(Number(parts.dataset.current), Number(parts.dataset.match));
    if (parts.dataset.match !== page.dataset.match || !("parts" in parts.dataset)) return [];
    isStale ||= parts.dataset.names !== page.dataset.names;
    const version = Number(parts.dataset.version);
    const isFresh = version >= shown;
    const keepStill = hold();
    const news = [];
    const wasOpen = page.dataset.status === "open";
    for (const row of [...parts.querySelector("template[data-rows]").content.children]) {
      if ("round" in row.dataset) putRow(row, isFresh, news);
    }
    putDashes(parts, isFresh);
    if (isFresh) {
      shown = version;
      table.dataset.version = version;
      for (const block of [...parts.querySelector("template[data-blocks]").content.children]) putBlock(block);
      page.dataset.status = parts.dataset.status;
      page.dataset.base = parts.dataset.base;
      for (const field of page.querySelectorAll("[data-base-field]")) field.value = parts.dataset.base;
      trim(Number(parts.dataset.drawn));
      mark();
    }
    settle();
    keepStill();
    if (wasOpen && page.dataset.status !== "open") {
      sayNow(page.querySelector("#verdict h2")?.textContent);
    }
    document.dispatchEvent(new CustomEvent("sheet:changed", { detail: { news } }));
    return news;
  }

  function putRow(row, isFresh, news) {
    const number = Number(row.dataset.round);
    const old = scoresheet.rowOf(number);
    if ("gone" in row.dataset) {
      if (isFresh && old && ![...old.querySelectorAll("[data-cell]")].some(isGuarded)) old.remove();
      return;
    }
    if (!old) {
      const fresh = document.importNode(row, true);
      for (const link of fresh.querySelectorAll("a")) link.href = page.dataset.matchUrl + link.getAttribute("href");
      body.insertBefore(fresh, placeOf(number));
      return;
    }
    const was = Number(old.dataset.version), is = Number(row.dataset.version);
    if (is < was || (is === was && !isFresh)) return;
    copyAttributes(row, old);
    const head = row.querySelector("th"), oldHead = old.querySelector("th");
    if (head.innerHTML !== oldHead.innerHTML) oldHead.replaceChildren(...document.importNode(head, true).childNodes);
    for (const cell of row.querySelectorAll("[data-cell]")) {
      const mine = old.querySelector(`[data-cell="${cell.dataset.cell}"]`);
      if (mine.dataset.value !== cell.dataset.value) news.push(cell.dataset.cell);
      if (isGuarded(mine)) {
        held.set(mine, cell);
        putOnly(mine, cell); // what it can hold follows from its neighbours, whoever writes in it
      } else {
        putCell(mine, cell);
      }
    }
  }

  function putOnly(old, cell) {
    for (const name of ["only", "offer"]) {
      if (name in cell.dataset) old.dataset[name] = cell.dataset[name];
      else delete old.dataset[name];
    }
  }

  /* The link stays the same node, so focus stays where it is. */
  function putCell(old, cell) {
    const editing = old.dataset.editing;
    copyAttributes(cell, old);
    if (editing) old.dataset.editing = editing;
    const link = old.querySelector("a"), fresh = cell.querySelector("a");
    if (link.innerHTML !== fresh.innerHTML) link.replaceChildren(...document.importNode(fresh, true).childNodes);
  }

  function copyAttributes(from, to) {
    for (const { name } of [...to.attributes]) if (!from.hasAttribute(name)) to.removeAttribute(name);
    for (const { name, value } of from.attributes) if (to.getAttribute(name) !== value) to.setAttribute(name, value);
  }

  const numberOf = (row) => Number(row.dataset.round ?? row.dataset.dash);
  const placeOf = (number) => [...body.children].find((row) => numberOf(row) > number) ?? null;

  /* Thrown-in hands stand right before the round they came before. */
  function putDashes(parts, isFresh) {
    const rows = [...parts.querySelector("template[data-rows]").content.children];
    const told = new Set(rows.map(numberOf));
    if (!isFresh || "answer" in parts.dataset) return; // the answer to a write leaves them out
    for (const dash of [...body.querySelectorAll("tr[data-dash]")]) {
      if (told.has(numberOf(dash))) dash.remove();
    }
    for (const dash of rows) {
      if ("dash" in dash.dataset) {
        const number = numberOf(dash);
        body.insertBefore(document.importNode(dash, true), scoresheet.rowOf(number) ?? placeOf(number));
      }
    }
  }

  function putBlock(block) {
    const old = document.getElementById(block.id);
    if (!old) return;
    const hadFocus = old.contains(document.activeElement);
    copyAttributes(block, old);
    if (old.innerHTML !== block.innerHTML) old.replaceChildren(...document.importNode(block, true).childNodes);
    if (hadFocus && !old.contains(document.activeElement)) old.querySelector("a")?.focus({ preventScroll: true });
    times(old);
    const column = block.id.match(/^n(\w)$/)?.[1];
    if (column) {
      for (const copy of document.querySelectorAll(`[data-name="${column}"]`)) copy.textContent = scoresheet.nameOf(column);
    }
  }

  /* Rounds beyond the last one that is drawn are no longer there. */
  function trim(drawn) {
    for (const row of [...body.children]) {
      const beyond = numberOf(row) > drawn + ("dash" in row.dataset ? 1 : 0);
      if (beyond && ![...row.querySelectorAll("[data-cell]")].some(isGuarded)) row.remove();
    }
  }

  /* Marks of rows that follow from other rows. */
  function mark() {
    const now = document.getElementById("now").dataset;
    const unlawful = new Set((now.unlawful ?? "").split(" "));
    const crossing = Number(now.crossing ?? Infinity);
    for (const row of body.querySelectorAll("tr[data-round]")) {
      row.toggleAttribute("data-unlawful", unlawful.has(row.dataset.round));
      row.toggleAttribute("data-line", Number(row.dataset.round) === crossing);
      row.toggleAttribute("data-after", Number(row.dataset.round) > crossing);
    }
  }

  /* Running sums, and the name of every cell for those who listen. */
  function settle() {
    const left = Number(page.dataset.left ?? 0); // a phone may see what is left to the line
    const sums = {};
    const names = {};
    for (const row of body.querySelectorAll("tr[data-round]")) {
      const cells = row.querySelectorAll("[data-cell]");
      const isBlank = [...cells].every((cell) => cell.dataset.value === undefined);
      for (const cell of cells) {
        const [number, column] = cell.dataset.cell.split(".");
        names[column] ??= scoresheet.nameOf(column);
        sums[column] = (sums[column] ?? 0) + Number(cell.dataset.value ?? 0);
        const sum = left ? Math.max(0, left - sums[column]) : sums[column];
        if (cell.dataset.sum !== undefined && cell.dataset.sum !== String(sum)) cell.dataset.sum = sum;
        const label = scoresheet.words("cell", { number, name: names[column], state: stateOf(cell) });
        const link = cell.querySelector("a");
        if (link.getAttribute("aria-label") !== label) link.setAttribute("aria-label", label);
      }
      if (isBlank) for (const cell of cells) cell.removeAttribute("data-sum");
    }
  }

  function stateOf(cell) {
    const value = cell.querySelector("a").textContent;
    const { state } = cell.dataset;
    if (state === "open" || state === "written") return cell.dataset.value ?? text("open");
    return scoresheet.words(state, { value: cell.querySelector("b")?.textContent ?? value });
  }

  /* A reader's place: at the bottom one stays there unless something is being typed. */
  function hold() {
    const isAtBottom = sheet.scrollTop > -2;
    if (isAtBottom && !scoresheet.isBusy()) return () => { sheet.scrollTop = 0; };
    const { top: upper } = sheet.getBoundingClientRect();
    const anchor = body.querySelector("[data-editing]")?.closest("tr")
      ?? [...body.children].find((row) => row.getBoundingClientRect().bottom > upper);
    if (!anchor) return () => {};
    const before = anchor.getBoundingClientRect().top;
    return () => {
      if (!anchor.isConnected) return;
      sheet.scrollTop += anchor.getBoundingClientRect().top - before;
      const missing = before - anchor.getBoundingClientRect().top;
      if (missing > 0.5 && scoresheet.isBusy()) { // a short sheet cannot scroll that far: room above it
        const free = Math.max(0, sheet.clientHeight - table.offsetHeight - spacer.offsetHeight);
        space(spacer.offsetHeight + free + missing);
        sheet.scrollTop -= missing;
      }
    };
  }

  const spacer = sheet.appendChild(document.createElement("div"));
  spacer.className = "spacer";
  function space(height) {
    spacer.style.height = `${height}px`;
  }
  scoresheet.unspace = () => { if (spacer.offsetHeight) space(0); };

  /* Let a guarded cell go: what came meanwhile is shown. */
  scoresheet.release = (cell) => {
    const fresh = held.get(cell);
    if (fresh && !isGuarded(cell)) {
      held.delete(cell);
      putCell(cell, fresh);
      settle();
    }
  };
  scoresheet.isGuarded = isGuarded;
  scoresheet.settle = settle;
  scoresheet.parse = parse;
  scoresheet.apply = apply;

  /* ---- saying it ---- */

  let lastSaid = 0, toSay = 0;
  function sayNow(words) {
    if (words && say.textContent !== words) say.textContent = words;
    lastSaid = Date.now();
  }
  scoresheet.say = sayNow;

  scoresheet.sayNews = sayNews;
  function sayNews(news) {
    const filled = news.filter((place) => body.querySelector(`[data-cell="${place}"]`)?.dataset.value);
    if (!filled.length) return;
    clearTimeout(toSay);
    toSay = setTimeout(() => {
      const [number, column] = filled.at(-1).split(".");
      const value = scoresheet.cellOf(number, column)?.dataset.value;
      const totals = [...page.querySelectorAll("[data-total]")].map((total) => total.textContent).join(text("to"));
      sayNow(scoresheet.words("news", { number, name: scoresheet.nameOf(column), value, totals }));
    }, Math.max(200, lastSaid + 5000 - Date.now()));
  }

  /* ---- which match is played ---- */

  const moved = document.getElementById("moved");
  let going = 0;

  function noteCurrent(current) {
    if (!current || current === Number(page.dataset.current)) return;
    page.dataset.current = current;
    const mine = Number(page.dataset.match);
    const address = `${page.dataset.tableUrl}m/${current}/`;
    moved.hidden = current === mine;
    clearTimeout(going);
    if (current === mine) return;
    const words = scoresheet.words(current < mine ? "takenBack" : "moved", { number: current });
    moved.querySelector("[data-moved-words]").textContent = words;
    moved.querySelector("a").href = address;
    sayNow(words);
    const go = () => {
      if (scoresheet.isBusy()) going = setTimeout(go, 1000);
      else location.assign(address);
    };
    going = setTimeout(go, GO_AFTER);
  }

  /* ---- the poll ---- */

  let heardAt = -Infinity, asking = null, next = 0, isOver = false;

  async function poll() {
    clearTimeout(next);
    if (asking || isOver || document.hidden) return;
    if (isStale && !scoresheet.isBusy() && !scoresheet.outbox?.all().length) {
      isOver = true;
      location.reload();
      return;
    }
    asking = new AbortController();
    const giveUp = setTimeout(() => asking.abort(), TIMEOUT);
    try {
      const answer = await fetch(`${page.dataset.changesUrl}?since=${since}`, {
        signal: asking.signal, cache: "no-store", credentials: "same-origin",
      });
      if (answer.status === 403) {
        isOver = true;
        sayOver(await answer.text());
      } else if (answer.status === 404) {
        isOver = true;
        light();
      } else if (answer.ok) {
        const html = answer.status === 204 ? "" : await answer.text();
        heardAt = Date.now();
        if (html) take(html);
      }
    } catch {
      /* no signal; the light says so */
    } finally {
      clearTimeout(giveUp);
      asking = null;
      light();
      if (!isOver && !document.hidden) next = setTimeout(poll, POLL);
    }
  }

  function take(html) {
    const parts = parse(html);
    if (!parts) return;
    const news = apply(parts);
    if ("parts" in parts.dataset && parts.dataset.match === page.dataset.match) {
      since = Number(parts.dataset.version);
    }
    sayNews(news);
  }

  function sayOver() {
    moved.hidden = false;
    moved.querySelector("[data-moved-words]").textContent = text("forbidden");
    moved.querySelector("a").hidden = true;
    sayNow(text("forbidden"));
    light();
  }

  function light() {
    const age = Date.now() - heardAt;
    const state = isOver || age > OFF ? "off" : age > LATE ? "late" : "live";
    if (chip.dataset.live !== state || isOver) {
      chip.dataset.live = state;
      chip.textContent = isOver ? text("closed") : text(state);
    }
  }

  const wake = () => { light(); poll(); };
  document.addEventListener("visibilitychange", wake);
  addEventListener("pageshow", wake);
  addEventListener("online", wake);
  addEventListener("offline", light);
  setInterval(light, 1000);

  settle();
  poll();
})();
