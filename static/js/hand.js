/* Working a hand out: shows the questions that fit the answers so far, and asks the server after
   every tap what they come to. The form itself is never swapped, only the answer under it. */
"use strict";
(() => {
  const { scoresheet } = window;
  const dialog = document.getElementById("settle");
  const SOON = 120; // milliseconds between the last tap or digit and the question to the server
  const form = () => document.getElementById("hand");
  let waiting = 0, box = null, isWriting = false;

  /* ---- which questions are asked ---- */

  function answers(of) {
    const found = {};
    for (const field of of.querySelectorAll("[data-ask]:not([hidden])")) {
      const told = field.querySelector("input[type=radio]:checked, input:is(:not([type]), [type=text])");
      if (told && !told.closest("[hidden]")) found[field.dataset.ask] = told.value.trim();
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

  /* An answer that is no longer offered goes over to the one of the same meaning, or is open again. */
  function keepAnswer(field) {
    const checked = field.querySelector(".pick[hidden] > :checked");
    if (!checked) return;
    const same = field.querySelector(`.pick:not([hidden]) > [value="${checked.value}"]`);
    checked.checked = false;
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

  function ask() {
    clearTimeout(waiting);
    for (const button of document.querySelectorAll("#worked button")) button.disabled = true; // it says what was
    waiting = setTimeout(() => send("work"), SOON);
  }

  function send(what) {
    const of = form();
    if (!of) return;
    window.htmx.ajax("POST", of.getAttribute("action"), {
      source: of, target: "#worked", swap: "innerHTML", values: { do: what },
    }).catch(() => {});
  }

  function marks() {
    const wrong = new Set([...document.querySelectorAll("#worked [data-wrong]")].map((one) => one.dataset.wrong));
    for (const field of form()?.querySelectorAll("[data-ask]") ?? []) {
      field.toggleAttribute("data-invalid", wrong.has(field.dataset.ask));
      for (const input of field.querySelectorAll("input:not([type=radio], [type=checkbox])")) {
        input.setAttribute("aria-invalid", String(wrong.has(field.dataset.ask)));
      }
    }
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
    form().toggleAttribute("data-typing", isShown);
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
    const of = event.target.closest("#hand");
    if (!of) return;
    if (event.target.matches("[data-points]")) mirror(event.target);
    arrange();
    ask();
    if (event.target.type === "radio") advance();
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
      dialog.close();
    }
  });
  document.addEventListener("submit", (event) => {
    if (event.target.id !== "hand" || !dialog) return; // on a page of its own the browser sends it
    event.preventDefault();
    const what = event.submitter?.value ?? "work";
    if (what === "write" && event.submitter.disabled) return;
    isWriting = what === "write";
    if (isWriting) event.submitter.disabled = true;
    clearTimeout(waiting);
    send(what);
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target, xhr } = event.detail;
    if (target?.id !== "worked") return;
    if (xhr.status === 200 && xhr.responseText.startsWith("<div data-parts")) dialog?.close();
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target?.id !== "worked") return;
    marks();
    scoresheet?.times(event.detail.target);
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.target?.id !== "worked") return;
    const { status } = event.detail.xhr;
    const isAnswered = status && status < 500;
    if (isWriting || !isAnswered) { // what it would write is held against what it says
      for (const button of document.querySelectorAll("#worked button")) button.disabled = false;
    }
    isWriting = false;
    if (isAnswered) return;
    const told = document.createElement("p");
    told.className = "error";
    told.dataset.code = "unsent";
    told.textContent = scoresheet?.words("unsentTool") ?? "";
    document.querySelector("#worked .error[data-code=unsent]")?.remove();
    document.getElementById("worked").prepend(told);
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
    marks();
  }

  if (dialog) {
    scoresheet.workOut = async (number) => {
      await window.htmx.ajax("POST", `${scoresheet.page.dataset.matchUrl}settle/`, {
        target: dialog, swap: "innerHTML", values: { round: number },
      }).catch(() => {});
      if (!form()) { scoresheet.tellUnsent?.(); return; }
      begin();
      if (!dialog.open) dialog.showModal();
      advance();
    };
    dialog.addEventListener("close", () => {
      clearTimeout(waiting);
      dialog.replaceChildren();
      box = null;
    });
  } else if (form()) {
    begin();
  }
})();
