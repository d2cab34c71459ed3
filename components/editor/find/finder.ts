/**
 * Finds in a worker, so that no expression blocks the page: a search that takes too long, or whose result is not wanted
 * any more, is ended together with its worker.
 */
import type { Text } from "@codemirror/state";
import type { FindQuery, MatchList, Replacement } from "./find-text";

type FindJob =
  | { readonly kind: "find"; readonly max: number }
  | { readonly kind: "replace"; readonly only: { readonly from: number; readonly to: number } | null };

export interface FindRequest {
  /** null = the text of the request before. */
  readonly text: string | null;
  readonly query: FindQuery;
  readonly job: FindJob;
}

export type FindResponse =
  /** The worker is loaded and takes requests. */
  | { readonly kind: "ready" }
  | ({ readonly kind: "matches" } & MatchList)
  | { readonly kind: "changes"; readonly changes: readonly Replacement[] };

/** "failed" = the worker could not be loaded; "replaced" = another search was started before this one ended. */
type FindResult = FindResponse | "too_long" | "failed" | "replaced";

export interface Finder {
  /** Searches the text. A search that runs already is shared. */
  run(text: Text, query: FindQuery, job: FindJob): Promise<FindResult>;
}

const findLimitMs = 2_000;

export function createFinder(): Finder {
  let worker: Worker | null = null;
  let isReady = false;
  /** Sends the request that waits until the worker is loaded; loading does not count as searching. */
  let send: (() => void) | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let sent: Text | null = null;
  let end: ((result: FindResult) => void) | null = null;
  let running: { readonly text: Text; readonly job: string; readonly result: Promise<FindResult> } | null = null;
  const finish = (result: FindResult): void => {
    clearTimeout(timer);
    send = null;
    running = null;
    const resolve = end;
    end = null;
    resolve?.(result);
  };
  const stop = (result: "too_long" | "failed" | "replaced"): void => {
    worker?.terminate();
    worker = null;
    isReady = false;
    sent = null;
    finish(result);
  };
  const start = (): Worker => {
    const created = new Worker(new URL("./find.worker.ts", import.meta.url), { type: "module" });
    created.addEventListener("message", ({ data }: MessageEvent<FindResponse>) => {
      if (data.kind !== "ready") return finish(data);
      isReady = true;
      send?.();
    });
    created.addEventListener("error", () => stop("failed"));
    return created;
  };
  return {
    run(text, query, job) {
      const key = JSON.stringify([query, job]);
      if (running?.text === text && running.job === key) return running.result;
      if (end !== null && isReady) stop("replaced");
      else finish("replaced");
      const result = new Promise<FindResult>((resolve) => void (end = resolve));
      running = { text, job: key, result };
      const target = (worker ??= start());
      send = () => {
        timer = setTimeout(() => stop("too_long"), findLimitMs);
        const request: FindRequest = { text: sent === text ? null : text.toString(), query, job };
        sent = text;
        target.postMessage(request);
      };
      if (isReady) send();
      return result;
    },
  };
}
