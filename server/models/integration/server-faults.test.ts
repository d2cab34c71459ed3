/** Faults of servers in an answer or about a tool, over scripted servers on both wires and a whole session. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Script, ScriptedTurn } from "@/e2e/fixtures/scripted-model.mjs";
import { asId, type CommandId } from "@/lib/events/id";
import { anyFacts } from "@/lib/events/error";
import { type MessageEntry, pathEntries } from "@/lib/view/view";
import { timeLimit } from "@/server/base/abort";
import type { Session } from "@/server/session/core/session-types";
import { makeModelRig, type ModelRig } from "./test-model-rig";

let counted = 0;
const command = (): CommandId => asId<CommandId>(`f${(counted += 1)}`);
const wires = ["ollama", "openai"] as const;
type Wire = (typeof wires)[number];

/** A session with a model of a scripted server; its window is 32,768 tokens unless given. */
async function sessionAt(wire: Wire, script: Script, numCtx = 32_768): Promise<{ rig: ModelRig; session: Session }> {
  const rig = await makeModelRig({
    models: ["m1"],
    context: 32_768,
    capabilities: ["completion", "tools", "thinking"],
    ...script,
  });
  await rig.access.models.refresh(timeLimit(5_000));
  const input = { name: "Cellar", preset: "llamacpp", baseUrl: `${rig.model.url}/v1`, model: "m1", numCtx: 0 };
  const saved = rig.access.connections.save(input);
  if (!saved.ok) throw new Error(saved.error.code);
  await rig.access.connections.ready(saved.value.id);
  const project = await rig.projects.open(rig.root);
  if (!project.ok) throw new Error(project.error.code);
  writeFileSync(join(rig.root, "a.txt"), "one\n");
  const { project: row, root } = project.value;
  const session = rig.registry.create({ projectId: row.id, cwd: root, mode: "full", commandId: command() });
  const connection = wire === "openai" ? saved.value.id : undefined;
  expect(session.changeModel({ name: "m1", connection, numCtx, think: true }, command()).ok).toBe(true);
  return { rig, session };
}

async function run(session: Session, text = "Look.") {
  const sent = session.send(text, "prompt", command());
  if (!sent.ok) throw new Error(sent.error.code);
  return sent.value.done;
}

interface ChatBody {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}
const chatBodies = ({ model }: ModelRig): readonly ChatBody[] =>
  model.requests
    .filter(({ path }) => /\/chat(?:\/completions)?$/.test(path))
    .map(({ raw }): ChatBody => JSON.parse(raw));
const answers = (session: Session): readonly MessageEntry[] =>
  pathEntries(session.view).flatMap((entry) => (entry.kind === "message" && entry.role === "assistant" ? [entry] : []));
const retries = (session: Session) =>
  pathEntries(session.view).flatMap((entry) => (entry.kind === "retry" ? [entry.error] : []));
const errors = (session: Session) =>
  pathEntries(session.view).flatMap((entry) => (entry.kind === "error" ? [entry.error.code] : []));

const call =
  "<tool_call>\n<function=read>\n<parameter=path>\na.txt\n</parameter>\n</parameter>\n</function>\n</tool_call>";
const failed = `Failed to parse input at pos 12: ${call}`;
const bodyOf = (message: string) => ({ code: 500, message, type: "server_error" });
/** The error as the servers of a wire send it: Ollama passes on the body of its own llama-server. */
const errorOf = (wire: Wire, message: string): unknown =>
  wire === "openai" ? bodyOf(message) : JSON.stringify({ error: bodyOf(message) });

describe.each(wires)("a server of the wire of %s", (wire) => {
  test.each<readonly [string, ScriptedTurn]>([
    ["by its status", { status: 500, error: errorOf(wire, failed) }],
    [
      "with its thinking",
      { status: 500, error: errorOf(wire, failed.replace("<tool_call>", "I look.\n</think>\n\n<tool_call>")) },
    ],
    ["in the stream", { text: "I look.", thinking: "Hm.", errorAfter: 2, error: errorOf(wire, failed) }],
  ])("that cannot parse a call and reports it %s: the call runs, repaired", async (_name, turn) => {
    const { rig, session } = await sessionAt(wire, { turns: [turn, { thinking: "Hm.", text: "One line." }] });
    expect(await run(session)).toBe("done");
    expect(answers(session)[0]?.calls).toMatchObject([{ name: "read", state: "ok", facts: { repaired: true } }]);
    expect(retries(session)).toEqual([]);
    expect(chatBodies(rig)).toHaveLength(2);
    expect(JSON.stringify([...rig.store.modelNotes.read()])).not.toContain("lateSplit");
  });

  test("that cannot parse two answers in a row gets no tools for the rest of the session", async () => {
    const fault = {
      status: 500,
      error: errorOf(wire, "The model produced output that does not match the expected peg-native format"),
    };
    const { rig, session } = await sessionAt(wire, {
      turns: [fault, fault, { text: 'Action: read\nAction Input: {"path": "a.txt"}' }, { text: "One line." }],
    });
    expect(await run(session)).toBe("done");
    expect(retries(session)).toMatchObject([
      { code: "unparsed_answer" },
      { code: "unparsed_answer", facts: { toolMode: "react" } },
    ]);
    expect(chatBodies(rig).map(({ tools }) => tools !== undefined)).toEqual([true, true, false, false]);
    expect(answers(session).flatMap(({ calls }) => calls)).toMatchObject([{ name: "read", state: "ok" }]);
    expect(rig.store.modelNotes.read().size === 0 || JSON.stringify([...rig.store.modelNotes.read()])).not.toContain(
      "toolMode",
    );
  });

  test("that refuses the schema of a tool gets the requests without it", async () => {
    const refusal = {
      status: 400,
      error: errorOf(wire, "Invalid schema for function 'bash': schema must have a 'type' key."),
    };
    const { rig, session } = await sessionAt(wire, { turns: [refusal, { text: "One." }, { text: "Two." }] });
    expect(await run(session)).toBe("done");
    await run(session, "Again.");
    expect(retries(session)).toMatchObject([{ code: "tool_refused", facts: { tools: "bash" } }]);
    const names = chatBodies(rig).map(({ tools = [] }) => tools.map((tool) => tool.function.name));
    expect(names.map((list) => list.includes("bash"))).toEqual([true, false, false]);
  });

  test("that sends the rest of thinking as text: it is thinking, and is learned for the model", async () => {
    const turn = { thinking: "Look ", pieces: ["there.", "</think>", "\n\nFour."] };
    const { rig, session } = await sessionAt(wire, { turns: [turn, turn] });
    for (const text of ["One.", "Two."]) {
      await run(session, text);
      expect(
        answers(session)
          .at(-1)
          ?.blocks.map((block) => ("text" in block ? [block.type, block.text.trim()] : [])),
      ).toContainEqual(["text", "Four."]);
      expect(JSON.stringify(answers(session).at(-1)?.blocks)).not.toContain("</think>");
    }
    expect(answers(session)[1]?.blocks).toMatchObject([{ type: "thinking", text: "Look there." }, { type: "text" }]);
    expect(JSON.stringify([...rig.store.modelNotes.read()])).toContain('"lateSplit":"rest"');
  });

  test.each([4_096, 8_192])(
    "whose model only thinks is asked once more, in a window of %i tokens too",
    async (numCtx) => {
      const inside = { text: "", thinking: `I need it.${call}` };
      const { rig, session } = await sessionAt(wire, { turns: [inside, { text: "Four." }, inside, inside] }, numCtx);
      expect(await run(session)).toBe("done");
      expect(retries(session)).toMatchObject([{ code: "empty_answer" }]);
      expect(JSON.stringify(chatBodies(rig)[1]?.messages.at(-1)?.content)).toContain("inside your thoughts");
      expect(await run(session, "And?")).toBe("error");
      expect(errors(session)).toEqual(["empty_answer"]);
      expect(answers(session).flatMap(({ calls }) => calls)).toEqual([]);
    },
  );

  test.each([4_096, 8_192])("whose model thinks without end answers in a window of %i tokens too", async (numCtx) => {
    const endless = { text: "", thinking: Array.from({ length: 6_000 }, (_, at) => `idea ${at * 7}`).join(", ") };
    const { session } = await sessionAt(wire, { turns: [endless, { text: "Four." }] }, numCtx);
    expect(await run(session)).toBe("done");
    expect(retries(session)).toMatchObject([{ code: "think_limit" }]);
    const limit = Number(anyFacts(retries(session)[0]).limit);
    expect(limit).toBeLessThan(numCtx / 2);
    expect(answers(session).at(-1)?.blocks).toMatchObject([{ type: "text", text: "Four." }]);
  });
});

test("an error after the reason of the end keeps the answer", async () => {
  const chunk = (delta: object, finish: string | null) => ({ choices: [{ index: 0, delta, finish_reason: finish }] });
  const events = [chunk({ content: "Four." }, null), chunk({}, "stop"), { error: bodyOf("slot is gone") }];
  const raw = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  const { session } = await sessionAt("openai", { turns: [{ raw, type: "text/event-stream" }] });
  expect(await run(session)).toBe("done");
  expect(answers(session)).toMatchObject([{ stop: "done", blocks: [{ type: "text", text: "Four." }] }]);
});
