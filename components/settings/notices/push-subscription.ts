/** This browser's subscription to Web Push. */
import { requestNotificationAccess } from "../../state/notices/system-notification";
import type { AppClient } from "../../state/client";
import { withBasePath } from "../../state/base-path";

/** insecure = browsers have it only on this machine and over https. */
type PushSupport = "supported" | "insecure" | "unsupported";

export function pushSupport(): PushSupport {
  if (!globalThis.isSecureContext) return "insecure";
  return "serviceWorker" in navigator && "PushManager" in globalThis ? "supported" : "unsupported";
}

/** denied = notifications are blocked; failed = the browser or the server refused. */
type SubscribeOutcome = "subscribed" | "denied" | "failed";

/** Subscribes this browser and passes the subscription to the server; call it from a click. */
export async function subscribeToPush(call: AppClient["call"]): Promise<SubscribeOutcome> {
  if ((await requestNotificationAccess()) !== "granted") return "denied";
  const key = await call("notices.push_key", {});
  if (!key.ok) return "failed";
  try {
    await navigator.serviceWorker.register(withBasePath("/service-worker.js"));
    const { pushManager } = await navigator.serviceWorker.ready;
    // One that another key made would be refused.
    await (await pushManager.getSubscription())?.unsubscribe();
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key.value.key });
    const { endpoint, keys: { p256dh = "", auth = "" } = {} } = made.toJSON();
    const answer = await call("notices.subscribe", { endpoint: endpoint ?? "", p256dh, auth });
    if (answer.ok) return "subscribed";
    await made.unsubscribe();
  } catch {
    // Browsers reject with different errors when their push service is switched off or cannot be reached.
  }
  return "failed";
}

export async function unsubscribeFromPush(): Promise<void> {
  if (pushSupport() !== "supported") return;
  const registration = await navigator.serviceWorker.getRegistration();
  await (await registration?.pushManager.getSubscription())?.unsubscribe();
}
