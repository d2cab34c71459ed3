/** Messages of notices that the server opens, in Chinese. */
import type { notices as english } from "../../en/late/notices";

export const notices: typeof english = {
  paused: (name) => `自动化“${name}”连续多次失败，已暂停。`,
  open: "查看",
};
