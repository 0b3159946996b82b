/* A page to look at draws itself anew when its match has news: the version is all it hears, and then it
   asks for itself. Like live.js: the stream while it lives, polls while it does not, quiet while hidden. */
(() => {
  "use strict";
  const TIMES = { // milliseconds
    poll: 5000, timeout: 8000, silence: 25000, retryLeast: 100, retryFirst: 1500, retryMost: 30000,
    ...window.scoresheetTimes,
  };
  const news = document.getElementById("news");
  if (!news) return;
  const noSignal = document.getElementById("no-signal");
  let version = Number(news.dataset.version);
  let source = null, heardAt = Date.now(), retries = 0, retry = 0, next = 0, isOver = false, isAsking = false;

  const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  const DAY = { weekday: "long", day: "numeric", month: "long" };

  function showTimes() {
    for (const time of news.querySelectorAll("time[datetime]")) {
      const isDay = time.hasAttribute("data-date");
      time.textContent = new Date(time.dateTime).toLocaleString(document.documentElement.lang, isDay ? DAY : CLOCK);
    }
  }

  function heard() {
    heardAt = Date.now();
    noSignal.hidden = true;
  }

  async function get(url) {
    const answer = await fetch(url, { cache: "no-store", credentials: "same-origin", signal: AbortSignal.timeout?.(TIMES.timeout) });
    if (answer.status === 403 || answer.status === 404) reload();
    return answer;
  }

  /* Ask whether there is news, and if there is for the whole page; what a reader has unfolded stays so. */
  async function look() {
    clearTimeout(next);
    if (isOver || document.hidden || isAsking) return;
    isAsking = true;
    try {
      const answer = await get(`${news.dataset.changesUrl}?since=${version}`);
      if (answer.ok) heard();
      if (answer.status === 200) await draw();
    } catch {
      noSignal.hidden = false;
    } finally {
      isAsking = false;
      if (!source && !isOver) next = setTimeout(look, TIMES.poll);
    }
  }

  async function draw() {
    const answer = await get(location.pathname + location.search);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("news");
    if (!fresh) reload();
    if (!fresh || Number(fresh.dataset.version) < version) return;
    version = Number(fresh.dataset.version);
    if (fresh.innerHTML === news.innerHTML) return;
    const open = [...news.querySelectorAll("details")].map((fold) => fold.open);
    fresh.querySelectorAll("details").forEach((fold, i) => { fold.open = Boolean(open[i]); });
    news.replaceChildren(...document.importNode(fresh, true).childNodes);
    showTimes();
    document.dispatchEvent(new Event("news:drawn"));
  }

  function connect() {
    clearTimeout(retry);
    if (source || isOver || document.hidden || !window.EventSource) return;
    source = new EventSource(`${news.dataset.liveUrl}?since=${version}`);
    source.onopen = heard;
    source.onmessage = () => { retries = 0; heard(); look(); };
    source.addEventListener("beat", ({ data }) => {
      retries = 0;
      heard();
      try {
        if (JSON.parse(data).version > version) look();
      } catch { /* it was a sign of life all the same */ }
    });
    source.onerror = lost;
  }

  function drop() {
    clearTimeout(retry);
    clearTimeout(next);
    source?.close();
    source = null;
  }

  function lost() {
    drop();
    if (isOver || document.hidden) return;
    const most = Math.min(TIMES.retryFirst * 2 ** retries, TIMES.retryMost);
    retries += 1;
    retry = setTimeout(connect, TIMES.retryLeast + Math.random() * (most - TIMES.retryLeast));
    look();
  }

  /* This phone was put out, or match or table are no more: the server says so. */
  function reload() {
    isOver = true;
    drop();
    location.reload();
  }

  function wake() {
    drop();
    if (document.hidden) return;
    retries = 0;
    connect();
    look();
  }
  document.addEventListener("visibilitychange", wake);
  addEventListener("pageshow", ({ persisted }) => { if (persisted) wake(); });
  addEventListener("pagehide", drop);
  addEventListener("online", wake);
  setInterval(() => { if (source && Date.now() - heardAt > TIMES.silence) lost(); }, 1000);

  showTimes();
  connect();
})();
