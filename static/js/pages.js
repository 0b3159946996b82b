// The first page. Days in the reader's own time and language: "today" says more than a date. What waits
// in the outbox of which table, for it lies on this phone alone. And the way to the home screen.
"use strict";

const lang = document.documentElement.lang;
const day = (date) => new Date(date.getFullYear(), date.getMonth(), date.getDate());

for (const element of document.querySelectorAll("time[data-day]")) {
  const then = day(new Date(element.dateTime));
  const days = Math.round((day(new Date()) - then) / 86400000);
  if (days === 0 || days === 1) {
    element.textContent = new Intl.RelativeTimeFormat(lang, { numeric: "auto" }).format(-days, "day");
  } else if (days > 1 && days < 7) {
    element.textContent = then.toLocaleDateString(lang, { weekday: "long" });
  }
}

// An outbox lies under "outbox /t/<key>/m/<number>/", a list of its numbers.
function waiting(address) {
  let count = 0;
  try {
    for (let i = 0; i < localStorage.length; i += 1) {
      const key = localStorage.key(i);
      if (key.startsWith(`outbox ${address}`)) count += JSON.parse(localStorage.getItem(key)).length;
    }
  } catch { /* a browser that keeps nothing */ }
  return count;
}

function showWaiting() {
  for (const link of document.querySelectorAll("[data-waits-one] a")) {
    const { waitsOne, waitsMany } = link.closest("ul").dataset;
    const number = waiting(link.getAttribute("href"));
    link.querySelector(".waits")?.remove();
    if (!number) continue;
    const line = document.createElement("small");
    line.className = "waits";
    line.textContent = number === 1 ? waitsOne : waitsMany.replace("%(number)s", number);
    link.firstElementChild.append(line);
  }
}

showWaiting();
addEventListener("storage", showWaiting);
addEventListener("pageshow", showWaiting);

// The hint is there for a phone that has a table and no icon yet, until somebody says no. Where the
// browser can put the icon down itself it asks us first; an iPhone only knows the way by hand.
const hint = document.querySelector("[data-install]");
const REFUSED = "no icon, thanks";

function wasRefused() {
  try { return localStorage.getItem(REFUSED) !== null; } catch { return true; }
}

function offerIcon(prompt) {
  hint.hidden = false;
  hint.querySelector(prompt ? "[data-by-button]" : "[data-by-hand]").hidden = false;
  if (!prompt) return;
  const add = hint.querySelector("[data-add]");
  add.hidden = false;
  add.addEventListener("click", () => { hint.hidden = true; prompt.prompt(); });
}

if (hint && !wasRefused()) {
  hint.querySelector("[data-no]").addEventListener("click", () => {
    hint.hidden = true;
    try { localStorage.setItem(REFUSED, ""); } catch { /* then it comes again */ }
  });
  addEventListener("beforeinstallprompt", (event) => { event.preventDefault(); offerIcon(event); }, { once: true });
  addEventListener("appinstalled", () => { hint.hidden = true; });
  if (navigator.standalone === false) offerIcon(null); // only iOS knows this word
}
