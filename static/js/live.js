/* How a sheet takes news: one function, apply(), for the stream, for what polls bring and for answers
   to writes. Older never replaces newer; what a person is typing is never touched.
   All waiting times stand in TIMES; a test shortens them by setting window.scoresheetTimes before. */
(() => {
  "use strict";
  const TIMES = { // milliseconds
    poll: 5000, probe: 2500, // between two polls: while polls stand in for the stream, while there is no signal
    timeout: 8000, // for every request
    late: 15000, off: 25000, // of silence: the light turns; a beat comes every 10 s
    retryLeast: 100, retryFirst: 1500, retryMost: 30000, // the stream: at random up to the first, then doubling
    sendFirst: 1000, sendMost: 30000, // the outbox: doubling from the first to the most
    stuck: 2500, // a request that old is given up when the signal comes back
    ahead: 500, // a number under way for so long opens the next deal
    goAfter: 3000, // to the match that is played now, or to a new release
    worker: 2000, // after the page has loaded
    undo: 60000, // the button that takes the last own entry back
    oldAgain: 10000, // an old copy on the page, until the sheet itself is tried once more
    ...window.scoresheetTimes,
  };

  /* Times travel in UTC and are shown in the phone's own. */
  const hours = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  function times(root) {
    for (const time of root.querySelectorAll("time[datetime]")) {
      const at = new Date(time.dateTime);
      if (!Number.isNaN(at.valueOf())) {
        time.textContent = hours.format(at);
      }
    }
  }
  times(document);

  /* The worker that keeps the last copy of a sheet; browsers have it on https only. */
  if (window.isSecureContext && "serviceWorker" in navigator) {
    addEventListener("load", () => setTimeout(async () => {
      try {
        const hadWorker = Boolean(navigator.serviceWorker.controller);
        await navigator.serviceWorker.register("/sw.js");
        if (hadWorker) return;
        (await navigator.serviceWorker.ready).active.postMessage("keep this page"); // it came without it
      } catch { /* a browser that allows none */ }
    }, TIMES.worker));
  }

  const page = document.getElementById("page");
  if (!page) return;
  const table = page.querySelector("[data-sheet]");
  const body = page.querySelector("[data-body]");
  const sheet = page.querySelector(".sheet");
  const chip = document.querySelector("[data-live]");
  const say = document.querySelector("[data-say]");
  const given = window.scoresheetGiven; // what only scripts need, once for each language
  page.insertAdjacentHTML("beforeend", given.words);
  document.querySelector(".menu .switches")?.insertAdjacentHTML("beforebegin", given.awake);
  page.querySelector(".hand[data-values]")?.insertAdjacentHTML("afterbegin", given.pad);
  const texts = document.getElementById("words").dataset;
  const scoresheet = (window.scoresheet = { page, body, sheet, times, given, TIMES });

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

  /* What came, the oldest first; of rows and blocks that came more than once the newest, and what follows
     from all of it, is done once. */
  function apply(...all) {
    for (const { dataset } of all) noteCurrent(Number(dataset.current));
    const ours = all.filter(({ dataset }) => dataset.match === page.dataset.match && "parts" in dataset)
      .sort((one, other) => one.dataset.version - other.dataset.version);
    if (!ours.length) return [];
    const keepStill = hold();
    const wasOpen = page.dataset.status === "open";
    const rows = new Map(), blocks = new Map(), news = new Set();
    const fresh = ours.filter((parts) => gather(parts, rows, blocks));
    for (const [row, isFresh] of rows.values()) putRow(row, isFresh, news);
    for (const parts of fresh) putDashes(parts);
    for (const block of blocks.values()) putBlock(block);
    if (fresh.length) {
      isStale ||= isAsked();
      trim(Number(fresh.at(-1).dataset.drawn));
      mark();
    }
    settle();
    keepStill();
    if (wasOpen && page.dataset.status !== "open") {
      sayNow(page.querySelector("#verdict h2")?.textContent);
    }
    document.dispatchEvent(new CustomEvent("sheet:changed", { detail: { news: [...news] } }));
    return [...news];
  }

  const contentOf = (parts, name) => [...parts.querySelector(`template[data-${name}]`).content.children];

  /* What one piece of news holds; whether it is the newest. */
  function gather(parts, rows, blocks) {
    const { version, names, status, base } = parts.dataset;
    const isFresh = Number(version) >= shown;
    isStale ||= names !== page.dataset.names;
    for (const row of contentOf(parts, "rows")) if ("round" in row.dataset) rows.set(row.dataset.round, [row, isFresh]);
    if (!isFresh) return false;
    shown = Number(version);
    table.dataset.version = version;
    for (const block of contentOf(parts, "blocks")) blocks.set(block.id, block);
    page.dataset.status = status;
    page.dataset.base = base;
    for (const field of page.querySelectorAll("[data-base-field]")) field.value = base;
    return true;
  }

  function putRow(row, isFresh, news) {
    const number = Number(row.dataset.round);
    const old = scoresheet.rowOf(number);
    if ("gone" in row.dataset) {
      if (isFresh && old && !isAhead(number) && ![...old.querySelectorAll("[data-cell]")].some(isGuarded)) old.remove();
      return;
    }
    if (!old) {
      const fresh = document.importNode(row, true);
      for (const link of fresh.querySelectorAll("a")) link.href = page.dataset.matchUrl + link.getAttribute("href");
      body.insertBefore(fresh, placeOf(number));
      for (const cell of fresh.querySelectorAll("[data-value]")) news.add(cell.dataset.cell);
      return;
    }
    const was = Number(old.dataset.version), is = Number(row.dataset.version);
    if (is < was || (is === was && !isFresh)) return;
    copyAttributes(row, old);
    const head = row.querySelector("th"), oldHead = old.querySelector("th");
    if (head.innerHTML !== oldHead.innerHTML) oldHead.replaceChildren(...document.importNode(head, true).childNodes);
    for (const cell of row.querySelectorAll("[data-cell]")) {
      const mine = old.querySelector(`[data-cell="${cell.dataset.cell}"]`);
      if (mine.dataset.value !== cell.dataset.value) news.add(cell.dataset.cell);
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
  function putDashes(parts) {
    if ("answer" in parts.dataset) return; // the answer to a write leaves them out
    const rows = contentOf(parts, "rows");
    const told = new Set(rows.map(numberOf));
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

  /* A correction has brought back a question that this page came without. */
  const isAsked = () => page.dataset.may && "asks" in document.getElementById("now").dataset && !document.getElementById("chalk");

  /* Deals that the page itself opened, for numbers on their way: the outbox says up to which. */
  scoresheet.ahead = 0;
  const isAhead = (number) => number <= scoresheet.ahead;

  /* Rounds beyond the last one that is drawn are no longer there. */
  let drawn = Infinity;
  function trim(last) {
    drawn = last;
    for (const row of [...body.children]) {
      const beyond = numberOf(row) > last + ("dash" in row.dataset ? 1 : 0);
      if (beyond && !isAhead(numberOf(row)) && ![...row.querySelectorAll("[data-cell]")].some(isGuarded)) row.remove();
    }
  }

  /* Marks of rows that follow from other rows. */
  function mark() {
    const now = document.getElementById("now").dataset;
    const unlawful = new Set((now.unlawful ?? "").split(" "));
    const crossing = Number(now.crossing ?? Infinity);
    page.toggleAttribute("data-begun", "begun" in now);
    for (const row of body.querySelectorAll("tr[data-round]")) {
      row.toggleAttribute("data-unlawful", unlawful.has(row.dataset.round));
      row.toggleAttribute("data-line", Number(row.dataset.round) === crossing);
      row.toggleAttribute("data-after", Number(row.dataset.round) > crossing);
    }
  }

  /* The number that stands on the server, as far as this page knows, under whatever is shown. */
  const storedValue = (scoresheet.storedValue = (cell) => (held.get(cell) ?? cell).dataset.value);
  /* A number on its way counts too, and then the total says "about"; a refused one does not. */
  const countedValue = (cell) => cell.dataset.entry ?? storedValue(cell);

  /* Running sums, and the name of every cell for those who listen. */
  function settle() {
    const left = Number(page.dataset.left ?? 0); // a phone may see what is left to the line
    const sums = {}, names = {}, coming = {};
    for (const row of body.querySelectorAll("tr[data-round]")) {
      const cells = row.querySelectorAll("[data-cell]");
      const isBlank = [...cells].every((cell) => countedValue(cell) === undefined);
      for (const cell of cells) {
        const [number, column] = cell.dataset.cell.split(".");
        names[column] ??= scoresheet.nameOf(column);
        const value = Number(countedValue(cell) ?? 0) || 0;
        sums[column] = (sums[column] ?? 0) + value;
        if (cell.dataset.entry !== undefined) {
          coming[column] = (coming[column] ?? 0) + value - Number(storedValue(cell) ?? 0);
        }
        const sum = left ? Math.max(0, left - sums[column]) : sums[column];
        if (cell.dataset.sum !== undefined && cell.dataset.sum !== String(sum)) cell.dataset.sum = sum;
        const label = scoresheet.words("cell", { number, name: names[column], state: stateOf(cell) });
        const link = cell.querySelector("a");
        if (link.getAttribute("aria-label") !== label) link.setAttribute("aria-label", label);
      }
      if (isBlank) for (const cell of cells) cell.removeAttribute("data-sum");
    }
    for (const total of page.querySelectorAll("[data-total]")) {
      const more = coming[total.dataset.total];
      const about = Number(total.textContent) + (more ?? 0);
      if (more === undefined) delete total.dataset.about;
      else total.dataset.about = `~${left ? Math.max(0, left - about) : about}`;
    }
  }

  function stateOf(cell) {
    const value = cell.querySelector("a").textContent;
    const { state } = cell.dataset;
    if (state === "open" || state === "written") return cell.dataset.value ?? text("open");
    return scoresheet.words("late" in cell.dataset ? "lateCell" : state, { value: cell.querySelector("b")?.textContent ?? value });
  }

  /* A reader's place: at the bottom one stays there unless something is being typed. */
  let isAtBottom = true; // asked of the page itself, it would be laid out for each piece of news
  sheet.addEventListener("scroll", () => { isAtBottom = sheet.scrollTop > -2; }, { passive: true });
  function hold() {
    if (isAtBottom && !scoresheet.isBusy()) return () => {}; // its rows grow upwards from there
    const { top: upper } = sheet.getBoundingClientRect();
    const anchor = body.querySelector("[data-editing=busy]")?.closest("tr")
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
  scoresheet.unspace = () => { if (spacer.style.height) spacer.style.height = ""; };

  /* Let a guarded cell go: what came meanwhile is shown. */
  scoresheet.release = (cell) => {
    const number = numberOf(cell.closest("tr"));
    if (number > drawn) trim(drawn); // a row that went while its cell was held
    const fresh = held.get(cell);
    if (fresh && !isGuarded(cell)) {
      held.delete(cell);
      putCell(cell, fresh);
      settle();
    }
  };
  scoresheet.version = () => shown;
  scoresheet.placeOf = placeOf;
  scoresheet.hold = hold;
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

  function tellMoved(words, address = "") {
    const link = moved.querySelector("a");
    moved.hidden = false;
    moved.querySelector("[data-moved-words]").textContent = words;
    link.hidden = !address;
    if (address) link.href = address;
    sayNow(words);
  }

  function noteCurrent(current) {
    if (!current || current === Number(page.dataset.current)) return;
    page.dataset.current = current;
    const mine = Number(page.dataset.match);
    const address = `${page.dataset.tableUrl}m/${current}/`;
    clearTimeout(going);
    if (current === mine) {
      moved.hidden = true;
      return;
    }
    tellMoved(scoresheet.words(current < mine ? "takenBack" : "moved", { number: current }), address);
    const go = () => {
      if (scoresheet.isBusy()) going = setTimeout(go, 1000);
      else location.assign(address);
    };
    going = setTimeout(go, TIMES.goAfter);
  }

  /* ---- the signal ---- */

  const kept = document.documentElement.dataset.old; // this is the worker's copy, and of what time
  let heardAt = kept ? Date.parse(kept) : Date.now(); // the last good word of the server
  let failedAt = kept ? Date.now() : 0; // a request that got no answer
  let wokeAt = Date.now();
  let isOver = false;

  function heard() {
    const wasGone = failedAt > heardAt;
    heardAt = Date.now();
    if (heardAt <= failedAt) heardAt = failedAt + 1;
    light();
    if (wasGone) document.dispatchEvent(new Event("sheet:signal"));
  }

  /* A request of this page got no answer: the light turns at once, and a poll looks again. */
  function noSignal() {
    failedAt = Date.now();
    light();
    poll();
  }
  scoresheet.noSignal = noSignal;
  document.addEventListener("htmx:sendError", noSignal);
  document.addEventListener("htmx:timeout", noSignal);

  function state() {
    const now = Date.now();
    if (isOver || failedAt > heardAt || now - Math.max(heardAt, wokeAt) > TIMES.off) return "off";
    return isStreaming() && now - streamAt <= TIMES.late ? "live" : "late";
  }

  scoresheet.hasSignal = () => state() !== "off";

  function light() {
    const now = state();
    if (now === "late" && chip.dataset.live === "off" && !isStreaming() && Date.now() - wokeAt < 1500) return; // not known yet
    const words = isOver ? text("closed")
      : now !== "off" ? text(now)
        : scoresheet.words(kept && heardAt === Date.parse(kept) ? "seen" : "offSince", { time: hours.format(heardAt) });
    if (chip.dataset.live !== now) chip.dataset.live = now;
    if (chip.textContent !== words) chip.textContent = words;
  }

  /* ---- the stream ---- */

  let source = null, streamAt = 0, openedAt = 0, retries = 0, retry = 0;
  const isStreaming = () => source !== null && streamAt > 0;

  function connect() {
    forgetRetry();
    if (source || isOver || document.hidden || !window.EventSource) return;
    streamAt = 0;
    openedAt = Date.now();
    source = new EventSource(`${page.dataset.liveUrl}?since=${since}`);
    source.onopen = inStream;
    source.onmessage = ({ data }) => {
      retries = 0;
      inStream();
      take(data);
    };
    source.addEventListener("beat", ({ data }) => {
      retries = 0;
      inStream();
      let beat = {};
      try { beat = JSON.parse(data); } catch { /* it was a sign of life all the same */ }
      if (beat.version > since && !come.length) poll();
      noteRelease(beat.release);
    });
    source.onerror = lost;
  }

  function inStream() {
    const isFirst = !streamAt;
    streamAt = Date.now();
    clearTimeout(next);
    heard();
    if (isFirst) document.dispatchEvent(new Event("sheet:signal"));
  }

  function forgetRetry() {
    clearTimeout(retry);
    retry = 0;
  }

  function drop() {
    forgetRetry();
    source?.close();
    source = null;
  }

  /* The stream broke or fell silent: polls stand in, and it is tried again, not by all at once. */
  function lost() {
    connectLater();
    light();
    poll();
  }

  function connectLater() {
    drop();
    if (isOver || document.hidden) return;
    const most = Math.min(TIMES.retryFirst * 2 ** retries, TIMES.retryMost);
    retries += 1;
    retry = setTimeout(connect, TIMES.retryLeast + Math.random() * (most - TIMES.retryLeast));
  }

  /* ---- the poll ---- */

  const asking = new Set();
  let next = 0;

  /* What changed, asked for at once. Without a signal one does not wait for the one before to give up. */
  async function poll() {
    clearTimeout(next);
    if (isOver || document.hidden) return;
    next = setTimeout(poll, TIMES.probe * (0.5 + Math.random() * 0.6)); // all phones lost the same server
    if (asking.size > 2) [...asking][0].abort();
    const request = new AbortController();
    const began = Date.now();
    const giveUp = setTimeout(() => request.abort(), TIMES.timeout);
    asking.add(request);
    try {
      const answer = await fetch(`${page.dataset.changesUrl}?since=${since}`, {
        signal: request.signal, cache: "no-store", credentials: "same-origin",
      });
      if (answer.status === 403 || answer.status === 404) {
        close(answer.status === 403 ? "forbidden" : "deleted");
      } else if (answer.ok) {
        const html = answer.status === 204 ? "" : await answer.text();
        if (answer.status === 204 || parse(html)) answered(html);
      } else {
        missed(began);
      }
    } catch {
      missed(began);
    } finally {
      clearTimeout(giveUp);
      asking.delete(request);
    }
  }
  scoresheet.catchUp = poll;

  function answered(html) {
    const wasGone = failedAt > heardAt;
    heard();
    clearTimeout(next);
    for (const other of asking) other.abort();
    if (html) take(html);
    if (source && (wasGone || !streamAt) && Date.now() - Math.max(openedAt, streamAt) > TIMES.stuck) connectLater(); // it will not wake up
    if (wasGone) retries = 0;
    if (!source && (wasGone || !retry)) connect();
    if (!isStreaming()) next = setTimeout(poll, TIMES.poll);
  }

  function missed(began) {
    if (heardAt >= began || document.hidden) return; // something else was heard meanwhile
    failedAt = Date.now();
    light();
  }

  /* At once; but what comes within the same frame is taken together with the next: nobody could see it. */
  const come = [];
  let frame = 0;
  function take(html) {
    come.push(html);
    if (frame) return;
    frame = requestAnimationFrame(() => { frame = 0; takeAll(); });
    takeAll();
  }

  function takeAll() {
    const all = come.splice(0).map(parse).filter(Boolean);
    if (!all.length) return;
    const news = apply(...all);
    for (const { dataset } of all) {
      if ("parts" in dataset && dataset.match === page.dataset.match) since = Math.max(since, Number(dataset.version));
      else if (Number(dataset.version) > since) poll(); // of another match: this one may have changed as well
    }
    sayNews(news);
  }

  /* This phone was put out, or the table is no more. */
  function close(words) {
    isOver = true;
    drop();
    light();
    if (words) tellMoved(text(words));
  }

  /* ---- a page that is no longer the newest: reloaded quietly, when nobody is in the middle of something ---- */

  let release = page.dataset.release;
  let isReleased = false, toldAt = 0; // a new one is there; since when the page says so
  function noteRelease(now) {
    if (!now) return;
    release ??= now;
    if (now !== release && isFirstTime(`release ${now}`)) isStale = isReleased = true;
    release = now;
  }

  /* Once per tab: two servers of two releases, or a slow network, must not send a page back and forth. */
  function isFirstTime(what) {
    try {
      if (sessionStorage.getItem(what)) return false;
      sessionStorage.setItem(what, "1");
    } catch { /* a browser that keeps nothing */ }
    return true;
  }

  /* An old copy tries at once, and then ever more seldom: the network may be too slow for a page. */
  const loadedAt = Date.now();
  let reloads = 0;
  try {
    reloads = kept ? Number(sessionStorage.getItem("reloads") ?? 0) : 0;
    if (!kept) sessionStorage.removeItem("reloads");
  } catch { /* a browser that keeps nothing */ }

  function reloadIfStale() {
    if (!isStale || isOver || document.hidden || failedAt > heardAt) return;
    if (scoresheet.isBusy() || scoresheet.outbox?.all().length) return;
    if (document.querySelector("dialog[open], .panel[data-shown], details[open]")) return;
    if (kept && Date.now() - loadedAt < TIMES.oldAgain * (2 ** reloads - 1)) return;
    if (isReleased && !toldAt) {
      toldAt = Date.now();
      tellMoved(text("released"));
    }
    if (Date.now() - toldAt < TIMES.goAfter) return;
    try {
      if (kept) sessionStorage.setItem("reloads", reloads + 1);
    } catch { /* a browser that keeps nothing */ }
    isOver = true;
    drop();
    location.reload();
  }

  if (kept) { // without tokens, its buttons can do nothing; the pad can, for the outbox is the page's own
    isStale = true;
    const needy = ".hand .tools :is(button, a), .panel button, .strip button, .whois button, .menu-list form button, [data-pad-settle], [data-pad-row]";
    for (const control of document.querySelectorAll(needy)) {
      if (control.matches("a")) control.removeAttribute("href");
      control.setAttribute("aria-disabled", "true");
      control.disabled = true;
    }
    for (const asker of document.querySelectorAll("[hx-post]")) asker.removeAttribute("hx-post");
  }

  /* ---- when ---- */

  function wake() {
    if (document.hidden) { // browsers freeze such a page; others get its connection
      drop();
      clearTimeout(next);
      for (const one of asking) one.abort();
      return;
    }
    wokeAt = Date.now();
    retries = 0;
    if (source && Date.now() - Math.max(openedAt, streamAt) > TIMES.stuck) drop();
    light();
    connect();
    poll();
  }
  document.addEventListener("visibilitychange", wake);
  addEventListener("pageshow", ({ persisted }) => { if (persisted) { drop(); wake(); } });
  addEventListener("pagehide", drop);
  addEventListener("online", wake);
  addEventListener("offline", noSignal);
  setInterval(() => {
    if (source && Date.now() - Math.max(openedAt, streamAt) > TIMES.off) lost();
    light();
    reloadIfStale();
  }, Math.min(1000, TIMES.off / 5));

  settle();
  connect();
  if (kept) poll();
  else next = setTimeout(poll, TIMES.probe);
})();
