/** Texts about the engine's process, its downloads and the memory of its models. Pure. */
import type { EngineInstallStep, EngineRunState, ModelDownload, ModelPreview } from "@/lib/models/engine";
import type { FullMessages } from "../../../messages/full-messages";
import { transferRateTexts } from "../../../messages/transfer-rate-texts";

/** "In memory, window 16k, on the CPU", "…, 18 of 33 layers on NVIDIA GeForce RTX 3060". */
export function engineRunText({ status, window, device }: EngineRunState, messages: FullMessages): string {
  const { engine: text, figures } = messages;
  if (status === "loading") return text.loading;
  if (status !== "ready" || window === undefined) return text.stopped;
  return text.loaded(figures.tokens(window), device === undefined ? "" : deviceText(device, messages));
}

/** Name of the model that is in memory, or is being loaded. */
export const modelInMemory = ({ status, model }: EngineRunState): string | undefined =>
  status === "loading" || status === "ready" ? model : undefined;

function deviceText({ cards, layers }: NonNullable<EngineRunState["device"]>, messages: FullMessages): string {
  const { engine: text, figures, models } = messages;
  if (cards.length === 0) return models.onCpu;
  const names = new Intl.ListFormat(figures.locale, { type: "conjunction" }).format(cards);
  return layers === undefined || layers.onCards >= layers.all
    ? text.onCards(names)
    : text.partlyOnCards(layers.onCards, layers.all, names);
}

/** "Downloading 3 GB of 5 GB · 12 MB/s · 2 min 40 s left", "Paused at 3 GB of 5 GB". */
export function downloadText(download: ModelDownload | EngineInstallStep, messages: FullMessages): string {
  const { engine: text, figures } = messages;
  const [completed, bytes] = [figures.bytes(download.completed), figures.bytes(download.bytes)];
  switch (download.status) {
    case "downloading":
      return [text.downloading(completed, bytes), ...transferRateTexts(download, messages)].join(" · ");
    case "retrying":
      return text.retrying;
    case "silent":
      return text.silent(figures.duration((download.retrySeconds ?? 0) * 1_000));
    case "paused":
      return text.paused(completed, bytes);
    case "failed":
      return isBrokenOnServer(download) ? bytes : text.failedAt(completed, bytes);
    case "unpacking":
      return text.unpacking;
    case "waiting":
      return text.waiting;
    case "checking":
      return "build" in download ? text.checking : text.verifying;
  }
}

/** "needs 8 GB of memory · fits", "needs at least 6 GB of memory, more with its context". */
export function memoryNeedText(
  { memoryBytes, fit }: Pick<ModelPreview, "memoryBytes" | "fit">,
  { engine: text, figures }: FullMessages,
): string {
  const size = figures.bytes(memoryBytes);
  return fit === undefined ? text.needsAtLeast(size) : `${text.needs(size)} · ${text.fits[fit]}`;
}

/** All of it has arrived as it is on the server, and it is no model. */
export const isBrokenOnServer = ({ status, error }: ModelDownload): boolean =>
  status === "failed" && error?.code === "model_file_broken";
