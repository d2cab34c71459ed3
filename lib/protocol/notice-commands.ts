/** Commands for notices, and for the devices that receive them by Web Push. */
import * as z from "zod/mini";
import type { PushDevice } from "../notices/push-device";
import { defineCommand, idText, noInput } from "./command-input";

const noticeIds = z.array(z.string().check(z.minLength(1), z.maxLength(400))).check(z.maxLength(100));

/** A key in base64url. */
const key = z.string().check(z.regex(/^[A-Za-z0-9_=-]{16,200}$/));

export const noticeCommands = {
  /** The user has seen these notices at this tab: they end at the other places. */
  "notices.seen": defineCommand<null>()(z.object({ ids: noticeIds })),
  /** Returns the devices that receive Web Push. */
  "notices.devices": defineCommand<{ devices: readonly PushDevice[] }>()(noInput),
  /** Returns the public key with which a browser subscribes; the first call makes it. */
  "notices.push_key": defineCommand<{ key: string }>()(noInput),
  /** Sends push messages to the browser that calls. Fails with not_allowed, bad_input. */
  "notices.subscribe": defineCommand<null>()(
    z.object({ endpoint: z.string().check(z.maxLength(2_000)), p256dh: key, auth: key }),
  ),
  /** Sends no more push messages to a device. */
  "notices.unsubscribe": defineCommand<null>()(z.object({ device: idText })),
};
