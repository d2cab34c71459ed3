/**
 * The tolerant reader: finds the calls that local models write as text. Pure; one for each answer, made by agent/answer in
 * every tool mode. What `push` gives is a preview for the screen; `end` is the truth, whatever pieces the text came in.
 *
 * Decisions: an explicit call of an offered tool whose arguments do not fit is still a call (run-tool tells the model how to
 * call it right); a call of an unknown tool in a model's own syntax, or under a name that models know from elsewhere, is a call
 * too, which run-tool refuses and answers; any other name is text; the same call twice in a row counts once; in an answer that
 * was cut off only calls count that are complete as they stand, nothing is added to them.
 */
import { inventionMaxChars, nextInvention } from "./inventions";
import { makeLive, pushLive, type ReaderPiece } from "./live";
import { inventionTries, isInvented, type PlacedBlock, type ReadBlock, readPlaced } from "./read-text";
import type { ToolMode } from "./scan";
import type { Familiar, OfferedTool } from "./source";

export type { OfferedTool, PlacedBlock, ReadBlock, ReaderPiece, ToolMode };

export interface CallReader {
  /** The next piece of the answer's text, split anywhere. Gives what the screen can show now. */
  push(text: string): readonly ReaderPiece[];
  /**
   * Nothing of use can follow: the model has begun to invent the result of its own call. The caller then ends the stream and
   * calls `end(true)`.
   */
  readonly finished: boolean;
  /** The blocks of the whole answer. `whole` = the stream ended well (stop done); false = it was cut off (length, error). */
  end(whole: boolean): readonly ReadBlock[];
  /** The same blocks with their places in the text. */
  placed(whole: boolean): readonly PlacedBlock[];
}

export function makeCallReader(options: {
  readonly tools: readonly OfferedTool[];
  readonly mode: ToolMode;
  /** Names that models know from elsewhere for an offered tool; none when absent. */
  readonly familiar?: Familiar;
}): CallReader {
  const live = makeLive(options);
  const pushed: string[] = [];
  let length = 0;
  /** The end of the text, long enough for every marker of an invented result. */
  let tail = "";
  let looked = 0;
  let tries = 0;
  let finished = false;

  /** Looks at every marker once, in the order read-text does. */
  function look(text: string): void {
    const start = length - tail.length;
    // A window that does not begin the text must not look like one that does.
    const window = (start === 0 ? "" : "x") + tail + text;
    const offset = start - (start === 0 ? 0 : 1);
    tail = (tail + text).slice(-inventionMaxChars);
    for (let found = nextInvention(window, 0); found !== null; found = nextInvention(window, found.end)) {
      const at = offset + found.at;
      if (at < looked || tries >= inventionTries) continue;
      looked = offset + found.end;
      tries += 1;
      finished = isInvented(pushed.join(""), { ...found, at, end: looked }, options);
      if (finished) return;
    }
  }

  const placed = (whole: boolean): readonly PlacedBlock[] => readPlaced(pushed.join(""), options, whole);
  return {
    push(text) {
      if (finished || text === "") return [];
      pushed.push(text);
      look(text);
      length += text.length;
      return pushLive(live, text);
    },
    get finished() {
      return finished;
    },
    end: (whole) => placed(whole).map(({ block }) => block),
    placed,
  };
}
