/** The memory is the owner's alone: viewers of a share and files made for sharing have nothing of it. */
import { expect, test } from "vitest";
import { type Envelope, isDurable } from "@/lib/events/event";
import { isMemoryCall } from "@/lib/tools/memory";
import { makeRedactor } from "@/server/security/redaction/redact";
import { exportSession } from "@/server/session/export/export";
import { makeShareRedactor } from "@/server/session/share/share-redactor";
import { callAnswer, textAnswer } from "@/server/session/testing/test-harness";
import { makeTestMemory } from "./test-memory";

const marks = ["SwordfishUser", "SwordfishNote", "SwordfishNew", "SwordfishOther"];

/** A session that was given a memory, changed it and searched it, through the toolbox and by name. */
async function makeRemembering() {
  const rig = await makeTestMemory();
  rig.write("USER.md", "SwordfishUser lives here");
  rig.write("MEMORY.md", "- 2026-11-01 SwordfishNote is old\n");
  const session = rig.session("full");
  const envelopes: Envelope[] = [];
  session.subscribe((envelope) => void envelopes.push(envelope));
  rig.harness.script(
    callAnswer(["toolbox", { tool: "remember", input: { text: "SwordfishNew is new" } }]),
    callAnswer(["remember", { text: "SwordfishOther", where: "general", replaces: "SwordfishNote" }]),
    callAnswer(
      ["toolbox", { tool: "recall", input: { query: "SwordfishNew" } }],
      ["recall", { query: "SwordfishUser" }],
    ),
    textAnswer("Done."),
  );
  await rig.send(session, "note it");
  return { rig, session, envelopes };
}

const countMarks = (text: string): number => marks.filter((mark) => text.includes(mark)).length;

test("a viewer gets neither what the session was given nor what it remembered and recalled", async () => {
  const { envelopes } = await makeRemembering();
  expect(countMarks(JSON.stringify(envelopes))).toBe(marks.length);
  const redactor = makeRedactor({ secrets: [], homes: [] });
  const share = makeShareRedactor({ redactor: () => redactor, protectedNames: () => [] }, true);
  const shared = envelopes.flatMap((envelope) => share.redact(envelope));
  expect(countMarks(JSON.stringify(shared))).toBe(0);
  expect(JSON.stringify(shared)).not.toContain("memoryLine");
  expect(shared.filter(isDurable)).toHaveLength(envelopes.filter(isDurable).length);
});

test.each(["md", "html"] as const)("an export as %s has nothing of it", async (format) => {
  const { rig, session } = await makeRemembering();
  const exported = exportSession(rig.harness.store, session.view, format, null);
  const text = exported?.text ?? "";
  expect(text).toContain("Done.");
  expect(countMarks(text)).toBe(0);
});

test.each([
  ["remember", { text: "x" }, true],
  ["functions.recall", {}, true],
  ["Toolbox", { name: "remember", arguments: "{}" }, true],
  ["toolbox", "remember(text)", true],
  ["toolsRemember", { text: "x" }, true],
  ["mcp_re-call", { query: "x" }, true],
  ["toolbox", { tool: "functions_remember", input: { text: "x" } }, true],
  ["toolbox", { tool: "github__list" }, false],
  ["bash", { command: "grep recall notes" }, false],
])("a call of %s with %j is one of the memory: %s", (name, input, isMemory) => {
  expect(isMemoryCall({ name, input })).toBe(isMemory);
});
