/** Has the built-in engine and a model downloaded, and shows the progress. */
import type { AgentError } from "@/lib/events/error";
import type { EngineState, OfferedBuild } from "@/lib/models/engine";
import { cliErrorText, RunFailure } from "../cli-error-text";
import { engineLine } from "./download-lines";
import type { Setup } from "./setup";

/** A model that can be downloaded, or whose download continues. */
export interface EngineModelOffer {
  readonly name: string;
  readonly reference: string;
  /** Build of the program to install; absent = it is installed. */
  readonly build?: OfferedBuild["kind"];
}

/** Resolves when both are there. Rejects with RunFailure; with the signal's reason after the downloads are paused. */
export async function downloadEngineModel(
  { call, pushes, terminal, signal }: Setup,
  { reference, build }: EngineModelOffer,
): Promise<void> {
  await call("engine.download", { model: reference });
  if (build !== undefined) await call("engine.install", { build });
  const check = (state: EngineState): { readonly error?: AgentError } | null => {
    terminal.progress(engineLine(state, reference));
    return findDownloadEnd(state, reference);
  };
  const end = new AbortController();
  const untilEnd = AbortSignal.any([signal, end.signal]);
  const following = pushes.until((push) => (push.type === "engine" ? check(push.state) : null), untilEnd);
  following.catch(() => {});
  try {
    const { error } = check(await call("engine.state", {})) ?? (await following);
    if (error !== undefined) throw new RunFailure(cliErrorText(error), error.code);
    await call("engine.ready", {});
  } catch (error) {
    if (!signal.aborted) throw error;
    // A pause keeps what has arrived.
    await call("engine.pauseDownload", { model: reference }).catch(() => {});
    if (build !== undefined) await call("engine.pauseInstall", {}).catch(() => {});
    throw error;
  } finally {
    end.abort();
    terminal.progress(null);
  }
}

/** Returns how the downloads have ended; null = they go on. */
function findDownloadEnd(
  { program, install, installFailure, downloads }: EngineState,
  reference: string,
): { readonly error?: AgentError } | null {
  const download = downloads.find((each) => each.reference === reference);
  if (download?.status === "failed") return { error: download.error ?? { code: "download_failed" } };
  if (install !== undefined) return null;
  if (program === null && installFailure !== undefined) return { error: installFailure };
  return program !== null && download === undefined ? {} : null;
}
