/** Loads a model in the queue of its server, before a request is made for the window that it then has. */
import type { ModelRequest, PhasePart } from "@/server/providers/provider";
import type { StreamEnvironment } from "./model-stream";

/**
 * Calls `onPhase` only if the model has to be loaded. Resolves with whether its server loads models, so that what it lists may be
 * new. Never rejects; returns early when the signal fires.
 */
export async function readyModel(
  { server, queue }: Pick<StreamEnvironment, "server" | "queue">,
  { provider, model, numCtx }: Pick<ModelRequest, "provider" | "model" | "numCtx">,
  onPhase: (part: PhasePart) => void,
  signal: AbortSignal,
  owner: string,
): Promise<boolean> {
  const host = server(provider);
  if (host?.loader === undefined) return false;
  if (!(await host.loader.needsLoad(model, numCtx, signal))) return true;
  let hasWaited = false;
  const queued = (ahead: number): void => {
    hasWaited = true;
    onPhase({ type: "phase", phase: "queued", ahead });
  };
  const release = await queue.enter(host.host(), owner, signal, queued).catch(() => null);
  if (release === null) return true;
  try {
    // The one before may have loaded it.
    if (hasWaited && !(await host.loader.needsLoad(model, numCtx, signal))) return true;
    const { loadMs } = host.note(model);
    onPhase({ type: "phase", phase: "loading", ...(loadMs === undefined ? {} : { expectMs: Math.round(loadMs) }) });
    const startedAt = performance.now();
    const isLoaded = await host.loader.load(model, numCtx, signal);
    if (isLoaded && !signal.aborted) host.learnLoad?.(model, performance.now() - startedAt);
  } finally {
    release();
  }
  return true;
}
