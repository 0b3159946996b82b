// Days in the reader's own time and language: "today" says more than a date.
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
