/** Bodies of answers over HTTP, within limits. */
import type { NodeResponse } from "@/server/providers/wire/node-fetch";
import { failMcp, McpError } from "../failure";

/** Returns the text; beyond the limit it is cut, or the reading fails with too_large. */
export async function readLimited(answer: NodeResponse, maxBytes: number, beyond: "cut" | "fail"): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of answer.body) {
    parts.push(part);
    bytes += part.length;
    if (bytes <= maxBytes) continue;
    if (beyond === "fail") throw new McpError(failMcp({ reason: "too_large" }).error);
    break;
  }
  return Buffer.concat(parts).subarray(0, maxBytes).toString("utf8");
}

const lineFeed = 10;
const carriageReturn = 13;

/** Passes a stream of events on; fails with too_large when one of them exceeds the limit. */
export async function* limitEvents(answer: NodeResponse, maxBytes: number): AsyncGenerator<Uint8Array> {
  let sinceBoundary = 0;
  let newlines = 0;
  for await (const part of answer.body) {
    // An empty line ends an event.
    let boundary = -1;
    for (let index = 0; index < part.length; index += 1) {
      const byte = part[index];
      if (byte === lineFeed) newlines += 1;
      else if (byte !== carriageReturn) newlines = 0;
      if (newlines > 1) boundary = index;
    }
    sinceBoundary = boundary === -1 ? sinceBoundary + part.length : part.length - boundary;
    if (sinceBoundary > maxBytes) throw new McpError(failMcp({ reason: "too_large" }).error);
    yield part;
  }
}

const passedHeaders = ["content-type", "mcp-session-id", "www-authenticate"] as const;

/** Returns the answer as the client reads it; `status` replaces its own. */
export function toWebResponse(
  answer: NodeResponse,
  body: string | AsyncGenerator<Uint8Array> | null,
  status = answer.status,
): Response {
  const headers = new Headers();
  for (const name of passedHeaders) {
    const value = answer.header(name);
    if (value !== undefined) headers.set(name, value);
  }
  if (typeof body === "object" && body !== null)
    return new Response(
      toStream(body, () => answer.destroy()),
      { status, headers },
    );
  answer.destroy();
  // A Response of 204 or 205 must not have one.
  return new Response(body === "" ? null : body, { status, headers });
}

const toStream = (chunks: AsyncGenerator<Uint8Array>, cancel: () => void): ReadableStream<Uint8Array> =>
  new ReadableStream(
    {
      async pull(controller) {
        const next = await chunks.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
