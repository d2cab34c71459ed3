/** Formats downloads of `gopi-web init` as a line. Pure. */
import type { EngineState, ModelDownload } from "@/lib/models/engine";
import type { PullState } from "@/lib/models/models";
import { printable } from "../arguments/options";
import { formatBytes } from "../output/format-bytes";

interface Transfer {
  readonly completed: number;
  readonly bytes: number;
  readonly bytesPerSecond?: number | undefined;
  readonly secondsLeft?: number | undefined;
}

/** "45 % of 2.7 GB, 12 MB/s, 3 min left". */
export function transferText({ completed, bytes, bytesPerSecond = 0, secondsLeft }: Transfer): string {
  const share = bytes === 0 ? 0 : Math.floor((completed / bytes) * 100);
  const rate = bytesPerSecond > 0 ? `, ${formatBytes(bytesPerSecond)}/s` : "";
  const left = secondsLeft === undefined ? "" : `, ${formatTimeLeft(secondsLeft)} left`;
  return `${share} % of ${formatBytes(bytes)}${rate}${left}`;
}

function formatTimeLeft(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

export const pullLine = ({ name, completedBytes, totalBytes, ...rate }: PullState): string =>
  `${printable(name)}: ${transferText({ completed: completedBytes, bytes: totalBytes, ...rate })}`;

/** The engine's program and a model, while they are fetched. */
export function engineLine(
  { install, downloads }: Pick<EngineState, "install" | "downloads">,
  reference: string,
): string {
  const model = downloads.find((download) => download.reference === reference);
  return [
    ...(model === undefined ? [] : [`${printable(model.name)}: ${statusText(model)}`]),
    ...(install === undefined ? [] : [`llama.cpp: ${statusText(install)}`]),
  ].join("; ");
}

function statusText(
  transfer: Transfer & { readonly status: ModelDownload["status"] | "unpacking" | "waiting" },
): string {
  switch (transfer.status) {
    case "retrying":
    case "silent":
      return `${transferText({ ...transfer, bytesPerSecond: 0 })}, waiting for the server`;
    case "unpacking":
    case "checking":
    case "waiting":
      return "checking what has arrived";
    default:
      return transferText(transfer);
  }
}
