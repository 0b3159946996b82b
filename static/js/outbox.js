/* The outbox: a number is written here first, then sent, and forgotten only when the server has it or
   a person says so. It lives in localStorage, one key per match, so that reload, lock, tab kill and
   restart keep it; several tabs of a browser share it. A whole row needs the network and is not kept.

   A record: {op, place "8.A", cells {A: "3"}, url, base, sure, at, state, sent, html, code}
   waiting  to be sent, or under way; `sent` once it may have reached the server: then it is not
            changed any more, and a newer number for its cell waits behind it
   refused  a person chooses; the answer is kept with it
   late     came after the end and lies with the host */
(() => {
  "use strict";
  const { scoresheet } = window;
  if (!scoresheet) return;
  const { page, body, cellOf, words, TIMES } = scoresheet;
  const AT_MOST = 100; // records per match
  const HIGHEST_ROUND = 300;
  const { matchUrl, tableUrl } = page.dataset;
  const own = `outbox ${matchUrl}`; // its key

  function newOp() {
    const bytes = crypto.getRandomValues(new Uint8Array(16)); // randomUUID needs https
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  }

  /* ---- where it lies ---- */

  const memory = new Map(); // key -> list, where the browser keeps nothing

  function load(key = own) {
    if (memory.has(key)) return memory.get(key);
    try {
      const list = JSON.parse(localStorage.getItem(key));
      return Array.isArray(list) ? list : [];
    } catch { return []; }
  }

  function save(list, key = own) {
    try {
      if (list.length > AT_MOST) throw new Error("full");
      if (list.length) localStorage.setItem(key, JSON.stringify(list));
      else localStorage.removeItem(key);
      memory.delete(key);
    } catch {
      memory.set(key, list);
    }
  }

  function change(op, values, key = own) {
    const list = load(key);
    const entry = list.find((one) => one.op === op);
    if (!entry) return null;
    Object.assign(entry, values);
    save(list, key);
    return entry;
  }

  const AFRESH = { state: "waiting", html: "", code: "" };
  const remove = (op, key = own) => save(load(key).filter((one) => one.op !== op), key);

  /* The matches of this table with something in the outbox, this one first. */
  const keys = () => [...new Set([own, ...memory.keys(), ...keysUnder(tableUrl)])];

  function keysUnder(address) {
    const found = [];
    try {
      for (let i = 0; i < localStorage.length; i += 1) {
        if (localStorage.key(i).startsWith(`outbox ${address}`)) found.push(localStorage.key(i));
      }
    } catch { /* a browser that keeps nothing */ }
    return found;
  }

  /* The table has another address than when these were written: they go on from the new one, and so
     does what was typed and not yet sent. */
  function moveHere(address) {
    for (const key of keysUnder(address)) {
      const here = key.replace(address, tableUrl);
      const there = load(here);
      const came = load(key).filter((entry) => !there.some((one) => one.op === entry.op));
      for (const entry of came) entry.url = entry.url.replace(address, tableUrl);
      save([...came, ...there], here);
      save([], key);
    }
    try {
      const draft = `draft ${matchUrl.replace(tableUrl, address)}`;
      if (sessionStorage.getItem(draft)) sessionStorage.setItem(`draft ${matchUrl}`, sessionStorage.getItem(draft));
      sessionStorage.removeItem(draft);
    } catch { /* a browser that keeps nothing */ }
  }

  /* ---- in and out ---- */

  const isSame = (one, other) => JSON.stringify(one.cells) === JSON.stringify(other.cells);

  /* An entry: {place, cells: {column: text}, url, base, op, sure}. False when it cannot go now. */
  function put(entry) {
    if (!entry.place.includes(".")) return putRow(entry);
    if (isUnderWay(entry.place)) return false;
    let list = load();
    const last = list.filter((one) => one.place === entry.place).at(-1);
    const fresh = { ...entry, op: entry.op ?? newOp(), state: "waiting", at: Date.now() };
    if (last?.state === "waiting" && isSame(last, fresh) && !entry.sure) {
      kick();
      return true;
    }
    if (last?.state === "waiting" && !last.sent) {
      fresh.base = last.base;
      list[list.indexOf(last)] = fresh;
    } else {
      list = list.filter((one) => one.place !== entry.place || one.state === "waiting");
      list.push(fresh);
    }
    save(list);
    draw();
    changed(fresh);
    kick();
    return true;
  }

  /* A person's word: this number is not wanted any more. */
  function forget(place) {
    if (rows.get(place)?.state === "sending") return;
    const gone = rows.get(place) ?? load().filter((one) => one.place === place).at(-1);
    if (!gone || (gone.state === "waiting" && gone.sent)) return;
    rows.delete(place);
    save(load().filter((one) => one.place !== place || one.sent === true && one.state === "waiting"));
    draw();
    changed({ ...gone, state: "forgotten" });
  }

  /* Once more, as it is: what was refused may be allowed by now. */
  function again(place) {
    const row = rows.get(place);
    if (row) {
      if (row.state !== "sending") sendRow(row);
      return;
    }
    const entry = get(place);
    if (!entry || entry.state === "waiting") return;
    changed(change(entry.op, AFRESH));
    draw();
    kick();
  }

  const get = (place) => rows.get(place) ?? load().filter((one) => one.place === place).at(-1);
  const all = () => [...load(), ...rows.values()];

  const changed = (entry) =>
    document.dispatchEvent(new CustomEvent("outbox:changed", { detail: { entry } }));

  /* ---- sending ---- */

  let flying = null; // {request, at, isStuck}: the one request of the outbox that is under way
  let failures = 0, timer = 0, isPumping = false, isWanted = false;

  const csrf = (scoresheet.csrf = () => document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "");

  /* Resolves to the answer's status and text; status 0 when there was none. */
  async function post(url, values, request = new AbortController()) {
    const giveUp = setTimeout(() => request.abort(), TIMES.timeout);
    const headers = { "HX-Request": "true", "X-CSRFToken": csrf() }; // answered with a part, as htmx is
    try {
      const answer = await fetch(url, { method: "POST", headers, body: new URLSearchParams(values), signal: request.signal });
      return { status: answer.status, text: await answer.text() };
    } catch {
      return { status: 0, text: "" };
    } finally {
      clearTimeout(giveUp);
    }
  }

  function postEntry(entry) {
    const values = { op: entry.op, base: entry.base };
    if (entry.sure) values.sure = "1";
    for (const [column, text] of Object.entries(entry.cells)) {
      values[entry.place.includes(".") ? "value" : `value_${column}`] = text;
    }
    flying = { request: new AbortController(), at: Date.now(), isStuck: false };
    return post(entry.url, values, flying.request);
  }

  /* A refusal for the token of a page that was open for long: a fresh one, and once more. */
  async function postRenewed(entry) {
    const answer = await postEntry(entry);
    if (answer.status !== 403 || codeOf(answer.text) !== "csrf") return answer;
    try { await fetch(page.dataset.csrfUrl, { cache: "no-store", signal: AbortSignal.timeout?.(TIMES.timeout) }); } catch { /* sent again all the same */ }
    return postEntry(entry);
  }

  const codeOf = (html) => html.match(/data-code="([\w-]+)"/)?.[1] ?? "";
  /* Whether it was the product that answered, and not some page of a network that asks for a password. */
  /* A server that can write nothing until a person has seen to it: told once, and tried on all the same. */
  const LASTING = new Set(["no-room", "read-only", "no-store"]);
  const isOurs = ({ status, text }) => status !== 200 || Boolean(scoresheet.parse(text));
  const isSilence = (answer) => answer.status < 400 ? !isOurs(answer) || answer.status !== 200
    : answer.status > 500 || answer.status === 408 || answer.status === 429;

  /* Now, whatever the waiting time says: a new number, or the signal is back. */
  function kick() {
    failures = 0;
    clearTimeout(timer);
    if (flying && Date.now() - flying.at > TIMES.stuck) {
      flying.isStuck = true;
      flying.request.abort();
    }
    pump();
  }

  async function pump() {
    isWanted = true;
    if (isPumping) return;
    isPumping = true;
    let isStopped = false;
    try {
      while (isWanted && !isStopped) {
        isWanted = false;
        for (const key of keys()) {
          if (load(key).some((one) => one.state === "waiting") && !await alone(key, () => drain(key))) {
            isStopped = true;
            break;
          }
        }
      }
    } finally {
      isPumping = false;
    }
    if (isStopped) {
      const wait = Math.min(TIMES.sendFirst * 2 ** failures, TIMES.sendMost);
      failures += 1;
      timer = setTimeout(pump, wait * (0.75 + Math.random() / 2));
    }
  }

  /* Everything that waits in one match, oldest first; false when there is no signal, or it was not its turn. */
  async function drain(key) {
    const tried = new Set(), held = new Set();
    for (;;) {
      const entry = load(key).find((one) => one.state === "waiting" && !tried.has(one.op) && !held.has(one.place));
      if (!entry) return tried.size === 0;
      const mayHaveGone = entry.sent || navigator.onLine !== false;
      change(entry.op, { sent: true }, key);
      const answer = await postRenewed(entry);
      const wasStuck = flying.isStuck;
      flying = null;
      if (isSilence(answer)) {
        if (!mayHaveGone && !answer.status) change(entry.op, { sent: false }, key);
        if (wasStuck) continue;
        if (!failures && LASTING.has(codeOf(answer.text))) scoresheet.tellUnsent(answer.text);
        scoresheet.noSignal();
        if (key === own) changed({ ...entry, state: "unheard" });
        return false;
      }
      if (answer.status === 500) { // the server's own fault: others may be luckier
        tried.add(entry.op);
        held.add(entry.place);
        continue;
      }
      failures = 0;
      if (answer.status === 200) written(entry, answer.text, key);
      else refused(entry, answer, key);
    }
  }

  function written(entry, html, key) {
    const parts = scoresheet.parse(html);
    const behind = load(key).find((one) => one.place === entry.place && one.op !== entry.op);
    const stands = parts.querySelector("template[data-rows]")?.content.querySelector(`[data-cell="${entry.place}"]`);
    const isMoved = Number(stands?.parentElement.dataset.since ?? 0) > Number(entry.base); // another deal stands there by now
    if (behind && stands && !isMoved) change(behind.op, { base: stands.dataset.version }, key);
    remove(entry.op, key);
    scoresheet.sayNews(scoresheet.apply(parts));
    draw();
    drawStrip();
    if (key === own) changed({ ...entry, state: "done" });
  }

  function refused(entry, { status, text }, key) {
    const isSuperseded = load(key).some((one) => one.place === entry.place && one.op !== entry.op && one.at > entry.at);
    const code = codeOf(text) || String(status);
    const values = { state: code === "ended" && entry.cells[entry.place.split(".")[1]] !== "" ? "late" : "refused", code };
    values.html = text.replace(/<input[^>]*csrfmiddlewaretoken[^>]*>/g, "").slice(0, 20_000);
    if (code === "not-open") values.then = situation();
    if (isSuperseded) remove(entry.op, key); // the person has already said otherwise
    else change(entry.op, values, key);
    draw();
    const gone = scoresheet.parse(text);
    if (gone) scoresheet.apply(gone);
    if (!isSuperseded && key === own) changed({ ...entry, ...values });
    look();
    if (code === "ended") scoresheet.catchUp();
  }

  /* ---- whole rows: sent at once or not at all ---- */

  const rows = new Map(); // "8" -> entry

  function putRow(entry) {
    if (isUnderWay(entry.place)) return false;
    entry.op ??= newOp();
    rows.set(entry.place, entry);
    sendRow(entry);
    return true;
  }

  async function sendRow(entry) {
    entry.state = "sending";
    entry.html = "";
    draw();
    changed(entry);
    const isFree = !load().some((one) => one.state === "waiting" && one.place.startsWith(`${entry.place}.`));
    const answer = isFree ? await postRenewed(entry) : { status: 0, text: "" }; // its cells come first
    flying = null;
    if (rows.get(entry.place) !== entry) return;
    if (answer.status === 200 && isOurs(answer)) {
      rows.delete(entry.place);
      entry.state = "done";
      draw();
      scoresheet.sayNews(scoresheet.apply(scoresheet.parse(answer.text)));
    } else if (answer.status >= 400 && answer.status < 500) {
      Object.assign(entry, { state: "refused", html: answer.text, code: codeOf(answer.text) });
      draw();
      const gone = scoresheet.parse(answer.text);
      if (gone) scoresheet.apply(gone);
    } else {
      entry.state = "failed"; // no signal, no answer in time, or the server's own fault
      entry.said = new DOMParser().parseFromString(answer.text, "text/html").querySelector(".notice p")?.textContent;
      if (isFree) scoresheet.noSignal();
    }
    changed(entry);
  }

  /* A row under way, or one that covers this cell. */
  const isUnderWay = (place) => rows.get(place.split(".")[0])?.state === "sending";

  /* ---- one tab at a time ---- */

  const me = newOp();

  function alone(key, job) {
    if (navigator.locks) return navigator.locks.request(key, job); // https only
    return leased(key, job);
  }

  async function leased(key, job) {
    const name = `lease ${key}`;
    const holder = () => {
      try {
        const lease = JSON.parse(localStorage.getItem(name));
        return lease && lease.until > Date.now() ? lease.tab : "";
      } catch { return me; } // nothing is shared, so nobody else is there
    };
    const take = () => {
      try { localStorage.setItem(name, JSON.stringify({ tab: me, until: Date.now() + TIMES.timeout * 2 + 4000 })); } catch { /* the same */ }
    };
    const before = holder();
    if (before && before !== me) return false;
    take();
    if (before !== me && others()) await new Promise((done) => { setTimeout(done, 30 + Math.random() * 50); });
    if (holder() !== me) return false;
    const renewing = setInterval(take, TIMES.timeout);
    try {
      return await job();
    } finally {
      clearInterval(renewing);
      try { if (holder() === me) localStorage.removeItem(name); } catch { /* the same */ }
    }
  }

  /* Tabs on the same table say so; alone, nobody has to wait for a race to settle. */
  let tabs = null, heardOthers = false;
  const others = () => heardOthers || !tabs;
  try {
    tabs = new BroadcastChannel(`outbox ${tableUrl}`);
    tabs.onmessage = ({ data }) => {
      heardOthers = true;
      if (data === "who is there") tabs.postMessage("I am");
    };
    tabs.postMessage("who is there");
  } catch { /* an old browser */ }

  addEventListener("storage", ({ key, oldValue, newValue }) => {
    if (key !== null && !key.startsWith(`outbox ${tableUrl}`)) return;
    const count = (text) => { try { return JSON.parse(text)?.length ?? 0; } catch { return 0; } };
    if (key === own && count(newValue) < count(oldValue)) scoresheet.catchUp().finally(draw); // another tab has sent it
    else draw();
    drawStrip();
  });

  /* ---- marks on the sheet: text and sign, never colour alone ---- */

  const marked = new Map(); // place of a cell -> {cell, state, nodes}: how it stood before
  let hasBegun = false;

  /* Bring the sheet in step with the outbox. */
  function draw() {
    const wanted = new Map();
    for (const entry of all()) {
      const number = entry.place.split(".")[0];
      for (const [column, text] of Object.entries(entry.cells)) wanted.set(`${number}.${column}`, { entry, text });
    }
    const wasClean = !marked.size;
    const hasOpened = openAhead();
    for (const [place, before] of marked) {
      if (!wanted.has(place) || !before.cell.isConnected) unmark(place, before);
    }
    for (const [place, { entry, text }] of wanted) mark(place, entry, text);
    if (hasOpened || !wasClean || marked.size) scoresheet.settle();
  }

  function mark(place, entry, text) {
    const cell = cellOf(...place.split("."));
    if (!cell) return;
    const link = cell.querySelector("a");
    if (!marked.has(place)) marked.set(place, { cell, state: cell.dataset.state, nodes: [...link.childNodes] });
    const isOnItsWay = entry.state === "waiting" || entry.state === "sending";
    const state = isOnItsWay || entry.state === "late" ? "pending" : "refused";
    if (cell.dataset.state !== state) cell.dataset.state = state;
    cell.toggleAttribute("data-late", entry.state === "late");
    if (isOnItsWay) cell.dataset.entry = text.trim();
    else delete cell.dataset.entry;
    if (link.childNodes.length === 1 && link.textContent === text.trim()) return;
    const value = document.createElement(text === "" ? "i" : "b");
    value.textContent = text.trim();
    link.replaceChildren(value);
  }

  function unmark(place, { cell, state, nodes }) {
    marked.delete(place);
    delete cell.dataset.entry;
    cell.removeAttribute("data-late");
    cell.dataset.state = state;
    cell.querySelector("a").replaceChildren(...nodes);
    scoresheet.release(cell);
  }

  /* ---- the next deal is open as soon as the last one has a number, here too ---- */

  const isHolding = () => document.querySelector("#now > strong") !== null;
  const situation = () => `${document.getElementById("now").dataset.next} ${isHolding()}`;

  function openAhead() { // whether rows came or went
    const next = Number(document.getElementById("now").dataset.next);
    const isOpen = page.dataset.status === "open" && !isHolding();
    let last = 0;
    for (const { place, state, cells, at } of load()) {
      const number = Number(place.split(".")[0]);
      const opens = isOpen && state === "waiting" && number >= next && !Object.values(cells).includes("");
      const young = TIMES.ahead - (Date.now() - at);
      if (opens && young > 0) setTimeout(draw, young + 1);
      last = Math.max(last, number + (opens && young <= 0 ? 1 : 0));
    }
    last = Math.min(last, HIGHEST_ROUND);
    scoresheet.ahead = last;
    const isThere = [...body.querySelectorAll("tr[data-ahead]")].every((row) => row.dataset.round <= last);
    if (isThere && (!last || scoresheet.rowOf(last))) return false;
    const keepStill = scoresheet.hold();
    for (const row of body.querySelectorAll("tr[data-ahead]")) {
      if (Number(row.dataset.round) > last && !row.querySelector("[data-editing=busy], [data-draft]")) row.remove();
    }
    for (let number = 1; number <= last; number += 1) if (!scoresheet.rowOf(number)) openRow(number);
    keepStill();
    return true;
  }

  function openRow(number) {
    const like = [...body.querySelectorAll("tr[data-round]")].at(-1);
    if (!like) return;
    const row = like.cloneNode(true);
    for (const { name } of [...row.attributes]) row.removeAttribute(name);
    row.id = `r${number}`;
    Object.assign(row.dataset, { round: number, version: 0, ahead: "" });
    row.querySelector("th").replaceChildren(String(number));
    for (const cell of row.querySelectorAll("[data-cell]")) {
      const column = cell.dataset.cell.split(".")[1];
      for (const { name } of [...cell.attributes]) cell.removeAttribute(name);
      Object.assign(cell.dataset, { cell: `${number}.${column}`, version: scoresheet.version(), state: "open" });
      const link = cell.querySelector("a");
      for (const { name } of [...link.attributes]) link.removeAttribute(name);
      link.href = `${matchUrl}r/${number}/${column}/`;
      link.replaceChildren(Object.assign(document.createElement("i"), { textContent: words("open") }));
    }
    body.insertBefore(row, scoresheet.placeOf(number));
  }

  /* ---- what news say about what was refused ---- */

  function look(isLoaded = false) {
    const hasLate = document.querySelector("#now .late") !== null;
    let sends = false;
    for (const key of keys()) {
      for (const entry of load(key)) {
        const isOver = key === own && page.dataset.status !== "open";
        if (entry.state === "late" && key === own && !isOver && entry.over) {
          sends = true; // the end was taken back
          change(entry.op, { ...AFRESH, over: false }, key);
        } else if (entry.state === "late" && (isDecided(entry, key) || (!hasLate && (isLoaded || entry.seen)))) {
          remove(entry.op, key);
          if (key === own) changed({ ...entry, state: "forgotten" });
        } else if (entry.state === "late" && ((hasLate && !entry.seen) || (isOver && !entry.over))) {
          change(entry.op, { seen: entry.seen || hasLate, over: entry.over || isOver }, key); // this page knows of it
        } else if (entry.code === "not-open" && entry.state === "refused" && key === own && isOpenNow(entry)) {
          sends = true;
          change(entry.op, AFRESH, key);
        }
      }
    }
    draw();
    drawStrip();
    if (sends) kick();
  }

  function isDecided({ place, cells }, key) {
    if (key !== own) return false;
    const [number, column] = place.split(".");
    const cell = cellOf(number, column);
    return cell !== null && scoresheet.storedValue(cell) === cells[column].trim();
  }

  function isOpenNow({ place, then }) {
    const next = Number(document.getElementById("now").dataset.next);
    return page.dataset.status === "open" && !isHolding() && Number(place.split(".")[0]) <= next && situation() !== then;
  }

  /* ---- what the pad cannot show: numbers of other matches, and of a phone that lost its seat ---- */

  const strip = document.getElementById("kept");

  function drawStrip() {
    if (!hasBegun || !strip) return;
    const lines = [];
    for (const key of keys()) {
      if (key === own && page.querySelector("[data-pad]")) continue;
      const match = key.match(/\/m\/(\d+)\/$/)?.[1];
      const list = load(key);
      const waiting = list.filter((one) => one.state === "waiting");
      const intro = key === own ? "" : `${words("match", { number: match })}: `;
      if (waiting.length) {
        lines.push(line(intro + words(waiting.length === 1 ? "waitsOne" : "waitsMany", { number: waiting.length })));
      }
      for (const entry of list.filter((one) => one.state !== "waiting")) lines.push(troubleLine(entry, key, intro));
    }
    strip.replaceChildren(...lines);
    strip.hidden = !lines.length;
  }

  function line(text, ...buttons) {
    const box = document.createElement("div");
    box.className = "late-one";
    const said = Object.assign(document.createElement("p"), { textContent: text });
    const choices = document.createElement("div");
    choices.className = "choices";
    choices.append(...buttons);
    box.append(said, ...(buttons.length ? [choices] : []));
    return box;
  }

  function troubleLine(entry, key, intro) {
    const [number, column] = entry.place.split(".");
    const told = { number, name: scoresheet.nameOf(column), value: entry.cells[column] };
    const forgetIt = () => { remove(entry.op, key); draw(); drawStrip(); };
    const goes = () => {
      change(entry.op, AFRESH, key);
      draw();
      drawStrip();
      kick();
    };
    const buttons = [scoresheet.tool(words("forget"), forgetIt)];
    if (entry.state === "refused" && entry.code !== "gone") buttons.unshift(scoresheet.tool(words("anyway"), goes));
    if (entry.code === "forbidden") buttons.push(seatLink());
    return line(intro + words(entry.state === "late" ? "lateWaits" : "trouble", told), ...buttons);
  }

  function seatLink() {
    const link = document.createElement("a");
    link.className = "tool";
    link.href = `${tableUrl}people/`;
    link.textContent = words("takeSeat");
    return link;
  }

  /* ---- when ---- */

  document.addEventListener("htmx:configRequest", (event) => {
    event.detail.headers["X-CSRFToken"] = csrf();
  });

  /* News that comes as the answer to any other button of the page. */
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, isError } = event.detail;
    if (isError || !xhr.responseText.startsWith("<div data-parts")) return;
    event.detail.shouldSwap = false;
    scoresheet.apply(scoresheet.parse(xhr.responseText));
  });

  document.addEventListener("sheet:changed", () => look());
  document.addEventListener("sheet:signal", kick);
  addEventListener("online", kick);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) kick(); });
  addEventListener("pageshow", ({ persisted }) => { if (persisted) { draw(); kick(); } });

  for (const address of (page.dataset.was ?? "").split(" ").filter(Boolean)) moveHere(address);
  scoresheet.outbox = { put, forget, again, post, newOp, isUnderWay, get, all, seatLink };
  look(!document.documentElement.dataset.old);
  addEventListener("DOMContentLoaded", () => {
    hasBegun = true;
    drawStrip();
    pump();
  });
})();
