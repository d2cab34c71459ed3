/** Restoring a session's files: only while idle, once per command. */
import type { RestorePlan } from "@/lib/changes";
import type { Json } from "@/lib/content";
import { errorCodes, fail, ok, type Result } from "@/lib/error";
import type { DurableEvent } from "@/lib/event";
import type { CallId, CommandId } from "@/lib/id";
import type { FilesFound } from "../agent/host";
import type { Log } from "./log";
import { planRestore, type Restored, restoreFiles, type RestoreOrder } from "./restore";
import type { SessionServices } from "./services";

export interface SessionFiles {
  /** Plans restoring the files as of a log position. Fails when the project is missing. */
  plan(toSeq: number): Promise<Result<RestorePlan>>;
  /**
   * Restores files; with `conversation` the session is also rewound to that border. Fails with not_idle, not_border,
   * and when the project is missing; failures of single files are reported per file.
   */
  restore(order: RestoreOrder & { readonly conversation: boolean }, commandId: CommandId): Promise<Result<Restored>>;
  /** Records file changes of a command that the last process did not end, detected only now. */
  found(callId: CallId, states: FilesFound["befores"]): void;
  /** A restore is running. */
  readonly busy: boolean;
}

export interface SessionFilesParts {
  readonly log: Log;
  readonly services: Pick<SessionServices, "store" | "hands">;
  /** Event that rewinds to a border; fails with not_idle, not_border. */
  back(toSeq: number): Result<DurableEvent>;
  isFree(): boolean;
  /** Called when a restore has ended. */
  ended(rewound: boolean): void;
}

export function makeSessionFiles({ log, services, back, isFree, ended }: SessionFilesParts): SessionFiles {
  const { store } = services;
  const handsNow = () => services.hands(log.view().projectId, log.view().sessionId);
  let busy = false;
  return {
    get busy() {
      return busy;
    },
    found: (callId, states) => void log.commit(states.map((state) => ({ type: "file_change", callId, ...state }))),
    async plan(toSeq) {
      const hands = await handsNow();
      return hands.ok ? ok(await planRestore({ store, hands: hands.value }, log.view(), toSeq)) : hands;
    },
    async restore({ conversation, ...order }, commandId) {
      const before = restoredBefore(store.events.receipt(log.view().sessionId, commandId));
      if (before !== null) return ok(before);
      if (!isFree()) return fail("not_idle");
      const rewind = conversation ? back(order.toSeq) : ok(null);
      if (!rewind.ok) return rewind;
      busy = true;
      try {
        const hands = await handsNow();
        if (!hands.ok) return hands;
        return ok(await restoreFiles({ store, hands: hands.value, log }, order, rewind.value, commandId));
      } finally {
        busy = false;
        ended(conversation);
      }
    },
  };
}

/** Result stored in the receipt of a restore; null = it is not one. */
function restoredBefore(receipt: Json | undefined): Restored | null {
  if (typeof receipt !== "object" || receipt === null || !("seq" in receipt) || !("failed" in receipt)) return null;
  const { seq, failed } = receipt;
  if (typeof seq !== "number" || !Array.isArray(failed)) return null;
  return {
    seq,
    failed: failed.flatMap(({ path, code }: { readonly path?: unknown; readonly code?: unknown }) => {
      const known = errorCodes.find((one) => one === code);
      return typeof path === "string" && known !== undefined ? [{ path, code: known }] : [];
    }),
  };
}
