/* What a phone has without signal: the files of the product, and the last copy of every sheet that was
   visited, without tokens and marked as old. SHELL, the files of this release, is put before this text.
   It never touches a POST, the stream, the polls, or any page but the first one and the sheets. */
"use strict";
const FILES = "scoresheet-files-1", PAGES = "scoresheet-pages-1";
const PATIENCE = 3000; // milliseconds until the last copy is shown
const PAGES_AT_MOST = 24;
const HASHED = /^\/(static|words)\/.+\.[0-9a-f]{12}\.\w+$/;
const KEPT = /^\/(t\/[^/]+\/(m\/\d+\/)?)?$/;
const TOKEN = /<input[^>]*\bcsrfmiddlewaretoken\b[^>]*>/g;

self.addEventListener("install", (event) => event.waitUntil(keepShell().then(() => self.skipWaiting())));
self.addEventListener("activate", (event) => event.waitUntil(clean().then(() => self.clients.claim())));
self.addEventListener("message", (event) => event.waitUntil(keepNow(event.source.url)));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || search) return;
  if (HASHED.test(pathname)) event.respondWith(file(request));
  else if (request.mode === "navigate" && KEPT.test(pathname)) event.respondWith(page(event));
});

async function keepShell() {
  const cache = await caches.open(FILES);
  await Promise.all(SHELL.map(async (url) => {
    if (!await cache.match(url)) await cache.add(url).catch(() => {});
  }));
}

/* Files of older releases go, but for those that a kept page still needs. */
async function clean() {
  for (const name of await caches.keys()) {
    if (name.startsWith("scoresheet-") && name !== FILES && name !== PAGES) await caches.delete(name);
  }
  const pages = await caches.open(PAGES), files = await caches.open(FILES);
  const texts = await Promise.all((await pages.matchAll()).map((copy) => copy.text()));
  for (const one of await files.keys()) {
    const { pathname } = new URL(one.url);
    if (!SHELL.includes(pathname) && !texts.some((text) => text.includes(pathname))) await files.delete(one);
  }
}

/* A file's name changes with its content, so the first copy is good for ever. */
async function file(request) {
  const cache = await caches.open(FILES);
  const copy = await cache.match(request.url);
  if (copy) return copy;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request.url, answer.clone());
  return answer;
}

/* The network first; when it fails, or takes long, the last copy. */
async function page(event) {
  const giveUp = new AbortController();
  const asked = fetch(event.request, { signal: giveUp.signal });
  event.waitUntil(asked.then((answer) => keep(event.request.url, answer.clone())).catch(() => {}));
  const patience = new Promise((done) => { setTimeout(done, PATIENCE); });
  const answer = await Promise.race([asked.catch(() => null), patience]);
  if (answer && answer.status < 502) return answer;
  const copy = await lastCopy(event.request.url);
  if (copy) giveUp.abort(); // so that no dead connection is kept and tried again
  return copy ?? asked;
}

async function keepNow(url) {
  if (KEPT.test(new URL(url).pathname)) await keep(url, await fetch(url.split("#")[0]));
}

async function keep(url, answer) {
  const cache = await caches.open(PAGES), key = url.split("#")[0];
  if ([403, 404, 410].includes(answer.status)) await cache.delete(key); // this phone was put out
  if (answer.type === "opaqueredirect") await leadOn(cache, key);
  if (answer.status !== 200 || answer.redirected) return;
  const headers = new Headers({ "X-Kept-At": new Date().toISOString() });
  for (const name of ["Content-Type", "Content-Security-Policy", "Referrer-Policy", "X-Frame-Options"]) {
    if (answer.headers.has(name)) headers.set(name, answer.headers.get(name));
  }
  const text = (await answer.text()).replace(TOKEN, "");
  await cache.delete(key); // so that the newest comes last
  await cache.put(key, new Response(text, { headers }));
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, -PAGES_AT_MOST).map((one) => cache.delete(one)));
}

/* The table has another address: without signal too the old one leads there, to its last copy. */
async function leadOn(cache, key) {
  const there = await fetch(key);
  if (there.ok && there.redirected && KEPT.test(new URL(there.url).pathname)) await cache.put(key, Response.redirect(there.url));
}

async function lastCopy(url) {
  const copy = await (await caches.open(PAGES)).match(url.split("#")[0]);
  if (!copy || copy.headers.has("Location")) return copy ?? null;
  const text = (await copy.text()).replace("<html ", `<html data-old="${copy.headers.get("X-Kept-At")}" `);
  return new Response(text, { headers: copy.headers });
}
