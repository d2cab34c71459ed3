import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pathOf } from "@/lib/view";
import { hashOf } from "../base/id";
import { limits } from "@/lib/settings";
import { sessionChanges } from "./file-changes";
import type { Session } from "./session";
import { auditLog } from "./test-audit";
import { ask, calls, cards, command, type House, makeHouse, rowsOf, says, tab, until } from "./test-services";

const bash = (text: string) => ["bash", { command: text }] as const;

const put = (house: House, path: string, content: string | Uint8Array): void => {
  mkdirSync(join(house.root, path, ".."), { recursive: true });
  writeFileSync(join(house.root, path), content);
};
const file = (house: House, path: string): string | null =>
  existsSync(join(house.root, path)) ? readFileSync(join(house.root, path), "utf8") : null;

/** Resolves when a command has made the file. */
const there = (house: House, path: string) => expect.poll(() => existsSync(join(house.root, path))).toBe(true);

/** One run of one command; gives its call as the card has it. */
async function run(house: House, session: Session, text: string) {
  house.script(calls(bash(text)), says("done"));
  await ask(session, "go");
  return callsOf(session).at(-1);
}
const callsOf = (session: Session) =>
  pathOf(session.view).flatMap((entry) => (entry.kind === "message" ? entry.calls : []));

async function restore(session: Session, toSeq: number) {
  const done = await session.files.restore({ toSeq, conversation: false }, command());
  if (!done.ok) throw new Error(done.error.code);
  return done.value;
}

async function changed(house: House, session: Session) {
  const found = await sessionChanges({ store: house.store, hands: house.hands }, session.view, 0, undefined);
  if (!found.ok) throw new Error(found.error.code);
  return found.value.files;
}

describe("what a command changed in files", () => {
  test("is on its card with the lines, and in the log before its end in the same commit", async () => {
    const house = await makeHouse();
    put(house, "a.txt", "one\ntwo\n");
    put(house, "gone.txt", "old\n");
    const session = house.session("full");
    const call = await run(
      house,
      session,
      "sed -i s/two/three/ a.txt; echo new > b.txt; find . -name gone.txt -delete",
    );
    expect(call?.changes).toMatchObject([
      { path: "a.txt", before: hashOf("one\ntwo\n"), after: hashOf("one\nthree\n"), added: 1, removed: 1 },
      { path: "b.txt", before: null, after: hashOf("new\n"), added: 1, removed: 0 },
      { path: "gone.txt", before: hashOf("old\n"), after: null, added: 0, removed: 1 },
    ]);
    expect(call?.changes?.[0]?.hunks).toHaveLength(1);
    expect(call?.facts.notKept).toBeUndefined();
    const rows = rowsOf(house, session.id);
    const end = rows.findIndex(({ event }) => event.type === "tool_call_end");
    expect(rows.slice(end - 3, end).map(({ event, at }) => [event.type, at])).toEqual(
      Array.from({ length: 3 }, () => ["file_change", rows[end]?.at]),
    );
  });

  test("a whole folder that a command destroyed comes back, with its permissions, and undone it is gone again", async () => {
    const house = await makeHouse();
    for (let number = 0; number < 40; number += 1) put(house, `src/part${number % 4}/file${number}.ts`, `${number}\n`);
    put(house, "src/run.sh", "#!/bin/sh\n");
    chmodSync(join(house.root, "src/run.sh"), 0o755);
    const session = house.session("full");
    await run(house, session, "find src -delete");
    expect(existsSync(join(house.root, "src"))).toBe(false);
    const { seq, failed } = await restore(session, 0);
    expect(failed).toEqual([]);
    expect(file(house, "src/part3/file39.ts")).toBe("39\n");
    expect(statSync(join(house.root, "src/run.sh")).mode & 0o777).toBe(0o755);
    await restore(session, seq - 1);
    expect(existsSync(join(house.root, "src"))).toBe(false);
  });

  test("a change of permissions alone is one, and goes back", async () => {
    const house = await makeHouse();
    put(house, "run.sh", "x\n");
    const session = house.session("full");
    const call = await run(house, session, "chmod 700 run.sh");
    expect(call?.changes).toMatchObject([{ path: "run.sh", added: 0, removed: 0 }]);
    await restore(session, 0);
    expect(statSync(join(house.root, "run.sh")).mode & 0o777).toBe(0o644);
  });

  test("two writes within the same tick of the clock, of the same size, are seen", async () => {
    const house = await makeHouse();
    put(house, "a.txt", "0");
    const session = house.session("full");
    for (let round = 1; round < 6; round += 1) {
      const call = await run(house, session, `printf ${round} > a.txt; touch -d '2020-01-01 00:00:00' a.txt`);
      expect(call?.changes).toMatchObject([{ before: hashOf(String(round - 1)), after: hashOf(String(round)) }]);
    }
  });

  test("ignored and protected files, links, and what lies outside are not looked at", async () => {
    const house = await makeHouse();
    put(house, ".gitignore", "dist/\n*.log\n");
    put(house, "sub/.gitignore", "!keep.log\n");
    put(house, "run.sh", "echo c > .env\n");
    symlinkSync(house.home, join(house.root, "link"));
    const session = house.session("full");
    const call = await run(
      house,
      session,
      "mkdir dist; echo a > dist/a; echo b > b.log; sh run.sh; echo d > link/outside; echo e > sub/keep.log; echo f > f",
    );
    expect(call?.changes?.map(({ path }) => path)).toEqual(["f", "sub/keep.log"]);
    expect([file(house, ".env"), file(house, "dist/a")]).toEqual(["c\n", "a\n"]);
  });

  test("files that become ignored did not go", async () => {
    const house = await makeHouse();
    put(house, "a.log", "a\n");
    const session = house.session("full");
    const call = await run(house, session, "echo '*.log' > .gitignore");
    expect(call?.changes?.map(({ path }) => path)).toEqual([".gitignore"]);
  });

  test("a file that is too large to be kept is counted, and restoring says that it cannot", async () => {
    const house = await makeHouse();
    put(house, "big.bin", Buffer.alloc(limits.imageFileBytes + 1, 1));
    const session = house.session("full");
    const call = await run(house, session, "printf x > big.bin; printf y > small.txt");
    expect(call?.facts.notKept).toBe(1);
    expect(call?.changes?.map(({ path }) => path)).toEqual(["small.txt"]);
    expect(await changed(house, session)).toMatchObject([
      { path: "big.bin", kind: "changed", why: "not_kept" },
      { path: "small.txt", kind: "created" },
    ]);
    const plan = await session.files.plan(0);
    expect(plan).toMatchObject({ value: { steps: [{ path: "big.bin", lost: "not_kept" }, { path: "small.txt" }] } });
    expect((await restore(session, 0)).failed).toEqual([{ path: "big.bin", code: "not_kept" }]);
  });

  test("nothing is looked at around a command that provably only reads: what changed meanwhile is not asked", async () => {
    const house = await makeHouse();
    execFileSync("mkfifo", [join(house.root, "pipe")]);
    const session = house.session("full");
    house.script(calls(bash("cat pipe")), says("done"));
    const done = ask(session, "go");
    await until(session, () => callsOf(session).at(-1)?.state === "running");
    put(house, "mine.txt", "mine\n");
    await writeFile(join(house.root, "pipe"), "read\n");
    await done;
    expect(callsOf(session).at(-1)).toMatchObject({ state: "ok", facts: { exit: 0 } });
    expect(callsOf(session).at(-1)?.changes).toBeUndefined();
  });

  test("what the editor and other sessions wrote meanwhile is not the command's", async () => {
    const house = await makeHouse();
    put(house, "mine.txt", "1\n");
    put(house, "both.txt", "1\n");
    const session = house.session("full");
    const other = house.session("full");
    house.script(
      calls(bash("touch started; until [ -e go ]; do sleep 0.02; done; echo command >> both.txt")),
      says("done"),
    );
    const done = ask(session, "go");
    await until(session, (view) => Object.keys(view.openCalls).length === 1);
    await there(house, "started");
    house.rescript(
      calls(["write", { path: "mine.txt", content: "2\n" }], ["write", { path: "both.txt", content: "2\n" }]),
      says("ok"),
    );
    await ask(other, "write");
    house.script(says("done"));
    put(house, "go", "");
    await done;
    const call = callsOf(session).at(-1);
    // What it made of the other's text goes back to that text.
    expect(call?.changes).toMatchObject([
      { path: "both.txt", before: hashOf("2\n"), after: hashOf("2\ncommand\n") },
      { path: "go" },
      { path: "started" },
    ]);
    await restore(session, 0);
    expect([file(house, "mine.txt"), file(house, "both.txt")]).toEqual(["2\n", "2\n"]);
  });

  test("two commands at once: neither loses what it changed", async () => {
    const house = await makeHouse();
    put(house, "a.txt", "a\n");
    put(house, "b.txt", "b\n");
    const first = house.session("full");
    const second = house.session("full");
    house.script(calls(bash("echo 1 >> a.txt; touch one; until [ -e two ]; do sleep 0.02; done")), says("done"));
    const done = ask(first, "go");
    await there(house, "one");
    house.rescript(calls(bash("echo 2 >> b.txt; touch two")), says("done"), says("done"));
    await Promise.all([ask(second, "go"), done]);
    expect(callsOf(first).at(-1)?.changes).toMatchObject([{ path: "a.txt", before: hashOf("a\n") }, {}, {}, {}]);
    expect(
      callsOf(second)
        .at(-1)
        ?.changes?.map(({ path }) => path),
    ).toContain("b.txt");
    await restore(second, 0);
    await restore(first, 0);
    expect([file(house, "a.txt"), file(house, "b.txt")]).toEqual(["a\n", "b\n"]);
  });

  test("a command that is stopped leaves its changes in the log", async () => {
    const house = await makeHouse();
    put(house, "a.txt", "a\n");
    const session = house.session("full");
    house.script(calls(bash("echo b > a.txt; touch ready; sleep 60")));
    const done = ask(session, "go");
    await there(house, "ready");
    await session.abort();
    await done;
    await restore(session, 0);
    expect([file(house, "a.txt"), existsSync(join(house.root, "ready"))]).toEqual(["a\n", false]);
  });

  test("a command that waits for its card is looked at when it runs, not when it is asked for", async () => {
    const house = await makeHouse();
    put(house, "a.txt", "a\n");
    const session = house.session("ask");
    house.script(calls(bash("echo c > a.txt")), says("done"));
    const done = ask(session, "go");
    const [card] = await cards(session);
    put(house, "a.txt", "mine\n");
    if (card !== undefined) session.answer(card.approvalId, { option: "once" }, tab);
    await done;
    expect(callsOf(session).at(-1)?.changes).toMatchObject([{ before: hashOf("mine\n") }]);
  });
});

describe("a process that is killed during a command", () => {
  test("after the next start its changes are in the log of the call, and go back once the user says so", async () => {
    const house = await makeHouse();
    put(house, "a.txt", "a\n");
    put(house, "b.txt", "b\n");
    const session = house.session("full");
    house.script(
      calls(bash("echo changed > a.txt; find . -name b.txt -delete; echo > new.txt; touch ready; sleep 60")),
    );
    void ask(session, "go");
    await there(house, "ready");
    await house.restartAll();
    const again = house.again(session);
    const found = () => rowsOf(house, session.id).flatMap(({ event }) => (event.type === "file_change" ? [event] : []));
    await expect.poll(() => found().length).toBe(4);
    expect(callsOf(again).at(-1)?.state).toBe("unknown");
    expect(found().map(({ path, before }) => [path, before])).toEqual([
      ["a.txt", hashOf("a\n")],
      ["b.txt", hashOf("b\n")],
      ["new.txt", null],
      ["ready", null],
    ]);
    expect(found().every(({ callId }) => callId === callsOf(again).at(-1)?.callId)).toBe(true);
    expect(auditLog(rowsOf(house, session.id))).toEqual([]);
    // Nobody can tell whether the user wrote since.
    expect((await restore(again, 0)).failed).toHaveLength(4);
    const plan = await again.files.plan(0);
    if (!plan.ok) throw new Error(plan.error.code);
    const overwrite = plan.value.steps.map(({ path, now }) => ({ path, hash: now }));
    const done = await again.files.restore({ toSeq: 0, conversation: false, overwrite }, command());
    expect(done).toMatchObject({ value: { failed: [] } });
    expect([file(house, "a.txt"), file(house, "b.txt"), file(house, "new.txt")]).toEqual(["a\n", "b\n", null]);
  });

  test("what was there before the first look is never taken for a command's", async () => {
    const house = await makeHouse();
    put(house, "a.txt", "a\n");
    rmSync(join(house.root, "never"), { force: true });
    const session = house.session("full");
    await run(house, session, "true > made.txt");
    await house.restartAll();
    put(house, "user.txt", "mine\n");
    const again = house.again(session);
    again.update({ mode: "full" }, command());
    const call = await run(house, again, "echo 2 > made.txt");
    expect(call?.changes?.map(({ path }) => path)).toEqual(["made.txt"]);
  });
});
