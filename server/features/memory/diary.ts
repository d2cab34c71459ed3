/**
 * The diary: one line for each run that ends, written by the program. Lines are written one after another beside the
 * sessions, which never wait for them.
 */
import type { RunEnd } from "@/lib/events/event";
import { joinTextBlocks } from "@/lib/events/content";
import type { Result } from "@/lib/events/error";
import { diaryName } from "@/lib/tools/memory";
import { type Entry, pathEntriesBackward, type SessionView } from "@/lib/view/view";
import { escapeElements, firstSentence, toOneLine } from "@/server/tools/toolbox/foreign-text";
import { formatFileName } from "@/lib/text/format-file-name";
import type { MemoryFiles } from "./memory-files";

const maxTitleChars = 80;
const maxSentenceChars = 160;
const maxProjectChars = 40;
const shownFiles = 3;
/** Lines that wait to be written; further ones are dropped. */
const maxWaiting = 200;

const outcomes: Record<RunEnd, string> = {
  done: "done",
  aborted: "stopped",
  error: "failed",
  limit: "paused at a limit",
  interrupted: "interrupted",
};

const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** Returns the day of a time as `yyyy-mm-dd`, in this machine's time zone. */
export function localDay(at: number): string {
  const date = new Date(at);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

const localTime = (at: number): string => {
  const date = new Date(at);
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
};

/** The entries of the newest run on the path, newest first. */
function* newestRun(view: SessionView): Generator<Entry, void> {
  for (const entry of pathEntriesBackward(view)) {
    if (entry.kind === "run_start") return;
    yield entry;
  }
}

export interface DiaryRun {
  readonly view: SessionView;
  /** Name of the project. */
  readonly project: string;
  readonly reason: RunEnd;
  /**
   * The session has read content of other programs or web pages: the answer may repeat instructions from there, and later
   * sessions read the line.
   */
  readonly hasReadExternal: boolean;
  /** ms epoch */
  readonly at: number;
}

/**
 * Formats a run as `- 14:02 shop: Fix the cart. The total is right now (2 files: a.ts, b.ts; done)`, without the answer's
 * sentence after external content.
 */
function formatDiaryLine({ view, project, reason, hasReadExternal, at }: DiaryRun): string {
  const messages = [...newestRun(view)].flatMap((entry) => (entry.kind === "message" ? [entry] : []));
  const answer = messages.find(({ role, calls }) => role === "assistant" && calls.length === 0);
  const answerText =
    answer === undefined || hasReadExternal
      ? ""
      : joinTextBlocks(answer.blocks.flatMap((one) => (one.type === "text" ? [one] : [])));
  const paths = new Set(
    messages.flatMap(({ calls }) => calls.flatMap(({ changes = [] }) => changes.map(({ path }) => path))),
  );
  const title = firstSentence(view.title, maxTitleChars);
  const sentence = firstSentence(withoutChecklist(answerText).replace(/^[#>*\s-]+/, ""), maxSentenceChars);
  const parts = [title, sentence].filter((part) => part !== "").join(". ");
  const facts = [...(paths.size === 0 ? [] : [formatFiles([...paths])]), outcomes[reason]].join("; ");
  const name = toOneLine(project).slice(0, maxProjectChars);
  return escapeElements(`- ${localTime(at)} ${name}: ${parts === "" ? "no title" : parts} (${facts})`);
}

/** A plan says what was to be done; the sentence of the diary says what was. */
const withoutChecklist = (text: string): string => text.replace(/^[ \t]*(?:[-*+]|\d+[.)])[ \t]+\[[ xX]\].*$/gm, "");

function formatFiles(paths: readonly string[]): string {
  const named = paths.slice(0, shownFiles).map((path) => toOneLine(formatFileName(path.split("/").at(-1) ?? path)));
  const more = paths.length > shownFiles ? ", …" : "";
  return `${paths.length} file${paths.length === 1 ? "" : "s"}: ${named.join(", ")}${more}`;
}

interface Diary {
  /** Writes the line of a run soon, after those before it; `read` is called then. */
  add(read: () => Promise<DiaryRun>): void;
  /** Resolves when all lines are written. Never rejects. */
  written(): Promise<void>;
}

export function makeDiary(files: Pick<MemoryFiles, "append">, log: (line: string) => void): Diary {
  let tail: Promise<void> = Promise.resolve();
  let waiting = 0;
  /** A full disk is reported once, not with every run. */
  let failure = "";
  const report = (written: Result<void>): void => {
    const code = written.ok ? "" : written.error.code;
    if (code !== failure && code !== "") log(`The diary could not be written: ${code}`);
    failure = code;
  };
  const write = async (read: () => Promise<DiaryRun>): Promise<void> => {
    try {
      const run = await read();
      report(await files.append(diaryName(localDay(run.at)), formatDiaryLine(run)));
    } catch (error) {
      log(`The diary could not be written: ${String(error)}`);
    } finally {
      waiting -= 1;
    }
  };
  return {
    add(read) {
      if (waiting >= maxWaiting) return;
      waiting += 1;
      tail = tail.then(() => write(read));
    },
    written: () => tail,
  };
}
