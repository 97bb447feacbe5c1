// Registers the service worker (sw.js, made by the build), which keeps the site for use offline.
//
// A new version of the site is fetched in the background and waits until every tab of the old one
// is closed, so that a page never meets the worker of another version. The page may offer to switch at once:
// it hears "promenade:update" and answers with "promenade:switch"; the page then loads anew.
"use strict";
(async () => {
  if (!("serviceWorker" in navigator)) return;
  let asked = false;
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    if (asked) location.reload();
  });
  try {
    const registration = await navigator.serviceWorker.register("sw.js");
    const offer = (worker) => {
      if (!worker || !navigator.serviceWorker.controller) return;
      addEventListener("promenade:switch", () => {
        asked = true;
        worker.postMessage("switch");
      }, { once: true });
      dispatchEvent(new CustomEvent("promenade:update"));
    };
    offer(registration.waiting);
    registration.addEventListener("updatefound", () => {
      const worker = registration.installing;
      worker?.addEventListener("statechange", () => {
        if (worker.state === "installed") offer(worker);
      });
    });
  } catch (error) {
    // Private windows and plain http on other hosts have no service workers: the page works without.
    console.info("not kept for offline use:", String(error));
  }
})();
