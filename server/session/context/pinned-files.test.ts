/** Tests of pinned files: what the model receives and when, the budget, and that a request keeps its start. */
import { neverAborted } from "@/server/base/abort";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readEvictedPins } from "@/lib/events/evicted-pins";
import type { ReferenceBlock } from "@/lib/events/content";
import { ok } from "@/lib/events/error";
import { asId, type ClientId, type SessionId } from "@/lib/events/id";
import { settingsDefaults } from "@/lib/settings/settings";
import { uniformScale } from "@/lib/text/estimate-tokens";
import { emptyView, pathEntries, type SessionView } from "@/lib/view/view";
import type { SessionServices } from "../core/services";
import type { Session } from "../core/session-types";
import {
  callAnswer,
  makeGate,
  makeTestHarness,
  type ScriptedAnswer,
  testCommandId,
  type TestHarness,
  type TestHarnessOptions,
  textAnswer,
  waitForView,
} from "../testing/test-harness";
import { isSummaryRequest } from "../testing/test-long-run";
import { makeSessionPins } from "./pinned-files";

const tab = { id: asId<ClientId>("tab") };
const count = (text: string, part: string): number => text.split(part).length - 1;

async function makePinRig(options: TestHarnessOptions = {}) {
  const harness = await makeTestHarness({ answer: () => textAnswer("Done."), ...options });
  const write = (path: string, text: string | Uint8Array) => writeFileSync(join(harness.root, path), text);
  mkdirSync(join(harness.root, "src"));
  for (const name of ["a", "b", "c"]) write(`src/${name}.ts`, `const ${name} = 1;\n`);
  const session = harness.session("full");
  const pin = (path: string, pinned = true) =>
    harness.sessions().pin({ sessionId: session.id, commandId: testCommandId(), path, pinned }, tab);
  return { harness, write, session, pin, remove: (path: string) => rmSync(join(harness.root, path)) };
}

const sendAndWait = async (harness: TestHarness, session: Session, text: string): Promise<string> => {
  const sent = await harness
    .sessions()
    .send({ sessionId: session.id, commandId: testCommandId(), text, intent: "prompt" }, tab);
  if (!sent.ok) throw new Error(sent.error.code);
  await waitForView(session, (view) => view.run === null);
  return allText(harness);
};
/** Text of the newest request. */
const allText = ({ requests }: TestHarness): string =>
  (requests.at(-1)?.messages ?? []).map(({ text }) => text).join("\n");
const stateOf = async (harness: TestHarness, session: Session) => {
  const report = await harness.sessions().pins({ sessionId: session.id }, tab);
  if (!report.ok) throw new Error(report.error.code);
  return report.value.files.map((file) => `${file.path} ${file.state === "unreadable" ? file.error.code : file.state}`);
};
const evictedIn = (session: Session): readonly string[] =>
  pathEntries(session.view).flatMap((entry) =>
    entry.kind === "message"
      ? entry.blocks.flatMap((block) => (block.type === "context" && block.topic === "pins" ? [block.text] : []))
      : [],
  );

/** Every request of the harness starts with the one before it. */
function expectStablePrefix({ requests }: TestHarness): void {
  for (const [index, { messages }] of requests.entries()) {
    const before = requests[index - 1]?.messages ?? [];
    expect(messages.slice(0, before.length)).toEqual(before);
  }
}

describe("a pinned file", () => {
  test("is sent once, and again at the end when it changed", async () => {
    const { harness, session, pin, write } = await makePinRig();
    expect(await pin("./src/a.ts")).toMatchObject({ ok: true });
    expect(session.view.pins).toMatchObject([{ path: "src/a.ts" }]);
    expect(await stateOf(harness, session)).toEqual(["src/a.ts new"]);
    expect(await sendAndWait(harness, session, "one")).toContain(
      '<attached file="src/a.ts">\nconst a = 1;\n</attached>',
    );
    expect(await stateOf(harness, session)).toEqual(["src/a.ts sent"]);
    expect(count(await sendAndWait(harness, session, "two"), "const a = 1;")).toBe(1);
    write("src/a.ts", "const a = 2;\n");
    expect(await stateOf(harness, session)).toEqual(["src/a.ts changed"]);
    const third = await sendAndWait(harness, session, "three");
    expect([count(third, "const a = 1;"), count(third, "const a = 2;")]).toEqual([1, 1]);
    expectStablePrefix(harness);
  });

  test("is sent no more after it was unpinned", async () => {
    const { harness, session, pin, write } = await makePinRig();
    await pin("src/a.ts");
    await sendAndWait(harness, session, "one");
    await pin("src/a.ts", false);
    write("src/a.ts", "const a = 2;\n");
    expect(await sendAndWait(harness, session, "two")).not.toContain("const a = 2;");
    expect(await stateOf(harness, session)).toEqual([]);
  });

  test("survives a restart and a fork, and is not repeated after them", async () => {
    const { harness, session, pin } = await makePinRig();
    await pin("src/a.ts");
    await sendAndWait(harness, session, "one");
    await harness.restart();
    const reloaded = harness.reload(session);
    expect(count(await sendAndWait(harness, reloaded, "two"), "const a = 1;")).toBe(1);
    const fork = harness
      .sessions()
      .fork({ sessionId: session.id, commandId: testCommandId(), atSeq: reloaded.view.border });
    if (!fork.ok) throw new Error(fork.error.code);
    const forked = harness.registry().get(fork.value.row.id);
    expect(forked?.view.pins).toEqual(reloaded.view.pins);
  });

  test("is sent again after a rewind removed it", async () => {
    const { harness, session, pin } = await makePinRig();
    await sendAndWait(harness, session, "zero");
    const { border } = session.view;
    await pin("src/a.ts");
    await sendAndWait(harness, session, "one");
    session.rewind(border, testCommandId());
    expect(await stateOf(harness, session)).toEqual(["src/a.ts new"]);
    expect(count(await sendAndWait(harness, session, "two"), "const a = 1;")).toBe(1);
  });

  test("is sent with a message that waited in the queue, as it is then", async () => {
    const { harness, session, pin, write } = await makePinRig();
    const gate = makeGate();
    harness.script([gate, ...callAnswer(["ls", {}])], textAnswer("Done."));
    const first = harness
      .sessions()
      .send({ sessionId: session.id, commandId: testCommandId(), text: "go", intent: "prompt" }, tab);
    await gate.reached;
    await first;
    await pin("src/a.ts");
    await harness
      .sessions()
      .send({ sessionId: session.id, commandId: testCommandId(), text: "also", intent: "steer" }, tab);
    write("src/a.ts", "const a = 5;\n");
    gate.open();
    await waitForView(session, (view) => view.run === null);
    expect(count(allText(harness), "const a = 5;")).toBe(1);
    expect(allText(harness)).not.toContain("const a = 1;");
    expectStablePrefix(harness);
  });

  test("is sent with a message that waited for a command, as the command left it", async () => {
    const { harness, session, pin, write } = await makePinRig();
    await pin("src/a.ts");
    session.runCommand("!!until [ -e go ]; do sleep 0.02; done; echo 'const a = 9;' > src/a.ts", testCommandId());
    await harness
      .sessions()
      .send({ sessionId: session.id, commandId: testCommandId(), text: "also", intent: "prompt" }, tab);
    expect(session.view.queue).toHaveLength(1);
    write("go", "");
    await waitForView(session, (view) => view.run === null && view.queue.length === 0);
    expect(count(allText(harness), "const a = 9;")).toBe(1);
    expect(allText(harness)).not.toContain("const a = 1;");
  });

  test("is not read for a message in the queue after Stop, which leaves that message there", async () => {
    const { harness, session, pin } = await makePinRig();
    await pin("src/a.ts");
    const gate = makeGate();
    harness.script([gate, ...textAnswer("Done.")]);
    const first = session.send("go", "prompt", testCommandId());
    await gate.reached;
    session.send("then", "followUp", testCommandId());
    session.subscribe(({ event }) => {
      // The loop now reads the pinned files for the queue.
      if (event.type === "message_end") process.nextTick(() => void session.abort());
    });
    gate.open();
    expect(first.ok && (await first.value.done)).toBe("aborted");
    expect(session.view.queue).toMatchObject([{ text: "then" }]);
  });

  test("is in the context after a compaction, with its current content", async () => {
    const summarizing = (): ScriptedAnswer => textAnswer(`Answer. ${"This is an explanation. ".repeat(150)}`);
    const { harness, session, pin, write } = await makePinRig({
      answer: (request) => (isSummaryRequest(request) ? textAnswer("A summary.") : summarizing()),
    });
    harness.settings.current = { ...harness.settings.current, keptMessages: 1 };
    await pin("src/a.ts");
    for (const text of ["one", "two", "three", "four", "five", "six"]) await sendAndWait(harness, session, text);
    write("src/a.ts", "const a = 7;\n");
    const compacted = session.compact(undefined, testCommandId());
    expect(compacted.ok && (await compacted.value.done)).toBe("done");
    expect(await stateOf(harness, session)).toEqual(["src/a.ts sent"]);
    const text = await sendAndWait(harness, session, "and?");
    expect([count(text, "const a = 1;"), count(text, "const a = 7;")]).toEqual([0, 1]);
  });

  test.each([
    ["not_found", "src/none.ts"],
    ["is_folder", "src"],
    ["protected", ".env"],
    ["outside", "../secret"],
    ["binary", "logo.bin"],
    ["too_large", "big.txt"],
  ])("%s: is refused", async (code, path) => {
    const { session, pin, write } = await makePinRig();
    write(".env", "PASSWORD=swordfish");
    write("logo.bin", Uint8Array.from([0, 1, 2, 255]));
    write("big.txt", "word word word\n".repeat(2_000));
    expect(await pin(path)).toMatchObject({ ok: false, error: { code } });
    expect(session.view.pins).toEqual([]);
  });

  test("that was deleted or grew too large is not sent, with its reason", async () => {
    const { harness, session, pin, write, remove } = await makePinRig();
    await pin("src/a.ts");
    await pin("src/b.ts");
    remove("src/a.ts");
    write("src/b.ts", "word word word\n".repeat(2_000));
    expect(await sendAndWait(harness, session, "one")).not.toContain("<attached");
    expect(await stateOf(harness, session)).toEqual(["src/b.ts too_large", "src/a.ts not_found"]);
  });
});

test("the report has the files, what waits for the next message, and what is new since the last request", async () => {
  const { harness, session, pin } = await makePinRig();
  await pin("src/a.ts");
  await sendAndWait(harness, session, "one");
  const report = async () => {
    const parts = await session.context(neverAborted);
    if (!parts.ok) throw new Error(parts.error.code);
    return parts.value;
  };
  const { parts, total, pieces } = await report();
  expect(parts.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(total);
  expect(parts.find(({ part }) => part === "files")?.tokens).toBeGreaterThan(5);
  expect(pieces).toContainEqual(expect.objectContaining({ kind: "file", name: "src/a.ts", text: "const a = 1;" }));
  expect(pieces.some(({ isNew }) => isNew)).toBe(false);
  await pin("src/b.ts");
  await session.readPins(new AbortController().signal);
  expect((await report()).pieces.at(-1)).toMatchObject({ kind: "pendingFile", name: "src/b.ts" });
});

describe("the budget", () => {
  /** Three files, of which two fit. */
  async function makeFullRig() {
    const rig = await makePinRig();
    for (const name of ["a", "b", "c"]) rig.write(`src/${name}.ts`, `${name} `.repeat(1_300));
    for (const name of ["a", "b", "c"]) await rig.pin(`src/${name}.ts`);
    return rig;
  }

  test("evicts the file used longest ago, with a notice that is sent once", async () => {
    const { harness, session } = await makeFullRig();
    const text = await sendAndWait(harness, session, "one");
    expect(text).not.toContain('<attached file="src/a.ts">');
    expect(await stateOf(harness, session)).toEqual(["src/c.ts sent", "src/b.ts sent", "src/a.ts evicted"]);
    await sendAndWait(harness, session, "two");
    expect(evictedIn(session).map(readEvictedPins)).toEqual([["src/a.ts"]]);
    expectStablePrefix(harness);
  });

  test("is used by the files that the model read or that a message referenced last", async () => {
    const { harness, session } = await makeFullRig();
    harness.script(callAnswer(["read", { path: `${harness.root}/src/a.ts` }]), textAnswer("Done."));
    await sendAndWait(harness, session, "one");
    expect(await stateOf(harness, session)).toEqual(["src/a.ts new", "src/c.ts sent", "src/b.ts evicted"]);
    await harness.sessions().send(
      {
        sessionId: session.id,
        commandId: testCommandId(),
        text: "two",
        intent: "prompt",
        references: [{ kind: "file", path: "src/b.ts", lines: { first: 1, last: 1 } }],
      },
      tab,
    );
    await waitForView(session, (view) => view.run === null);
    expect(await stateOf(harness, session)).toEqual(["src/b.ts sent", "src/a.ts sent", "src/c.ts evicted"]);
    expectStablePrefix(harness);
  });

  test("returns an evicted file when another one is unpinned", async () => {
    const { harness, session, pin } = await makeFullRig();
    await sendAndWait(harness, session, "one");
    await pin("src/b.ts", false);
    expect(await sendAndWait(harness, session, "two")).toContain('<attached file="src/a.ts">');
    expect(await stateOf(harness, session)).toEqual(["src/c.ts sent", "src/a.ts sent"]);
    expect(evictedIn(session).map(readEvictedPins)).toEqual([["src/a.ts"], []]);
  });

  test("follows the setting", async () => {
    const { harness, session } = await makeFullRig();
    harness.settings.current = { ...harness.settings.current, pinnedPercent: 40 };
    await sendAndWait(harness, session, "one");
    expect(await stateOf(harness, session)).toEqual(["src/c.ts sent", "src/b.ts sent", "src/a.ts sent"]);
  });
});

describe("files that the model has read", () => {
  /** The model reads whole files and lines of one, then the conversation is summarized. */
  async function compactAfterReads(keepReadFiles: boolean) {
    const rig = await makePinRig({
      answer: (request) =>
        textAnswer(isSummaryRequest(request) ? "A summary." : `Answer. ${"This is an explanation. ".repeat(150)}`),
    });
    const { harness, session, write } = rig;
    write("src/long.ts", "one\ntwo\nthree\n");
    harness.settings.current = { ...harness.settings.current, keptMessages: 1, keepReadFiles };
    const reads = [{ path: "src/b.ts" }, { path: "src/a.ts" }, { path: "src/long.ts", offset: 2, limit: 1 }] as const;
    harness.script(callAnswer(...reads.map((input) => ["read", input] as const)), textAnswer("Read."));
    await sendAndWait(harness, session, "one");
    // The newest results stay in the context.
    harness.script(callAnswer(["ls", {}]), textAnswer("Listed."));
    for (const text of ["two", "three", "four", "five"]) await sendAndWait(harness, session, text);
    const before = allText(harness);
    write("src/a.ts", "const a = 7;\n");
    const compacted = session.compact(undefined, testCommandId());
    expect(compacted.ok && (await compacted.value.done)).toBe("done");
    return { ...rig, before };
  }

  test("stay in the context after a compaction, as they are then, the last read first", async () => {
    const { harness, session, before } = await compactAfterReads(true);
    expect(before).not.toContain("<attached");
    const text = await sendAndWait(harness, session, "and?");
    const files = [...text.matchAll(/<attached file="([^"]+)"/g)].map(([, path]) => path);
    expect([files, count(text, "const a = 7;")]).toEqual([["src/a.ts", "src/b.ts"], 1]);
    expect(count(await sendAndWait(harness, session, "again"), "<attached")).toBe(2);
    expect(evictedIn(session)).toEqual([]);
  });

  test("do not where the setting is off", async () => {
    const { harness, session } = await compactAfterReads(false);
    expect(await sendAndWait(harness, session, "and?")).not.toContain("<attached");
  });

  test("come after pinned files, and are left out beyond the budget", async () => {
    const { harness, session, pin, write } = await compactAfterReads(true);
    for (const name of ["a", "b"]) write(`src/${name}.ts`, `${name} `.repeat(1_300));
    write("src/c.ts", "c ".repeat(1_300));
    await pin("src/c.ts");
    expect(await stateOf(harness, session)).toEqual(["src/c.ts new", "src/a.ts new"]);
    const text = await sendAndWait(harness, session, "and?");
    expect([...text.matchAll(/<attached file="([^"]+)"/g)].map(([, path]) => path)).toEqual(["src/c.ts", "src/a.ts"]);
    expect(evictedIn(session)).toEqual([]);
  });
});

test("files for a new session are reported with the figures that the session has", async () => {
  const { harness, session, pin, write } = await makePinRig();
  write(".env", "PASSWORD=swordfish");
  const { projectId } = session.view;
  const preview = await harness.sessions().previewPins({ projectId, paths: ["./src/a.ts", ".env", "src/b.ts"] }, tab);
  if (!preview.ok) throw new Error(preview.error.code);
  expect(preview.value.files.map(({ path, state }) => `${path} ${state}`)).toEqual([
    "src/b.ts new",
    ".env unreadable",
    "src/a.ts new",
  ]);
  for (const path of ["src/a.ts", "src/b.ts"]) await pin(path);
  const report = await harness.sessions().pins({ sessionId: session.id }, tab);
  const readable = preview.value.files.filter(({ state }) => state === "new");
  expect(report).toEqual({ ok: true, value: { files: readable, maxTokens: preview.value.maxTokens } });
});

describe("reading the pinned files", () => {
  const blockOf = (path: string, text: string): ReferenceBlock => ({
    type: "reference",
    kind: "file",
    label: path,
    text,
    pinned: true,
  });
  const viewWith = (count: number): SessionView => ({
    ...emptyView(asId<SessionId>("s")),
    pins: Array.from({ length: count }, (_each, index) => ({ path: `${index}.ts`, since: index })),
  });
  const servicesWith = (readPinned: SessionServices["readPinned"]) => ({
    readPinned,
    chooseModel: () => null,
    modelFacts: () => {
      throw new Error("there is no model");
    },
    settings: () => ({ ...settingsDefaults, pinnedPercent: 100 }),
  });
  const signal = new AbortController().signal;

  test("keeps the contents of the reading that began last, whichever ends last", async () => {
    const waiting: ((text: string) => void)[] = [];
    const pins = makeSessionPins(
      servicesWith(
        (_project, path) => new Promise((answer) => waiting.push((text) => answer(ok(blockOf(path, text))))),
      ),
    );
    const view = viewWith(1);
    const readings = [pins.read(view, signal), pins.read(view, signal)];
    waiting[1]?.("new");
    await readings[1];
    waiting[0]?.("old");
    await readings[0];
    expect(pins.plan(view).blocks.map(({ text }) => text)).toEqual(["new"]);
  });

  test("counts the tokens of many long files in slices, and reads no more files than may be pinned", async () => {
    let reads = 0;
    const text = "const answer = 42;\n".repeat(25_000);
    const pins = makeSessionPins(
      servicesWith((_project, path) => {
        reads += 1;
        return Promise.resolve(ok(blockOf(path, text)));
      }),
    );
    let turns = 0;
    let timer = setImmediate(function count() {
      turns += 1;
      timer = setImmediate(count);
    });
    await pins.read(viewWith(40), signal);
    clearImmediate(timer);
    expect(reads).toBe(30);
    expect(turns).toBeGreaterThan(1);
  });

  test("refuses a file by its length, without counting it", async () => {
    const { pin, write } = await makePinRig();
    write("long.txt", "word ".repeat(300_000));
    expect(await pin("long.txt")).toMatchObject({
      error: { code: "too_large", facts: { tokens: expect.any(Number), maxTokens: expect.any(Number) } },
    });
  });
});

test.each([1, 1.5])(
  "a file has as many tokens at its chip as in the panel, at %d tokens for each estimated",
  async (ratio) => {
    const scale = uniformScale(ratio);
    const rig = await makePinRig({
      facts: ({ numCtx }) => ({ window: numCtx, tokenRatio: ratio, scale: { likely: scale, cautious: scale } }),
    });
    const { harness, session, write, pin } = rig;
    write("src/a.ts", "export const someName = 12345;\n".repeat(40));
    await pin("src/a.ts");
    const chip = async (): Promise<number | undefined> => {
      const report = await harness.sessions().pins({ sessionId: session.id }, tab);
      const [file] = report.ok ? report.value.files : [];
      return file === undefined || file.state === "unreadable" ? undefined : file.tokens;
    };
    const panel = async (kind: "pendingFile" | "file"): Promise<number | undefined> => {
      const report = await session.context(neverAborted);
      return report.ok ? report.value.pieces.find((piece) => piece.kind === kind)?.tokens : undefined;
    };
    await sendAndWait(harness, session, "Look at it");
    const sent = await chip();
    expect(sent).toBeGreaterThan(200);
    expect(await panel("file")).toBe(sent);
    write("src/a.ts", "export const otherName = 1;\n".repeat(50));
    const changed = await chip();
    expect(changed).not.toBe(sent);
    expect(await panel("pendingFile")).toBe(changed);
  },
);
