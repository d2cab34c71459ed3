/** Sends files and folders of a project to the owner as one archive, as fast as the client reads. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { OwnerFileArchives } from "@/server/handlers/project/file-archives";
import { formatDisposition } from "./content-disposition";
import { parseQuery } from "./parse-query";
import { sendFileFailure } from "./responses";

/** Query: `id` of a link. */
export const fileArchivePath = "/api/archive";

/**
 * Sends the archive; a client that reads nothing for `stalledMs` while bytes wait for it is disconnected, which ends the
 * walk. Rejects with what ends the archive early, except that the client has left.
 */
export async function handleFileArchive(
  request: IncomingMessage,
  response: ServerResponse,
  archives: Pick<OwnerFileArchives, "open">,
  stalledMs: number,
): Promise<void> {
  response.on("timeout", () => response.destroy());
  const closing = new AbortController();
  response.once("close", () => closing.abort());
  const opened = await archives.open(parseQuery(request.url).get("id") ?? "");
  if (!opened.ok) return sendFileFailure(response, opened.error);
  response.writeHead(200, {
    "Content-Type": "application/zip",
    "Cache-Control": "no-store",
    "Content-Disposition": formatDisposition(opened.value.name, true),
    "Content-Security-Policy": "sandbox; default-src 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  });
  if (request.method === "HEAD") return void response.end();
  try {
    await opened.value.write((bytes) => writeAndWait(response, bytes, stalledMs, closing.signal), closing.signal);
    response.setTimeout(stalledMs);
    response.end();
  } catch (error) {
    // A client that ends the download early is no error. An archive that cannot be completed must not look whole.
    const hasLeft = error === closing.signal.reason;
    response.destroy();
    if (!hasLeft) throw error;
  }
}

/** Resolves when more may be written; rejects when the client has left. The timeout is set only while it waits. */
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
