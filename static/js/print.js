// The browser's own way to print, one tap away; without scripts it is in the browser's menu.
"use strict";
const button = document.querySelector("[data-print]");
button.hidden = false;
button.addEventListener("click", () => window.print());
