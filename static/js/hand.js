/* Working a hand out: shows the questions that fit the answers so far, and asks the server after
   every tap what they come to. The form itself is never swapped, only the answer beside it; that
   carries the answers it was made from, so what is shown is what gets written. */
(() => {
  "use strict";
  const { scoresheet } = window;
  if (window.scoresheetHand) return; // one pair of ears is enough
  window.scoresheetHand = true;
  const dialog = document.getElementById("settle");
  const SOON = 120, TIMEOUT = 8000, TAP = 700; // milliseconds; a click so soon after a finger is a tap
  const form = () => document.getElementById("hand");
  const worked = () => document.getElementById("worked");
  let waiting = 0, box = null, asked = 0, isWriting = false, isOpening = false, touchedAt = 0;

  /* ---- which questions are asked ---- */

  function answers(of) {
    const found = {};
    for (const field of of.querySelectorAll("[data-ask]:not([hidden])")) {
      const told = field.querySelector("input[type=radio]:checked, input:is(:not([type]), [type=text])");
      const isOn = field.querySelector("input[type=checkbox]")?.checked;
      if (told && !told.closest("[hidden]")) found[field.dataset.ask] = told.value.trim();
      else if (isOn !== undefined) found[field.dataset.ask] = String(isOn);
    }
    return found;
  }

  /* A condition: "kind=small_solo|big_solo made=true". */
  function fits(when, told) {
    return when.split(" ").filter(Boolean).every((condition) => {
      const [name, words] = condition.split("=");
      return words.split("|").includes(told[name]);
    });
  }

  function arrange() {
    const of = form();
    for (const field of of.querySelectorAll("[data-ask]")) {
      const isAsked = fits(field.dataset.when, answers(of));
      field.hidden = field.disabled = !isAsked;
      if (!isAsked) continue;
      for (const one of field.querySelectorAll(".pick[data-when]")) one.hidden = !fits(one.dataset.when, answers(of));
      keepAnswer(field);
    }
    for (const twin of of.querySelectorAll("[data-mirror]")) twin.closest("label").hidden = false;
  }

  /* An answer that is no longer offered goes over to the one of the same meaning, or is open
     again; a question nobody has answered has its usual answer. */
  function keepAnswer(field) {
    const checked = field.querySelector(".pick[hidden] > :checked");
    if (checked) checked.checked = false;
    if (field.querySelector(":checked")) return;
    const word = checked?.value ?? field.dataset.usual;
    const same = field.querySelector(`.pick:not([hidden]) > [type=radio][value="${word}"]`);
    if (same) same.checked = true;
  }

  /* Points are typed next when everything before them is answered: the keys come by themselves. */
  function advance() {
    for (const field of form().querySelectorAll("[data-ask]:not([hidden])")) {
      const points = field.querySelector("[data-points]");
      if (points && points.value === "") points.focus({ preventScroll: true });
      if (points ? points.value === "" : field.querySelector("[type=radio]") && !field.querySelector(":checked")) return;
    }
  }

  /* ---- asking ---- */

  const buttons = (isOff) => { for (const button of worked().querySelectorAll("button")) button.disabled = isOff; };

  function ask() {
    clearTimeout(waiting);
    asked += 1;
    buttons(true); // it says what was
    waiting = setTimeout(() => {
      const of = form();
      if (!of || isWriting) return;
      const number = asked;
      of.dataset.sent = number;
      window.htmx.ajax("POST", of.getAttribute("action"), {
        source: of, target: "#worked", swap: "innerHTML", values: { do: "work" },
      }).catch(() => {});
    }, SOON);
  }

  /* What the button's own form holds, whatever has been tapped since. */
  function write(of) {
    isWriting = true;
    clearTimeout(waiting);
    form().inert = true;
    buttons(true);
    const source = document.createElement("span"); // no queue but its own
    source.hidden = true;
    document.getElementById("hand").after(source);
    window.htmx.ajax("POST", of.getAttribute("action"), {
      source, target: "#worked", swap: "innerHTML", values: Object.fromEntries(new FormData(of)),
    }).catch(() => {});
  }

  function wrote() {
    isWriting = false;
    const of = form();
    if (!of) return;
    of.inert = false;
    (worked().querySelector(".error, button") ?? worked()).focus?.({ preventScroll: true });
  }

  function answered() {
    const wrong = new Set([...worked().querySelectorAll("[data-wrong]")].map((one) => one.dataset.wrong));
    for (const field of form().querySelectorAll("[data-ask]")) {
      const isWrong = wrong.has(field.dataset.ask);
      field.toggleAttribute("data-invalid", isWrong);
      for (const input of field.querySelectorAll("input:not([type=radio], [type=checkbox])")) {
        input.setAttribute("aria-invalid", String(isWrong));
        if (isWrong) input.setAttribute("aria-describedby", `wrong-${field.dataset.ask}`);
        else input.removeAttribute("aria-describedby");
      }
    }
    if (Number(form().dataset.sent) !== asked) buttons(true); // older than what has been tapped since
    const shares = [...worked().querySelectorAll(".shares p")].map((one) => [...one.children].map((part) => part.textContent).join(" "));
    const words = worked().querySelector(".error, .hint")?.textContent ?? shares.join(", ");
    const say = document.querySelector("[data-worked-say]");
    if (say.textContent !== words) say.textContent = words;
  }

  function tellUnsent() {
    const told = document.createElement("p");
    told.className = "error";
    told.dataset.code = "unsent";
    told.textContent = scoresheet?.words("unsentTool") ?? document.getElementById("hand").dataset.unsent;
    worked().querySelector(".error[data-code=unsent]")?.remove();
    worked().prepend(told);
    buttons(false); // it would write what it says
  }

  /* ---- numbers ---- */

  function step(input, by) {
    const { lowest, highest } = input.dataset;
    const value = Math.min(Number(highest), Math.max(Number(lowest), (Number(input.value) || 0) + by));
    input.value = value;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function mirror(input) {
    const of = form();
    const twin = input.dataset.mirror
      ? of.elements[input.dataset.mirror]
      : of.querySelector(`[data-mirror="${input.name}"]`);
    if (!twin) return;
    const value = input.value.trim();
    const isPoints = /^[0-9]{1,3}$/.test(value) && Number(value) <= Number(input.dataset.points);
    twin.value = isPoints ? Number(input.dataset.points) - Number(value) : input.dataset.mirror ? value : "";
  }

  function keypad(isShown) {
    const keys = form()?.querySelector("[data-hand-keys]");
    if (!keys) return;
    keys.hidden = !isShown;
    form().parentElement.toggleAttribute("data-typing", isShown);
  }

  function press(key) {
    if (!box) return;
    if (key === "ok") {
      box.blur();
      keypad(false);
      return;
    }
    const isAll = box.selectionStart === 0 && box.selectionEnd === box.value.length;
    if (key === "erase") box.value = isAll ? "" : box.value.slice(0, -1);
    else box.value = isAll ? key : (box.value + key).slice(0, 3);
    box.setSelectionRange(box.value.length, box.value.length);
    box.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /* ---- taps ---- */

  document.addEventListener("input", (event) => {
    if (!event.target.closest("#hand")) return;
    if (event.target.matches("[data-points]")) mirror(event.target);
    arrange();
    ask();
    if (event.target.type === "radio" && Date.now() - touchedAt < TAP) advance(); // not while arrowing through
  });
  document.addEventListener("focusin", (event) => {
    if (!event.target.closest("#hand")) return;
    if (event.target.matches("[data-points]")) {
      box = event.target;
      box.select();
      keypad(true);
    } else if (!event.target.closest("[data-hand-keys]")) {
      keypad(false);
    }
  });
  document.addEventListener("pointerdown", (event) => {
    touchedAt = Date.now();
    if (event.target.closest("#hand [data-hand-keys]")) event.preventDefault(); // the box keeps the focus
  });
  document.addEventListener("click", (event) => {
    const of = event.target.closest("#hand");
    if (!of) return;
    const key = event.target.closest("[data-key]");
    const stepper = event.target.closest("[data-step]");
    if (key) press(key.dataset.key);
    else if (stepper) step(stepper.parentElement.querySelector("input"), Number(stepper.dataset.step));
    else if (event.target.closest("[data-hand-close]") && dialog?.open) {
      event.preventDefault();
      if (!isWriting) dialog.close();
    }
  });
  document.addEventListener("submit", (event) => {
    const isWrite = event.target.matches(".hand-write");
    if ((event.target.id !== "hand" && !isWrite) || !dialog) return; // on a page of its own the browser sends it
    event.preventDefault();
    if (isWriting) return;
    if (isWrite) write(event.target);
    else ask();
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target, xhr } = event.detail;
    if (target?.id !== "worked") return;
    if (xhr.status === 200 && xhr.responseText.startsWith("<div data-parts")) { // the sheet shows it
      isWriting = false;
      dialog?.close();
    } else if (xhr.status >= 300 && !xhr.responseText.includes("data-code")) {
      event.detail.shouldSwap = false;
    }
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target?.id !== "worked" || !form()) return;
    answered();
    scoresheet?.times(event.detail.target);
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const { elt, target, xhr } = event.detail;
    if (target?.id !== "worked") return;
    if (elt.tagName === "SPAN") elt.remove();
    if (!form()) return;
    if (!xhr.status || xhr.status >= 500 || xhr.status === 404) tellUnsent();
    if (isWriting) wrote();
  });

  /* ---- opening ---- */

  function begin() {
    const of = form();
    for (const one of of.querySelectorAll("[data-step]")) one.hidden = false;
    for (const one of of.querySelectorAll("[data-points]")) {
      one.inputMode = "none";
      if (one.value) mirror(one);
    }
    arrange();
    answered();
  }

  async function fetchForm(number) {
    const answer = await fetch(`${scoresheet.page.dataset.matchUrl}settle/`, {
      method: "POST",
      body: new URLSearchParams({ round: number }),
      headers: { "HX-Request": "true", "X-CSRFToken": scoresheet.csrf() },
      signal: AbortSignal.timeout(TIMEOUT),
    });
    return [answer, await answer.text()];
  }

  async function open(number) {
    if (isOpening || dialog.open) return;
    isOpening = true;
    try {
      const [answer, html] = await fetchForm(number);
      if (!answer.ok && answer.status < 500) { scoresheet.ask(html); return; }
      const found = new DOMParser().parseFromString(html, "text/html").querySelector(".hand-form");
      dialog.replaceChildren(document.importNode(found, true));
      asked = 0;
      begin();
      dialog.showModal();
      advance();
    } catch {
      scoresheet.tellUnsent();
    } finally {
      isOpening = false;
    }
  }

  if (dialog) {
    scoresheet.workOut = open;
    dialog.addEventListener("cancel", (event) => { if (isWriting) event.preventDefault(); });
    dialog.addEventListener("close", () => {
      clearTimeout(waiting);
      dialog.replaceChildren();
      box = null;
    });
  } else if (form()) {
    begin();
  }
})();
