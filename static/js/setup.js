// Set-up and house rules: names on the things to tap, partners by tapping two, numbers that choose
// themselves. Everything here only saves taps; the form says the same without it.
"use strict";

const form = document.querySelector("[data-setup]");
const all = (selector) => form.querySelectorAll(selector);

function nameOf(line) {
  return form.querySelector(`[data-name="${line}"]`).value.trim() || String(Number(line) + 1);
}

function showNames() {
  for (const label of all("[data-label]")) label.textContent = nameOf(label.dataset.label);
  showPairs();
}

// Partners: the two that were tapped, or the pair that follows from them.
let tapped = [];

function partnerOf0() {
  return Number(form.querySelector('[name="partner_of_0"]:checked').value);
}

function tapPartner(line) {
  if (tapped.length === 1 && tapped[0] !== line) {
    tapped.push(line);
    const partner = tapped.includes(0)
      ? tapped.find((other) => other !== 0)
      : [1, 2, 3].find((other) => !tapped.includes(other));
    document.getElementById(`partner-${partner}`).checked = true;
  } else {
    tapped = tapped.length === 1 ? [0, partnerOf0()] : [line];
  }
  showPairs();
  if (tapped.length === 2) document.getElementById("say").textContent = pairsInWords();
}

function pairsInWords() {
  const partner = partnerOf0();
  const others = [1, 2, 3].filter((line) => line !== partner);
  const names = [0, partner, ...others].map(nameOf);
  return form.querySelector("[data-pairs]").dataset.pairs
    .replace(/\[([1-4])\]/g, (_, place) => names[place - 1]);
}

function showPairs() {
  const hint = form.querySelector("[data-pairs]");
  if (!hint) return;
  for (const chip of all("[data-partner]")) {
    chip.setAttribute("aria-pressed", String(tapped.includes(Number(chip.dataset.partner))));
  }
  hint.textContent = pairsInWords();
}

function offerTapping() {
  const template = form.querySelector("[data-tap-partners]");
  if (!template) return;
  const radios = form.querySelector("[data-partners]");
  radios.after(template.content.cloneNode(true));
  radios.hidden = true; // hidden radios are still sent
  tapped = [0, partnerOf0()];
  for (const chip of all("[data-partner]")) {
    chip.addEventListener("click", () => tapPartner(Number(chip.dataset.partner)));
  }
}

for (const box of all("[data-chooses]")) {
  box.addEventListener("input", () => {
    document.getElementById(box.dataset.chooses).checked = true;
  });
}

const wrong = form.querySelector("[aria-invalid=true]");
if (wrong) wrong.scrollIntoView({ block: "center" });

if (form.querySelector("[data-name]")) {
  offerTapping();
  showNames();
  form.addEventListener("input", (event) => {
    if (event.target.matches("[data-name]")) showNames();
  });
  // The browser may bring back what was typed before the page was left.
  window.addEventListener("pageshow", () => { tapped = tapped.length ? [0, partnerOf0()] : []; showNames(); });
}
