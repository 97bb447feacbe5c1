// Writes sw.js, the service worker that keeps the whole site for use without a network.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";

/** Every file of the site with a hash of its content, in a fixed order. */
function listed(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .map((file) => ({
      name: relative(folder, file).split(sep).join("/"),
      hash: createHash("sha256").update(readFileSync(file)).digest("hex").slice(0, 16),
    }))
    .filter(({ name }) => name !== "sw.js" && !name.split("/").some((part) => part.startsWith(".")))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The service worker of a release: everything is fetched once and then comes from the cache. */
function release(folder) {
  const files = listed(folder);
  const version = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 16);
  return `// Made by the build: keeps version ${version} of the site for use without a network.
"use strict";
const PREFIX = "promenade " + registration.scope + " ";
const CACHE = PREFIX + "${version}";
const FILES = ${JSON.stringify(files.map(({ name }) => (name === "index.html" ? "./" : name)), null, 2)};

addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    // Past the browser's own cache: files without a hash in their name must be of this version.
    await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
  })());
});

addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith(PREFIX) && name !== CACHE) await caches.delete(name);
    }
    await clients.claim();
  })());
});

addEventListener("message", (event) => {
  if (event.data === "switch") skipWaiting();
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  event.respondWith((async () => {
    const cache = await caches.open(CACHE);
    const page = request.mode === "navigate" && ["", "index.html"].includes(url.href.slice(registration.scope.length).split(/[?#]/)[0]);
    const kept = await cache.match(page ? registration.scope : request, { ignoreSearch: page });
    return kept ?? fetch(request);
  })());
});
`;
}

/** The service worker of a development build: keeps nothing, and throws away what a release left. */
const development = `// Made by a development build: keeps nothing.
"use strict";
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("promenade " + registration.scope + " ")) await caches.delete(name);
    }
    await clients.claim();
  })());
});
`;

/** Writes sw.js into a folder that holds the finished site. */
export function writeServiceWorker(folder, isRelease) {
  writeFileSync(join(folder, "sw.js"), isRelease ? release(folder) : development);
}
