/** Downloads models to a llama-server that has many, and deletes them there. */
import type { Result } from "@/lib/events/error";
import type { ModelInfo } from "@/lib/models/models";
import { serverLimits } from "@/lib/settings/server-limits";
import { abortable, neverAborted, timeLimit } from "@/server/base/abort";
import type { PullStep } from "@/server/providers/ollama/ollama";
import type { LlamaRouter } from "@/server/providers/openai/llama-router";
import { ProviderError } from "@/server/providers/provider";
import { makePulls, type Pulls, type PullsOptions } from "../ollama/pulls";
import { providerResult } from "../provider-result";

/** Models on the disk of a server. */
export interface ModelStore extends Omit<Pulls, "close"> {
  /** Fails with the server's error. */
  remove(model: string, signal: AbortSignal): Promise<Result<null>>;
}

interface RouterStoreOptions extends RouterDownloadOptions, Pick<PullsOptions, "onPull" | "onDone"> {
  /** Its id. */
  readonly connection: string;
}

export function makeRouterStore(options: RouterStoreOptions): ModelStore & Pick<Pulls, "close"> {
  const { router, connection, onPull, onDone } = options;
  const provider = { pull: (name: string, signal: AbortSignal) => downloadToRouter(options, name, signal) };
  const pulls = makePulls({ provider, connection, onPull, onDone, now: () => performance.now() });
  return {
    ...pulls,
    pull: (name) => pulls.pull(toRouterName(name)),
    remove: (model, signal) =>
      providerResult(async () => {
        await router.remove(model, signal);
        return null;
      }),
  };
}

/** Time in which the server checks a name on the hub, as a rule, ms. */
const beginMs = 60_000;

interface RouterDownloadOptions {
  readonly router: Pick<LlamaRouter, "download" | "changeLoad" | "remove">;
  /** As the server lists its models now. */
  freshList(): Promise<Result<readonly ModelInfo[]>>;
  /** The same, also with the answer to a request that is under way. */
  fetchList(): Promise<Result<readonly ModelInfo[]>>;
  /** Resolves when the list may have changed. */
  next(signal: AbortSignal): Promise<void>;
}

/** The server has names without a scheme. */
const toRouterName = (name: string): string => name.replace(/^(?:hf:|(?:https:\/\/)?(?:hf|huggingface)\.co\/)/, "");

/**
 * Downloads `user/repository:quantization`; an abort ends the download on the server. Throws the server's error, and
 * `download_failed` if the model is not listed afterwards: servers report no reason.
 */
async function* downloadToRouter(
  { router, freshList, fetchList, next }: RouterDownloadOptions,
  model: string,
  signal: AbortSignal,
): AsyncGenerator<PullStep> {
  // Without a quantization the server chooses one, and adds it to the name.
  const find = (models: readonly ModelInfo[]): ModelInfo | undefined =>
    models.find(({ name }) => name === model) ?? models.find(({ name }) => name.startsWith(`${model}:`));
  // Not with `signal`: the server checks the name first, and begins the download whether it can still answer or not.
  const begun = router.download(model, neverAborted);
  try {
    await abortable(begun, signal);
    for (let list = freshList; ; list = fetchList) {
      const models = await abortable(list(), signal);
      if (!models.ok) throw new ProviderError(models.error);
      const found = find(models.value);
      if (found === undefined) throw new ProviderError({ code: "download_failed" });
      if (found.load?.state !== "downloading") return yield { status: "success" };
      const { receivedBytes: completed, totalBytes: total } = found.load;
      yield { status: "pulling", digest: model, completed, total };
      await next(signal);
      signal.throwIfAborted();
    }
  } finally {
    if (signal.aborted) {
      await abortable(begun, timeLimit(beginMs)).catch(() => {});
      await router.changeLoad("unload", model, timeLimit(serverLimits.serverAnswerMs)).catch(() => {});
    }
  }
}
