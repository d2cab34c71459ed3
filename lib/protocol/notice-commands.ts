/** Commands for notices, and for the devices that receive them by Web Push. */
import * as z from "zod/mini";
import { defineCommand } from "./command-input";

const noticeIds = z.array(z.string().check(z.minLength(1), z.maxLength(400))).check(z.maxLength(100));

export const noticeCommands = {
  /** The user has seen these notices at this tab: they end at the other places. */
  "notices.seen": defineCommand<null>()(z.object({ ids: noticeIds })),
};
