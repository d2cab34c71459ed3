/** Reviews over real files: writes that fail, kills, encodings, and the notice to the model. */
import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import type { Session } from "../core/session-types";
import {
  callAnswer,
  makeTestHarness,
  promptAndWait,
  type TestHarness,
  testCommandId,
  textAnswer,
} from "../testing/test-harness";

async function makeReview(before: Readonly<Record<string, string | Buffer>>, numCtx?: number) {
  const harness = await makeTestHarness(numCtx === undefined ? {} : { numCtx });
  const at = (path: string): string => join(harness.root, path);
  for (const [path, content] of Object.entries(before)) writeFileSync(at(path), content);
  const session = harness.session("full");
  return {
    harness,
    session,
    at,
    read: (path: string): Buffer => readFileSync(at(path)),
    async run(...commands: readonly string[]): Promise<void> {
      harness.script(callAnswer(...commands.map((command) => ["bash", { command }] as const)), textAnswer("done"));
      await promptAndWait(session, "go");
    },
  };
}

async function stateOf(session: Session) {
  const state = await session.review.state();
  if (!state.ok) throw new Error(state.error.code);
  return state.value;
}

/** Rejects all that is listed. */
async function rejectAll(session: Session) {
  const { files } = await stateOf(session);
  const decisions = files.map(({ path, hash }) => ({ path, hash, verdict: "reject" as const }));
  const done = await session.review.decide(decisions, testCommandId());
  if (!done.ok) throw new Error(done.error.code);
  return done.value;
}

/** Does something after a review is in the log and before its files are written. */
function beforeWriting(session: Session, work: () => void): void {
  const stop = session.subscribe(({ event }) => {
    if (event.type !== "review_wait" || event.writing === undefined) return;
    stop();
    work();
  });
}

/** Returns the next request to the model, as text. */
async function nextRequest(harness: TestHarness, session: Session): Promise<string> {
  harness.script(textAnswer("ok"));
  await promptAndWait(session, "next");
  return JSON.stringify(harness.requests.at(-1));
}

const notice = "The user rejected changes";

describe("a rejection whose file cannot be written", () => {
  test("does not count, is not sent to the model, and can be repeated", async () => {
    const { harness, session, run, at, read } = await makeReview({ "a.txt": "a\n", "b.txt": "b\n" });
    await run("echo agent >> a.txt; echo agent >> b.txt");
    beforeWriting(session, () => writeFileSync(at("a.txt"), "a\nagent\nmine\n"));
    expect(await rejectAll(session)).toMatchObject({ failed: [{ path: "a.txt", code: "changed_meanwhile" }] });
    expect(read("b.txt").toString()).toBe("b\n");
    expect(await stateOf(session)).toMatchObject({ files: [{ path: "a.txt", added: 1 }], decided: 1, total: 2 });
    const sent = await nextRequest(harness, session);
    expect(sent).toContain("b.txt:1 taken");
    expect(sent).not.toContain("a.txt:1 taken");
    expect(await rejectAll(session)).toMatchObject({ failed: [] });
    expect(read("a.txt").toString()).toBe("a\nmine\n");
  });

  test("leaves nothing to undo if it was the only one", async () => {
    const { session, run, at } = await makeReview({ "a.txt": "a\n" });
    await run("echo agent >> a.txt");
    beforeWriting(session, () => {
      rmSync(at("a.txt"));
      mkdirSync(at("a.txt"));
    });
    expect((await rejectAll(session)).failed).toHaveLength(1);
    expect(await stateOf(session)).toMatchObject({ decided: 0, newest: null });
  });
});

describe("killed between the log and the files, a review", () => {
  const killed = async (left: (at: (path: string) => string) => void) => {
    const made = await makeReview({ "a.txt": "a\n", "b.txt": "b\n" });
    await made.run("echo agent >> a.txt; echo agent >> b.txt");
    let restarted: Promise<void> | undefined;
    beforeWriting(made.session, () => {
      restarted = made.harness.restart();
      for (const path of ["a.txt", "b.txt"]) writeFileSync(made.at(path), "other\n");
    });
    await rejectAll(made.session).catch(() => {});
    await restarted;
    left(made.at);
    return { ...made, session: made.harness.reload(made.session) };
  };

  test("counts for the files that were written", async () => {
    const { harness, session } = await killed((at) => {
      writeFileSync(at("a.txt"), "a\n");
      writeFileSync(at("b.txt"), "b\nagent\n");
    });
    expect(await stateOf(session)).toMatchObject({ files: [{ path: "b.txt" }], decided: 1, total: 2 });
    const sent = await nextRequest(harness, session);
    expect(sent).toContain("a.txt:1 taken");
    expect(sent).not.toContain("b.txt:1 taken");
    expect(await session.review.undo(undefined, testCommandId())).toMatchObject({ value: { failed: [] } });
    expect((await stateOf(session)).files.map(({ path }) => path)).toEqual(["a.txt", "b.txt"]);
  });

  test("does not count at all if none was", async () => {
    const { harness, session } = await killed((at) => {
      for (const name of ["a", "b"]) writeFileSync(at(`${name}.txt`), `${name}\nagent\n`);
    });
    expect(await nextRequest(harness, session)).not.toContain(notice);
    expect(await stateOf(session)).toMatchObject({ files: [{}, {}], decided: 0, newest: null });
  });
});

test.each([
  ["UTF-16 with a mark", Buffer.from("\ufeffa\r\nb\r\nc\r\n", "utf16le"), "printf 'x\\0\\r\\0\\n\\0' >>"],
  [
    "GBK",
    Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x0a, 0xca, 0xc0, 0xbd, 0xe7, 0x0a]),
    "printf '\\xd6\\xd0\\xb9\\xfa\\n' >>",
  ],
  ["CRLF", Buffer.from("a\r\nb\r\n"), "printf 'c\\r\\n' >>"],
  ["a missing last line end", Buffer.from("a\nb"), "printf '\\nc' >>"],
])("a rejection keeps %s", async (_name, content, command) => {
  const { session, run, read } = await makeReview({ "a.txt": content });
  await run(`${command} a.txt`);
  expect((await stateOf(session)).files).toMatchObject([{ path: "a.txt", hunks: [{}] }]);
  expect(await rejectAll(session)).toMatchObject({ failed: [] });
  expect(read("a.txt").equals(content)).toBe(true);
});

test("the user's lines in another encoding stay when the agent's are taken out", async () => {
  const encode = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le");
  const { session, run, read, at } = await makeReview({ "a.txt": encode("a\nb\nc\nd\n") });
  await run("printf 'x\\0\\n\\0' >> a.txt");
  writeFileSync(at("a.txt"), encode("a\n我\nc\nd\nx\n"));
  expect(await rejectAll(session)).toMatchObject({ failed: [] });
  expect(read("a.txt").equals(encode("a\n我\nc\nd\n"))).toBe(true);
});

test("what a command of the user changes is the user's", async () => {
  const { session, run, read } = await makeReview({ "a.txt": "a\n", "b.txt": "b\n" });
  const runOwn = async (command: string): Promise<void> => {
    const started = session.runCommand(command, testCommandId());
    if (started.ok) await started.value.done;
  };
  await runOwn("!echo mine >> b.txt");
  expect((await stateOf(session)).files).toEqual([]);
  await run("echo agent >> a.txt");
  await runOwn("!sed -i 1imine a.txt");
  expect((await stateOf(session)).files).toMatchObject([{ path: "a.txt", added: 1, removed: 0 }]);
  await rejectAll(session);
  expect(read("a.txt").toString()).toBe("mine\na\n");
});

test("a change that keeps the size and the times of a file is seen", async () => {
  const { session, run, at } = await makeReview({ "a.txt": "a\n" });
  await run("echo agent >> a.txt; touch -d '2020-01-01' a.txt");
  const before = await stateOf(session);
  const { atime, mtime } = statSync(at("a.txt"));
  writeFileSync(at("a.txt"), "b\nagent\n");
  utimesSync(at("a.txt"), atime, mtime);
  const after = await stateOf(session);
  expect(after.files[0]?.hash).not.toBe(before.files[0]?.hash);
});

describe("the notice of rejected changes", () => {
  test("takes at most 1/32 of the window, and counts the places that do not fit", async () => {
    const numCtx = 16_384;
    const names = Array.from({ length: 60 }, (_, index) => `file-with-a-long-name-${index}.txt`);
    const { harness, session, run } = await makeReview(Object.fromEntries(names.map((name) => [name, "a\n"])), numCtx);
    await run(`for file in *.txt; do echo "a line of the agent" >> $file; done`);
    await rejectAll(session);
    await nextRequest(harness, session);
    const [text = ""] =
      harness.requests.at(-1)?.messages.flatMap((message) => /The user rejected[^<]*/.exec(message.text) ?? []) ?? [];
    expect(estimateTokens(text)).toBeLessThanOrEqual(numCtx / 32);
    expect(estimateTokens(text)).toBeGreaterThan(numCtx / 40);
    const shown = text.split("file-with-a-long-name").length - 1;
    expect(text).toContain(`${60 - shown} more places`);
  });

  test("is sent once, also after a restart, in a fork, and when a rewind hid the review", async () => {
    const { harness, session, run } = await makeReview({ "a.txt": "a\n" });
    await run("echo agent >> a.txt");
    const border = session.view.seq;
    await rejectAll(session);
    const review = session.view.seq;
    const forked = harness.sessions().fork({ sessionId: session.id, atSeq: review, commandId: testCommandId() });
    if (!forked.ok) throw new Error(forked.error.code);
    const fork = harness.registry().get(forked.value.row.id);
    if (fork === undefined) throw new Error("no fork");
    expect(await stateOf(fork)).toMatchObject({ files: [], decided: 1 });
    expect(await nextRequest(harness, fork)).toContain(notice);
    session.rewind(border, testCommandId());
    expect(await nextRequest(harness, session)).toContain(notice);
    await harness.restart();
    const again = harness.reload(session);
    const text = await nextRequest(harness, again);
    expect(text.split(notice).length - 1).toBe(1);
  });
});
