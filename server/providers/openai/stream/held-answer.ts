/**
 * Reads an answer that its server holds apart from the connection (llama-server: resumable streams): after a break the rest is read
 * from that byte on, and an answer with no reader any more is ended on the server.
 */
import { serverLimits } from "@/lib/settings/server-limits";
import { pause, processEnds, timeLimit } from "@/server/base/abort";
import { SocketError } from "../../wire/node-fetch";
import { connectionFailureReason } from "../openai-errors";
import { ProviderError } from "../../provider";

export interface HeldAnswerSource {
  /** Requests the answer. */
  request(): Promise<AsyncIterable<Uint8Array>>;
  /** Reads it from a byte on. */
  read(from: number): Promise<AsyncIterable<Uint8Array>>;
  /** Ends it on the server. */
  end(signal: AbortSignal): Promise<void>;
  /** Returns whether the text that was read has its end; at most counts follow. */
  isComplete(): boolean;
}

/** Pauses before the tries to read on, each after one without a byte, ms. */
const readPausesMs = [0, 1_000, 2_000, 4_000];
/** A lost or silent connection; one that a server refuses has lost what it held. */
function canReadOn(cause: unknown, isFirstTry: boolean): boolean {
  if (cause instanceof SocketError) return connectionFailureReason(cause) !== "refused";
  return isFirstTry && cause instanceof ProviderError && cause.error.code === "stalled";
}

/** Its rest was read, and there is none. */
const hasBroken = (broken: { readonly cause: unknown } | null): boolean => broken !== null;

/**
 * Yields the bytes, each once. Throws the cause of a break after which the server does not hold them. `isRequested` = the
 * answer is not requested, only read.
 */
export async function* readHeldAnswer(
  source: HeldAnswerSource,
  isRequested: boolean,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let position = 0;
  let tries = 0;
  let isSent = isRequested;
  /** The server may be writing it. */
  let isHeld = isRequested;
  /** The break since which there was no byte. */
  let broken: { readonly cause: unknown } | null = null;
  try {
    for (;;) {
      const open = isSent ? () => source.read(position) : source.request;
      isSent = true;
      try {
        for await (const chunk of await open()) {
          isHeld = true;
          tries = 0;
          broken = null;
          position += chunk.length;
          yield chunk;
        }
        if (source.isComplete() || hasBroken(broken)) return;
        broken = { cause: undefined };
      } catch (cause) {
        if (signal.aborted || source.isComplete()) throw cause;
        isHeld ||= cause instanceof SocketError && cause.connected;
        if (!canReadOn(cause, tries === 0)) throw broken?.cause ?? cause;
        broken = { cause };
      }
      const pauseMs = readPausesMs[tries];
      tries += 1;
      if (pauseMs === undefined || !isHeld || !(await pause(pauseMs, signal))) throw broken.cause;
    }
  } finally {
    const isLeft = source.isComplete() || signal.reason === processEnds;
    if (isHeld && !isLeft) await source.end(timeLimit(serverLimits.heldAnswerEndMs)).catch(() => {});
  }
}
