/** Context sources that read ahead: blocks depend on what was prepared for the message, never on later changes. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { asId, type ClientId, type ProjectId } from "@/lib/events/id";
import type { ContextSource, ContextText } from "@/server/agent/context/context-source";
import { callAnswer, makeTestHarness, testCommandId, textAnswer, waitForView } from "../testing/test-harness";
import { makePreparedContext } from "./prepared-context";

const noteSource = (read: () => Promise<string>): ContextSource => ({
  topic: "files",
  kind: "notice",
  order: { message: 50, result: 50 },
  resend: "when_changed",
  text: () => null,
  async prepare() {
    const note = await read();
    return () => `Note: ${note}`;
  },
});

test("the blocks of a message and of its results have what was read before the message", async () => {
  const notes: string[] = [];
  const harness = await makeTestHarness({ contextSources: [noteSource(() => readFile(notes[0] ?? "", "utf8"))] });
  const note = join(harness.home, "note.txt");
  notes.push(note);
  const session = harness.session();
  const tab = { id: asId<ClientId>("tab") };
  const send = async (text: string): Promise<void> => {
    const input = { sessionId: session.id, commandId: testCommandId(), text, intent: "prompt" } as const;
    expect(await harness.sessions().send(input, tab)).toMatchObject({ ok: true });
    await waitForView(session, (view) => view.run === null);
  };
  const seen = () => [...JSON.stringify(harness.requests.at(-1)).matchAll(/Note: (\w+)/g)].map(([, text]) => text);
  await writeFile(note, "one");
  harness.script(callAnswer(["bash", { command: "true" }]), textAnswer("Ok."), textAnswer("Ok."), textAnswer("Ok."));
  session.update({ mode: "full" }, testCommandId());
  const first = send("go");
  await waitForView(session, (view) => view.run !== null);
  await writeFile(note, "two");
  await first;
  expect(seen()).toEqual(["one"]);
  await send("more");
  expect(seen()).toEqual(["one", "two"]);
  await send("the same");
  expect(seen()).toEqual(["one", "two"]);
});

test.each<readonly [reason: string, result: () => Promise<string>]>([
  ["fails", () => Promise.reject(new Error("no such note"))],
  ["does not end in time", () => new Promise(() => {})],
])("a source whose preparation %s keeps what it had, and the log says so", async (reason, result) => {
  const results = [() => Promise.resolve("one"), result];
  const logged: string[] = [];
  const source = noteSource(() => results.shift()?.() ?? Promise.resolve("two"));
  const context = makePreparedContext({ sources: () => [source], log: (line) => void logged.push(line) });
  const [here, elsewhere] = [asId<ProjectId>("here"), asId<ProjectId>("elsewhere")];
  const texts = (): readonly ContextText[] =>
    [here, elsewhere].flatMap((project) => context.sources(project).map(({ text }) => text));
  await context.prepare(here);
  const before = texts();
  expect(before[0]).not.toBe(source.text);
  expect(before[1]).toBe(source.text);
  await context.prepare(here);
  expect(texts()).toEqual(before);
  expect(logged).toEqual([expect.stringMatching(/^The context source files was not prepared: /)]);
  if (reason === "does not end in time") return;
  await context.prepare(here);
  expect(texts()[0]).not.toBe(before[0]);
});

test("a source that hangs is waited for once, and has its text again after it answered", async () => {
  let answer = (_note: string): void => {};
  const reads: (() => Promise<string>)[] = [() => new Promise((resolve) => (answer = resolve))];
  let attempts = 0;
  const source = noteSource(() => {
    attempts += 1;
    return reads.shift()?.() ?? Promise.resolve("two");
  });
  const context = makePreparedContext({ sources: () => [source], log: () => {} });
  const here = asId<ProjectId>("here");
  for (let message = 0; message < 3; message += 1) await context.prepare(here);
  expect(attempts).toBe(1);
  answer("one");
  await new Promise((resolve) => setImmediate(resolve));
  await context.prepare(here);
  expect(attempts).toBe(2);
  expect(context.sources(here)[0]?.text).not.toBe(source.text);
});

test("an older preparation that ends later neither replaces a newer one nor is overtaken by it", async () => {
  const [older, newer] = [() => "old", () => "new"];
  const finish: ((text: ContextText) => void)[] = [];
  const prepare = (): Promise<ContextText> => new Promise((resolve) => finish.push(resolve));
  const source = { ...noteSource(() => Promise.resolve("")), prepare };
  const context = makePreparedContext({ sources: () => [source], log: () => {} });
  const project = asId<ProjectId>("here");
  const ended: string[] = [];
  const first = context.prepare(project).then(() => ended.push("first"));
  const second = context.prepare(project).then(() => ended.push("second"));
  finish[1]?.(newer);
  finish[0]?.(older);
  await Promise.all([first, second]);
  expect(ended).toEqual(["first", "second"]);
  expect(context.sources(project)[0]?.text).toBe(newer);
});
