/* The sheet on the wall: nothing to tap, big whatever the numbers are, and awake for as long as it may. */
(() => {
  "use strict";
  const { scoresheet } = window;
  if (!scoresheet) return;
  const { page, TIMES } = scoresheet;
  const LONG_NAME = 22; // letters that fit on one line
  const AGAIN = TIMES.wall ?? 30000; // milliseconds between two looks at a table that is closed

  /* A remote control jumps from link to link; here they lead nowhere, so they are words. */
  function still() {
    for (const link of page.querySelectorAll("#page a")) {
      link.removeAttribute("href");
      link.removeAttribute("aria-label");
    }
  }

  function measure() {
    const digits = [...page.querySelectorAll("[data-total]")].map((total) => total.textContent.length);
    page.dataset.digits = Math.max(...digits);
    for (const name of page.querySelectorAll(".side h2 span")) {
      name.toggleAttribute("data-long", name.textContent.length > LONG_NAME);
    }
  }

  /* What comes without a new number may be about the code: opened, closed, or another one. */
  document.addEventListener("sheet:changed", ({ detail }) => {
    still();
    measure();
    if (!detail.news.length) window.htmx.trigger("#invitation", "changed");
  });
  still();
  measure();

  /* Closed, or taken for closed: looked at again, for nobody comes to a wall to reload it. */
  setInterval(async () => {
    if (scoresheet.hasSignal()) return;
    try {
      const answer = await fetch(location.href, { cache: "no-store", signal: AbortSignal.timeout?.(TIMES.timeout) });
      if (answer.ok && !scoresheet.hasSignal()) location.reload();
    } catch { /* no signal */ }
  }, AGAIN);

  /* The screen stays on while the page is seen, where the browser allows it; else the page says so. */
  const sleeps = document.querySelector("[data-sleeps]");
  async function stayAwake() {
    if (document.hidden) return;
    try {
      const lock = await navigator.wakeLock.request("screen");
      sleeps.hidden = true;
      lock.addEventListener("release", () => { sleeps.hidden = document.hidden; });
    } catch { // a browser without it, plain http, or a battery that is low
      sleeps.hidden = false;
    }
  }
  document.addEventListener("visibilitychange", stayAwake);
  stayAwake();
})();
