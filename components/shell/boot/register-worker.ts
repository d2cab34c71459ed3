/** Registers the service worker, where the browser has one: on this machine and over https. */

export function registerWorker(): void {
  if (!globalThis.isSecureContext || !("serviceWorker" in navigator)) return;
  // Private windows refuse it.
  navigator.serviceWorker.register("/service-worker.js").catch(() => {});
}
