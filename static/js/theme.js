/* Light or dark at once, without leaving the page: what is typed stays, and it works without signal too. The
   server hears of it for the next page; without scripts the form goes there and comes back. */
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

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches("form.theme") || !event.submitter) return;
    event.preventDefault();
    const body = new FormData(form);
    body.set("theme", event.submitter.value);
    show(form, event.submitter.value);
    fetch(form.action, { method: "POST", body, redirect: "manual", keepalive: true }).catch(() => { /* this page has it all the same */ });
  });
})();
