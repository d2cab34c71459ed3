/** The bytes of one answer: watched for silence, read whole within bounds, handed on as a web stream. Used by the fetch of each provider. */
import type { NodeResponse } from "./node-fetch";
import { brokenAnswer, stalledAnswer } from "./wire-errors";

/** The chunks; once the first is there, each next one must come within the limit of now. Waiting for our own reader does not count. */
export async function* watched(response: NodeResponse, limitMs: () => number | undefined): AsyncGenerator<Uint8Array> {
  const chunks = response.body[Symbol.asyncIterator]();
  let begun = false;
  try {
    for (;;) {
      const stallMs = begun ? limitMs() : undefined;
      const timer =
        stallMs === undefined ? undefined : setTimeout(() => response.destroy(stalledAnswer(stallMs)), stallMs);
      const next = await chunks.next().finally(() => clearTimeout(timer));
      if (next.done === true) return;
      begun = true;
      yield next.value;
    }
  } finally {
    response.destroy();
  }
}

/** At most `maxBytes`, as text; what came before a lost connection is better than nothing. */
export async function textOf(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of chunks) {
      pieces.push(chunk);
      size += chunk.length;
      if (size >= maxBytes) break;
    }
  } catch {
    // Said by the status already.
  }
  return Buffer.concat(pieces).toString("utf8", 0, maxBytes);
}

/** All of it, as text. Throws `bad_answer` above `maxBytes`. */
export async function wholeText(chunks: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    pieces.push(chunk);
    size += chunk.length;
    if (size > maxBytes) throw brokenAnswer(`an answer of more than ${maxBytes} bytes`);
  }
  return new TextDecoder().decode(Buffer.concat(pieces));
}

/** A pulled web stream, as the packages read it; its errors are those of the generator. */
export const streamOf = (chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await chunks.next();
        if (next.done === true) controller.close();
        else controller.enqueue(next.value);
      },
      async cancel() {
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
