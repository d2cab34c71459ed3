import { temporaryHome } from "@/server/store/__fixtures__/home";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { pathEntries } from "@/lib/view/view";
import { computeHash } from "@/server/base/id";
import { serverLimits } from "@/lib/settings/server-limits";
import { sessionChanges } from "./file-changes";
import type { Session } from "../core/session-types";
import { auditLog } from "../testing/test-audit";
import {
  promptAndWait,
  callAnswer,
  waitForCards,
  testCommandId,
  type TestHarness,
  makeTestHarness,
  storedRows,
  textAnswer,
  testTab,
  waitForView,
} from "../testing/test-harness";

const bash = (text: string) => ["bash", { command: text }] as const;

const put = (harness: TestHarness, path: string, content: string | Uint8Array): void => {
  mkdirSync(join(harness.root, path, ".."), { recursive: true });
  writeFileSync(join(harness.root, path), content);
};
const file = (harness: TestHarness, path: string): string | null =>
  existsSync(join(harness.root, path)) ? readFileSync(join(harness.root, path), "utf8") : null;

/** Resolves when a command has created the file. */
const waitForFile = (harness: TestHarness, path: string) =>
  expect.poll(() => existsSync(join(harness.root, path))).toBe(true);

/** One run of one command; returns its call in the view. */
async function run(harness: TestHarness, session: Session, text: string) {
  harness.script(callAnswer(bash(text)), textAnswer("done"));
  await promptAndWait(session, "go");
  return callsOf(session).at(-1);
}
const callsOf = (session: Session) =>
  pathEntries(session.view).flatMap((entry) => (entry.kind === "message" ? entry.calls : []));

async function restore(session: Session, toSeq: number) {
  const done = await session.files.restore({ toSeq, conversation: false }, testCommandId());
  if (!done.ok) throw new Error(done.error.code);
  return done.value;
}

async function changed(harness: TestHarness, session: Session) {
  const found = await sessionChanges(harness.services().services, session.view, 0, undefined);
  if (!found.ok) throw new Error(found.error.code);
  return found.value.files;
}

describe("file changes of a command", () => {
  test("are on its card with the lines, and in the log before its end in the same commit", async () => {
    const harness = await makeTestHarness();
    put(harness, "a.txt", "one\ntwo\n");
    put(harness, "gone.txt", "old\n");
    const session = harness.session("full");
    const call = await run(
      harness,
      session,
      "sed -i s/two/three/ a.txt; echo new > b.txt; find . -name gone.txt -delete",
    );
    expect(call?.changes).toMatchObject([
      { path: "a.txt", before: computeHash("one\ntwo\n"), after: computeHash("one\nthree\n"), added: 1, removed: 1 },
      { path: "b.txt", before: null, after: computeHash("new\n"), added: 1, removed: 0 },
      { path: "gone.txt", before: computeHash("old\n"), after: null, added: 0, removed: 1 },
    ]);
    expect(call?.changes?.[0]?.hunks).toHaveLength(1);
    expect(call?.facts.notKept).toBeUndefined();
    const rows = storedRows(harness, session.id);
    const end = rows.findIndex(({ event }) => event.type === "tool_call_end");
    expect(rows.slice(end - 3, end).map(({ event, at }) => [event.type, at])).toEqual(
      Array.from({ length: 3 }, () => ["file_change", rows[end]?.at]),
    );
  });

  test("a whole folder deleted by a command is restored with its permissions, and undone it is deleted again", async () => {
    const harness = await makeTestHarness();
    for (let number = 0; number < 40; number += 1)
      put(harness, `src/part${number % 4}/file${number}.ts`, `${number}\n`);
    put(harness, "src/run.sh", "#!/bin/sh\n");
    chmodSync(join(harness.root, "src/run.sh"), 0o755);
    const session = harness.session("full");
    await run(harness, session, "find src -delete");
    expect(existsSync(join(harness.root, "src"))).toBe(false);
    const { seq, failed } = await restore(session, 0);
    expect(failed).toEqual([]);
    expect(file(harness, "src/part3/file39.ts")).toBe("39\n");
    expect(statSync(join(harness.root, "src/run.sh")).mode & 0o777).toBe(0o755);
    await restore(session, seq - 1);
    expect(existsSync(join(harness.root, "src"))).toBe(false);
  });

  test("a change of permissions alone is recorded, and can be restored", async () => {
    const harness = await makeTestHarness();
    put(harness, "run.sh", "x\n");
    const session = harness.session("full");
    const call = await run(harness, session, "chmod 700 run.sh");
    expect(call?.changes).toMatchObject([{ path: "run.sh", added: 0, removed: 0 }]);
    expect((await restore(session, 0)).failed).toEqual([]);
    expect(statSync(join(harness.root, "run.sh")).mode & 0o777).toBe(0o644);
  });

  test("two writes within one clock tick, of the same size, are detected", async () => {
    const harness = await makeTestHarness();
    put(harness, "a.txt", "0");
    const session = harness.session("full");
    for (let round = 1; round < 6; round += 1) {
      const call = await run(harness, session, `printf ${round} > a.txt; touch -d '2020-01-01 00:00:00' a.txt`);
      expect(call?.changes).toMatchObject([
        { before: computeHash(String(round - 1)), after: computeHash(String(round)) },
      ]);
    }
  });

  test("ignored and protected files, links, and files outside are not scanned", async () => {
    const harness = await makeTestHarness();
    put(harness, ".gitignore", "dist/\n*.log\n");
    put(harness, "sub/.gitignore", "!keep.log\n");
    put(harness, "run.sh", "echo c > .env\n");
    symlinkSync(temporaryHome(), join(harness.root, "link"));
    const session = harness.session("full");
    const call = await run(
      harness,
      session,
      "mkdir dist; echo a > dist/a; echo b > b.log; sh run.sh; echo d > link/outside; echo e > sub/keep.log; echo f > f",
    );
    expect(call?.changes?.map(({ path }) => path)).toEqual(["f", "sub/keep.log"]);
    expect([file(harness, ".env"), file(harness, "dist/a")]).toEqual(["c\n", "a\n"]);
  });

  test("files that become ignored do not count as deleted", async () => {
    const harness = await makeTestHarness();
    put(harness, "a.log", "a\n");
    const session = harness.session("full");
    const call = await run(harness, session, "echo '*.log' > .gitignore");
    expect(call?.changes?.map(({ path }) => path)).toEqual([".gitignore"]);
  });

  test("a file too large to store is counted, and restoring it fails with not_kept", async () => {
    const harness = await makeTestHarness();
    put(harness, "big.bin", Buffer.alloc(serverLimits.imageFileBytes + 1, 1));
    const session = harness.session("full");
    const call = await run(harness, session, "printf x > big.bin; printf y > small.txt");
    expect(call?.facts.notKept).toBe(1);
    expect(call?.changes?.map(({ path }) => path)).toEqual(["small.txt"]);
    expect(await changed(harness, session)).toMatchObject([
      { path: "big.bin", kind: "changed", why: "not_kept" },
      { path: "small.txt", kind: "created" },
    ]);
    const plan = await session.files.plan(0);
    expect(plan).toMatchObject({ value: { steps: [{ path: "big.bin", lost: "not_kept" }, { path: "small.txt" }] } });
    expect((await restore(session, 0)).failed).toEqual([{ path: "big.bin", code: "not_kept" }]);
  });

  test("no scan runs around a command that provably only reads: concurrent changes are not attributed", async () => {
    const harness = await makeTestHarness();
    execFileSync("mkfifo", [join(harness.root, "pipe")]);
    const session = harness.session("full");
    harness.script(callAnswer(bash("cat pipe")), textAnswer("done"));
    const done = promptAndWait(session, "go");
    await waitForView(session, () => callsOf(session).at(-1)?.state === "running");
    put(harness, "mine.txt", "mine\n");
    await writeFile(join(harness.root, "pipe"), "read\n");
    await done;
    expect(callsOf(session).at(-1)).toMatchObject({ state: "ok", facts: { exit: 0 } });
    expect(callsOf(session).at(-1)?.changes).toBeUndefined();
  });

  test("concurrent changes of the editor and other sessions are not attributed to the command", async () => {
    const harness = await makeTestHarness();
    put(harness, "mine.txt", "1\n");
    put(harness, "both.txt", "1\n");
    const session = harness.session("full");
    const other = harness.session("full");
    harness.script(
      callAnswer(bash("touch started; until [ -e go ]; do sleep 0.02; done; echo command >> both.txt")),
      textAnswer("done"),
    );
    const done = promptAndWait(session, "go");
    await waitForView(session, (view) => Object.keys(view.openCalls).length === 1);
    await waitForFile(harness, "started");
    harness.replaceScript(
      callAnswer(["write", { path: "mine.txt", content: "2\n" }], ["write", { path: "both.txt", content: "2\n" }]),
      textAnswer("ok"),
    );
    await promptAndWait(other, "write");
    harness.script(textAnswer("done"));
    put(harness, "go", "");
    await done;
    const call = callsOf(session).at(-1);
    // Its change of the other session's text is restored to that text.
    expect(call?.changes).toMatchObject([
      { path: "both.txt", before: computeHash("2\n"), after: computeHash("2\ncommand\n") },
      { path: "go" },
      { path: "started" },
    ]);
    expect((await restore(session, 0)).failed).toEqual([]);
    expect([file(harness, "mine.txt"), file(harness, "both.txt")]).toEqual(["2\n", "2\n"]);
  });

  test("two commands at once: each keeps its changes", async () => {
    const harness = await makeTestHarness();
    put(harness, "a.txt", "a\n");
    put(harness, "b.txt", "b\n");
    const first = harness.session("full");
    const second = harness.session("full");
    harness.script(
      callAnswer(bash("echo 1 >> a.txt; touch one; until [ -e two ]; do sleep 0.02; done")),
      textAnswer("done"),
    );
    const done = promptAndWait(first, "go");
    await waitForFile(harness, "one");
    harness.replaceScript(callAnswer(bash("echo 2 >> b.txt; touch two")), textAnswer("done"), textAnswer("done"));
    await Promise.all([promptAndWait(second, "go"), done]);
    expect(callsOf(first).at(-1)?.changes).toMatchObject([{ path: "a.txt", before: computeHash("a\n") }, {}, {}, {}]);
    expect(
      callsOf(second)
        .at(-1)
        ?.changes?.map(({ path }) => path),
    ).toContain("b.txt");
    await restore(second, 0);
    await restore(first, 0);
    expect([file(harness, "a.txt"), file(harness, "b.txt")]).toEqual(["a\n", "b\n"]);
  });

  test("a stopped command has its changes in the log", async () => {
    const harness = await makeTestHarness();
    put(harness, "a.txt", "a\n");
    const session = harness.session("full");
    harness.script(callAnswer(bash("echo b > a.txt; touch ready; sleep 60")));
    const done = promptAndWait(session, "go");
    await waitForFile(harness, "ready");
    await session.abort();
    await done;
    expect((await restore(session, 0)).failed).toEqual([]);
    expect([file(harness, "a.txt"), existsSync(join(harness.root, "ready"))]).toEqual(["a\n", false]);
  });

  test("files are scanned when a command runs, not when its card is created", async () => {
    const harness = await makeTestHarness();
    put(harness, "a.txt", "a\n");
    const session = harness.session("ask");
    harness.script(callAnswer(bash("echo c > a.txt")), textAnswer("done"));
    const done = promptAndWait(session, "go");
    const [card] = await waitForCards(session);
    put(harness, "a.txt", "mine\n");
    if (card !== undefined) session.answer(card.approvalId, { option: "once" }, testTab);
    await done;
    expect(callsOf(session).at(-1)?.changes).toMatchObject([{ before: computeHash("mine\n") }]);
  });
});

describe("a process killed during a command", () => {
  test("has the command's changes in the log after the next start, and they are restored on confirmation", async () => {
    const harness = await makeTestHarness();
    put(harness, "a.txt", "a\n");
    put(harness, "b.txt", "b\n");
    const session = harness.session("full");
    harness.script(
      callAnswer(bash("echo changed > a.txt; find . -name b.txt -delete; echo > new.txt; touch ready; sleep 60")),
    );
    void promptAndWait(session, "go");
    await waitForFile(harness, "ready");
    await harness.restartAll();
    const again = harness.reload(session);
    const found = () =>
      storedRows(harness, session.id).flatMap(({ event }) => (event.type === "file_change" ? [event] : []));
    await expect.poll(() => found().length).toBe(4);
    expect(callsOf(again).at(-1)?.state).toBe("unknown");
    expect(found().map(({ path, before }) => [path, before])).toEqual([
      ["a.txt", computeHash("a\n")],
      ["b.txt", computeHash("b\n")],
      ["new.txt", null],
      ["ready", null],
    ]);
    expect(found().every(({ callId }) => callId === callsOf(again).at(-1)?.callId)).toBe(true);
    expect(auditLog(storedRows(harness, session.id))).toEqual([]);
    // Later changes by the user cannot be ruled out.
    expect((await restore(again, 0)).failed).toHaveLength(4);
    const plan = await again.files.plan(0);
    if (!plan.ok) throw new Error(plan.error.code);
    const overwrite = plan.value.steps.map(({ path, now }) => ({ path, hash: now }));
    const done = await again.files.restore({ toSeq: 0, conversation: false, overwrite }, testCommandId());
    expect(done).toMatchObject({ value: { failed: [] } });
    expect([file(harness, "a.txt"), file(harness, "b.txt"), file(harness, "new.txt")]).toEqual(["a\n", "b\n", null]);
  });

  test("more files than one restore has are counted in its plan, and can be restored like the others", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    const call = await run(harness, session, "for i in $(seq 10000 12002); do echo x > f$i; done");
    expect(call?.changes).toHaveLength(2_003);
    const plan = await session.files.plan(0);
    expect(plan.ok && [plan.value.steps.length, plan.value.beyond]).toEqual([2_000, 3]);
    const files = { toSeq: 0, conversation: false, paths: ["f12002"] };
    expect(await session.files.restore(files, testCommandId())).toMatchObject({ value: { failed: [] } });
    expect(file(harness, "f12002")).toBe(null);
  });

  test("files that existed before the first scan are never attributed to a command", async () => {
    const harness = await makeTestHarness();
    put(harness, "a.txt", "a\n");
    rmSync(join(harness.root, "never"), { force: true });
    const session = harness.session("full");
    await run(harness, session, "true > made.txt");
    await harness.restartAll();
    put(harness, "user.txt", "mine\n");
    const again = harness.reload(session);
    again.update({ mode: "full" }, testCommandId());
    const call = await run(harness, again, "echo 2 > made.txt");
    expect(call?.changes?.map(({ path }) => path)).toEqual(["made.txt"]);
  });
});
