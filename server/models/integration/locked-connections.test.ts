/** Connections to model servers behind a proxy that asks for a user name and a password, or for a header. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Connection } from "@/lib/models/models";
import { basicValue, startLockedServer } from "@/server/providers/wire/test-locked-server";
import type { ConnectionInput } from "../connections/connection-config";
import { makeModelRig, type ModelRig } from "./test-model-rig";

const password = "Wolkenkratzer für 2";
const apiKey = "sk-rack-0123456789abcdefghij";
const script = { models: ["m1"], defaults: { text: "Hello." } } as const;
const steps = ["reach", "key", "model", "answer"].map((step) => ({ step, ok: true }));

function saved({ access }: ModelRig, input: Partial<ConnectionInput>): Connection {
  const answer = access.connections.save({
    name: "Rack",
    preset: "vllm",
    baseUrl: "",
    model: "m1",
    numCtx: 0,
    ...input,
  });
  if (!answer.ok) throw new Error(JSON.stringify(answer.error));
  return answer.value;
}

/** Contents of every file in the home but keys.json, and of everything pushed, logged and listed. */
function everywhere({ home, pushes, logged, access }: ModelRig): string {
  const files = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "keys.json")
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
  return JSON.stringify([files, pushes, logged, access.connections.list()]);
}

describe.each(["vllm", "ollama"])("a server of the preset %s", (preset) => {
  test("behind Basic authentication is usable after its address with user name and password was pasted", async () => {
    const rig = await makeModelRig(script);
    const locked = await startLockedServer(rig.model.url, "authorization", basicValue("me", password));
    const baseUrl = locked.url.replace("://", `://me:${encodeURIComponent(password)}@`);
    const connection = saved(rig, { preset, baseUrl });
    expect(connection).toMatchObject({ keyUse: { as: "password", name: "me" }, key: { from: "file" } });
    expect(connection.baseUrl.startsWith(locked.url)).toBe(true);
    expect(await rig.access.connections.models({ id: connection.id })).toMatchObject({ value: [{ name: "m1" }] });
    expect(await rig.access.connections.test({ id: connection.id })).toMatchObject({
      value: { steps: [...steps, { step: "tools" }] },
    });
    expect(locked.refused).toEqual([]);
    for (const form of [password, basicValue("me", password).slice("Basic ".length)])
      expect(everywhere(rig)).not.toContain(form);
  });

  test("names the missing user name, and works once it is given", async () => {
    const rig = await makeModelRig(script);
    const locked = await startLockedServer(rig.model.url, "authorization", basicValue("me", apiKey));
    const draft = { name: "Rack", preset, baseUrl: locked.url, model: "m1", numCtx: 0, key: apiKey };
    expect(await rig.access.connections.test({ draft })).toMatchObject({
      value: { steps: [{ step: "reach" }, { step: "key", error: { code: "key_refused", facts: { wants: "user" } } }] },
    });
    const keyUse = { as: "password", name: "me" } as const;
    expect(await rig.access.connections.test({ draft: { ...draft, keyUse } })).toMatchObject({
      value: { steps: [...steps, { step: "tools" }] },
    });
  });

  test("that requires a header gets the key in it, also when it is tried as another kind of server", async () => {
    const rig = await makeModelRig(script);
    const locked = await startLockedServer(rig.model.url, "x-api-key", apiKey);
    const keyUse = { as: "header", name: "X-Api-Key" } as const;
    const connection = saved(rig, { preset, baseUrl: locked.url, key: apiKey, keyUse });
    expect(await rig.access.connections.test({ id: connection.id })).toMatchObject({
      value: { steps: [...steps, { step: "tools" }], ...(preset === "vllm" && { ollama: locked.url }) },
    });
    expect(locked.refused).toEqual([]);
  });
});

test("the environment's own connection signs in with the user name and password of its address", async () => {
  const rig = await makeModelRig(script, {
    environment: ({ url }) => ({ OPENAI_BASE_URL: `${url.replace("://", "://me:secret-of-me@")}/v1` }),
  });
  await rig.access.connections.models({ id: "environment" });
  expect(rig.model.requests.at(-1)?.headers.authorization).toBe(basicValue("me", "secret-of-me"));
  expect(rig.access.connections.list()).toMatchObject([
    { baseUrl: `${rig.model.url}/v1`, key: { name: "OPENAI_BASE_URL" } },
  ]);
});
