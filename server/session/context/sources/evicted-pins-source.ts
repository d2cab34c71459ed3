/** Pinned files that are no longer sent, since all of them together exceed their budget. */
import { formatEvictedPins, noEvictedPins } from "@/lib/events/evicted-pins";
import type { ContextSource } from "@/server/agent/context/context-source";

export const evictedPinsSource: ContextSource = {
  topic: "pins",
  kind: "notice",
  order: { message: 45, compaction: 30 },
  resend: "when_changed",
  assumed: noEvictedPins,
  text: ({ evictedPins }) => formatEvictedPins(evictedPins()),
};
