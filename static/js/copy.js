// A link to be sent on: a tap copies what stands in the box beside the button.
"use strict";

for (const copy of document.querySelectorAll("[data-copy]")) {
  const link = copy.closest(".link-row").querySelector("input");
  const words = copy.textContent;
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    link.focus();
    link.select();
    let isCopied = false;
    try {
      await navigator.clipboard.writeText(link.value);
      isCopied = true;
    } catch {
      isCopied = document.execCommand("copy"); // plain http has no other way
    }
    if (!isCopied) return;
    copy.textContent = copy.dataset.done;
    document.querySelector("[data-say]").textContent = copy.dataset.done;
    setTimeout(() => { copy.textContent = words; }, 2000);
  });
}
