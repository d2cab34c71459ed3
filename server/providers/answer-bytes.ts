/** The bytes of one answer: watched for silence, read whole within bounds, handed on as a web stream. Used by the fetch of each provider. */
import { beginTurn } from "../base/steps";
import type { NodeResponse } from "./node-fetch";
import { brokenAnswer, stalledAnswer } from "./wire-errors";

/** How long an answer may be silent once it has begun. */
export interface StallLimit {
  /** ms without a byte */
  readonly stallMs: number;
  /** Given where silence may be a native call that is being written: a server that is alive is waited for. */
  readonly alive?: {
    /** Whether the server still works on the answer; never rejects for long, since the signal aborts with the answer. */
    check(signal: AbortSignal): Promise<boolean>;
    /** What the answer may still hold: bounds the wait for a server that says it is alive and never goes on. */
    readonly outputTokens: number;
  };
}

/** A server that writes a call is waited for so many stall limits at least, and for its whole output at this fraction of its pace. */
const patience = 5;
/** Where too little was sent to measure a pace, ms per token: slower models are of no use. */
const slowestMsPerToken = 1_000;
const paceMinChunks = 4;

/** When the chunks of one answer came. A chunk holds a token or more, so the pace is never told too fast. */
function makePace() {
  let chunks = 0;
  let firstAt = 0;
  let lastAt = 0;
  return {
    count(): void {
      lastAt = performance.now();
      if (chunks === 0) firstAt = lastAt;
      chunks += 1;
    },
    get begun() {
      return chunks > 0;
    },
    isSilentTooLong(stallMs: number, outputTokens: number): boolean {
      const isMeasured = chunks >= paceMinChunks;
      const msPerToken = isMeasured ? (patience * (lastAt - firstAt)) / (chunks - 1) : slowestMsPerToken;
      return performance.now() - lastAt > Math.max(patience * stallMs, msPerToken * outputTokens);
    },
  };
}

/** Destroys the response after too much silence; the function it returns ends the watch. */
function watchSilence(
  response: NodeResponse,
  { stallMs, alive }: StallLimit,
  pace: ReturnType<typeof makePace>,
): () => void {
  const over = new AbortController();
  let timer: NodeJS.Timeout;
  const arm = (): void => {
    timer = setTimeout(() => void silent(), stallMs);
  };
  const isAlive = async (): Promise<boolean> => {
    if (alive === undefined || pace.isSilentTooLong(stallMs, alive.outputTokens)) return false;
    return await alive.check(over.signal).catch(() => false);
  };
  const silent = async (): Promise<void> => {
    const goesOn = await isAlive();
    if (over.signal.aborted) return;
    if (goesOn) arm();
    else response.destroy(stalledAnswer(stallMs));
  };
  arm();
  return () => {
    clearTimeout(timer);
    over.abort();
  };
}

/** The chunks; once the first is there, each next one must come within the limit of now. Waiting for our own reader does not count. */
export async function* watched(
  response: NodeResponse,
  limitNow: () => StallLimit | undefined,
): AsyncGenerator<Uint8Array> {
  const chunks = response.body[Symbol.asyncIterator]();
  const pace = makePace();
  const turn = beginTurn();
  try {
    for (;;) {
      // Chunks that have come already follow each other without a turn for anything else.
      if (turn.isOver()) await turn.next();
      const limit = pace.begun ? limitNow() : undefined;
      const heard = limit === undefined ? undefined : watchSilence(response, limit, pace);
      const next = await chunks.next().finally(heard);
      if (next.done === true) return;
      pace.count();
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
