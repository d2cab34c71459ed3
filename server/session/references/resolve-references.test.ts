/** Tests of references in user messages: from the command to the request, through the queue, a fork and a retry. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { referenceBlocks } from "@/lib/events/content";
import { asId, type ClientId, type CommandId, type SessionId } from "@/lib/events/id";
import { messageReferences, type Reference } from "@/lib/protocol/reference-commands";
import { pathEntries } from "@/lib/view/view";
import {
  makeGate,
  makeTestHarness,
  promptAndWait,
  storedRows,
  testCommandId,
  type TestHarness,
  type TestHarnessOptions,
  textAnswer,
  waitForView,
} from "../testing/test-harness";

const tab = { id: asId<ClientId>("tab") };
const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

async function harnessWithFiles(options?: TestHarnessOptions) {
  const harness = await makeTestHarness({ answer: () => textAnswer("Done."), ...options });
  const write = (path: string, text: string | Uint8Array) => writeFileSync(join(harness.root, path), text);
  mkdirSync(join(harness.root, "src"));
  write("src/a.ts", "one\r\ntwo\r\nthree\r\n");
  write("src/b.ts", "const b = 2;");
  write(".env", "PASSWORD=swordfish");
  write("logo.bin", Uint8Array.from([0, 1, 2, 255]));
  write("big.txt", lines(10_000));
  symlinkSync("/etc/hostname", join(harness.root, "outside.txt"));
  return { harness, write };
}

const sendTo = (harness: TestHarness, sessionId: SessionId, references: readonly Reference[], more = {}) =>
  harness
    .sessions()
    .send({ sessionId, commandId: testCommandId(), text: "explain", intent: "prompt", references, ...more }, tab);
const lastPrompt = (harness: TestHarness): string =>
  harness.requests.at(-1)?.messages.findLast(({ role }) => role === "user")?.text ?? "";
const lastMessage = (session: ReturnType<TestHarness["session"]>) => {
  const found = pathEntries(session.view).findLast((entry) => entry.kind === "message" && entry.role === "user");
  if (found?.kind !== "message") throw new Error("there is no message");
  return found;
};

test("the model gets files, lines, the names in a folder and texts, before the user's text", async () => {
  const { harness } = await harnessWithFiles();
  const session = harness.session();
  const sent = await sendTo(harness, session.id, [
    { kind: "file", path: "src/b.ts" },
    { kind: "file", path: "src/a.ts", lines: { first: 2, last: 9 } },
    { kind: "folder", path: "src" },
    { kind: "text", label: "Terminal", text: "exit 1" },
  ]);
  expect(sent.ok).toBe(true);
  await waitForView(session, (view) => view.run === null);
  const prompt = lastPrompt(harness);
  expect(prompt).toContain('<attached file="src/b.ts">\nconst b = 2;\n</attached>');
  expect(prompt).toContain('<attached file="src/a.ts" lines="2-3">\ntwo\nthree\n</attached>');
  expect(prompt).toMatch(/<attached folder="src">\na\.ts[^\n]*\nb\.ts[^\n]*\n<\/attached>/);
  expect(prompt).toMatch(/<attached text="Terminal">\nexit 1\n<\/attached>\n\nexplain$/);
});

test("what was sent stays the same when the file changes, also after a restart", async () => {
  const { harness, write } = await harnessWithFiles();
  const session = harness.session();
  await sendTo(harness, session.id, [{ kind: "file", path: "src/b.ts" }]);
  await waitForView(session, (view) => view.run === null);
  const before = JSON.stringify(harness.requests[0]?.messages);
  write("src/b.ts", "changed");
  await harness.restart();
  await promptAndWait(harness.reload(session), "and now?");
  expect(JSON.stringify(harness.requests.at(-1)?.messages).startsWith(before.slice(0, -1))).toBe(true);
});

test.each<readonly [code: string, reference: Reference, name: string]>([
  ["not_found", { kind: "file", path: "src/none.ts" }, "src/none.ts"],
  ["not_found", { kind: "folder", path: "none" }, "none"],
  ["is_folder", { kind: "file", path: "src" }, "src"],
  ["not_folder", { kind: "folder", path: "src/a.ts" }, "src/a.ts"],
  ["protected", { kind: "file", path: ".env" }, ".env"],
  ["outside", { kind: "file", path: "../secret" }, "../secret"],
  ["outside", { kind: "file", path: "outside.txt" }, "outside.txt"],
  ["binary", { kind: "file", path: "logo.bin" }, "logo.bin"],
  ["too_large", { kind: "file", path: "big.txt" }, "big.txt"],
  ["too_large", { kind: "text", label: "Log", text: lines(10_000) }, "Log"],
  ["bad_input", { kind: "file", path: "src/a.ts", lines: { first: 4, last: 9 } }, "src/a.ts"],
  ["not_found", { kind: "stored", messageId: "none", index: 0 }, ""],
])("%s: a message with a reference that cannot be sent is refused whole", async (code, reference, name) => {
  const { harness } = await harnessWithFiles();
  const session = harness.session();
  const { seq } = session.view;
  const sent = await sendTo(harness, session.id, [{ kind: "file", path: "src/b.ts" }, reference]);
  expect(sent).toMatchObject({ ok: false, error: { code, facts: { reference: name } } });
  expect([storedRows(harness, session.id).at(-1)?.seq, harness.requests]).toEqual([seq, []]);
});

test("the references of one message have a quarter of the window, each an eighth", async () => {
  const { harness } = await harnessWithFiles({ numCtx: 8_192 });
  const session = harness.session();
  const text = { kind: "text", label: "Log", text: "word ".repeat(900) } as const;
  const refused = await sendTo(harness, session.id, [text, text, text]);
  expect(refused).toMatchObject({ ok: false, error: { code: "too_large", facts: { reference: "Log" } } });
  expect((await sendTo(harness, session.id, [text, text])).ok).toBe(true);
  await waitForView(session, (view) => view.run === null);
});

test("a long line of a large file is sent whole or not at all, so that no part of a secret is shared", async () => {
  const { harness, write } = await harnessWithFiles();
  const session = harness.session();
  const secret = "Kx7Qm2Rt9Wz4Bv8Ns1Lp5Hd3";
  write("log.json", `${"x ".repeat(990)}${secret} end\n${"word ".repeat(40_000)}${secret}\n${"y\n".repeat(1_100_000)}`);
  const line = (number: number): Reference => ({
    kind: "file",
    path: "log.json",
    lines: { first: number, last: number },
  });
  const refused = await sendTo(harness, session.id, [line(2)]);
  expect(refused).toMatchObject({ ok: false, error: { code: "too_large", facts: { reference: "log.json" } } });
  expect((await sendTo(harness, session.id, [line(1)])).ok).toBe(true);
  await waitForView(session, (view) => view.run === null);
  expect(lastPrompt(harness)).toContain(`x ${secret} end\n</attached>`);
});

test("a message without references does not overtake one whose file is being read", async () => {
  const { harness, write } = await harnessWithFiles();
  write("large.txt", lines(180_000));
  const session = harness.session();
  const gate = makeGate();
  harness.script([gate, ...textAnswer("One.")]);
  const run = session.send("go", "prompt", testCommandId());
  await gate.reached;
  const steer = { intent: "steer" } as const;
  const file: Reference = { kind: "file", path: "large.txt", lines: { first: 179_990, last: 180_000 } };
  const sent = [sendTo(harness, session.id, [file], { ...steer, text: "first" })];
  sent.push(sendTo(harness, session.id, [], { ...steer, text: "second" }));
  expect((await Promise.all(sent)).every(({ ok }) => ok)).toBe(true);
  expect(session.view.queue.map(({ text }) => text)).toEqual(["first", "second"]);
  gate.open();
  if (run.ok) await run.value.done;
});

test("a stored reference that is too large for another window is named", async () => {
  const { harness } = await harnessWithFiles({ numCtx: 8_192 });
  const session = harness.session();
  const text = { kind: "text", label: "Log", text: "word ".repeat(900) } as const;
  await sendTo(harness, session.id, [text]);
  await waitForView(session, (view) => view.run === null);
  const stored: Reference = { kind: "stored", messageId: lastMessage(session).messageId, index: 0 };
  const refused = await sendTo(harness, session.id, [stored, stored, stored]);
  expect(refused).toMatchObject({ ok: false, error: { code: "too_large", facts: { reference: "Log" } } });
});

test("a measurement ends when the client disconnects", async () => {
  const { harness } = await harnessWithFiles();
  const { projectId } = harness.session().view;
  const client = { ...tab, disconnected: AbortSignal.abort() };
  const references: Reference[] = [{ kind: "file", path: "src/b.ts" }];
  await expect(harness.sessions().measureReferences({ projectId, references }, client)).rejects.toThrow("aborted");
});

test.each([
  [{ first: 2, last: 2 }, true],
  [{ first: 5, last: 2 }, false],
])("the lines %j are a range: %s", (range, isValid) => {
  expect(messageReferences.safeParse([{ kind: "file", path: "a.ts", lines: range }]).success).toBe(isValid);
});

test("a repeated command is answered as before, although its file is gone", async () => {
  const { harness } = await harnessWithFiles();
  const session = harness.session();
  const commandId = asId<CommandId>("again");
  const first = await sendTo(harness, session.id, [{ kind: "file", path: "src/b.ts" }], { commandId });
  await waitForView(session, (view) => view.run === null);
  expect(await sendTo(harness, session.id, [{ kind: "file", path: "none" }], { commandId })).toEqual(first);
});

test.each(["steer", "followUp"] as const)("a %s keeps its references while queued", async (intent) => {
  const { harness, write } = await harnessWithFiles();
  const session = harness.session();
  const gate = makeGate();
  harness.script([gate, ...textAnswer("One.")]);
  const first = session.send("go", "prompt", testCommandId());
  await gate.reached;
  expect((await sendTo(harness, session.id, [{ kind: "file", path: "src/b.ts" }], { intent })).ok).toBe(true);
  write("src/b.ts", "changed");
  const [queued] = session.view.queue;
  if (queued === undefined || !first.ok) throw new Error("nothing is queued");
  expect(session.requeue(queued.id, "explain it", testCommandId())).toBe(true);
  gate.open();
  await first.value.done;
  expect(lastPrompt(harness)).toContain('<attached file="src/b.ts">\nconst b = 2;\n</attached>\n\nexplain it');
});

test("a message that is sent again and a fork have the stored content", async () => {
  const { harness, write } = await harnessWithFiles();
  const session = harness.session();
  await sendTo(harness, session.id, [{ kind: "file", path: "src/b.ts" }]);
  await waitForView(session, (view) => view.run === null);
  write("src/b.ts", "changed");
  const { messageId } = lastMessage(session);
  const again = await sendTo(harness, session.id, [{ kind: "stored", messageId, index: 0 }], { rewindTo: 0 });
  expect(again.ok).toBe(true);
  await waitForView(session, (view) => view.run === null);
  expect(referenceBlocks(lastMessage(session).blocks).map(({ text }) => text)).toEqual(["const b = 2;"]);
  const fork = harness
    .registry()
    .fork({ sessionId: session.id, atSeq: session.view.border, commandId: testCommandId() });
  if (!fork.ok) throw new Error(fork.error.code);
  await promptAndWait(fork.value, "sure?");
  expect(JSON.stringify(harness.requests.at(-1))).toContain("const b = 2;");
});

test("sizes are known before a reference is added, and for a file that is too large the lines that fit", async () => {
  const { harness, write } = await harnessWithFiles({ numCtx: 8_192 });
  write("huge.txt", lines(300_000));
  const session = harness.session();
  const file = (path: string): Reference => ({ kind: "file", path });
  const measured = await harness.sessions().measureReferences(
    {
      projectId: session.view.projectId,
      sessionId: session.id,
      references: [file("src/b.ts"), file("big.txt"), file("huge.txt"), file(".env"), { kind: "folder", path: "" }],
    },
    tab,
  );
  if (!measured.ok) throw new Error(measured.error.code);
  const [small, big, huge, hidden, folder] = measured.value.sizes;
  expect(small).toEqual({ ok: true, tokens: expect.any(Number) });
  expect(hidden).toMatchObject({ ok: false, error: { code: "protected" } });
  expect(folder).toEqual({ ok: true, tokens: expect.any(Number) });
  for (const [path, size] of [
    ["big.txt", big],
    ["huge.txt", huge],
  ] as const) {
    if (size?.ok !== true || !size.fitting) throw new Error("there are no lines that fit");
    const { first, last } = size.fitting;
    expect([size.tokens > measured.value.maxTokens, first, last > 50]).toEqual([true, 1, true]);
    const next = await sendTo(harness, session.id, [{ kind: "file", path, lines: { first, last: last * 2 } }]);
    expect(next).toMatchObject({ ok: false, error: { code: "too_large" } });
    expect((await sendTo(harness, session.id, [{ kind: "file", path, lines: { first, last } }])).ok).toBe(true);
    await waitForView(session, (view) => view.run === null);
  }
});
