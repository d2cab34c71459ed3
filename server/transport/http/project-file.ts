/**
 * Serves the bytes of a project file to the owner: whole or one range, in pieces as fast as the client reads. Nothing
 * in a file can run as a page of this server, whatever its type.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { posix } from "node:path";
import { asId, type ProjectId } from "@/lib/events/id";
import { imageTypeOf } from "@/lib/workspace/image-type";
import type { OwnerFileAccess, FileLink, RequestedFile } from "@/server/handlers/project/file-access";
import { formatDisposition } from "./content-disposition";
import { parseQuery } from "./parse-query";
import { sendFileFailure } from "./responses";
import { sendPieces } from "./send-pieces";

/** Query: `project`, `path`; `download` for an attachment; `until` and `sign` of a link. */
export const projectFilePath = "/api/file";

interface LinkChecks {
  readonly signIns: { isKnown(headers: IncomingMessage["headers"]): boolean };
  readonly fileAccess: Pick<OwnerFileAccess, "isLink">;
}

/** Whether the address is a link made for the owner, requested by a browser that is signed in. */
export function allowsFileLink({ url, headers }: IncomingMessage, { signIns, fileAccess }: LinkChecks): boolean {
  const query = parseQuery(url);
  const link = { ...readTarget(query), until: query.get("until") ?? "", sign: query.get("sign") ?? "" };
  return signIns.isKnown(headers) && fileAccess.isLink(link);
}

/**
 * Sends the file; a client that reads nothing for `stalledMs` while bytes wait for it is disconnected, so that the file is
 * closed. Rejects with an error of reading, except that the file became shorter.
 */
export async function handleProjectFile(
  request: IncomingMessage,
  response: ServerResponse,
  fileAccess: Pick<OwnerFileAccess, "read">,
  stalledMs: number,
): Promise<void> {
  const query = parseQuery(request.url);
  const target = readTarget(query);
  const read = await fileAccess.read(target, (file) =>
    sendFile(request, response, {
      file,
      disposition: formatDisposition(posix.basename(target.path), query.has("download")),
      stalledMs,
    }),
  );
  if (!read.ok) sendFileFailure(response, read.error);
}

const readTarget = (query: URLSearchParams): Pick<FileLink, "projectId" | "path"> => ({
  projectId: asId<ProjectId>(query.get("project") ?? ""),
  path: query.get("path") ?? "",
});

interface FileSending {
  readonly file: RequestedFile;
  readonly disposition: string;
  readonly stalledMs: number;
}

async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { file, disposition, stalledMs }: FileSending,
): Promise<void> {
  const { headers } = request;
  const etag = `"${file.version}"`;
  const common = {
    ETag: etag,
    "Accept-Ranges": "bytes",
    "Cache-Control": "private, no-cache",
    "Content-Disposition": disposition,
    "Content-Security-Policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
  };
  if (hasTag(headers["if-none-match"], etag)) return void response.writeHead(304, common).end();
  const isSame = headers["if-range"] === undefined || headers["if-range"] === etag;
  const range = isSame ? parseByteRange(headers.range, file.size) : null;
  if (range === "none")
    return void response.writeHead(416, { ...common, "Content-Range": `bytes */${file.size}` }).end();
  const { from, to } = range ?? { from: 0, to: file.size };
  response.writeHead(range === null ? 200 : 206, {
    ...common,
    "Content-Type": imageTypeOf(file.path) ?? "application/octet-stream",
    "Content-Length": to - from,
    ...(range === null ? {} : { "Content-Range": `bytes ${from}-${to - 1}/${file.size}` }),
  });
  if (request.method === "HEAD") return void response.end();
  try {
    await sendPieces(response, stalledMs, async (send) => {
      for await (const piece of file.read(from, to)) await send(piece);
    });
  } catch (error) {
    // A file that became shorter cannot be completed; the client is disconnected.
    if (!(error instanceof Error && "code" in error && error.code === "ERR_FILE_SHORTENED")) throw error;
  }
}

const hasTag = (header: string | undefined, etag: string): boolean =>
  (header ?? "").split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag || tag.trim() === "*");

/**
 * The bytes from `from` until before `to`; null = the whole file: no range, or one this server does not serve (several
 * ranges); "none" = it starts after the end.
 */
export function parseByteRange(
  header: string | undefined,
  size: number,
): { readonly from: number; readonly to: number } | "none" | null {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "");
  if (match === null) return null;
  const [first = "", last = ""] = match.slice(1);
  if (first === "" && last === "") return null;
  const from = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  if (first !== "" && last !== "" && Number(last) < Number(first)) return null;
  return from >= size || to <= from ? "none" : { from, to };
}
