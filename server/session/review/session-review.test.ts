import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import type { ReviewDecision } from "@/lib/review/review-files";
import type { Session } from "../core/session-types";
import {
  callAnswer,
  makeGate,
  makeTestHarness,
  promptAndWait,
  type TestHarness,
  testCommandId,
  textAnswer,
} from "../testing/test-harness";

const write = (path: string, content: string) => ["write", { path, content }] as const;
const edit = (path: string, old: string, now: string) => ["edit", { path, old_text: old, new_text: now }] as const;
const remove = (path: string) => ["delete", { path }] as const;
const bash = (command: string) => ["bash", { command }] as const;
const lines = (...list: readonly string[]): string => list.map((line) => `${line}\n`).join("");

async function makeReview(before: Readonly<Record<string, string>>) {
  const harness = await makeTestHarness();
  const put = (path: string, text: string): void => writeFileSync(join(harness.root, path), text);
  for (const [path, text] of Object.entries(before)) put(path, text);
  const session = harness.session("full");
  const read = (path: string): string | null =>
    existsSync(join(harness.root, path)) ? readFileSync(join(harness.root, path), "utf8") : null;
  return { harness, session, put, read };
}

async function run(
  harness: TestHarness,
  session: Session,
  ...list: readonly (readonly [string, Json])[]
): Promise<void> {
  harness.script(callAnswer(...list), textAnswer("done"));
  await promptAndWait(session, "go");
}

async function stateOf(session: Session) {
  const state = await session.review.state();
  if (!state.ok) throw new Error(state.error.code);
  return state.value;
}

async function decide(
  session: Session,
  path: string,
  decision: Pick<ReviewDecision, "verdict"> & Partial<ReviewDecision>,
) {
  const { files } = await stateOf(session);
  const hash = files.find((file) => file.path === path)?.hash;
  if (hash === undefined) throw new Error(`nothing to decide in ${path}`);
  const done = await session.review.decide([{ path, hash, ...decision }], testCommandId());
  if (!done.ok) throw new Error(done.error.code);
  return done.value;
}

const commitOf = (files: Readonly<Record<string, string | null>>) => ({
  paths: new Set(Object.keys(files)),
  read: async (path: string) => {
    const text = files[path];
    return typeof text === "string" ? Buffer.from(text) : text;
  },
});

const spaced = lines("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l");

describe("a review", () => {
  test("lists what the agent changed, and not what the user changed between and after", async () => {
    const { harness, session, put } = await makeReview({ "a.txt": spaced });
    await run(harness, session, edit("a.txt", "b\n", "B\n"));
    put("a.txt", spaced.replace("b\n", "B\n").replace("g\n", "mine\n"));
    await run(harness, session, ["read", { path: "a.txt" }], edit("a.txt", "l\n", "L\n"));
    const { files, decided, total } = await stateOf(session);
    expect(files).toMatchObject([{ path: "a.txt", kind: "changed", added: 2, removed: 2, hunks: [{}, {}] }]);
    expect([decided, total]).toEqual([0, 2]);
  });

  test("accepts a hunk into the baseline and takes another one out of the file, after a restart too", async () => {
    const { harness, session, read } = await makeReview({ "a.txt": spaced });
    await run(harness, session, edit("a.txt", "b\n", "B\n"), edit("a.txt", "l\n", "L\n"));
    await decide(session, "a.txt", { verdict: "accept", hunks: [{ hunk: 0 }] });
    await harness.restart();
    const again = harness.reload(session);
    expect(await stateOf(again)).toMatchObject({ files: [{ hunks: [{}] }], decided: 1, total: 2 });
    expect(await decide(again, "a.txt", { verdict: "reject" })).toMatchObject({ failed: [], waits: false });
    expect(read("a.txt")).toBe(spaced.replace("b\n", "B\n"));
    expect(await stateOf(again)).toMatchObject({ files: [], decided: 2, total: 2 });
  });

  test("makes only the first of two decisions about one file at once", async () => {
    const { harness, session, read } = await makeReview({ "a.txt": spaced });
    await run(harness, session, edit("a.txt", "b\n", "B\n"), edit("a.txt", "l\n", "L\n"));
    const [file] = (await stateOf(session)).files;
    if (file === undefined) throw new Error("nothing to decide");
    const accept = (hunk: number) => ({ ...file, verdict: "accept" as const, hunks: [{ hunk }] });
    const done = await session.review.decide([accept(0), accept(1)], testCommandId());
    expect(done).toMatchObject({ value: { failed: [{ path: "a.txt", code: "changed_meanwhile" }] } });
    expect(await stateOf(session)).toMatchObject({ files: [{ hunks: [{}] }], decided: 1, total: 2 });
    await decide(session, "a.txt", { verdict: "reject" });
    expect(read("a.txt")).toBe(spaced.replace("b\n", "B\n"));
  });

  test("is undone step by step", async () => {
    const { harness, session, read } = await makeReview({ "a.txt": spaced });
    await run(harness, session, edit("a.txt", "b\n", "B\n"), edit("a.txt", "l\n", "L\n"));
    const before = await stateOf(session);
    await decide(session, "a.txt", { verdict: "accept", hunks: [{ hunk: 0 }] });
    await decide(session, "a.txt", { verdict: "reject" });
    expect(await session.review.undo(undefined, testCommandId())).toMatchObject({ value: { failed: [] } });
    expect(read("a.txt")).toBe(spaced.replace("b\n", "B\n").replace("l\n", "L\n"));
    expect(await session.review.undo(undefined, testCommandId())).toMatchObject({ value: { failed: [] } });
    expect(await stateOf(session)).toEqual(before);
    expect(await session.review.undo(undefined, testCommandId())).toMatchObject({ error: { code: "gone" } });
  });

  test("moves a created file to the trash, and brings back a deleted one", async () => {
    const { harness, session, read } = await makeReview({ "old.txt": "old\r\n" });
    await run(harness, session, write("new.txt", "new\n"), remove("old.txt"));
    expect((await stateOf(session)).files).toMatchObject([{ kind: "created" }, { kind: "deleted" }]);
    await decide(session, "new.txt", { verdict: "reject" });
    await decide(session, "old.txt", { verdict: "reject" });
    expect([read("new.txt"), read("old.txt")]).toEqual([null, "old\r\n"]);
    expect((await stateOf(session)).files).toEqual([]);
  });

  test("takes out an empty file that the agent created, and brings back one that it deleted", async () => {
    const { harness, session, read } = await makeReview({ "old.txt": "" });
    await run(harness, session, bash(": > new.txt"), remove("old.txt"));
    expect((await stateOf(session)).files).toMatchObject([{ hunks: [] }, { hunks: [] }]);
    expect(await decide(session, "new.txt", { verdict: "reject" })).toMatchObject({ failed: [] });
    expect(await decide(session, "old.txt", { verdict: "reject" })).toMatchObject({ failed: [] });
    expect([read("new.txt"), read("old.txt")]).toEqual([null, ""]);
    expect(await stateOf(session)).toMatchObject({ files: [], decided: 2, total: 2 });
  });

  test("counts what a command changed, and decides a binary file as a whole", async () => {
    const { harness, session, read } = await makeReview({ "a.bin": "\0one" });
    await run(harness, session, bash("printf '\\0two' > a.bin; echo x > b.txt"));
    expect((await stateOf(session)).files).toMatchObject([
      { path: "a.bin", whole: "binary", hunks: [] },
      { path: "b.txt", kind: "created" },
    ]);
    await decide(session, "a.bin", { verdict: "reject" });
    expect(read("a.bin")).toBe("\0one");
  });

  test("changes nothing when the file is not as it was shown", async () => {
    const { harness, session, put, read } = await makeReview({ "a.txt": spaced });
    await run(harness, session, edit("a.txt", "b\n", "B\n"));
    const { files } = await stateOf(session);
    put("a.txt", "other\n");
    const decisions = files.map(({ path, hash }) => ({ path, hash, verdict: "reject" as const }));
    const done = await session.review.decide(decisions, testCommandId());
    expect(done).toMatchObject({ value: { failed: [{ path: "a.txt", code: "changed_meanwhile" }] } });
    expect(read("a.txt")).toBe("other\n");
  });

  test("has no rejection at once of a hunk in which the user wrote, only of its lines", async () => {
    const { harness, session, put, read } = await makeReview({ "a.txt": lines("a", "b", "c") });
    await run(harness, session, edit("a.txt", "b\n", "B\nC\n"));
    put("a.txt", lines("a", "mine", "C", "c"));
    expect((await stateOf(session)).files).toMatchObject([{ hunks: [{ collides: true }] }]);
    expect(await decide(session, "a.txt", { verdict: "reject" })).toMatchObject({ failed: [{ code: "conflict" }] });
    await decide(session, "a.txt", { verdict: "reject", hunks: [{ hunk: 0, lines: [3] }] });
    expect(read("a.txt")).toBe(lines("a", "mine", "c"));
  });

  test("a restore of the files brings back what was to decide then", async () => {
    const { harness, session } = await makeReview({ "a.txt": spaced });
    await run(harness, session, edit("a.txt", "b\n", "B\n"));
    const border = session.view.seq;
    const before = await stateOf(session);
    await run(harness, session, ["read", { path: "a.txt" }], edit("a.txt", "l\n", "L\n"));
    await session.files.restore({ toSeq: border, conversation: true }, testCommandId());
    expect(await stateOf(session)).toEqual(before);
  });

  test("a commit accepts what a file contains", async () => {
    const { harness, session } = await makeReview({ "a.txt": spaced });
    await run(harness, session, edit("a.txt", "b\n", "B\n"), write("b.txt", "b\n"));
    const files = { "a.txt": spaced.replace("b\n", "B\n"), "unknown.txt": "" };
    await session.review.acceptCommitted(commitOf(files), testCommandId());
    expect((await stateOf(session)).files).toMatchObject([{ path: "b.txt" }]);
  });

  test("a commit of some lines leaves the others to decide", async () => {
    const { harness, session } = await makeReview({ "a.txt": spaced });
    await run(harness, session, edit("a.txt", "b\n", "B\nC\n"), edit("a.txt", "l\n", "L\n"));
    await session.review.acceptCommitted(commitOf({ "a.txt": spaced.replace("b\n", "B\n") }), testCommandId());
    expect(await stateOf(session)).toMatchObject({
      files: [{ added: 2, removed: 1, hunks: [{ lines: expect.anything() }, {}] }],
      decided: 1,
    });
  });

  test("a commit without a file that exists accepts nothing", async () => {
    const { harness, session } = await makeReview({ "a.txt": spaced });
    await run(harness, session, edit("a.txt", "b\n", "B\n"));
    const before = await stateOf(session);
    await session.review.acceptCommitted(commitOf({ "a.txt": null }), testCommandId());
    expect(await stateOf(session)).toEqual(before);
  });
});

test("the model gets once the lines that were rejected", async () => {
  const { harness, session } = await makeReview({ "a.txt": spaced });
  await run(harness, session, edit("a.txt", "b\n", "B\n"));
  await decide(session, "a.txt", { verdict: "reject" });
  const mentions = (): number =>
    JSON.stringify(harness.requests.at(-1)).split("a.txt:2 taken out:\\n- B\\n").length - 1;
  harness.script(textAnswer("one"), textAnswer("two"));
  await promptAndWait(session, "next");
  expect(mentions()).toBe(1);
  await promptAndWait(session, "and next");
  expect(mentions()).toBe(1);
});

describe("during a run", () => {
  test("decisions wait for the end of the turn, and the model writes on above them", async () => {
    const { harness, session, read } = await makeReview({ "a.txt": spaced });
    const gate = makeGate();
    harness.script(
      callAnswer(edit("a.txt", "b\n", "B\n")),
      [gate, ...callAnswer(edit("a.txt", "l\n", "L\n"))],
      textAnswer("done"),
    );
    const started = session.send("go", "followUp", testCommandId());
    await gate.reached;
    const { seq } = session.view;
    expect(await decide(session, "a.txt", { verdict: "reject" })).toMatchObject({ waits: true, failed: [] });
    expect(read("a.txt")).toBe(spaced.replace("b\n", "B\n"));
    expect(await stateOf(session)).toMatchObject({ files: [], waiting: 1, decided: 1, total: 1 });
    gate.open();
    if (started.ok) await started.value.done;
    expect(read("a.txt")).toBe(spaced.replace("l\n", "L\n"));
    expect(await stateOf(session)).toMatchObject({ files: [{ hunks: [{}] }], waiting: 0, decided: 1, total: 2 });
    expect(session.isBorder(seq)).toBe(false);
  });

  test("a waiting decision is applied after a restart", async () => {
    const { harness, session, read } = await makeReview({ "a.txt": spaced });
    const gate = makeGate();
    harness.script(callAnswer(edit("a.txt", "b\n", "B\n")), [gate, ...textAnswer("done")]);
    session.send("go", "followUp", testCommandId());
    await gate.reached;
    await decide(session, "a.txt", { verdict: "reject" });
    await harness.restart();
    const again = harness.reload(session);
    expect(await stateOf(again)).toMatchObject({ files: [], waiting: 0, decided: 1 });
    expect(read("a.txt")).toBe(spaced);
  });
});
