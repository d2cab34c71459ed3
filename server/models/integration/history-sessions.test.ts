/**
 * Parts of earlier answers in the requests of a session, over scripted servers on both wires: reasoning, ids of calls, and the
 * start of the prompt.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Script, ScriptedTurn } from "@/e2e/fixtures/scripted-model.mjs";
import { asId, type CommandId } from "@/lib/events/id";
import { pathEntries } from "@/lib/view/view";
import { timeLimit } from "@/server/base/abort";
import type { Session } from "@/server/session/core/session-types";
import { makeModelRig, type ModelRig } from "./test-model-rig";

let counted = 0;
const command = (): CommandId => asId<CommandId>(`h${(counted += 1)}`);

interface WireMessage {
  readonly role: string;
  readonly content: unknown;
  readonly reasoning_content?: string;
  readonly reasoning?: string;
  readonly thinking?: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string }[];
}
interface WireBody {
  readonly messages: readonly WireMessage[];
  readonly chat_template_kwargs?: object;
}

/** Bodies of the chats of both wires that the server answered, or all; the connection test and lists are no chats. */
function chatBodies({ model }: ModelRig, answeredOnly = false): readonly WireBody[] {
  return model.requests
    .filter(({ path, events }) => /\/chat(?:\/completions)?$/.test(path) && (!answeredOnly || events > 0))
    .map(({ raw }): WireBody => JSON.parse(raw));
}
const answersOf = ({ messages }: WireBody): readonly WireMessage[] =>
  messages.filter(({ role }) => role === "assistant");
const idsOf = (body: WireBody): readonly string[] =>
  answersOf(body).flatMap(({ tool_calls = [] }) => tool_calls.map(({ id }) => id));
const resultIdsOf = ({ messages }: WireBody): readonly string[] =>
  messages.flatMap(({ tool_call_id }) => (tool_call_id === undefined ? [] : [tool_call_id]));

async function rigWith(script: Script): Promise<ModelRig> {
  const rig = await makeModelRig({ models: ["m1", "m2"], context: 32_768, ...script });
  await rig.access.models.refresh(timeLimit(5_000));
  return rig;
}

/** A connection to the OpenAI wire of the scripted server. */
async function connect({ access, model }: ModelRig, name = "Cellar"): Promise<string> {
  const input = { name, preset: "llamacpp", baseUrl: `${model.url}/v1`, model: "m1", numCtx: 0 };
  const saved = access.connections.save(input);
  if (!saved.ok) throw new Error(saved.error.code);
  await access.connections.ready(saved.value.id);
  return saved.value.id;
}

/** A session with the model `m1` of a connection, or of Ollama. */
async function sessionIn(rig: ModelRig, connection?: string): Promise<Session> {
  const project = await rig.projects.open(rig.root);
  if (!project.ok) throw new Error(project.error.code);
  writeFileSync(join(rig.root, "a.txt"), "one\n");
  const { project: row, root } = project.value;
  const session = rig.registry.create({ projectId: row.id, cwd: root, mode: "full", commandId: command() });
  expect(session.changeModel({ name: "m1", connection, numCtx: 32_768 }, command()).ok).toBe(true);
  return session;
}

async function run(session: Session, text = "Look.") {
  const sent = session.send(text, "prompt", command());
  if (!sent.ok) throw new Error(sent.error.code);
  return sent.value.done;
}

const call = (id?: string, name = "ls"): NonNullable<ScriptedTurn["toolCalls"]>[number] => ({
  ...(id === undefined ? {} : { id }),
  name,
  arguments: { path: name === "ls" ? "." : "a.txt" },
});

describe("reasoning", () => {
  test.each(["reasoning_content", "reasoning", "thinking"] as const)(
    "goes back byte for byte in the field it came in: %s",
    async (field) => {
      const thinking = " Look first.\n\n  Then 你好 🙂 \n";
      const turns: readonly ScriptedTurn[] = [
        { text: "", thinking, toolCalls: [call()] },
        { text: "One file.", thinking: "Count." },
      ];
      const rig = await rigWith({ defaults: { thinkingField: field }, turns });
      const session = await sessionIn(rig, await connect(rig));
      await run(session);
      await run(session, "Thanks.");
      const [, second, third] = chatBodies(rig);
      expect(second && answersOf(second).map((one) => one[field])).toEqual([thinking]);
      expect(third && answersOf(third).map((one) => one[field])).toEqual([thinking, "Count."]);
    },
  );

  test.each(["ollama", "openai"])(
    "keeps the whole prompt and each answer as a prefix over twelve turns: %s",
    async (wire) => {
      const turns = Array.from({ length: 12 }, (_, index): ScriptedTurn => {
        const sentences = Array.from(
          { length: 20 },
          (_each, line) => `Result ${index}.${line} shows part ${index * line}.`,
        );
        const thinking = `Step ${index}:\n${sentences.join("\n")}\n`;
        const read = { name: "read", arguments: { path: `part-${index}.txt` } };
        // Fewer tokens than pieces: a count far above them would mean a call that the server lost.
        const last = { eval_count: 40 };
        return index % 4 === 3
          ? { text: `Part ${index} is done.`, thinking, last }
          : { text: "", thinking, toolCalls: [read], last };
      });
      const rig = await rigWith({ turns });
      const session = await sessionIn(rig, wire === "openai" ? await connect(rig) : undefined);
      for (const index of turns.keys()) writeFileSync(join(rig.root, `part-${index}.txt`), `part ${index}\n`);
      for (const text of ["One.", "Two.", "Three."]) expect(await run(session, text)).toBe("done");
      const bodies = chatBodies(rig);
      expect(bodies).toHaveLength(12);
      for (const [index, { messages }] of bodies.entries()) {
        const next = bodies[index + 1];
        if (next === undefined) break;
        expect(next.messages.slice(0, messages.length)).toEqual(messages);
        const answer = next.messages[messages.length];
        expect(answer?.role).toBe("assistant");
        expect(answer?.reasoning_content ?? answer?.thinking).toBe(turns[index]?.thinking);
      }
    },
  );

  test("is kept by the template where that can do so, chosen once for a session", async () => {
    const list = { data: [{ id: "m1", meta: { n_params: 1_000_000_000, n_ctx: 32_768 } }] };
    const props = {
      total_slots: 1,
      chat_template: "{% if preserve_thinking %}{{ message.reasoning_content }}{% endif %}",
    };
    const rig = await rigWith({ fixed: { "GET /v1/models": { body: list }, "GET /props": { body: props } } });
    const session = await sessionIn(rig, await connect(rig));
    await run(session);
    expect(session.view.model).toMatchObject({ reasoning: "preserve" });
    expect(chatBodies(rig)[0]?.chat_template_kwargs).toMatchObject({ preserve_thinking: true });
  });

  test("of another server is not sent, and returns with its own", async () => {
    const turns: readonly ScriptedTurn[] = [
      { text: "One.", thinking: "At the connection." },
      { text: "Two.", thinking: "At Ollama." },
      { text: "Three." },
    ];
    const rig = await rigWith({ turns });
    const connection = await connect(rig);
    const session = await sessionIn(rig, connection);
    await run(session);
    session.changeModel({ name: "m1", connection: "ollama" }, command());
    await run(session, "Go on.");
    session.changeModel({ name: "m1", connection }, command());
    await run(session, "Go on.");
    const [, atOllama, back] = chatBodies(rig);
    expect(atOllama && answersOf(atOllama)).toEqual([{ role: "assistant", content: "One." }]);
    expect(back && answersOf(back)).toEqual([
      { role: "assistant", content: "One.", reasoning_content: "At the connection." },
      { role: "assistant", content: "Two." },
    ]);
  });
});

describe("a refusal of repeated content is learned once, and noted at the model", () => {
  const thoughtful: readonly ScriptedTurn[] = [
    { text: "", thinking: "Hm.", toolCalls: [call("call_A")] },
    { text: "", toolCalls: [call("call_B")] },
    { text: "One file." },
  ];

  test.each<readonly [string, NonNullable<Script["history"]>, object]>([
    ["reasoning that is missing", { requires: "reasoning_content" }, { reasoning: "require" }],
    ["reasoning that is there", { refuses: "reasoning_content" }, { reasoning: "drop" }],
    ["ids that are not nine characters", { nineIds: true }, { callIds: "nine" }],
  ])("%s", async (_name, history, use) => {
    const rig = await rigWith({ turns: [...thoughtful, ...thoughtful], history });
    const connection = await connect(rig);
    const session = await sessionIn(rig, connection);
    expect(await run(session)).toBe("done");
    expect(pathEntries(session.view).filter(({ kind }) => kind === "retry")).toHaveLength(1);
    expect(session.view.model).toMatchObject(use);
    expect(rig.store.modelNotes.read().get(`${connection}:m1`)?.note.history).toEqual(use);
    expect(chatBodies(rig)).toHaveLength(4);
    // The next session of the model is right from its first request on.
    const next = await sessionIn(rig, connection);
    expect(await run(next)).toBe("done");
    expect(chatBodies(rig)).toHaveLength(7);
    expect(chatBodies(rig, true)).toHaveLength(6);
  });

  test("a server that refuses it in either form ends the run", async () => {
    const turns = [{ text: "", thinking: "Hm.", toolCalls: [call()] }];
    const rig = await rigWith({ turns, history: { requires: "reasoning_content", refuses: "reasoning_content" } });
    const session = await sessionIn(rig, await connect(rig));
    expect(await run(session)).toBe("error");
    expect(chatBodies(rig)).toHaveLength(3);
  });
});

describe("ids of calls", () => {
  test("go back unchanged with their results, also after another server answered in between", async () => {
    const turns: readonly ScriptedTurn[] = [
      { text: "", toolCalls: [call("functions.ls:0"), call("functions.read:1", "read")] },
      { text: "One." },
      { text: "", toolCalls: [call("call_x9")] },
      { text: "Two." },
      { text: "Three." },
    ];
    const rig = await rigWith({ turns });
    const connection = await connect(rig);
    const session = await sessionIn(rig, connection);
    await run(session);
    session.changeModel({ name: "m1", connection: "ollama" }, command());
    await run(session, "Again.");
    session.changeModel({ name: "m2", connection }, command());
    await run(session, "Again.");
    const [, second, atOllama, , back] = chatBodies(rig);
    for (const body of [second, atOllama, back]) expect(body && resultIdsOf(body)).toEqual(body && idsOf(body));
    expect(second && idsOf(second)).toEqual(["functions.ls:0", "functions.read:1"]);
    expect(atOllama && idsOf(atOllama)).toEqual([
      expect.stringMatching(/^c\w{24}$/),
      expect.stringMatching(/^c\w{24}$/),
    ]);
    expect(back && idsOf(back)).toEqual(["functions.ls:0", "functions.read:1", expect.stringMatching(/^c\w{24}$/)]);
  });

  test("are those that Kimi is trained with, where it wrote its calls as text", async () => {
    const text = '<tool_call>{"name": "ls", "arguments": {"path": "."}}</tool_call>';
    const rig = await rigWith({ models: ["m1", "kimi-k2"], turns: [{ text }, { text }, { text: "Done." }] });
    const connection = await connect(rig);
    const session = await sessionIn(rig, connection);
    session.changeModel({ name: "kimi-k2", connection }, command());
    await run(session);
    const last = chatBodies(rig).at(-1);
    expect(last && idsOf(last)).toEqual(["functions.ls:0", "functions.ls:1"]);
  });
});
