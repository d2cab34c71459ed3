/** One model request after the other per server: waits in the host's queue, then streams. What sessions get as `stream`. */
import type { ModelPart, ModelRequest, Provider } from "./providers/provider";
import type { HostQueue } from "./models/queue";

/** Never throws: an abort ends it without a last part, as a provider's own stream does. The place is given back at the end. */
export async function* queuedStream(
  provider: Provider,
  queue: HostQueue,
  host: string,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncIterable<ModelPart> {
  let ahead = 0;
  const entered = queue
    .enter(host, signal, (position) => {
      ahead = position;
    })
    .catch(() => null);
  try {
    if (ahead > 0) yield { type: "phase", phase: "queued" };
    if ((await entered) !== null) yield* provider.stream(request, signal);
  } finally {
    // Also when nobody reads on while it waits: the place is given back as soon as it comes.
    void entered.then((release) => release?.());
  }
}
