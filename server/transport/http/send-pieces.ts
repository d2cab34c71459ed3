/** Sends the body of an answer in pieces, as fast as the client reads. */
import type { ServerResponse } from "node:http";
import { errnoName } from "@/server/base/system-errors";

/** Sends a piece; resolves when more may be written, and rejects with the signal's reason when the client has left. */
type SendPiece = (bytes: Uint8Array) => Promise<void>;

/**
 * Sends what `produce` passes to `send`, and ends the answer. A client that reads nothing for `stalledMs` while bytes wait
 * for it is disconnected; the time that `produce` takes does not count. The signal aborts when the client has left.
 * Rejects with what ends the body early, except that the client has left; the answer then does not look whole.
 */
export async function sendPieces(
  response: ServerResponse,
  stalledMs: number,
  produce: (send: SendPiece, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const closing = new AbortController();
  const { signal } = closing;
  if (response.destroyed) return;
  response.once("close", () => closing.abort());
  response.on("timeout", () => response.destroy());
  try {
    await produce((bytes) => writeAndWait(response, bytes, stalledMs, signal), signal);
    response.setTimeout(stalledMs);
    response.end();
  } catch (error) {
    // A client that ends the download early is no error. From Node 24 a pipeline rejects with an abort of its own.
    const hasLeft = signal.aborted && (error === signal.reason || errnoName(error) === "ABORT_ERR");
    response.destroy();
    if (!hasLeft) throw error;
  }
}

/** The timeout is set only while it waits. */
function writeAndWait(
  response: ServerResponse,
  bytes: Uint8Array,
  stalledMs: number,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      response.off("drain", proceed);
      reject(signal.reason);
    };
    const proceed = (): void => {
      signal.removeEventListener("abort", leave);
      response.setTimeout(0);
      resolve();
    };
    if (signal.aborted) return reject(signal.reason);
    if (response.write(bytes)) return resolve();
    response.setTimeout(stalledMs);
    signal.addEventListener("abort", leave, { once: true });
    response.once("drain", proceed);
  });
}
