/** A disk that is full while a run goes on (fault row 19): said, nothing lost, and healed without a restart. */
import Database from "better-sqlite3";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { asId, type ApprovalId } from "@/lib/id";
import { pathOf } from "@/lib/view";
import { StoreError } from "../store/store-error";
import { auditLog } from "./test-audit";
import { ask, calls, cards, command, makeGate, makeHouse, rowsOf, says, tab } from "./test-services";

/** From now on the database takes no event: a trigger of another connection refuses each, as a full disk would. */
function refusal(home: string): { end(): void } {
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
  test("ends the run honestly when it can be again, with every word", async () => {
    const house = await makeHouse();
    const session = house.session();
    const gate = makeGate();
    house.script([{ type: "text", text: "Every " }, gate, { type: "text", text: "word" }, ...says(".")]);
    const done = ask(session, "go");
    await gate.reached;
    const full = refusal(house.home);
    gate.open();
    await expect.poll(() => house.troubles.length).toBeGreaterThan(0);
    expect(house.troubles[0]).toBeInstanceOf(StoreError);
    expect(pathOf(session.view).at(-1)).toMatchObject({ blocks: [{ type: "text", text: "Every word." }] });
    full.end();
    expect(await done).toBe("error");
    expect(house.troubles.at(-1)).toBeNull();
    expect(auditLog(rowsOf(house, session.id))).toEqual([]);
    expect(pathOf(session.view)).toMatchObject([
      { kind: "run_start" },
      { role: "user" },
      { role: "assistant", stop: "error", blocks: [{ text: "Every word." }] },
      { kind: "error", error: { code: "store_failed" } },
      { kind: "run_end", reason: "error" },
    ]);
    house.script(says("Again."));
    expect(await ask(session, "again")).toBe("done");
  });

  test("stops the other calls of the answer: nobody waits for a card that leads nowhere", async () => {
    const house = await makeHouse();
    const session = house.session();
    house.script(calls(["bash", { command: "touch a" }], ["write", { path: "b.txt", content: "b" }]));
    const done = ask(session, "go");
    const [, second] = await cards(session, 2);
    const full = refusal(house.home);
    // The answer itself cannot be stored: it did not win, the card stays.
    expect(() => session.answer(second?.approvalId ?? asId<ApprovalId>(""), { option: "once" }, tab)).toThrow(
      StoreError,
    );
    expect(await cards(session, 2)).toHaveLength(2);
    full.end();
    const rules = new Database(join(house.home, "gopi.db"));
    rules.exec(
      "CREATE TRIGGER refuse_change BEFORE INSERT ON events WHEN NEW.type IN ('file_change', 'tool_call_end') BEGIN SELECT RAISE(ABORT, 'no room'); END",
    );
    session.answer(second?.approvalId ?? asId<ApprovalId>(""), { option: "once" }, tab);
    await expect.poll(() => house.troubles.length).toBeGreaterThan(2);
    rules.exec("DROP TRIGGER refuse_change");
    rules.close();
    expect(await done).toBe("error");
    expect(auditLog(rowsOf(house, session.id))).toEqual([]);
    expect(existsSync(join(house.root, "b.txt"))).toBe(false);
  });

  test("refuses a prompt with nothing half done, and takes the same command later", async () => {
    const house = await makeHouse();
    const session = house.session();
    house.script(says("First."));
    await ask(session, "first");
    const full = refusal(house.home);
    const { seq } = session.view;
    const id = command();
    expect(() => session.send("go", "prompt", id)).toThrow(StoreError);
    expect(session.view.seq).toBe(seq);
    expect(session.idle).toBe(true);
    full.end();
    house.script(says("Now."));
    const sent = session.send("go", "prompt", id);
    expect(sent.ok && (await sent.value.done)).toBe("done");
    expect(house.troubles.at(-1)).toBeNull();
  });
});

test("a checkpoint that could not be written is written when it can be, also when the model says nothing more", async () => {
  const house = await makeHouse();
  const session = house.session();
  const gate = makeGate();
  const other = new Database(join(house.home, "gopi.db"));
  // What a failing statement did before it failed stays: so the tries can be counted.
  other.exec(`CREATE TABLE tries (n INTEGER);
    CREATE TRIGGER refuse BEFORE INSERT ON checkpoints
    BEGIN INSERT INTO tries VALUES (1); SELECT RAISE(FAIL, 'no room'); END`);
  house.script([{ type: "text", text: "Not to be lost. " }, gate, ...says(".")]);
  const done = ask(session, "go");
  await gate.reached;
  const tries = () => other.prepare("SELECT count(*) FROM tries").pluck().get();
  await expect.poll(tries).toBeGreaterThan(0);
  expect(house.store.events.checkpoints(session.id)).toEqual([]);
  other.exec("DROP TRIGGER refuse");
  await expect
    .poll(() =>
      house.store.events
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
