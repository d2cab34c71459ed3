/** Registers the service worker, where the browser has one: on this machine and over https. */
import { withBasePath } from "../../state/base-path";

export function registerWorker(): void {
  if (!globalThis.isSecureContext || !("serviceWorker" in navigator)) return;
  // Private windows refuse it.
  navigator.serviceWorker.register(withBasePath("/service-worker.js")).catch(() => {});
}
