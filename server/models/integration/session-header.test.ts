/** The id of a session at model servers, by which a router keeps it on one host. */
import { expect, test } from "vitest";
import { sentSessionHeader } from "@/lib/models/connection-routing";
import type { Session } from "@/server/session/core/session-types";
import type { ConnectionInput } from "../connections/connection-config";
import { makeModelRig, type ModelRig } from "./test-model-rig";
import { answersOf, nextCommandId, openTinySession, sendPrompt } from "./test-tiny-session";

const script = { models: ["m1"], defaults: { text: "Hello." } } as const;
const signal = new AbortController().signal;

function saveConnection({ access, model }: ModelRig, input: Partial<ConnectionInput> = {}): string {
  const fields = { name: "Rack", preset: "custom", baseUrl: `${model.url}/v1`, model: "m1", numCtx: 0 };
  const saved = access.connections.save({ ...fields, ...input });
  if (!saved.ok) throw new Error(JSON.stringify(saved.error));
  return saved.value.id;
}

const headersOf = ({ model }: ModelRig, path: string, name = "x-session-id") =>
  model.requests.filter((request) => request.path === path).map(({ headers }) => headers[name]);

const ask = async (session: Session, text = "hi"): Promise<void> => void (await sendPrompt(session, text));

test.each([
  ["an OpenAI-compatible server", "/v1/chat/completions", true],
  ["Ollama", "/api/chat", false],
])("%s gets one id for all requests of a session, another for another, the same after a restart", async (...row) => {
  const [, path, isConnection] = row;
  const rig = await makeModelRig(script);
  await rig.access.ensureListed();
  const model = { name: "m1", ...(isConnection && { connection: saveConnection(rig) }) };
  const [first, second] = [await openTinySession(rig, model), await openTinySession(rig, model)];
  for (const session of [first, second, first]) await ask(session);
  const [one = "", two = "", again] = headersOf(rig, path);
  expect(one).toMatch(/^[0-9a-f]{32}$/);
  expect(again).toBe(one);
  expect(two).not.toBe(one);
  expect(JSON.stringify([...rig.model.requests])).not.toContain(first.view.sessionId);
  const { registry } = rig.restart();
  const opened = registry.get(first.view.sessionId);
  await ask(opened ?? expect.fail("the session is gone"));
  expect(headersOf(rig, path).at(-1)).toBe(one);
});

test.each([true, false])(
  "the host that a router names is stored with the answer; OpenAI-compatible: %s",
  async (is) => {
    const rig = await makeModelRig({ ...script, defaults: { text: "Hello.", headers: { "x-served-by": "gpu-1" } } });
    await rig.access.ensureListed();
    const session = await openTinySession(rig, { name: "m1", ...(is && { connection: saveConnection(rig) }) });
    await ask(session);
    expect(answersOf(session.view).at(-1)?.usage?.servedBy).toBe("gpu-1");
  },
);

test("a request for a summary has the id of its session", async () => {
  const rig = await makeModelRig(script);
  const session = await openTinySession(rig, { name: "m1", connection: saveConnection(rig) });
  for (let count = 0; count < 6; count += 1) await ask(session, "Some facts about the house. ".repeat(200));
  const compacting = session.compact(undefined, nextCommandId());
  if (!compacting.ok) throw new Error(compacting.error.code);
  await compacting.value.done;
  const ids = headersOf(rig, "/v1/chat/completions");
  expect(ids).toHaveLength(7);
  expect(new Set(ids).size).toBe(1);
});

test("a request that counts a prompt has the id of its session", async () => {
  const rig = await makeModelRig({ ...script, fixed: { "POST /tokenize": { body: { count: 7 } } } });
  const provider = saveConnection(rig, { preset: "vllm" });
  const session = await openTinySession(rig, { name: "m1", connection: provider });
  await ask(session);
  const request = { provider, model: "m1", messages: [], tools: [], numCtx: 4_096, think: false } as const;
  const whole = { ...request, keepAliveMinutes: 5, maxOutputTokens: 10 };
  const { countTokens } = rig.access.sessionModels;
  expect(await countTokens(whole, true, signal, session.view.sessionId)).toBe(7);
  expect(headersOf(rig, "/tokenize").at(-1)).toBe(headersOf(rig, "/v1/chat/completions")[0]);
});

test.each([
  ["", []],
  ["X-Dynamo-Session-Id", ["x-dynamo-session-id"]],
])("a connection with the header %j sends %j", async (sessionHeader, names) => {
  const rig = await makeModelRig(script);
  await ask(await openTinySession(rig, { name: "m1", connection: saveConnection(rig, { sessionHeader }) }));
  const [chat] = rig.model.requests.filter(({ path }) => path === "/v1/chat/completions");
  expect(Object.keys(chat?.headers ?? {}).filter((name) => name.endsWith("session-id"))).toEqual(names);
});

test("only servers on this machine or network get the id, unless the user says otherwise", () => {
  expect(sentSessionHeader({ local: true })).toBe("x-session-id");
  expect(sentSessionHeader({ local: false })).toBe("");
  expect(sentSessionHeader({ local: false, sessionHeader: "x-litellm-session-id" })).toBe("x-litellm-session-id");
});

test.each(["Host", "authorization", "a b", "x-key"])("the header %j is refused", async (sessionHeader) => {
  const rig = await makeModelRig(script);
  const keyUse = { as: "header", name: "X-Key" } as const;
  const fields = { name: "Rack", preset: "custom", baseUrl: `${rig.model.url}/v1`, model: "m1", numCtx: 0 };
  expect(rig.access.connections.save({ ...fields, keyUse, sessionHeader })).toMatchObject({
    ok: false,
    error: { code: "bad_input", facts: { field: "sessionHeader" } },
  });
});
