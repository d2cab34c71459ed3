/** Sends one message of Web Push: encrypted for its device, signed with the key of this server. `web-push` is loaded late. */
import type { Egress } from "@/server/providers/egress/egress";
import { loadOnce } from "@/lib/async/load-once";
import { computeHash } from "@/server/base/id";
import type { PushSubscriptionData, VapidKeys } from "./push-devices";

/** Time for which a push service keeps the message of a device that is off, seconds. */
const keptSeconds = 4 * 3_600;
const sendMs = 20_000;
const maxAnswerBytes = 4_096;
/** Address of the sender, which push services require; a reserved one, since this server has none. */
const contact = "mailto:gopi-web@example.com";

/** ended = the device has unsubscribed; failed = the push service refused it, or cannot be reached. */
type PushOutcome = "sent" | "ended" | "failed";

export const loadWebPush = loadOnce(async () => (await import("web-push")).default);

interface PushMessage {
  readonly subscription: PushSubscriptionData;
  readonly keys: VapidKeys;
  /** The session to open; absent = none. It is all that the message contains. */
  readonly session?: string | undefined;
  /** A later message with the same topic replaces this one while the device is off. */
  readonly topic: string;
}

/** Rejects only with the signal's reason. */
export async function sendPush(egress: Egress, message: PushMessage, signal: AbortSignal): Promise<PushOutcome> {
  const { endpoint, p256dh, auth } = message.subscription;
  const { generateRequestDetails } = await loadWebPush();
  const { body, headers } = generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify({ session: message.session }),
    {
      vapidDetails: { subject: contact, ...message.keys },
      TTL: keptSeconds,
      urgency: "high",
      topic: toTopic(message.topic),
    },
  );
  const sent = await egress.send(
    {
      url: new URL(endpoint),
      method: "POST",
      body,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
      maxBytes: maxAnswerBytes,
      timeoutMs: sendMs,
      follows: () => false,
    },
    signal,
  );
  if (!sent.ok) return "failed";
  const { status } = sent.value;
  if (status === 404 || status === 410) return "ended";
  return status >= 200 && status < 300 ? "sent" : "failed";
}

/** At most 32 characters of base64url. */
const toTopic = (text: string): string => Buffer.from(computeHash(text), "hex").toString("base64url").slice(0, 32);
