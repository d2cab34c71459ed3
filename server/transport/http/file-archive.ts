/** Sends files and folders of a project to the owner as one archive, as fast as the client reads. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { OwnerFileArchives } from "@/server/handlers/project/file-archives";
import { formatDisposition } from "./content-disposition";
import { sendJson } from "./responses";

/** Query: `id` of a link. */
export const fileArchivePath = "/api/archive";

/** Sends the archive; a client that reads nothing for `stalledMs` is disconnected, which ends the walk. */
export async function handleFileArchive(
  request: IncomingMessage,
  response: ServerResponse,
  archives: Pick<OwnerFileArchives, "open">,
  stalledMs: number,
): Promise<void> {
  response.setTimeout(stalledMs, () => response.destroy());
  const closing = new AbortController();
  response.once("close", () => closing.abort());
  const query = new URLSearchParams((request.url ?? "").split("?").slice(1).join("?"));
  const opened = await archives.open(query.get("id") ?? "");
  if (!opened.ok) {
    const { code } = opened.error;
    return sendJson(response, code === "not_found" ? 404 : 403, { ok: false, error: { code } });
  }
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
    await opened.value.write((bytes) => writeAndWait(response, bytes, closing.signal), closing.signal);
    response.end();
  } catch (error) {
    // A client that ends the download early is no error. An archive that cannot be completed must not look whole.
    const hasLeft = closing.signal.aborted;
    response.destroy();
    if (!hasLeft && !(error instanceof Error && "code" in error)) throw error;
  }
}

/** Resolves when more may be written; rejects when the client has left. */
function writeAndWait(response: ServerResponse, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = (): void => {
      response.off("drain", proceed);
      reject(signal.reason);
    };
    const proceed = (): void => {
      signal.removeEventListener("abort", leave);
      resolve();
    };
    if (signal.aborted) return reject(signal.reason);
    if (response.write(bytes)) return resolve();
    signal.addEventListener("abort", leave, { once: true });
    response.once("drain", proceed);
  });
}
