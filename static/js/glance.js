/* What somebody at the table sees at a glance: that a tap was felt, a number that has just come, the
   moment a match is won; and a screen that stays on. */
(() => {
  "use strict";
  const { scoresheet } = window;
  if (!scoresheet) return;
  const { page, body, words, given } = scoresheet;

  /* ---- a tap is felt at once: phones wait with :active until it is sure to be none that scrolls ---- */

  let pressed = null;
  function press(control) {
    pressed?.removeAttribute("data-pressed");
    pressed = control;
    pressed?.setAttribute("data-pressed", "");
  }
  page.addEventListener("pointerdown", ({ target }) => press(target.closest("button, a")));
  for (const end of ["pointerup", "pointercancel", "pagehide"]) addEventListener(end, () => press(null));

  /* ---- what has just happened ---- */

  const FRESH = 8; // numbers that light up: of many at once nobody sees each, and the page has enough to do
  let status = page.dataset.status;
  document.addEventListener("sheet:changed", ({ detail: { news } }) => {
    for (const place of news.slice(-FRESH)) {
      const cell = body.querySelector(`[data-cell="${place}"]`);
      if (cell?.dataset.value) cell.dataset.fresh = "";
    }
    if (status !== page.dataset.status) page.toggleAttribute("data-just-won", page.dataset.status === "banked");
    status = page.dataset.status;
  });
  body.addEventListener("animationend", ({ target }) => target.removeAttribute("data-fresh"));

  /* ---- the menu: names come with the page, icons with the words ---- */

  const icons = Object.assign(document.createElement("template"), { innerHTML: given.menu }).content;
  for (const link of document.querySelectorAll(".menu-list > a")) {
    const parts = link.pathname.split("/").filter(Boolean);
    const word = parts[0] === "games" ? "rules" : parts.length ? parts.at(-1).replace(/^\d+$/, "match") : "home";
    const icon = icons.querySelector(`[data-of="${word}"] > *`);
    if (icon) link.prepend(icon.cloneNode(true));
  }

  /* ---- the screen stays on: the switch shows what is, not what was wished ---- */

  const lever = document.querySelector("[data-awake]");
  if (!lever || !navigator.wakeLock) return; // browsers have it on https only
  const note = document.querySelector("[data-awake-note]");
  const KEY = "keep the screen on";
  let lock = null, isAsking = false, isWished = false;
  try { isWished = localStorage.getItem(KEY) === "1"; } catch { /* a browser that keeps nothing */ }

  function wish(isOn) {
    isWished = isOn;
    try {
      if (isOn) localStorage.setItem(KEY, "1");
      else localStorage.removeItem(KEY);
    } catch { /* it holds until the page goes */ }
  }

  const show = () => lever.setAttribute("aria-checked", String(lock !== null));

  /* Asked once, by a tap or when the page is seen again; a phone that says no is not pestered. */
  async function ask() {
    if (lock || isAsking || document.hidden) return;
    isAsking = true;
    note.textContent = "";
    try {
      const fresh = await navigator.wakeLock.request("screen");
      lock = fresh.released ? null : fresh;
      fresh.addEventListener("release", () => {
        if (lock === fresh) lock = null;
        show();
      });
      wish(true);
    } catch {
      note.textContent = words("awakeNot");
    }
    isAsking = false;
    show();
  }

  lever.hidden = false;
  lever.addEventListener("click", () => {
    if (!lock) { ask(); return; }
    wish(false);
    lock.release();
  });
  document.addEventListener("visibilitychange", () => { if (isWished) ask(); });
  if (isWished) ask();
})();
