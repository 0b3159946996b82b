/* The buttons under the pad and the panels they open: thrown in, end, who deals, the chalk. */
(() => {
  "use strict";
  const { scoresheet } = window;
  const outbox = scoresheet?.outbox;
  if (!outbox) return;
  const { page, words } = scoresheet;
  const isOpen = (scoresheet.isOpen = () => page.dataset.status === "open");

  function tool(text, act) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "tool";
    button.textContent = text;
    button.addEventListener("click", act);
    return button;
  }

  scoresheet.tool = tool;

  /* A thumb that taps twice must not hit what has just come up in the same place, be it a question
     or the page after the tap: taps right there do nothing for a moment. */
  const TREMBLE = 350, NEAR = 32; // milliseconds, px
  let lastTap = null;
  try { lastTap = JSON.parse(sessionStorage.getItem("tap")); } catch { /* nothing was kept */ }
  document.addEventListener("click", (event) => {
    if (!event.detail) return; // a key, not a thumb
    const { clientX: x, clientY: y } = event;
    const on = event.target.closest("a, button");
    const at = Date.now() - Math.max(0, performance.now() - event.timeStamp); // a busy phone gets to a tap late
    const isSame = lastTap && Math.abs(at - lastTap.at) < TREMBLE && Math.hypot(x - lastTap.x, y - lastTap.y) < NEAR;
    if (isSame && on !== lastTap.on) {
      lastTap.at = at;
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    lastTap = on?.closest(".tools, .panel, .chalk-ask") ? { x, y, at } : null;
    try {
      if (lastTap) sessionStorage.setItem("tap", JSON.stringify(lastTap));
      else sessionStorage.removeItem("tap");
    } catch { /* a browser that keeps nothing */ }
    if (lastTap) lastTap.on = on;
  }, true);

  function show(panel) {
    for (const other of page.querySelectorAll(".panel[data-shown]")) delete other.dataset.shown;
    panel.dataset.shown = "";
    page.dataset.panel = "";
    panel.focus({ preventScroll: true });
  }
  function hide() {
    for (const panel of page.querySelectorAll("[data-shown]")) delete panel.dataset.shown;
    delete page.dataset.panel;
    if (location.hash) history.replaceState(null, "", location.pathname);
  }
  scoresheet.hidePanels = hide;
  scoresheet.showPanel = show;
  function ask(html) {
    const found = new DOMParser().parseFromString(html, "text/html");
    const box = page.querySelector("[data-question]");
    box.replaceChildren(document.importNode(found.querySelector(".answer") ?? found.body, true));
    scoresheet.times(box);
    show(document.getElementById("question"));
  }
  scoresheet.tellUnsent = tellUnsent;
  scoresheet.ask = ask;
  /* There was no answer, or the server can take nothing now and says so in its own words. */
  function tellUnsent(html = "") {
    const said = new DOMParser().parseFromString(html, "text/html").querySelector(".notice p");
    const box = document.createElement("p");
    box.className = "answer say";
    box.textContent = said?.textContent || words("unsentTool");
    page.querySelector("[data-question]").replaceChildren(box, tool(words("ok"), hide));
    show(document.getElementById("question"));
  }

  page.addEventListener("click", (event) => {
    const target = event.target;
    if (target.closest("[data-panel-close]")) {
      event.preventDefault();
      hide();
    } else if (target.closest("[data-dealer]")) {
      const panel = document.getElementById("deals");
      event.preventDefault();
      if (panel && isOpen()) show(panel);
    } else if (target.closest("#now .late") && !document.getElementById("late")) {
      event.preventDefault();
      location.reload();
    } else if (target.closest("[data-chalk]") && !("begun" in document.getElementById("now").dataset)) {
      const strip = page.querySelector(".chalk-ask");
      if (!strip) return;
      event.preventDefault();
      strip.dataset.shown = "";
    } else if (target.closest("[data-later]")) {
      event.preventDefault();
      const strip = target.closest("form");
      strip.hidden = true;
      delete strip.dataset.shown;
    }
  });
  page.addEventListener("keydown", (event) => { if (event.key === "Escape") hide(); });

  const isTool = (element) => Boolean(element?.closest?.(".tools, .panel, .chalk-ask"));
  document.addEventListener("htmx:configRequest", (event) => {
    const { elt, parameters } = event.detail;
    if (!isTool(elt)) return;
    if (elt.matches("[data-fresh-op]")) parameters.op = outbox.newOp();
    if (elt.matches("[data-thrown-in]")) {
      const now = document.getElementById("now").dataset;
      parameters.before = now.next;
      parameters.seen = now.thrown;
    }
  });
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { elt, xhr } = event.detail;
    if (!isTool(event.detail.requestConfig?.elt ?? elt) || xhr.status < 400) return;
    event.detail.shouldSwap = false;
    if (xhr.status < 500) ask(xhr.responseText);
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const { elt, xhr } = event.detail;
    if (!isTool(elt)) return;
    if (xhr.status >= 200 && xhr.status < 300) hide();
    else if (!xhr.status || xhr.status >= 500) tellUnsent(xhr.responseText);
  });
  /* A phone asks for a seat, or was answered: the strip for it is fetched anew. */
  document.addEventListener("sheet:changed", () => {
    const strip = document.getElementById("requests");
    if (strip && (strip.firstElementChild || page.querySelector("#now .wish"))) scoresheet.htmx().then((htmx) => htmx.trigger(strip, "wish"), () => {});
  });
  /* Counting down to the line: a way to look at the sheet, kept by this phone for this game. */
  const counting = document.querySelector("[data-countdown]");
  function countDown(isOn) {
    if (isOn) page.dataset.left = counting.dataset.countdown;
    else delete page.dataset.left;
    counting.setAttribute("aria-pressed", String(isOn));
    scoresheet.settle();
  }
  if (counting) {
    const key = "count down";
    let isOn = false;
    try { isOn = localStorage.getItem(key) === "1"; } catch { /* a browser that keeps nothing */ }
    counting.hidden = false;
    countDown(isOn);
    counting.addEventListener("click", () => {
      isOn = !isOn;
      countDown(isOn);
      try { localStorage.setItem(key, isOn ? "1" : "0"); } catch { /* it holds until the page goes */ }
    });
  }

  document.addEventListener("click", (event) => {
    const menu = document.querySelector("details.menu[open]");
    if (menu && !menu.contains(event.target)) menu.open = false;
  });
})();
