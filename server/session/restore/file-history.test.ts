import { describe, expect, test } from "vitest";
import { asId, type BlobId, type CallId, type Hash } from "@/lib/events/id";
import type { FileLogRecord } from "@/server/store/sessions/file-log";
import { buildFileHistory, differsFromLeft, isContentLost, stateAt } from "./file-history";

const blob = (text: string): BlobId => asId<BlobId>(text);
const hash = (text: string): Hash => asId<Hash>(text);
const before = (
  seq: number,
  path: string,
  content: string | null,
  mode = content === null ? 0 : 0o644,
): FileLogRecord => ({
  kind: "before",
  seq,
  callId: asId<CallId>("c1"),
  path,
  before: content === null ? null : blob(content),
  mode,
});
const left = (seq: number, path: string, after: string | null): FileLogRecord => ({
  kind: "left",
  seq,
  files: [{ path, after: after === null ? null : hash(after) }],
});
const restored = (seq: number, path: string, from: string | null, to: string | null): FileLogRecord => ({
  kind: "restore",
  toSeq: 0,
  seq,
  files: [
    {
      path,
      before: from === null ? null : blob(from),
      after: to === null ? null : blob(to),
      mode: 0o644,
      added: 0,
      removed: 0,
    },
  ],
});

/** a.ts: created with A (seq 4), changed to B (8), the user's C found and changed to D (12), restored to A (15). */
const log: readonly FileLogRecord[] = [
  before(4, "a.ts", null),
  left(5, "a.ts", "A"),
  before(8, "a.ts", "A"),
  left(9, "a.ts", "B"),
  before(12, "a.ts", "C"),
  left(13, "a.ts", "D"),
  restored(15, "a.ts", "D", "A"),
];
const historyOf = (records: readonly FileLogRecord[], path = "a.ts") => {
  const found = buildFileHistory(records).get(path);
  if (found === undefined) throw new Error(`${path} has no history`);
  return found;
};

describe("the state of a file at a log position", () => {
  test.each([
    [0, null],
    [3, null],
    [4, "A"],
    [7, "A"],
    [8, "C"],
    [11, "C"],
    [12, "D"],
    [14, "D"],
  ])("after seq %i is the state before the next change", (seq, content) => {
    expect(stateAt(historyOf(log), seq)?.blob).toBe(content);
  });

  test("after the last change is not in the log: the file is as it was left", () => {
    expect(stateAt(historyOf(log), 15)).toBeUndefined();
  });

  test("a file without stored content differs from no file", () => {
    const history = historyOf([before(4, "a.ts", null, 0o600), before(6, "b.ts", null)]);
    expect(isContentLost(stateAt(history, 0) ?? { blob: null, mode: 0 })).toBe(true);
    expect(isContentLost({ blob: null, mode: 0 })).toBe(false);
    expect(isContentLost({ blob: blob("A"), mode: 0 })).toBe(false);
  });
});

describe("the state the session left", () => {
  test("comes from the newest change or restore", () => {
    expect(historyOf(log.slice(0, 6)).leftState).toEqual({ hash: "D", isCertain: true });
    expect(historyOf(log).leftState).toEqual({ hash: "A", isCertain: true });
    expect(differsFromLeft(historyOf(log), hash("A"))).toBe(false);
    expect(differsFromLeft(historyOf(log), hash("D"))).toBe(true);
    expect(differsFromLeft(historyOf(log), null)).toBe(true);
  });

  test("after an interrupted change is the state before it, marked as unknown", () => {
    expect(historyOf(log.slice(0, 3)).leftState).toEqual({ hash: "A", isCertain: false });
  });

  test("a deleted folder deletes the files in it, and nothing beside it", () => {
    const records = [
      before(4, "src/a.ts", "A"),
      before(4, "src/deep/b.ts", "B"),
      before(4, "src2/c.ts", "C"),
      left(5, "src2/c.ts", "D"),
      left(6, "src", null),
    ];
    expect(historyOf(records, "src/a.ts").leftState).toEqual({ hash: null, isCertain: true });
    expect(historyOf(records, "src/deep/b.ts").leftState).toEqual({ hash: null, isCertain: true });
    expect(historyOf(records, "src2/c.ts").leftState).toEqual({ hash: "D", isCertain: true });
  });

  test("a path changed only by a restore has a history too", () => {
    const history = historyOf([restored(9, "a.ts", "B", null)]);
    expect(stateAt(history, 8)).toMatchObject({ blob: "B", mode: 0o644 });
    expect(history.leftState).toEqual({ hash: null, isCertain: true });
  });
});
