/** Loads a model in the queue of its server, before a request is made for the window that it then has. */
import type { ModelRequest, PhasePart } from "@/server/providers/provider";
import type { StreamEnvironment } from "./model-stream";

/** Calls `onPhase` only if the model has to be loaded. Never rejects; returns early when the signal fires. */
export async function readyModel(
  { server, queue }: Pick<StreamEnvironment, "server" | "queue">,
  { provider, model }: Pick<ModelRequest, "provider" | "model">,
  onPhase: (part: PhasePart) => void,
  signal: AbortSignal,
  owner: string,
): Promise<void> {
  const host = server(provider);
  if (host?.loader === undefined || !(await host.loader.needsLoad(model, signal))) return;
  const queued = (ahead: number): void => onPhase({ type: "phase", phase: "queued", ahead });
  const release = await queue.enter(host.host(), owner, signal, queued).catch(() => null);
  if (release === null) return;
  try {
    const { loadMs } = host.note(model);
    onPhase({ type: "phase", phase: "loading", ...(loadMs === undefined ? {} : { expectMs: Math.round(loadMs) }) });
    const startedAt = performance.now();
    await host.loader.load(model, signal);
    if (!signal.aborted) host.learnLoad?.(model, performance.now() - startedAt);
  } finally {
    release();
  }
}
