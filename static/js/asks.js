/* htmx, a third of all that a sheet would load, comes when something first asks with it: who looks on and
   who enters numbers needs none. A tap that is there before it waits for it, and is made once more. */
(() => {
  "use strict";
  const { scoresheet } = window;
  if (!scoresheet) return;
  const { page, given, TIMES } = scoresheet;
  const BY_ITSELF = "load,every,sheet:".split(",").map((when) => `[hx-trigger*="${when}"]`).join();

  /* A script or a style sheet that the page has done without so far. */
  scoresheet.fetched = (tag, address) => new Promise((done, failed) => {
    const element = Object.assign(document.createElement(tag), address);
    const giveUp = () => { element.remove(); failed(new Error("no signal")); };
    const waiting = setTimeout(giveUp, TIMES.timeout);
    element.onload = () => { clearTimeout(waiting); done(); };
    element.onerror = giveUp;
    document.head.append(element);
  });

  let coming = null;
  scoresheet.htmx = () => (coming ??= load().catch((error) => { coming = null; throw error; }));

  async function load() {
    const { address, config } = given.htmx;
    if (document.readyState !== "complete") await new Promise((done) => { addEventListener("load", done, { once: true }); });
    if (!document.querySelector("meta[name=htmx-config]")) {
      document.head.append(Object.assign(document.createElement("meta"), { name: "htmx-config", content: config }));
    }
    await scoresheet.fetched("script", { src: address }); // it looks through the page at once
    window.htmx.config.timeout = TIMES.timeout;
    return window.htmx;
  }

  function hold(event, act) {
    if (window.htmx || event.defaultPrevented) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    scoresheet.htmx().then(act, () => { // as when a tap that htmx sends has no answer
      scoresheet.noSignal();
      scoresheet.tellUnsent();
    });
  }
  page.addEventListener("submit", (event) => {
    const { target, submitter } = event;
    if (target.matches("form[hx-post]")) hold(event, () => submitter.click()); // a click tells htmx which button
  });
  page.addEventListener("click", (event) => {
    const link = event.target.closest("a[hx-post]");
    if (link) hold(event, () => link.click());
  });

  /* What asks by itself: a strip that waits for an answer, the story once a match is over. */
  const look = () => {
    const asks = page.querySelector(BY_ITSELF) || page.dataset.status !== "open";
    if (asks && !document.documentElement.dataset.old) scoresheet.htmx().catch(() => {});
  };
  document.addEventListener("sheet:changed", look);
  look();
})();
