import { expect, test } from "vitest";
import type { CallFileChange } from "../events/tool-kind";
import { asId, type BlobId, type CallId, type Hash, type MessageId, type RunId } from "../events/id";
import { findUndoneRuns, hasLaterChanges } from "./remaining-changes";
import type { Entry } from "./view";

/** Contents before and after; "" = no file. */
type Change = readonly [path: string, before: string, after: string];

const toChange = ([path, before, after]: Change): CallFileChange => ({
  path,
  before: before === "" ? null : asId<BlobId>(before),
  after: after === "" ? null : asId<Hash>(after),
  added: 0,
  removed: 0,
});

/** Run `seq`: it starts at `seq`, changes files at `seq + 1` and ends at `seq + 2`. */
const run = (seq: number, ...changes: readonly Change[]): readonly Entry[] => {
  const runId = asId<RunId>(`run ${seq}`);
  const call = {
    callId: asId<CallId>(`c${seq}`),
    name: "bash",
    kind: "shell",
    target: "",
    facts: {},
    state: "ok" as const,
    approvals: [],
    changes: changes.map(toChange),
  };
  return [
    { kind: "run_start", seq, at: 0, runId, from: seq - 1 },
    {
      kind: "message",
      seq: seq + 1,
      messageId: asId<MessageId>(`m${seq}`),
      role: "assistant",
      at: 0,
      stop: "done",
      blocks: [],
      calls: [call],
    },
    { kind: "run_end", seq: seq + 2, at: 0, runId, reason: "done", startedAt: 0, waitedMs: 0, steps: 1 },
  ];
};
const restore = (seq: number, toSeq: number, ...paths: readonly string[]): Entry => ({
  kind: "restore",
  seq,
  at: 0,
  toSeq,
  files: paths.map((path) => ({ path, added: 0, removed: 0 })),
});

const both = [...run(1, ["a", "1", "2"]), ...run(11, ["a", "2", "3"], ["b", "", "1"])];

test.each<[string, readonly Entry[], readonly number[]]>([
  ["without a restore none is undone", both, []],
  ["an undo of the newest run", [...both, restore(21, 10, "a", "b")], [11]],
  ["an undo of both", [...both, restore(21, 0, "a", "b")], [1, 11]],
  ["one of some of its files leaves the run", [...both, restore(21, 10, "a")], []],
  ["its other files may follow", [...both, restore(21, 10, "a"), restore(22, 10, "b")], [11]],
  ["a reversed undo", [...both, restore(21, 0, "a", "b"), restore(22, 20, "a", "b")], []],
  ["an undo again", [...both, restore(21, 0, "a"), restore(22, 20, "a"), restore(23, 21, "a")], [1]],
  ["an undo of both, reversed for the older", [...both, restore(21, 0, "a", "b"), restore(22, 3, "a")], [11]],
  ["a run after the undo keeps its changes", [...both, restore(21, 0, "a", "b"), ...run(31, ["a", "1", "4"])], [1, 11]],
  ["a run without changes is not undone", [...run(1, ["a", "1", "2"]), ...run(11), restore(21, 0, "a")], [1]],
  [
    "a file that was created and deleted needs no restore",
    [...run(1, ["a", "1", "2"], ["t", "", "1"]), ...run(11, ["t", "1", ""]), restore(21, 0, "a")],
    [1, 11],
  ],
  [
    "a deleted file without stored content stays deleted",
    [...run(1, ["a", "1", "2"], ["big", "", ""]), restore(21, 0, "a")],
    [],
  ],
  ["a deleted folder is back with its files", [...run(1, ["notes", "", ""]), restore(21, 0, "notes/one")], [1]],
])("%s", (_name, entries, undone) =>
  expect([...findUndoneRuns(entries)].sort()).toEqual(undone.map((seq) => `run ${seq}`).sort()),
);

test("later changes are those of later runs that are still there", () => {
  expect(hasLaterChanges(both, 0)).toBe(true);
  expect(hasLaterChanges(both, 10)).toBe(false);
  expect(hasLaterChanges([...both, restore(21, 10, "a", "b")], 0)).toBe(false);
  expect(hasLaterChanges([...run(1, ["a", "1", "2"]), ...run(11)], 0)).toBe(false);
});
