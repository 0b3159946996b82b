/* What the server answered to a number, on the pad: the words, and the ways out as buttons. It reaches
   the pad only after that has begun. */
(() => {
  "use strict";
  const { scoresheet } = window;
  const { outbox, keys } = scoresheet ?? {};
  if (!outbox || !keys) return;
  const { page, words, nameOf, tool } = scoresheet;
  const { columns, isTwo } = keys;
  const pad = page.querySelector("[data-pad]");
  const [answer, trouble, input] = ["pad-answer", "trouble", "pad-value"].map((name) => pad.querySelector(`[data-${name}]`));

  const isTrouble = (entry) => entry !== undefined && ["refused", "failed", "late"].includes(entry.state);
  const split = (place) => {
    const [number, column] = place.split(".");
    return { number: Number(number), column, mode: column ? "cell" : "row" };
  };
  const told = ({ number, column, mode }, value) => ({ number, value, name: mode === "row" ? words("whole") : nameOf(column) });

  function fill(...nodes) {
    answer.replaceChildren(...nodes);
    pad.toggleAttribute("data-answered", nodes.length > 0);
  }
  const clear = () => fill();

  function say(html) {
    const found = new DOMParser().parseFromString(html, "text/html");
    fill(document.importNode(found.querySelector(".answer") ?? found.body.firstElementChild ?? found.body, true));
    scoresheet.times(answer);
  }

  function showHere() {
    const { spot, placeOf } = scoresheet.pad;
    const entry = outbox.get(placeOf(spot()));
    if (isTrouble(entry)) show(entry);
  }

  function show(entry) {
    if (entry.state === "failed") {
      fill(box("unsent", choices(entry, "again")));
      if (entry.said) answer.querySelector(".say").textContent = entry.said; // the server is there, and says why not
    } else {
      if (entry.html) say(entry.html);
      else clear();
      if (!answer.childElementCount) fill(box("trouble"));
      if (!answer.querySelector("[data-attempt]")) {
        answer.querySelector(".choices")?.remove();
        answer.firstElementChild.append(choices(entry, "anyway"));
      }
    }
    scoresheet.pad.takeBack(entry);
  }

  function box(word, ...more) {
    const found = document.createElement("div");
    found.className = "answer";
    found.dataset.code = word;
    const text = document.createElement("p");
    text.className = "say";
    text.textContent = words(word, told(scoresheet.pad.spot(), input.value));
    found.append(text, ...more);
    return found;
  }

  function choices(entry, word) {
    const found = document.createElement("div");
    found.className = "choices";
    if (entry.state !== "late" && !["gone", "not-whole"].includes(entry.code)) {
      const again = tool(words(word), () => { scoresheet.pad.restAfter(entry.place); outbox.again(entry.place); });
      again.classList.add("strong");
      again.dataset.again = "";
      found.append(again);
    }
    found.append(tool(words("forget"), () => outbox.forget(entry.place)));
    if (entry.code === "forbidden") found.append(outbox.seatLink());
    return found;
  }

  /* Numbers in trouble that the pad does not stand on; for them alone it comes up too. */
  function showOthers() {
    const { spot, placeOf } = scoresheet.pad;
    const here = spot()?.isBusy ? placeOf(spot()) : "";
    const list = outbox.all().filter((entry) => isTrouble(entry) && entry.place !== here);
    trouble.replaceChildren(...list.map((entry) => {
      const { number, column, mode } = split(entry.place);
      const value = Object.values(entry.cells).join(" : ");
      const word = entry.state === "late" ? "lateWaits" : "trouble";
      return tool(words(word, told({ number, column, mode }, value)), () =>
        scoresheet.pad.open(number, column ?? columns[0], { mode }));
    }));
    pad.hidden = !list.length && !spot();
  }

  document.addEventListener("outbox:changed", ({ detail: { entry } }) => {
    const { spot, isAt, close, stand, settled, unlock } = scoresheet.pad;
    const isHere = isAt(entry.place);
    if (entry.state === "unheard") {
      if (isHere && spot().isSent) unlock(entry.place);
    } else if (entry.state === "done" || entry.state === "forgotten") {
      if (isHere) settled(entry);
      else showOthers();
    } else if (entry.state === "late") {
      scoresheet.say(words("lateWaits", told(split(entry.place), Object.values(entry.cells)[0])));
      if (isHere) close();
      else showOthers();
    } else if (isTrouble(entry)) {
      if (!isHere && spot()?.isBusy) { showOthers(); return; }
      const { number, column, mode } = split(entry.place);
      if (!isHere) stand({ number, column: column ?? Object.keys(entry.cells)[0], mode, isBusy: true });
      show(entry);
    }
  });

  answer.addEventListener("submit", (event) => {
    const form = event.target.closest("form[data-attempt]");
    if (!form || !scoresheet.pad.spot()) return;
    event.preventDefault();
    const data = new FormData(form);
    const place = form.closest("[data-for]").dataset.for;
    const asked = answer.firstElementChild.dataset.for;
    const only = place.split(".")[1];
    const cells = only ? { [only]: data.get("value") }
      : Object.fromEntries(columns.filter((one) => data.has(`value_${one}`)).map((one) => [one, data.get(`value_${one}`)]));
    if (asked && asked !== place) { // the deal it was meant for has another number by now
      const there = split(place);
      outbox.forget(asked);
      scoresheet.pad.stand({ ...there, column: there.column ?? columns[0] });
    }
    scoresheet.pad.send({ place, cells, url: form.getAttribute("action"), base: data.get("base"), op: data.get("op"), sure: data.has("sure") });
  });

  answer.addEventListener("click", (event) => {
    const place = event.target.closest("[data-for]")?.dataset.for;
    const { open, close, draft } = scoresheet.pad;
    if (event.target.closest("[data-keep]")) {
      event.preventDefault();
      if (place) outbox.forget(place);
      close();
    } else if (event.target.closest("[data-whole-row]") && place) {
      event.preventDefault();
      const { number, column } = split(place);
      const text = input.value;
      outbox.forget(place);
      open(number, column, { mode: "row" });
      if (!isTwo) draft(text);
    }
  });

  scoresheet.answers = { clear, showHere, showOthers };
})();
