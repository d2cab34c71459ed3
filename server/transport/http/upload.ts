/** Receives a file that the owner uploads: the body goes to the disk as it arrives. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { asId, type ProjectId } from "@/lib/events/id";
import { uploadConflicts } from "@/lib/workspace/upload";
import type { OwnerFileUploads } from "@/server/handlers/project/file-uploads";
import { parseQuery } from "./parse-query";
import { sendEmpty, sendJson } from "./responses";

/** Rest of a refused body that is read, so that the browser gets the answer instead of a reset connection. */
const drainMaxBytes = 50_000_000;

/** Only `application/octet-stream` is accepted, which no form can send. */
export async function handleUpload(
  request: IncomingMessage,
  response: ServerResponse,
  uploads: OwnerFileUploads,
): Promise<void> {
  if (!/^application\/octet-stream\s*(;|$)/i.test(request.headers["content-type"] ?? ""))
    return sendEmpty(response, 415);
  const query = parseQuery(request.url);
  const conflict = uploadConflicts.find((one) => one === query.get("conflict"));
  const length = request.headers["content-length"];
  if (conflict === undefined) return sendJson(response, 400, { ok: false, error: { code: "bad_input" } });
  const answer = await uploads.receive(
    {
      projectId: asId<ProjectId>(query.get("project") ?? ""),
      folder: query.get("folder") ?? "",
      name: query.get("name") ?? "",
      conflict,
      version: query.get("version") ?? undefined,
    },
    // An iterator that ends early would destroy the request before the answer is sent.
    { chunks: request.iterator({ destroyOnReturn: false }), size: length === undefined ? null : Number(length) },
  );
  if (!answer.ok && !(await drain(request))) {
    response.setHeader("Connection", "close");
    response.once("finish", () => request.destroy());
  }
  sendJson(response, 200, answer);
}

/** Reads the rest of the body; returns whether that was all. */
async function drain(request: IncomingMessage): Promise<boolean> {
  if (request.readableEnded || request.destroyed) return true;
  if (Number(request.headers["content-length"] ?? 0) > drainMaxBytes) return false;
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > drainMaxBytes) return false;
  }
  return true;
}
