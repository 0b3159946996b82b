/* The switches of every page. Light or dark at once, without leaving the page: it works without signal too; the
   server hears of it for the next page. The other language comes with the page loaded anew, and what was typed
   goes along. Without scripts both forms go there and come back. */
(() => {
  "use strict";
  const root = document.documentElement;

  function show(form, theme) {
    if (theme) root.dataset.theme = theme;
    else delete root.dataset.theme;
    for (const button of form.querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.value === theme));
    document.querySelector("meta[name=color-scheme]").content = theme || "light dark";
    const bars = document.createElement("meta"); // the browser's own bars, as the page is now
    bars.name = "theme-color";
    bars.content = getComputedStyle(root).getPropertyValue("--paper").trim();
    for (const old of document.querySelectorAll("meta[name=theme-color]")) old.remove();
    document.head.append(bars);
  }

  function switchTheme(form, { value }) {
    const body = new FormData(form);
    body.set("theme", value);
    show(form, value);
    fetch(form.action, { method: "POST", body, redirect: "manual", keepalive: true }).catch(() => { /* this page has it all the same */ });
  }

  /* ---- what was typed ---- */

  const key = `typed ${location.pathname}`;
  const isTyped = (field) => !field.readOnly && !["hidden", "file", "submit", "button"].includes(field.type);
  const fields = () => [...document.querySelectorAll("main form :is(input, select, textarea)[name]")].filter(isTyped);
  const folds = () => [...document.querySelectorAll("main details")];

  function keepTyped() {
    const typed = fields().map(({ name, value, checked }) => [name, value, checked]);
    try {
      sessionStorage.setItem(key, JSON.stringify({ typed, open: folds().map((fold) => fold.open) }));
    } catch { /* a browser that keeps nothing */ }
  }

  function typeAgain() {
    let kept = null;
    try {
      kept = JSON.parse(sessionStorage.getItem(key));
      sessionStorage.removeItem(key);
    } catch { /* nothing was kept */ }
    if (!kept) return;
    fields().forEach((field, i) => {
      const [name, value, checked] = kept.typed[i] ?? [];
      if (field.name !== name) return;
      if (["radio", "checkbox"].includes(field.type)) field.checked = checked && field.value === value;
      else field.value = value;
    });
    folds().forEach((fold, i) => { fold.open ||= Boolean(kept.open[i]); });
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.matches("form.language")) keepTyped();
    if (!form.matches("form.theme") || !event.submitter) return;
    event.preventDefault();
    switchTheme(form, event.submitter);
  });
  typeAgain(); // before the page's own scripts look at it
})();
