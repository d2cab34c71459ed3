/** Streams the parts of one answer from its bytes, on any wire. */
import { beginTimeSlice } from "@/server/base/steps";
import type { ServerRequest } from "./answer-bytes";
import type { NodeResponse } from "./node-fetch";
import { findServedBy } from "./served-by";
import { cutWithoutCounts, type Failure, type ModelPart } from "../provider";

/** Parts that arrive together are joined up to this length, UTF-16 units; guards run between parts. */
export const joinedPartChars = 1_024;

/** Options of every provider. */
export interface StreamOptions {
  /** ms epoch */
  readonly now?: () => number;
  /** ms, default serverLimits.stallMs */
  readonly stallMs?: number;
  /** Time limit, ms, of one liveness probe of a silent server; default 10 s */
  readonly tryMs?: number;
  /** UTF-16 units, default serverLimits.answerMaxChars */
  readonly answerMaxChars?: number;
}

/** Parses the bytes of one answer. Throws ProviderError at the first fault, after the groups before it. */
export interface AnswerReader {
  /** Yields the parts of the next bytes, one group per line or event; the last part is `finish` or `failed`. */
  take(bytes: Uint8Array): Iterable<readonly ModelPart[]>;
  /** Yields the remaining parts after the last byte. */
  end(): Iterable<readonly ModelPart[]>;
}

type TextPart = Extract<ModelPart, { type: "text" | "thinking" }>;

const fieldOf = (part: TextPart): string | undefined => (part.type === "thinking" ? part.field : undefined);

/** Joins consecutive text parts: a fast model sends hundreds in one packet, and each costs every later stage a turn. */
export function makePartJoiner() {
  let open: TextPart | undefined;
  const flush = (): readonly ModelPart[] => {
    const parts = open === undefined ? [] : [open];
    open = undefined;
    return parts;
  };
  return {
    /** Returns the parts that are complete now. */
    add(part: ModelPart): readonly ModelPart[] {
      if (part.type !== "text" && part.type !== "thinking") return [...flush(), part];
      if (
        open?.type === part.type &&
        fieldOf(open) === fieldOf(part) &&
        open.text.length + part.text.length <= joinedPartChars
      ) {
        open = { ...open, text: open.text + part.text, pieces: (open.pieces ?? 1) + (part.pieces ?? 1) };
        return [];
      }
      const complete = flush();
      open = part;
      return complete;
    },
    /** Returns the part that was still open. */
    flush,
  };
}

/** Yields the parts of all bytes, those of one chunk joined. Long chunks are read in time slices. */
async function* readParts(chunks: AsyncIterable<Uint8Array>, reader: AnswerReader): AsyncGenerator<ModelPart> {
  const joiner = makePartJoiner();
  const slice = beginTimeSlice();
  async function* joined(groups: Iterable<readonly ModelPart[]>): AsyncGenerator<ModelPart> {
    try {
      for (const group of groups) {
        for (const part of group) yield* joiner.add(part);
        if (slice.isOver()) await slice.next();
      }
    } catch (cause) {
      yield* joiner.flush();
      throw cause;
    }
    yield* joiner.flush();
  }
  for await (const chunk of chunks) yield* joined(reader.take(chunk));
  yield* joined(reader.end());
}

/**
 * Yields the parts of one answer up to its last part, which names the host that a router chose; returns the failure that ended it. An abort ends it without
 * either.
 */
export async function* streamAnswer(
  open: (accepted: NonNullable<ServerRequest["accepted"]>) => Promise<AsyncIterable<Uint8Array>>,
  reader: AnswerReader,
  toFailure: (cause: unknown) => Failure,
  signal: AbortSignal,
): AsyncGenerator<ModelPart, Failure | undefined> {
  let servedBy: string | undefined;
  const accepted = (response: NodeResponse): void => void (servedBy = findServedBy(response));
  try {
    for await (const part of readParts(await open(accepted), reader)) {
      if (signal.aborted) return undefined;
      yield part.type === "finish" && servedBy !== undefined ? { ...part, usage: { ...part.usage, servedBy } } : part;
      if (part.type === "finish" || part.type === "failed") return undefined;
    }
    return undefined;
  } catch (cause) {
    if (signal.aborted) return undefined;
    const failure = toFailure(cause);
    if (failure.error.code !== "output_limit") return failure;
    yield cutWithoutCounts;
    return undefined;
  }
}
