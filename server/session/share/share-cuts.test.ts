/** Cuts of real results as viewers see them: produced by the tools, fitted to the window, stored, and redacted. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { joinTextBlocks, type Json } from "@/lib/events/content";
import { type DurableEvent, isDurable } from "@/lib/events/event";
import { closeCalls } from "@/server/agent/loop/close-run";
import { pathEntries, type SessionView } from "@/lib/view/view";
import { makeRedactor } from "@/server/security/redaction/redact";
import type { Session } from "../core/session-types";
import {
  callAnswer,
  makeTestHarness,
  promptAndWait,
  storedRows,
  type TestHarness,
  textAnswer,
  waitForView,
} from "../testing/test-harness";
import { makeShareRedactor } from "./share-redactor";

const secret = "Kx7Qm2Rt9Wz4Bv8Ns1Lp5Hd3";
const redactor = makeRedactor({ secrets: [secret], homes: [] });
/** Remains of the secret before or after a cut. */
const visiblePart = /Kx7|Qm2|Rt9|Wz4|Bv8|Ns1|Lp5|Hd3/;

interface Shown {
  /** For the model and the owner. */
  readonly own: string;
  readonly shared: string;
}

const textOf = (event: DurableEvent): readonly string[] =>
  event.type === "tool_call_end" ? [joinTextBlocks(event.output)] : [];
const liveTail = (view: SessionView): string =>
  pathEntries(view)
    .flatMap((entry) => (entry.kind === "message" ? entry.calls : []))
    .map(({ live }) => live?.tail ?? "")
    .join("");

function callEnds(harness: TestHarness, session: Session): readonly Shown[] {
  const share = makeShareRedactor({ redactor: () => redactor, protectedNames: () => [] }, true);
  return storedRows(harness, session.id).flatMap(({ seq, event }) => {
    const sent = share.redact({ v: 1, sessionId: session.id, at: 1, seq, event });
    const [shared] = sent.flatMap((envelope) => (isDurable(envelope) ? textOf(envelope.event) : []));
    return textOf(event).map((own) => ({ own, shared: shared ?? "" }));
  });
}

/** Runs one call on a project with this file, in a window of `numCtx` tokens. */
async function run(name: string, input: Json, content: string, numCtx = 400_000): Promise<Shown> {
  const harness = await makeTestHarness({ numCtx });
  writeFileSync(join(harness.root, "a.txt"), content);
  const session = harness.session("full");
  harness.script(callAnswer([name, input]), textAnswer("Ok."));
  await promptAndWait(session, "go");
  const [end] = callEnds(harness, session);
  if (end === undefined) throw new Error("the call has not ended");
  return end;
}

const filler = (chars: number): string => "a ".repeat(chars).slice(0, chars);
/** A word of `start` characters, then only the secret: a cut in a word divides the secret. */
const secrets = (count: number, start: number): string => `${"a".repeat(start)} ${`${secret} `.repeat(count)}`;

describe("a secret that a cut divides is masked", () => {
  test("at the end of a line that read cut", async () => {
    const { own, shared } = await run("read", { path: "a.txt" }, `${filler(1_994)}${secret} more\nnext ${secret}\n`);
    expect(own).toContain("Kx7Qm2… [line cut: 2023 characters]");
    expect(shared).toContain("•••… [line cut: 2023 characters]\n2\tnext •••");
    expect(shared).not.toMatch(visiblePart);
  });

  test("on both sides of a line that grep cut", async () => {
    const line = `${filler(60)} ${secret} ${filler(140)}needle ${filler(140)}${secret} ${filler(60)}`;
    const { own, shared } = await run("grep", { pattern: "needle" }, `${line}\nneedle ${secret}\n`);
    expect(own).toMatch(/^a\.txt:1:…\w*Hd3 a [^]* a Kx7\w*…\n/);
    expect(shared).toMatch(/^a\.txt:1:…••• a [^]* a •••…\na\.txt:2:needle •••/);
    expect(shared).not.toMatch(visiblePart);
  });

  test.each([0, 1, 7, 13, 20])("around the note of bash in a long output, from %i", async (start) => {
    const { own, shared } = await run("bash", { command: "cat a.txt" }, secrets(1_600, start));
    expect(own.replaceAll(secret, "")).toMatch(visiblePart);
    expect(shared).toMatch(/••• ?\n\[\.\.\. left out here: [^\n]*\]\n•••/);
    expect(shared).toContain("[exit code 0]");
    expect(shared).not.toMatch(visiblePart);
  });

  test.each([
    ["bash", { command: "cat a.txt" }],
    ["read", { path: "a.txt" }],
  ] as const)("where the window cut the result of %s", async (name, input) => {
    for (const start of [0, 5, 11, 17]) {
      const { own, shared } = await run(name, input, secrets(80, start), 4_096);
      expect(own).toMatch(/(?:left out|cut) here: /);
      expect(shared).toMatch(/(?:left out|cut) here: /);
      expect(shared).not.toMatch(visiblePart);
    }
  });

  test("at the end of a command that was stopped", async () => {
    const harness = await makeTestHarness();
    const session = harness.session("full");
    harness.script(callAnswer(["bash", { command: "printf 'begun Kx7Qm2'; sleep 60" }]));
    const done = promptAndWait(session, "go");
    await waitForView(session, (view) => liveTail(view) === "begun Kx7Qm2");
    await session.abort();
    await done;
    const [end] = callEnds(harness, session);
    expect(end?.own).toMatch(/^begun Kx7Qm2\n\[.*stopped by the user.*\]$/);
    expect(end?.shared).toMatch(/^begun •••\n\[.*stopped by the user.*\]$/);
  });
});

test("a tail of a long output that a restart ended begins and ends with a mark", async () => {
  const harness = await makeTestHarness();
  const session = harness.session("full");
  writeFileSync(join(harness.root, "a.txt"), `${secrets(4_000, 0)}end Kx7Qm2`);
  harness.script(callAnswer(["bash", { command: "cat a.txt; sleep 60" }]));
  void promptAndWait(session, "go");
  await waitForView(session, (view) => liveTail(view).endsWith("end Kx7Qm2"));
  const events = closeCalls(session.view, { reason: "interrupted" }, () => true);
  const share = makeShareRedactor({ redactor: () => redactor, protectedNames: () => [] }, true);
  const texts = events.flatMap((event) => {
    const [sent] = share.redact({ v: 1, sessionId: session.id, at: 1, seq: 1, event });
    return [event, ...(sent !== undefined && isDurable(sent) ? [sent.event] : [])].flatMap(textOf);
  });
  const [own, shared] = texts;
  expect(own).toMatch(/^\S*Hd3 [^]* end Kx7Qm2\n\[gopi-web was restarted/);
  expect(own?.startsWith(secret)).toBe(false);
  expect(shared).toMatch(/^••• [^]* end •••\n\[gopi-web was restarted/);
  expect(shared).not.toMatch(visiblePart);
  await session.abort();
});

function privateKey(lines: number): string {
  const body = Array.from({ length: lines }, (_, line) => `MIIEvQ${String(line).padStart(58, "b7Z")}\n`).join("");
  return `-----BEGIN PRIVATE KEY-----\n${body}-----END PRIVATE KEY-----\n`;
}

test("a private key around the note of bash is masked on both sides", async () => {
  const { own, shared } = await run("bash", { command: "cat a.txt" }, `before\n${privateKey(400)}after\n`);
  expect(own.match(/MIIEvQ/g)?.length).toBeGreaterThan(100);
  expect(shared).toMatch(/^before\n•••\n\[\.\.\. left out here: [^\n]*\]\n•••\nafter\n\[exit code 0\]$/);
});

test("a private key around the start of a failure in a long output is masked on both sides of both notes", async () => {
  const content = `${"passed\n".repeat(1_000)}${privateKey(8)}Error: broken\n${privateKey(400)}`;
  const { own, shared } = await run("bash", { command: "cat a.txt; exit 1" }, content);
  expect(own).toMatch(/^\[\.\.\. left out before: [^\n]*\]\nMIIEvQ[^\n]*\n-----END PRIVATE KEY-----\nError: broken\n/);
  expect(shared).toMatch(
    /^\[\.\.\. left out before: [^\n]*\]\n•••\nError: broken\n•••\n\[\.\.\. left out here: [^\n]*\]\n•••\n\[exit code 1\]$/,
  );
});

test("the result of a failed command that the window cut begins at the failure", async () => {
  const content = `${"passed\n".repeat(500)}Error: broken\n${"passed\n".repeat(500)}`;
  const { own } = await run("bash", { command: "cat a.txt; exit 1" }, content, 4_096);
  expect(own).toMatch(/^\[\.\.\. left out before: [^\n]*\]\npassed\npassed\nError: broken\n/);
  const { own: ended } = await run("bash", { command: "cat a.txt" }, content, 4_096);
  expect(ended).toMatch(/^passed\n/);
  expect(ended).not.toContain("Error: broken");
});

describe("a file that imitates the notes changes nothing in what is masked", () => {
  const omission = "[... left out here: 10 of 20 bytes, about 1 line ...]";

  test("of read", async () => {
    const content = `word… [line cut: 9000 characters]\n${omission}\nword\n[cut here: 1 of 2 bytes]\nword\n[exit code 0]\n`;
    const { own, shared } = await run("read", { path: "a.txt" }, content);
    expect(shared).toBe(own);
  });

  test("of grep", async () => {
    const content = `…needle ${filler(260)} word…\n`;
    const { own, shared } = await run("grep", { pattern: "needle" }, content);
    expect(shared).toBe(own);
  });

  test("of bash: the real cut is masked, the imitation is not", async () => {
    const content = `word\n${omission}\nword ${secrets(1_600, 3)}`;
    const { shared } = await run("bash", { command: "cat a.txt" }, content);
    expect(shared.startsWith(`word\n${omission}\nword `)).toBe(true);
    expect(shared).not.toMatch(visiblePart);
  });

  test("of bash in a window that cuts its result once more", async () => {
    const content = `word\n${omission}\nword ${secrets(1_600, 3)}`;
    const { shared } = await run("bash", { command: "cat a.txt" }, content, 8_192);
    expect(shared.startsWith(`word\n${omission}\nword `)).toBe(true);
    expect(shared).not.toMatch(visiblePart);
  });
});

test("viewers get no positions", async () => {
  const share = makeShareRedactor({ redactor: () => redactor, protectedNames: () => [] }, true);
  const harness = await makeTestHarness();
  const session = harness.session("full");
  harness.script(callAnswer(["ls", {}]), textAnswer("Ok."));
  await promptAndWait(session, "go");
  const ends = storedRows(harness, session.id).filter((row) => row.event.type === "tool_call_end");
  expect(ends.map(({ event }) => "cutPositions" in event)).toEqual([true]);
  const sent = ends.flatMap(({ seq, event }) => share.redact({ v: 1, sessionId: session.id, at: 1, seq, event }));
  expect(JSON.stringify(sent)).not.toContain("cutPositions");
});
