/** Notifications of the operating system, shown by the browser. */
import { withBasePath } from "../base-path";

/** `insecure`: browsers allow notifications only on this machine or over https. */
type NotificationAccess = NotificationPermission | "insecure" | "unsupported";

export function notificationAccess(): NotificationAccess {
  if (!globalThis.isSecureContext) return "insecure";
  return typeof Notification === "undefined" ? "unsupported" : Notification.permission;
}

/** Lets the browser ask the user; call it from a click. */
export async function requestNotificationAccess(): Promise<NotificationAccess> {
  if (notificationAccess() === "default") await Notification.requestPermission().catch(() => {});
  return notificationAccess();
}

interface SystemNotification {
  readonly title: string;
  readonly body: string;
  /** A new notification replaces one with the same tag. */
  readonly tag: string;
  readonly onClick: () => void;
}

const shown = new Map<string, Notification>();

/** Shows it if the user has allowed notifications; false = it was not shown. */
export function showSystemNotification({ title, body, tag, onClick }: SystemNotification): boolean {
  if (notificationAccess() !== "granted") return false;
  try {
    const notification = new Notification(title, { body, tag, icon: withBasePath("/icon.svg") });
    notification.addEventListener("click", () => {
      window.focus();
      closeSystemNotification(tag);
      onClick();
    });
    shown.set(tag, notification);
    return true;
  } catch {
    // Chrome on Android has the constructor and refuses to use it.
    return false;
  }
}

export function closeSystemNotification(tag: string): void {
  shown.get(tag)?.close();
  shown.delete(tag);
}
