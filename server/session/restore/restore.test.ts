import Database from "better-sqlite3";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import type { Hash } from "@/lib/events/id";
import { computeHash } from "@/server/base/id";
import { sessionChanges } from "./file-changes";
import type { Session } from "../core/session-types";
import {
  promptAndWait,
  callAnswer,
  testCommandId,
  type TestHarness,
  makeTestHarness,
  storedRows,
  textAnswer,
} from "../testing/test-harness";

const write = (path: string, content: string) => ["write", { path, content }] as const;
const edit = (path: string, old: string, now: string) => ["edit", { path, old_text: old, new_text: now }] as const;
const remove = (path: string) => ["delete", { path }] as const;

const fileOf = (harness: TestHarness) => (path: string) => {
  const place = join(harness.root, path);
  return existsSync(place) ? readFileSync(place, "utf8") : null;
};

/** One run with these calls; its last seq is a border. */
async function run(
  harness: TestHarness,
  session: Session,
  ...list: readonly (readonly [string, Json])[]
): Promise<number> {
  harness.script(callAnswer(...list), textAnswer("done"));
  await promptAndWait(session, "go");
  return session.view.seq;
}

async function restore(
  session: Session,
  toSeq: number,
  more: {
    readonly conversation?: boolean;
    readonly paths?: readonly string[];
    readonly overwrite?: readonly { readonly path: string; readonly hash: Hash | null }[];
  } = {},
) {
  const done = await session.files.restore({ toSeq, conversation: false, ...more }, testCommandId());
  if (!done.ok) throw new Error(done.error.code);
  return done.value;
}

async function planOf(session: Session, toSeq: number) {
  const plan = await session.files.plan(toSeq);
  if (!plan.ok) throw new Error(plan.error.code);
  return plan.value.steps;
}

describe("restoring files", () => {
  test("brings back the content at a border and removes later files; undone it is as before", async () => {
    const harness = await makeTestHarness();
    const file = fileOf(harness);
    writeFileSync(join(harness.root, "a.txt"), "one\n");
    const session = harness.session("edits");
    const first = await run(harness, session, edit("a.txt", "one", "two"));
    await run(harness, session, edit("a.txt", "two", "three"), write("new/b.txt", "b\n"));

    const steps = await planOf(session, first);
    expect(steps.map(({ path, action, conflict }) => [path, action, conflict])).toEqual([
      ["a.txt", "write", false],
      ["new/b.txt", "remove", false],
    ]);
    expect(steps[0]).toMatchObject({ added: 1, removed: 1, now: computeHash("three\n") });

    const { seq, failed } = await restore(session, first);
    expect(failed).toEqual([]);
    expect([file("a.txt"), file("new/b.txt"), existsSync(join(harness.root, "new"))]).toEqual(["two\n", null, false]);

    await restore(session, seq - 1);
    expect([file("a.txt"), file("new/b.txt")]).toEqual(["three\n", "b\n"]);
    await restore(session, 0);
    expect([file("a.txt"), file("new/b.txt")]).toEqual(["one\n", null]);
  });

  test("only the named files are touched, and a file that is already right gives no step", async () => {
    const harness = await makeTestHarness();
    const file = fileOf(harness);
    const session = harness.session("edits");
    await run(harness, session, write("a.txt", "a"), write("b.txt", "b"));
    rmSync(join(harness.root, "b.txt"));
    expect((await planOf(session, 0)).map(({ path }) => path)).toEqual(["a.txt"]);
    writeFileSync(join(harness.root, "b.txt"), "b");
    await restore(session, 0, { paths: ["b.txt"] });
    expect([file("a.txt"), file("b.txt")]).toEqual(["a", null]);
  });

  test("a file changed by someone else is left alone unless it is named with its current hash", async () => {
    const harness = await makeTestHarness();
    const file = fileOf(harness);
    writeFileSync(join(harness.root, "a.txt"), "one\n");
    const session = harness.session("edits");
    await run(harness, session, edit("a.txt", "one", "two"));
    writeFileSync(join(harness.root, "a.txt"), "mine\n");
    expect(await planOf(session, 0)).toMatchObject([{ path: "a.txt", conflict: true, now: computeHash("mine\n") }]);

    const skipped = await restore(session, 0);
    expect(skipped.failed).toEqual([{ path: "a.txt", code: "changed_meanwhile" }]);
    const stale = await restore(session, 0, { overwrite: [{ path: "a.txt", hash: computeHash("two\n") }] });
    expect(stale.failed).toEqual([{ path: "a.txt", code: "changed_meanwhile" }]);
    expect(file("a.txt")).toBe("mine\n");

    const { seq } = await restore(session, 0, { overwrite: [{ path: "a.txt", hash: computeHash("mine\n") }] });
    expect(file("a.txt")).toBe("one\n");
    await restore(session, seq - 1);
    expect(file("a.txt")).toBe("mine\n");
  });

  test("a file deleted by someone else comes back only on request", async () => {
    const harness = await makeTestHarness();
    const file = fileOf(harness);
    writeFileSync(join(harness.root, "a.txt"), "one\n");
    const session = harness.session("edits");
    await run(harness, session, edit("a.txt", "one", "two"));
    rmSync(join(harness.root, "a.txt"));
    expect(await planOf(session, 0)).toMatchObject([{ action: "create", conflict: true, now: null }]);
    expect((await restore(session, 0)).failed).toHaveLength(1);
    await restore(session, 0, { overwrite: [{ path: "a.txt", hash: null }] });
    expect(file("a.txt")).toBe("one\n");
  });

  test("the permission bits come back with the content, also when only they differ", async () => {
    const harness = await makeTestHarness();
    const place = join(harness.root, "run.sh");
    writeFileSync(place, "one\n");
    chmodSync(place, 0o755);
    const session = harness.session("edits");
    await run(harness, session, edit("run.sh", "one", "two"));
    chmodSync(place, 0o600);
    await restore(session, 0);
    expect([readFileSync(place, "utf8"), statSync(place).mode & 0o777]).toEqual(["one\n", 0o755]);
    chmodSync(place, 0o600);
    expect(await planOf(session, 0)).toMatchObject([{ action: "write", added: 0, removed: 0 }]);
  });

  test("a file that cannot be written is reported, the others are restored", async () => {
    const harness = await makeTestHarness();
    const file = fileOf(harness);
    const session = harness.session("edits");
    const before = await run(harness, session, write("a.txt", "a"), write("b.txt", "b"), write("c/c.txt", "c"));
    await run(harness, session, write("a.txt", "A"), write("b.txt", "B"), write("c/c.txt", "C"));
    rmSync(join(harness.root, "a.txt"));
    mkdirSync(join(harness.root, "a.txt"));
    rmSync(join(harness.root, "c"), { recursive: true });
    symlinkSync(harness.home, join(harness.root, "c"));
    const { failed } = await restore(session, before, {
      overwrite: ["a.txt", "c/c.txt"].map((path) => ({ path, hash: null })),
    });
    expect(failed).toEqual([
      { path: "a.txt", code: "is_folder" },
      { path: "c/c.txt", code: "outside" },
    ]);
    expect(file("b.txt")).toBe("b");
    expect(existsSync(join(harness.home, "c.txt"))).toBe(false);
  });

  test("the event is in the log before the effect, with the previous state", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("edits");
    await run(harness, session, write("a.txt", "one\ntwo\n"));
    await restore(session, 0);
    const { seq, event } = storedRows(harness, session.id).at(-1) ?? {};
    expect(event).toEqual({
      type: "restore",
      toSeq: 0,
      files: [{ path: "a.txt", before: computeHash("one\ntwo\n"), after: null, mode: 0o644, added: 0, removed: 2 }],
    });
    expect(seq).toBe(session.view.seq);
    expect(session.isBorder(session.view.seq)).toBe(true);
  });

  test("a removed file is in the trash, and is restored from there without overwriting", async () => {
    const harness = await makeTestHarness();
    const file = fileOf(harness);
    const session = harness.session("edits");
    await run(harness, session, write("a.txt", "a"));
    await restore(session, 0);
    const { entries } = await harness.services().toolEnvironments.trash.list({});
    expect(entries).toMatchObject([{ path: "a.txt", sessionId: session.id, folder: false, files: 1, bytes: 1 }]);
    const [entry] = entries;
    if (entry === undefined) throw new Error("the trash is empty");
    writeFileSync(join(harness.root, "a.txt"), "other");
    expect(await harness.services().toolEnvironments.trash.restore(entry.id)).toMatchObject({
      ok: false,
      error: { code: "exists" },
    });
    expect(file("a.txt")).toBe("other");
    rmSync(join(harness.root, "a.txt"));
    expect(await harness.services().toolEnvironments.trash.restore(entry.id)).toEqual({
      ok: true,
      value: { path: "a.txt" },
    });
    expect(file("a.txt")).toBe("a");
    expect((await harness.services().toolEnvironments.trash.list({})).entries).toEqual([]);
  });

  test("the same command twice is one restore with the same result", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("edits");
    await run(harness, session, write("a.txt", "a"));
    const order = { toSeq: 0, conversation: false };
    const key = testCommandId();
    const first = await session.files.restore(order, key);
    writeFileSync(join(harness.root, "a.txt"), "a");
    expect(await session.files.restore(order, key)).toEqual(first);
    expect(fileOf(harness)("a.txt")).toBe("a");
    expect(storedRows(harness, session.id).filter(({ event }) => event.type === "restore")).toHaveLength(1);
  });
});

test("a file that cannot be moved to the trash stays and is reported; the others are restored", async () => {
  const harness = await makeTestHarness();
  const file = fileOf(harness);
  writeFileSync(join(harness.root, "z.txt"), "one\n");
  const session = harness.session("edits");
  await run(harness, session, write("a.txt", "new\n"), edit("z.txt", "one", "two"));
  // A file exists at the path of the trash folder.
  writeFileSync(join(harness.home, "trash"), "");
  const { failed } = await restore(session, 0);
  expect(failed.map(({ path }) => path)).toEqual(["a.txt"]);
  expect([file("a.txt"), file("z.txt")]).toEqual(["new\n", "one\n"]);
});

test("a store error in the middle is reported per file; the others are restored", async () => {
  const harness = await makeTestHarness();
  const file = fileOf(harness);
  writeFileSync(join(harness.root, "z.txt"), "one\n");
  const session = harness.session("edits");
  await run(harness, session, write("a.txt", "new\n"), edit("z.txt", "one", "two"));
  const other = new Database(harness.store.path);
  other.exec("CREATE TRIGGER full BEFORE INSERT ON trash BEGIN SELECT RAISE(ABORT, 'no more'); END");
  other.close();
  const { failed } = await restore(session, 0);
  expect(failed).toEqual([{ path: "a.txt", code: "internal" }]);
  expect([file("a.txt"), file("z.txt")]).toEqual(["new\n", "one\n"]);
});

describe("files and conversation", () => {
  test("both are restored in one commit, and only to a border", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("edits");
    const first = await run(harness, session, write("a.txt", "a"));
    await run(harness, session, write("a.txt", "b"));
    const inside = await session.files.restore({ toSeq: 3, conversation: true }, testCommandId());
    expect(inside).toMatchObject({ ok: false, error: { code: "not_border" } });
    await restore(session, first, { conversation: true });
    const [rewind, restored] = storedRows(harness, session.id).slice(-2);
    expect([rewind?.event.type, restored?.event.type]).toEqual(["rewind", "restore"]);
    expect(rewind?.at).toBe(restored?.at);
  });

  test("nothing is restored during a run", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("ask");
    harness.script(callAnswer(write("a.txt", "a")));
    void promptAndWait(session, "go");
    expect(await session.files.restore({ toSeq: 0, conversation: false }, testCommandId())).toMatchObject({
      ok: false,
      error: { code: "not_idle" },
    });
    await session.abort();
  });

  test("a prompt sent meanwhile starts its run afterwards, with a notice of the restored files", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("edits");
    await run(harness, session, write("a.txt", "a"), write("b.txt", "b"));
    harness.script(textAnswer("fine"));
    const going = session.files.restore({ toSeq: 0, conversation: false }, testCommandId());
    const sent = session.send("and now?", "prompt", testCommandId());
    expect(sent.ok).toBe(true);
    await going;
    while (!session.idle) await new Promise((resolve) => setImmediate(resolve));
    const sentMessage = JSON.stringify(harness.requests.at(-1)?.messages.at(-1));
    expect(sentMessage).toMatch(/about=\\"files\\".*a\.txt, b\.txt.*and now\?/);

    harness.script(textAnswer("again"));
    await promptAndWait(session, "more");
    expect(JSON.stringify(harness.requests.at(-1)?.messages.at(-1))).not.toContain("files");
  });
});

describe("the changes of a session", () => {
  const changes = async (harness: TestHarness, session: Session, from: number, to?: number) => {
    const found = await sessionChanges(harness.services().services, session.view, from, to);
    if (!found.ok) throw new Error(found.error.code);
    return found.value.files;
  };

  test("are the difference of two positions, regardless of other writers", async () => {
    const harness = await makeTestHarness();
    writeFileSync(join(harness.root, "a.txt"), "one\n");
    const session = harness.session("full");
    const first = await run(harness, session, edit("a.txt", "one", "two"), write("b.txt", "b\n"));
    await run(harness, session, edit("a.txt", "two", "three\nfour"), remove("b.txt"));
    expect(await changes(harness, session, 0, first)).toMatchObject([
      { path: "a.txt", kind: "changed", added: 1, removed: 1 },
      { path: "b.txt", kind: "created", added: 1, removed: 0 },
    ]);
    expect(await changes(harness, session, first)).toMatchObject([
      { path: "a.txt", kind: "changed", added: 2, removed: 1 },
      { path: "b.txt", kind: "deleted", added: 0, removed: 1 },
    ]);
    // b.txt was created and deleted in between.
    expect((await changes(harness, session, 0)).map(({ path }) => path)).toEqual(["a.txt"]);
  });

  test("exclude the user's later changes, which are marked", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("edits");
    await run(harness, session, write("a.txt", "one\ntwo\n"));
    writeFileSync(join(harness.root, "a.txt"), "mine\n");
    const [file] = await changes(harness, session, 0);
    expect(file).toMatchObject({ kind: "created", added: 2, removed: 0, changedSince: true });
  });

  test("of the last run exclude what an undo of runs before it did, until that is reversed", async () => {
    const harness = await makeTestHarness();
    writeFileSync(join(harness.root, "a.txt"), "one\n");
    const session = harness.session("edits");
    await run(harness, session, edit("a.txt", "one", "two"), write("b.txt", "b\n"));
    const first = session.view.seq;
    await run(harness, session, edit("a.txt", "two", "three"), write("c.txt", "c\n"));
    const paths = async (from: number) => (await changes(harness, session, from)).map(({ path }) => path);
    expect(await paths(first)).toEqual(["a.txt", "c.txt"]);
    await restore(session, 0, { paths: ["a.txt", "b.txt"] });
    expect(await paths(first)).toEqual(["c.txt"]);
    expect(await paths(0)).toEqual(["c.txt"]);
    await restore(session, session.view.seq - 1);
    expect(await paths(first)).toEqual(["a.txt", "c.txt"]);
    await restore(session, first);
    expect(await paths(first)).toEqual([]);
  });

  test("list a deleted folder by its files, which are restorable", async () => {
    const harness = await makeTestHarness();
    mkdirSync(join(harness.root, "src/deep"), { recursive: true });
    writeFileSync(join(harness.root, "src/a.txt"), "a\n");
    writeFileSync(join(harness.root, "src/deep/b.txt"), "b\n");
    const session = harness.session("full");
    await run(harness, session, remove("src"));
    expect(await changes(harness, session, 0)).toMatchObject([
      { path: "src/a.txt", kind: "deleted", removed: 1 },
      { path: "src/deep/b.txt", kind: "deleted", removed: 1 },
    ]);
    await restore(session, 0);
    expect([fileOf(harness)("src/a.txt"), fileOf(harness)("src/deep/b.txt")]).toEqual(["a\n", "b\n"]);
  });
});
