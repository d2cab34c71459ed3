/** Room for the next request: compacts before it would be too large, and says so when nothing helps. Called by ask. */
import type { AgentError } from "@/lib/error";
import type { CompactionCause } from "@/lib/event";
import { finishCompaction, planCompaction, startOf } from "./compact";
import { contextEntries, entryMessages } from "./context/compile";
import type { AgentHost } from "./host";
import { countTokens, modelOf, type Prepared, requestOf, toldTo, toolTokens } from "./request";
import { asCounted, compactAt, type Room, roomOf } from "./window";

export type RoomEnd =
  | { readonly kind: "room"; readonly prepared: Prepared }
  | { readonly kind: "full"; readonly error: AgentError }
  | { readonly kind: "aborted" };

/** What a compaction must gain, as a share of the window, when the request would fit without it. */
const gainShare = 0.03;

export interface RoomOrder {
  readonly why: CompactionCause;
  /** Also below the share at which it is time. */
  readonly always: boolean;
}

export async function makeRoom(host: AgentHost, { why, always }: RoomOrder, signal: AbortSignal): Promise<RoomEnd> {
  if (signal.aborted) return { kind: "aborted" };
  const room = roomOf(host.modelFacts());
  const prepared = requestOf(host);
  if (!always && prepared.tokens < compactAt(host.view(), room)) return { kind: "room", prepared };
  const fits = prepared.tokens <= room.most;
  const alone = aloneTokens(host);
  if (!fits && alone > room.most) return { kind: "full", error: tooLarge("message_too_large", alone, host, room) };
  const plan = planCompaction(host);
  const helps = plan !== null && (!fits || plan.after <= prepared.tokens - room.tokens * gainShare);
  if (!helps) {
    if (fits) return { kind: "room", prepared };
    const code = alone > room.tokens / 2 ? "message_too_large" : "window_full";
    return { kind: "full", error: tooLarge(code, code === "window_full" ? prepared.tokens : alone, host, room) };
  }
  host.commit([startOf(host, { why })]);
  if ((await finishCompaction(host, undefined, signal)) === "aborted") return { kind: "aborted" };
  const after = requestOf(host);
  // What the summary's own answer taught about the server's counts holds from now on.
  const now = roomOf(host.modelFacts());
  return after.tokens <= now.most
    ? { kind: "room", prepared: after }
    : { kind: "full", error: tooLarge("window_full", after.tokens, host, now) };
}

const tooLarge = (
  code: "message_too_large" | "window_full",
  estimate: number,
  host: AgentHost,
  room: Room,
): AgentError => {
  const { window, asked } = host.modelFacts();
  return {
    code,
    facts: {
      tokens: asCounted(estimate, room),
      window: Math.floor(window),
      ...(asked === undefined ? {} : { asked: Math.floor(asked) }),
    },
  };
};

/** What a request with nothing but the newest message of the user would take. */
function aloneTokens(host: AgentHost): number {
  const { entries, cut } = contextEntries(host.view());
  const newest = entries.findLast((entry) => entry.role === "user");
  const told = newest === undefined ? [] : toldTo(modelOf(host), entryMessages(newest, host, cut));
  const fixed = countTokens([{ role: "system", text: host.prompt().system }]);
  return fixed + toolTokens(host) + countTokens(told);
}
