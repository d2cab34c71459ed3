/** Sends files and folders of a project to the owner as one archive, as fast as the client reads. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { OwnerFileArchives } from "@/server/handlers/project/file-archives";
import { formatDisposition } from "./content-disposition";
import { parseQuery } from "./parse-query";
import { sendFileFailure } from "./responses";
import { sendPieces } from "./send-pieces";

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
  await sendPieces(response, stalledMs, opened.value.write);
}
