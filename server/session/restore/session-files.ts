/** Restoring a session's files: only while idle, once per command. */
import type { RestorePlan } from "@/lib/workspace/changes";
import type { Json } from "@/lib/events/content";
import { errorCodes, fail, ok, type Result } from "@/lib/events/error";
import type { DurableEvent } from "@/lib/events/event";
import type { CallId, CommandId } from "@/lib/events/id";
import type { DetectedFileChanges } from "@/server/workspace/snapshots/found-changes";
import type { SessionLog } from "../core/session-log";
import { planRestore, type RestoreResult, restoreFiles, type RestoreRequest } from "./restore";
import type { SessionServices } from "../core/services";

export interface SessionFiles {
  /** Plans restoring the files, or only one, as of a log position. Fails when the project is missing. */
  plan(toSeq: number, onlyPath?: string): Promise<Result<RestorePlan>>;
  /**
   * Restores files; with `conversation` the session is also rewound to that border. Fails with not_idle, not_border,
   * and when the project is missing; failures of single files are reported per file.
   */
  restore(
    order: RestoreRequest & { readonly conversation: boolean },
    commandId: CommandId,
  ): Promise<Result<RestoreResult>>;
  /** Records file changes of a command that the last process did not end, detected only now. */
  recordFoundChanges(callId: CallId, states: DetectedFileChanges["befores"]): void;
  /** A restore is running. */
  readonly busy: boolean;
}

interface SessionFilesParts {
  readonly log: SessionLog;
  readonly services: SessionServices;
  /** Event that rewinds to a border; fails with not_idle, not_border. */
  rewindEvent(toSeq: number): Result<DurableEvent>;
  isFree(): boolean;
  /** Called when a restore has ended. */
  onEnded(rewound: boolean): void;
}

export function makeSessionFiles({ log, services, rewindEvent, isFree, onEnded }: SessionFilesParts): SessionFiles {
  const { store } = services;
  const openProjectFiles = () => services.projectFiles(log.view().projectId, log.view().sessionId);
  let busy = false;
  return {
    get busy() {
      return busy;
    },
    recordFoundChanges: (callId, states) =>
      void log.commit(states.map((state) => ({ type: "file_change", callId, ...state }))),
    async plan(toSeq, onlyPath) {
      const projectFiles = await openProjectFiles();
      return projectFiles.ok
        ? ok(await planRestore({ store, projectFiles: projectFiles.value }, log.view(), toSeq, onlyPath))
        : projectFiles;
    },
    async restore({ conversation, ...order }, commandId) {
      const before = parseRestoreReceipt(store.events.receipt(log.view().sessionId, commandId));
      if (before !== null) return ok(before);
      if (!isFree()) return fail("not_idle");
      const rewind = conversation ? rewindEvent(order.toSeq) : ok(null);
      if (!rewind.ok) return rewind;
      busy = true;
      try {
        const projectFiles = await openProjectFiles();
        if (!projectFiles.ok) return projectFiles;
        return ok(await restoreFiles({ store, projectFiles: projectFiles.value, log }, order, rewind.value, commandId));
      } finally {
        busy = false;
        onEnded(conversation);
      }
    },
  };
}

/** Result stored in the receipt of a restore; null = it is not one. */
function parseRestoreReceipt(receipt: Json | undefined): RestoreResult | null {
  if (typeof receipt !== "object" || receipt === null || !("seq" in receipt) || !("failed" in receipt)) return null;
  const { seq, failed } = receipt;
  if (typeof seq !== "number" || !Array.isArray(failed)) return null;
  return {
    seq,
    failed: failed.flatMap(({ path, code }: { readonly path?: unknown; readonly code?: unknown }) => {
      const errorCode = errorCodes.find((one) => one === code);
      return typeof path === "string" && errorCode !== undefined ? [{ path, code: errorCode }] : [];
    }),
  };
}
