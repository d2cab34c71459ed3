/** A change of a file without write permission asks in any mode. */
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Mode } from "@/lib/permissions/policy";
import { callAnswer, makeTestHarness, promptAndWait, testTab, textAnswer, waitForCards } from "../testing/test-harness";

test.each<[Mode, string, { readonly [name: string]: string }]>([
  ["full", "edit", { path: "a.txt", old_string: "old", new_string: "new" }],
  ["edits", "write", { path: "a.txt", content: "new\n" }],
  ["ask", "edit", { path: "a.txt", old_string: "old", new_string: "new" }],
])(
  "in mode %s, %s of a read-only file asks and says so; approved, it is written and stays read-only",
  async (mode, tool, input) => {
    const harness = await makeTestHarness();
    const file = join(harness.root, "a.txt");
    writeFileSync(file, "old\n");
    chmodSync(file, 0o444);
    const session = harness.session(mode);
    harness.script(callAnswer([tool, input]), textAnswer("done"));
    const done = promptAndWait(session, "go");
    const [card] = await waitForCards(session);
    expect(readFileSync(file, "utf8")).toBe("old\n");
    expect(card?.preview).toMatchObject({ kind: "diff", readOnly: true });
    if (card !== undefined) session.answer(card.approvalId, { option: "once" }, testTab);
    await done;
    expect([readFileSync(file, "utf8"), statSync(file).mode & 0o777]).toEqual(["new\n", 0o444]);
  },
);
