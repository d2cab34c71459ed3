/** A full disk during a run (row 19 of docs/reliability.md): reported, nothing lost, recovered without a restart. */
import Database from "better-sqlite3";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asId, type ApprovalId } from "@/lib/events/id";
import { pathEntries } from "@/lib/view/view";
import { StoreError } from "@/server/store/core/store-error";
import { auditLog } from "../testing/test-audit";
import {
  promptAndWait,
  callAnswer,
  waitForCards,
  testCommandId,
  makeGate,
  makeTestHarness,
  storedRows,
  textAnswer,
  testTab,
} from "../testing/test-harness";

/** Makes the database refuse events like a full disk, by a trigger of another connection. */
function refuseEvents(home: string): { end(): void } {
  const other = new Database(join(home, "gopi.db"));
  other.exec("CREATE TRIGGER refuse BEFORE INSERT ON events BEGIN SELECT RAISE(ABORT, 'no room'); END");
  return {
    end() {
      other.exec("DROP TRIGGER refuse");
      other.close();
    },
  };
}

describe("a log that cannot be written", () => {
  test("ends the run with an error when it is writable again, with all text", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    const gate = makeGate();
    harness.script([{ type: "text", text: "Every " }, gate, { type: "text", text: "word" }, ...textAnswer(".")]);
    const done = promptAndWait(session, "go");
    await gate.reached;
    const full = refuseEvents(harness.home);
    gate.open();
    await expect.poll(() => harness.storeErrors.length).toBeGreaterThan(0);
    expect(harness.storeErrors[0]).toBeInstanceOf(StoreError);
    expect(pathEntries(session.view).at(-1)).toMatchObject({ blocks: [{ type: "text", text: "Every word." }] });
    full.end();
    expect(await done).toBe("error");
    expect(harness.storeErrors.at(-1)).toBeNull();
    expect(auditLog(storedRows(harness, session.id))).toEqual([]);
    expect(pathEntries(session.view)).toMatchObject([
      { kind: "run_start" },
      { role: "user" },
      { role: "assistant", stop: "error", blocks: [{ text: "Every word." }] },
      { kind: "error", error: { code: "store_failed" } },
      { kind: "run_end", reason: "error" },
    ]);
    harness.script(textAnswer("Again."));
    expect(await promptAndWait(session, "again")).toBe("done");
  });

  test("stops the other calls of the message: none waits for an approval without effect", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(callAnswer(["bash", { command: "touch a" }], ["write", { path: "b.txt", content: "b" }]));
    const done = promptAndWait(session, "go");
    const [, second] = await waitForCards(session, 2);
    const full = refuseEvents(harness.home);
    // The answer itself cannot be stored: it did not win, the card stays.
    expect(() => session.answer(second?.approvalId ?? asId<ApprovalId>(""), { option: "once" }, testTab)).toThrow(
      StoreError,
    );
    expect(await waitForCards(session, 2)).toHaveLength(2);
    full.end();
    const rules = new Database(join(harness.home, "gopi.db"));
    rules.exec(
      "CREATE TRIGGER refuse_change BEFORE INSERT ON events WHEN NEW.type IN ('file_change', 'tool_call_end') BEGIN SELECT RAISE(ABORT, 'no room'); END",
    );
    session.answer(second?.approvalId ?? asId<ApprovalId>(""), { option: "once" }, testTab);
    await expect.poll(() => harness.storeErrors.length).toBeGreaterThan(2);
    rules.exec("DROP TRIGGER refuse_change");
    rules.close();
    expect(await done).toBe("error");
    expect(auditLog(storedRows(harness, session.id))).toEqual([]);
    expect(existsSync(join(harness.root, "b.txt"))).toBe(false);
  });

  test("refuses a prompt without a partial effect, and accepts the same command later", async () => {
    const harness = await makeTestHarness();
    const session = harness.session();
    harness.script(textAnswer("First."));
    await promptAndWait(session, "first");
    const full = refuseEvents(harness.home);
    const { seq } = session.view;
    const id = testCommandId();
    expect(() => session.send("go", "prompt", id)).toThrow(StoreError);
    expect(session.view.seq).toBe(seq);
    expect(session.idle).toBe(true);
    full.end();
    harness.script(textAnswer("Now."));
    const sent = session.send("go", "prompt", id);
    expect(sent.ok && (await sent.value.done)).toBe("done");
    expect(harness.storeErrors.at(-1)).toBeNull();
  });
});

test("a failed checkpoint is written later, also when the model sends nothing more", async () => {
  const harness = await makeTestHarness();
  const session = harness.session();
  const gate = makeGate();
  const other = new Database(join(harness.home, "gopi.db"));
  // Effects of a failing statement before RAISE(FAIL) are kept, so the attempts can be counted.
  other.exec(`CREATE TABLE tries (n INTEGER);
    CREATE TRIGGER refuse BEFORE INSERT ON checkpoints
    BEGIN INSERT INTO tries VALUES (1); SELECT RAISE(FAIL, 'no room'); END`);
  harness.script([{ type: "text", text: "Not to be lost. " }, gate, ...textAnswer(".")]);
  const done = promptAndWait(session, "go");
  await gate.reached;
  const tries = () => other.prepare("SELECT count(*) FROM tries").pluck().get();
  await expect.poll(tries).toBeGreaterThan(0);
  expect(harness.store.events.checkpoints(session.id)).toEqual([]);
  other.exec("DROP TRIGGER refuse");
  await expect
    .poll(() =>
      harness.store.events
        .checkpoints(session.id)
        .map(({ body }) => body)
        .join(),
    )
    .toContain("Not to be lost");
  gate.open();
  expect(await done).toBe("done");
  other.exec("DROP TABLE tries");
  other.close();
});
