import Database from "better-sqlite3";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/content";
import type { Hash } from "@/lib/id";
import { hashOf } from "../base/id";
import { sessionChanges } from "./file-changes";
import type { Session } from "./session";
import { ask, calls, command, type House, makeHouse, rowsOf, says } from "./test-services";

const write = (path: string, content: string) => ["write", { path, content }] as const;
const edit = (path: string, old: string, now: string) => ["edit", { path, old_text: old, new_text: now }] as const;
const remove = (path: string) => ["delete", { path }] as const;

const fileOf = (house: House) => (path: string) => {
  const place = join(house.root, path);
  return existsSync(place) ? readFileSync(place, "utf8") : null;
};

/** One run with these calls; its last seq is a border. */
async function run(house: House, session: Session, ...list: readonly (readonly [string, Json])[]): Promise<number> {
  house.script(calls(...list), says("done"));
  await ask(session, "go");
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
  const done = await session.files.restore({ toSeq, conversation: false, ...more }, command());
  if (!done.ok) throw new Error(done.error.code);
  return done.value;
}

async function planOf(session: Session, toSeq: number) {
  const plan = await session.files.plan(toSeq);
  if (!plan.ok) throw new Error(plan.error.code);
  return plan.value.steps;
}

describe("putting files back", () => {
  test("brings back the content of a border and takes away what came later; undone it is as before", async () => {
    const house = await makeHouse();
    const file = fileOf(house);
    writeFileSync(join(house.root, "a.txt"), "one\n");
    const session = house.session("edits");
    const first = await run(house, session, edit("a.txt", "one", "two"));
    await run(house, session, edit("a.txt", "two", "three"), write("new/b.txt", "b\n"));

    const steps = await planOf(session, first);
    expect(steps.map(({ path, action, conflict }) => [path, action, conflict])).toEqual([
      ["a.txt", "write", false],
      ["new/b.txt", "remove", false],
    ]);
    expect(steps[0]).toMatchObject({ added: 1, removed: 1, now: hashOf("three\n") });

    const { seq, failed } = await restore(session, first);
    expect(failed).toEqual([]);
    expect([file("a.txt"), file("new/b.txt"), existsSync(join(house.root, "new"))]).toEqual(["two\n", null, false]);

    await restore(session, seq - 1);
    expect([file("a.txt"), file("new/b.txt")]).toEqual(["three\n", "b\n"]);
    await restore(session, 0);
    expect([file("a.txt"), file("new/b.txt")]).toEqual(["one\n", null]);
  });

  test("only the named files are touched, and a file that is right already is no step", async () => {
    const house = await makeHouse();
    const file = fileOf(house);
    const session = house.session("edits");
    await run(house, session, write("a.txt", "a"), write("b.txt", "b"));
    rmSync(join(house.root, "b.txt"));
    expect((await planOf(session, 0)).map(({ path }) => path)).toEqual(["a.txt"]);
    writeFileSync(join(house.root, "b.txt"), "b");
    await restore(session, 0, { paths: ["b.txt"] });
    expect([file("a.txt"), file("b.txt")]).toEqual(["a", null]);
  });

  test("a file somebody else changed is left alone unless it is named with its hash of now", async () => {
    const house = await makeHouse();
    const file = fileOf(house);
    writeFileSync(join(house.root, "a.txt"), "one\n");
    const session = house.session("edits");
    await run(house, session, edit("a.txt", "one", "two"));
    writeFileSync(join(house.root, "a.txt"), "mine\n");
    expect(await planOf(session, 0)).toMatchObject([{ path: "a.txt", conflict: true, now: hashOf("mine\n") }]);

    const skipped = await restore(session, 0);
    expect(skipped.failed).toEqual([{ path: "a.txt", code: "changed_meanwhile" }]);
    const stale = await restore(session, 0, { overwrite: [{ path: "a.txt", hash: hashOf("two\n") }] });
    expect(stale.failed).toEqual([{ path: "a.txt", code: "changed_meanwhile" }]);
    expect(file("a.txt")).toBe("mine\n");

    const { seq } = await restore(session, 0, { overwrite: [{ path: "a.txt", hash: hashOf("mine\n") }] });
    expect(file("a.txt")).toBe("one\n");
    await restore(session, seq - 1);
    expect(file("a.txt")).toBe("mine\n");
  });

  test("a file that somebody deleted comes back only when that is said", async () => {
    const house = await makeHouse();
    const file = fileOf(house);
    writeFileSync(join(house.root, "a.txt"), "one\n");
    const session = house.session("edits");
    await run(house, session, edit("a.txt", "one", "two"));
    rmSync(join(house.root, "a.txt"));
    expect(await planOf(session, 0)).toMatchObject([{ action: "create", conflict: true, now: null }]);
    expect((await restore(session, 0)).failed).toHaveLength(1);
    await restore(session, 0, { overwrite: [{ path: "a.txt", hash: null }] });
    expect(file("a.txt")).toBe("one\n");
  });

  test("the permission bits come back with the content, also when only they differ", async () => {
    const house = await makeHouse();
    const place = join(house.root, "run.sh");
    writeFileSync(place, "one\n");
    chmodSync(place, 0o755);
    const session = house.session("edits");
    await run(house, session, edit("run.sh", "one", "two"));
    chmodSync(place, 0o600);
    await restore(session, 0);
    expect([readFileSync(place, "utf8"), statSync(place).mode & 0o777]).toEqual(["one\n", 0o755]);
    chmodSync(place, 0o600);
    expect(await planOf(session, 0)).toMatchObject([{ action: "write", added: 0, removed: 0 }]);
  });

  test("what cannot be written is told by file, the others are put back", async () => {
    const house = await makeHouse();
    const file = fileOf(house);
    const session = house.session("edits");
    const before = await run(house, session, write("a.txt", "a"), write("b.txt", "b"), write("c/c.txt", "c"));
    await run(house, session, write("a.txt", "A"), write("b.txt", "B"), write("c/c.txt", "C"));
    rmSync(join(house.root, "a.txt"));
    mkdirSync(join(house.root, "a.txt"));
    rmSync(join(house.root, "c"), { recursive: true });
    symlinkSync(house.home, join(house.root, "c"));
    const { failed } = await restore(session, before, {
      overwrite: ["a.txt", "c/c.txt"].map((path) => ({ path, hash: null })),
    });
    expect(failed).toEqual([
      { path: "a.txt", code: "is_folder" },
      { path: "c/c.txt", code: "outside" },
    ]);
    expect(file("b.txt")).toBe("b");
    expect(existsSync(join(house.home, "c.txt"))).toBe(false);
  });

  test("the event is in the log before the effect, with what stood there", async () => {
    const house = await makeHouse();
    const session = house.session("edits");
    await run(house, session, write("a.txt", "one\ntwo\n"));
    await restore(session, 0);
    const { seq, event } = rowsOf(house, session.id).at(-1) ?? {};
    expect(event).toEqual({
      type: "restore",
      toSeq: 0,
      files: [{ path: "a.txt", before: hashOf("one\ntwo\n"), after: null, mode: 0o644, added: 0, removed: 2 }],
    });
    expect(seq).toBe(session.view.seq);
    expect(session.isBorder(session.view.seq)).toBe(true);
  });

  test("a removed file is in the trash, and comes back from there without overwriting", async () => {
    const house = await makeHouse();
    const file = fileOf(house);
    const session = house.session("edits");
    await run(house, session, write("a.txt", "a"));
    await restore(session, 0);
    const { entries } = await house.trash.list({});
    expect(entries).toMatchObject([{ path: "a.txt", sessionId: session.id, folder: false, files: 1, bytes: 1 }]);
    const [entry] = entries;
    if (entry === undefined) throw new Error("the trash is empty");
    writeFileSync(join(house.root, "a.txt"), "other");
    expect(await house.trash.restore(entry.id)).toMatchObject({ ok: false, error: { code: "exists" } });
    expect(file("a.txt")).toBe("other");
    rmSync(join(house.root, "a.txt"));
    expect(await house.trash.restore(entry.id)).toEqual({ ok: true, value: { path: "a.txt" } });
    expect(file("a.txt")).toBe("a");
    expect((await house.trash.list({})).entries).toEqual([]);
  });

  test("the same command twice is one restore with the same answer", async () => {
    const house = await makeHouse();
    const session = house.session("edits");
    await run(house, session, write("a.txt", "a"));
    const order = { toSeq: 0, conversation: false };
    const key = command();
    const first = await session.files.restore(order, key);
    writeFileSync(join(house.root, "a.txt"), "a");
    expect(await session.files.restore(order, key)).toEqual(first);
    expect(fileOf(house)("a.txt")).toBe("a");
    expect(rowsOf(house, session.id).filter(({ event }) => event.type === "restore")).toHaveLength(1);
  });
});

test("a file that cannot be kept first stays and is told; the others are put back", async () => {
  const house = await makeHouse();
  const file = fileOf(house);
  writeFileSync(join(house.root, "z.txt"), "one\n");
  const session = house.session("edits");
  await run(house, session, write("a.txt", "new\n"), edit("z.txt", "one", "two"));
  // Where the trash should be stands a file.
  writeFileSync(join(house.home, "trash"), "");
  const { failed } = await restore(session, 0);
  expect(failed.map(({ path }) => path)).toEqual(["a.txt"]);
  expect([file("a.txt"), file("z.txt")]).toEqual(["new\n", "one\n"]);
});

test("a store that fails in the middle is told by the file; the others are put back", async () => {
  const house = await makeHouse();
  const file = fileOf(house);
  writeFileSync(join(house.root, "z.txt"), "one\n");
  const session = house.session("edits");
  await run(house, session, write("a.txt", "new\n"), edit("z.txt", "one", "two"));
  const other = new Database(house.store.path);
  other.exec("CREATE TRIGGER full BEFORE INSERT ON trash BEGIN SELECT RAISE(ABORT, 'no more'); END");
  other.close();
  const { failed } = await restore(session, 0);
  expect(failed).toEqual([{ path: "a.txt", code: "internal" }]);
  expect([file("a.txt"), file("z.txt")]).toEqual(["new\n", "one\n"]);
});

describe("files and conversation", () => {
  test("both go back in one commit, and only to a border", async () => {
    const house = await makeHouse();
    const session = house.session("edits");
    const first = await run(house, session, write("a.txt", "a"));
    await run(house, session, write("a.txt", "b"));
    const inside = await session.files.restore({ toSeq: 3, conversation: true }, command());
    expect(inside).toMatchObject({ ok: false, error: { code: "not_border" } });
    await restore(session, first, { conversation: true });
    const [rewind, restored] = rowsOf(house, session.id).slice(-2);
    expect([rewind?.event.type, restored?.event.type]).toEqual(["rewind", "restore"]);
    expect(rewind?.at).toBe(restored?.at);
  });

  test("while a run goes on nothing is put back", async () => {
    const house = await makeHouse();
    const session = house.session("ask");
    house.script(calls(write("a.txt", "a")));
    void ask(session, "go");
    expect(await session.files.restore({ toSeq: 0, conversation: false }, command())).toMatchObject({
      ok: false,
      error: { code: "not_idle" },
    });
    await session.abort();
  });

  test("a prompt sent meanwhile starts its run behind it, and is told which files were put back", async () => {
    const house = await makeHouse();
    const session = house.session("edits");
    await run(house, session, write("a.txt", "a"), write("b.txt", "b"));
    house.script(says("fine"));
    const going = session.files.restore({ toSeq: 0, conversation: false }, command());
    const sent = session.send("and now?", "prompt", command());
    expect(sent.ok).toBe(true);
    await going;
    while (!session.idle) await new Promise((resolve) => setImmediate(resolve));
    const told = JSON.stringify(house.requests.at(-1)?.messages.at(-1));
    expect(told).toMatch(/about=\\"files\\".*a\.txt, b\.txt.*and now\?/);

    house.script(says("again"));
    await ask(session, "more");
    expect(JSON.stringify(house.requests.at(-1)?.messages.at(-1))).not.toContain("files");
  });
});

describe("what a session changed", () => {
  const changes = async (house: House, session: Session, from: number, to?: number) => {
    const found = await sessionChanges({ store: house.store, hands: house.hands }, session.view, from, to);
    if (!found.ok) throw new Error(found.error.code);
    return found.value.files;
  };

  test("is the difference of two places, whoever else wrote meanwhile", async () => {
    const house = await makeHouse();
    writeFileSync(join(house.root, "a.txt"), "one\n");
    const session = house.session("full");
    const first = await run(house, session, edit("a.txt", "one", "two"), write("b.txt", "b\n"));
    await run(house, session, edit("a.txt", "two", "three\nfour"), remove("b.txt"));
    expect(await changes(house, session, 0, first)).toMatchObject([
      { path: "a.txt", kind: "changed", added: 1, removed: 1 },
      { path: "b.txt", kind: "created", added: 1, removed: 0 },
    ]);
    expect(await changes(house, session, first)).toMatchObject([
      { path: "a.txt", kind: "changed", added: 2, removed: 1 },
      { path: "b.txt", kind: "deleted", added: 0, removed: 1 },
    ]);
    // b.txt came and went.
    expect((await changes(house, session, 0)).map(({ path }) => path)).toEqual(["a.txt"]);
  });

  test("what the user wrote since is not the session's, and is said", async () => {
    const house = await makeHouse();
    const session = house.session("edits");
    await run(house, session, write("a.txt", "one\ntwo\n"));
    writeFileSync(join(house.root, "a.txt"), "mine\n");
    const [file] = await changes(house, session, 0);
    expect(file).toMatchObject({ kind: "created", added: 2, removed: 0, changedSince: true });
  });

  test("a deleted folder is told by its files, and comes back", async () => {
    const house = await makeHouse();
    mkdirSync(join(house.root, "src/deep"), { recursive: true });
    writeFileSync(join(house.root, "src/a.txt"), "a\n");
    writeFileSync(join(house.root, "src/deep/b.txt"), "b\n");
    const session = house.session("full");
    await run(house, session, remove("src"));
    expect(await changes(house, session, 0)).toMatchObject([
      { path: "src/a.txt", kind: "deleted", removed: 1 },
      { path: "src/deep/b.txt", kind: "deleted", removed: 1 },
    ]);
    await restore(session, 0);
    expect([fileOf(house)("src/a.txt"), fileOf(house)("src/deep/b.txt")]).toEqual(["a\n", "b\n"]);
  });
});
