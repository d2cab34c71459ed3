/** Web Push as a place for notices: its devices, and the messages to them. */
import { setImmediate } from "node:timers/promises";
import { fail, ok } from "@/lib/events/error";
import type { PushDevice } from "@/lib/notices/push-device";
import { type BurstLimit, makeBurstLimit } from "@/server/base/burst-limit";
import type { HandlerTable } from "@/server/handlers/handlers";
import { type Egress, makeEgress, publicEgressOptions } from "@/server/providers/egress/egress";
import type { FeatureHost, NoticePlace } from "../../feature";
import { isPushEndpoint, makePushDevices } from "./push-devices";
import { loadWebPush, sendPush } from "./push-sender";

type PushHost = Pick<FeatureHost, "store" | "now" | "push" | "log">;

interface PushService {
  readonly commands: Pick<
    HandlerTable,
    "notices.devices" | "notices.push_key" | "notices.subscribe" | "notices.unsubscribe"
  >;
  /** None while no signed-in device has subscribed. */
  places(): readonly NoticePlace[];
  removeDevice(id: string): void;
  /** Removes the devices that are not signed in any more. */
  prune(): void;
  close(): void;
}

interface PushOptions {
  /** Sends the messages. */
  readonly egress: Egress;
  /** Push services in private networks are allowed: for tests. */
  readonly mayBePrivate: boolean;
}

export const publicPush: PushOptions = { egress: makeEgress(publicEgressOptions), mayBePrivate: false };

export function makePushService({ store, now, push, log }: PushHost, options: PushOptions = publicPush): PushService {
  const devices = makePushDevices(store);
  const stop = new AbortController();
  const changed = (): void => push({ type: "devices" });
  const remove = (id: string): void => {
    devices.remove(id);
    changed();
  };
  const keys = async () => {
    const { generateVAPIDKeys } = await loadWebPush();
    return devices.keys(generateVAPIDKeys);
  };
  const limit = makeBurstLimit({ ...burst, now });
  const sendToDevices = async (message: BurstMessage): Promise<void> => {
    const own = await keys();
    for (const { device, subscription } of signedInDevices()) {
      // To encrypt and sign one takes milliseconds.
      await setImmediate();
      void sendPush(options.egress, { subscription, keys: own, ...message }, stop.signal)
        .then((outcome) => {
          if (outcome === "ended" && devices.removeEnded(device, subscription)) changed();
          if (outcome === "failed") log(`A push message to ${new URL(subscription.endpoint).host} was not taken.`);
        })
        .catch(() => {});
    }
  };
  const place: NoticePlace = {
    place: "push",
    deliver({ sessionId }) {
      const message = burstMessage(sessionId, limit());
      if (message !== null) void sendToDevices(message).catch(() => {});
    },
    // A message that was sent cannot be taken back; the tab of the device closes what it shows.
    withdraw: () => {},
  };
  return {
    commands: {
      "notices.devices": (_input, { device: current }) => ok({ devices: listDevices(current) }),
      "notices.push_key": async () => ok({ key: (await keys()).publicKey }),
      "notices.subscribe": ({ endpoint, p256dh, auth }, { device }) => {
        if (device === undefined) return fail("not_allowed");
        if (!isPushEndpoint(endpoint, options.mayBePrivate))
          return fail("bad_input", "not a public https address", { field: "endpoint" });
        devices.set(device, { endpoint, p256dh, auth, createdAt: now() });
        changed();
        return ok(null);
      },
      "notices.unsubscribe": ({ device }) => {
        remove(device);
        return ok(null);
      },
    },
    places: () => (signedInDevices().length > 0 ? [place] : []),
    removeDevice: remove,
    prune() {
      const signedInIds = new Set(signedInDevices().map(({ device }) => device));
      for (const { device } of devices.list()) if (!signedInIds.has(device)) devices.remove(device);
    },
    close: () => stop.abort(),
  };

  function signedIn() {
    return store.signIns.list().filter(({ expiresAt }) => expiresAt > now());
  }
  function signedInDevices() {
    const ids = new Set(signedIn().map(({ id }) => id));
    return devices.list().filter(({ device }) => ids.has(device));
  }
  function listDevices(current: string | undefined): readonly PushDevice[] {
    const labels = new Map(signedIn().map(({ id, label }) => [id, label]));
    return devices.list().map(({ device, subscription }) => ({
      device,
      label: labels.get(device) ?? "",
      service: new URL(subscription.endpoint).host,
      createdAt: subscription.createdAt,
      isCurrent: device === current,
    }));
  }
}

/** Messages about sessions within a minute. */
const burst = { max: 5, windowMs: 60_000 };

interface BurstMessage {
  readonly session?: string | undefined;
  readonly topic: string;
}

/** The message for a notice; one about no session opens the overview. null = none is sent. */
function burstMessage(session: string | undefined, kind: ReturnType<BurstLimit>): BurstMessage | null {
  if (kind === "none") return null;
  return kind === "more" || session === undefined ? { topic: "gopi-web" } : { session, topic: session };
}
