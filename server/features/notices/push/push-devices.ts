/** The devices that receive Web Push, one subscription for each signed-in browser, and the key of this server for them. */
import * as z from "zod/mini";
import { addressScope } from "@/server/base/address-scope";
import { parseJson } from "@/server/base/parse-json";
import type { Store } from "@/server/store/open-store";

const subscriptionSchema = z.object({
  endpoint: z.string(),
  p256dh: z.string(),
  auth: z.string(),
  /** ms epoch */
  createdAt: z.number(),
});
export type PushSubscriptionData = z.infer<typeof subscriptionSchema>;

const vapidSchema = z.object({ publicKey: z.string(), privateKey: z.string() });
export type VapidKeys = z.infer<typeof vapidSchema>;

/** Name of the keys among the secrets; ids of devices are longer. */
const vapidName = "vapid";

/** Whether a device has subscribed. Throws StoreError. */
export const hasPushDevices = ({ secrets }: Pick<Store, "secrets">): boolean =>
  secrets
    .in("push")
    .names()
    .some((name) => name !== vapidName);

/** Whether messages may be sent there: over https, to a host that is not in a private network. */
export function isPushEndpoint(text: string, mayBePrivate: boolean): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== "" || password !== "") return false;
  return mayBePrivate || (protocol === "https:" && addressScope(hostname) === "internet");
}

/** Every function throws StoreError. */
interface PushDevices {
  list(): readonly { readonly device: string; readonly subscription: PushSubscriptionData }[];
  set(device: string, subscription: PushSubscriptionData): void;
  remove(device: string): void;
  /** Removes a subscription that has ended; false = the device has another one by now, or none. */
  removeEnded(device: string, ended: PushSubscriptionData): boolean;
  /** The stored keys, made by `create` the first time. */
  keys(create: () => VapidKeys): VapidKeys;
}

export function makePushDevices({ secrets }: Pick<Store, "secrets">): PushDevices {
  const own = secrets.in("push");
  return {
    list: () =>
      own.names().flatMap((device) => {
        const found = subscriptionSchema.safeParse(parseJson(own.get(device) ?? ""));
        return device === vapidName || !found.success ? [] : [{ device, subscription: found.data }];
      }),
    set: (device, subscription) => own.set(device, JSON.stringify(subscription)),
    remove: (device) => own.set(device, null),
    removeEnded(device, ended) {
      const isStored = own.get(device) === JSON.stringify(ended);
      if (isStored) own.set(device, null);
      return isStored;
    },
    keys(create) {
      const stored = vapidSchema.safeParse(parseJson(own.get(vapidName) ?? ""));
      if (stored.success) return stored.data;
      const keys = create();
      own.set(vapidName, JSON.stringify(keys));
      return keys;
    },
  };
}
