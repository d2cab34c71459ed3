/**
 * The tolerant reader: finds calls that local models write as text. Pure; one instance per answer, in every tool
 * mode. `push` returns a preview for display; `end` is authoritative and independent of the chunking.
 *
 * Decisions: an explicit call of an offered tool whose arguments do not fit is still a call (the model receives an
 * error with the correct usage). A call of an unknown tool in a model's own syntax, or under an alias, is also a
 * call, which is refused with an error message. Any other name is text. The same call twice in a row counts once. In
 * a truncated answer only complete calls count, and missing closers are not added.
 */
import type { UnrunCall } from "@/lib/events/content";
import type { ToolMode } from "@/lib/events/event";
import { hallucinationMarkerMaxChars, findHallucinationMarker } from "./hallucinated-results";
import { makeLivePreview, pushToPreview, type ReaderPiece } from "./preview/live-preview";
import {
  hallucinationChecksMax,
  isHallucinated,
  type PlacedBlock,
  type ReadBlock,
  readPlacedBlocks,
  readUnrunCalls,
} from "./read-answer";
import type { OfferedTool } from "./reader-source";

export type { OfferedTool, PlacedBlock, ReadBlock, ReaderPiece };

export interface CallReader {
  /** Reads the next piece of the answer's text, split anywhere. Returns the pieces that can be displayed now. */
  push(text: string): readonly ReaderPiece[];
  /**
   * No useful text can follow: the model has started to hallucinate the result of its own call. The caller then ends
   * the stream and calls `end(true)`.
   */
  readonly finished: boolean;
  /**
   * Returns the blocks of the whole answer. `whole` = the stream ended well (stop done); false = it was truncated
   * (length, error).
   */
  end(whole: boolean): readonly ReadBlock[];
  /** The same blocks with their offsets in the text. */
  placed(whole: boolean): readonly PlacedBlock[];
  /** Calls of a whole answer without blocks of calls that the user may want to run nevertheless. */
  unrun(): readonly UnrunCall[];
}

export function makeCallReader(options: {
  readonly tools: readonly OfferedTool[];
  readonly mode: ToolMode;
}): CallReader {
  const live = makeLivePreview(options);
  const pushed: string[] = [];
  let length = 0;
  /** The end of the text, long enough for every marker of a hallucinated result. */
  let tail = "";
  let examinedTo = 0;
  let tries = 0;
  let finished = false;

  /** Checks every marker once, in the same order as read-answer. */
  function scanPart(text: string): void {
    const start = length - tail.length;
    // A window inside the text must not match as its start.
    const window = (start === 0 ? "" : "x") + tail + text;
    const offset = start - (start === 0 ? 0 : 1);
    tail = (tail + text).slice(-hallucinationMarkerMaxChars);
    for (
      let found = findHallucinationMarker(window, 0);
      found !== null;
      found = findHallucinationMarker(window, found.end)
    ) {
      const at = offset + found.at;
      if (at < examinedTo || tries >= hallucinationChecksMax) continue;
      examinedTo = offset + found.end;
      tries += 1;
      finished = isHallucinated(pushed.join(""), { ...found, at, end: examinedTo }, options);
      if (finished) return;
    }
  }

  const placed = (whole: boolean): readonly PlacedBlock[] => readPlacedBlocks(pushed.join(""), options, whole);
  return {
    push(text) {
      if (finished || text === "") return [];
      pushed.push(text);
      scanPart(text);
      length += text.length;
      return pushToPreview(live, text);
    },
    get finished() {
      return finished;
    },
    end: (whole) => placed(whole).map(({ block }) => block),
    placed,
    unrun: () => readUnrunCalls(pushed.join(""), options),
  };
}
