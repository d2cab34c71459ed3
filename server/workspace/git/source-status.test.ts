import { expect, test } from "vitest";
import { runSteps } from "@/lib/async/steps";
import { groupEntriesSteps } from "./source-status";
import { type StatusEntry, statusEntries } from "./status-entries";

const groupOf = (entries: Iterable<StatusEntry>) => runSteps(groupEntriesSteps(entries));

test("rows beyond 5,000 and names that are not UTF-8 are counted only", () => {
  const untracked = Array.from({ length: 5_003 }, (_, index) => `? file ${index}\0`).join("");
  const groups = groupOf(statusEntries(`${untracked}? bad \ufffd name\0`));
  expect([groups.untracked.length, groups.more, groups.unreadable]).toEqual([5_000, 3, 1]);
});

test("a type change, a copy and a file that is in two groups keep their kinds", () => {
  const id = "a".repeat(40);
  const fields = [
    `1 .T N... 100644 100644 120000 ${id} ${id} was a file`,
    `2 C. N... 100644 100644 100644 ${id} ${id} C100 copy of it\0original`,
    `1 MM N... 100644 100644 100644 ${id} ${id} both`,
    `1 .M SC.. 160000 160000 160000 ${id} ${id} sub`,
  ];
  const groups = groupOf(statusEntries(`# branch.head main\0${fields.join("\0")}\0`));
  expect(groups).toMatchObject({
    staged: [
      { path: "copy of it", from: "original", change: "copied" },
      { path: "both", change: "modified" },
    ],
    changed: [{ path: "was a file", change: "type" }, { path: "both" }, { path: "sub", isSubmodule: true }],
  });
});
