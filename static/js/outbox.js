/* Every write of a number: put() marks the cell and sends, an answer or a person ends it.
   One attempt keeps its op until it was answered; while it is under way the cell takes no other. */
"use strict";
(() => {
  const { scoresheet } = window;
  if (!scoresheet || !window.htmx) return;
  const { page, cellOf, words } = scoresheet;
  const waiting = new Map(); // place ("8.A", or "8" for a whole row) -> entry

  function newOp() {
    const bytes = crypto.getRandomValues(new Uint8Array(16)); // randomUUID needs https
    bytes[6] = (bytes[6] & 0x0f) | 0x40;
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  }

  const csrf = () => document.cookie.match(/(?:^|; )csrftoken=([^;]+)/)?.[1] ?? "";

  /* An entry: {place, cells: {column: text}, url, base, op, sure}. False while one is under way. */
  function put(entry) {
    const before = waiting.get(entry.place);
    if (isUnderWay(entry.place)) return false;
    if (before) unmark(before);
    entry.op ??= newOp();
    waiting.set(entry.place, entry);
    send(entry);
    return true;
  }

  function isUnderWay(place) {
    const number = place.split(".")[0];
    return [...waiting.values()].some((entry) =>
      entry.state === "sending" && (entry.place === place || entry.place === number
        || (place === number && entry.place.startsWith(`${number}.`))));
  }

  function send(entry) {
    entry.state = "sending";
    entry.html = "";
    mark(entry, "pending");
    const source = document.createElement("span"); // htmx queues by source: one of its own each
    source.hidden = true;
    page.append(source);
    const done = (event) => {
      source.remove();
      answered(entry, event.detail.xhr);
    };
    source.addEventListener("htmx:beforeSwap", (event) => { event.detail.shouldSwap = false; });
    source.addEventListener("htmx:afterRequest", done, { once: true });
    const values = { op: entry.op, base: entry.base };
    if (entry.sure) values.sure = "1";
    for (const [column, text] of Object.entries(entry.cells)) {
      values[entry.place.includes(".") ? "value" : `value_${column}`] = text;
    }
    htmx.ajax("POST", entry.url, { source, target: source, swap: "none", values }).catch(() => {});
    changed(entry);
  }

  async function answered(entry, xhr) {
    if (waiting.get(entry.place) !== entry) return;
    const { status } = xhr;
    if (status === 403 && xhr.responseText.includes('data-code="csrf"') && !entry.renewed) {
      entry.renewed = true;
      try { await fetch(page.dataset.csrfUrl, { cache: "no-store" }); } catch { /* sent again all the same */ }
      send(entry);
      return;
    }
    if (status === 200) {
      waiting.delete(entry.place);
      unmark(entry);
      const parts = scoresheet.parse(xhr.responseText);
      if (parts) scoresheet.sayNews(scoresheet.apply(parts));
      entry.state = "done";
    } else if (status >= 400 && status < 500) {
      entry.state = "refused";
      entry.html = xhr.responseText;
      mark(entry, "refused");
      const gone = scoresheet.parse(xhr.responseText);
      if (gone) scoresheet.apply(gone);
    } else {
      entry.state = "failed"; // no signal, no answer in time, or the server's own fault
    }
    changed(entry);
  }

  /* A person's word: this number is not wanted any more. */
  function forget(place) {
    const entry = waiting.get(place);
    if (!entry || entry.state === "sending") return;
    waiting.delete(place);
    unmark(entry);
    entry.state = "forgotten";
    changed(entry);
  }

  function again(place) {
    const entry = waiting.get(place);
    if (entry && entry.state === "failed") send(entry);
  }

  const changed = (entry) =>
    document.dispatchEvent(new CustomEvent("outbox:changed", { detail: { entry } }));

  /* ---- marks on the sheet: text and sign, never colour alone ---- */

  const marked = new WeakMap(); // cell -> how it stood before

  function mark(entry, state) {
    const number = entry.place.split(".")[0];
    for (const [column, text] of Object.entries(entry.cells)) {
      const cell = cellOf(number, column);
      if (!cell) continue;
      const link = cell.querySelector("a");
      if (!marked.has(cell)) marked.set(cell, { state: cell.dataset.state, nodes: [...link.childNodes] });
      cell.dataset.state = state;
      const value = document.createElement(text === "" ? "i" : "b");
      value.textContent = text.trim();
      link.replaceChildren(value);
    }
    scoresheet.settle();
  }

  function unmark(entry) {
    const number = entry.place.split(".")[0];
    for (const column of Object.keys(entry.cells)) {
      const cell = cellOf(number, column);
      const before = cell && marked.get(cell);
      if (!before) continue;
      marked.delete(cell);
      cell.dataset.state = before.state;
      cell.querySelector("a").replaceChildren(...before.nodes);
      scoresheet.release(cell);
    }
    scoresheet.settle();
  }

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

  scoresheet.outbox = {
    put, forget, again, newOp, isUnderWay, get: (place) => waiting.get(place), all: () => [...waiting.values()],
  };
})();
