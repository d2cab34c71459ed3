/** A llama-server with many models, scripted as llama.cpp documents its wire, as a connection of a rig. */
import type { ServerResponse } from "node:http";
import { expect } from "vitest";
import type { ModelInfo, PullState } from "@/lib/models/models";
import { makeModelRig } from "./test-model-rig";
import { startWireServer } from "./test-wire-server";

type RouterState = "unloaded" | "loading" | "loaded" | "sleeping" | "downloading" | "failed";

const windows: Readonly<Record<string, number>> = { big: 8_192, small: 6_144, tiny: 4_096, asleep: 4_096 };
/** A template that keeps reasoning, has no place for tools, and a model that sees. */
const tinyTemplate = {
  chat_template: "{% if preserve_thinking %}{{ message.reasoning_content }}{% endif %}",
  chat_template_caps: { supports_tools: false, supports_tool_calls: false, supports_system_role: true },
  modalities: { vision: true, audio: false },
};

const entryOf = ([id, value]: readonly [string, RouterState]) => ({
  id,
  status: {
    value: value === "failed" ? "unloaded" : value,
    args: ["llama-server", "--ctx-size", "16384"],
    ...(value === "failed" ? { failed: true, exit_code: 137 } : {}),
    ...(value === "downloading"
      ? { progress: { "https://hub/a.gguf": { done: 30, total: 100 }, "https://hub/b.gguf": { done: 20, total: 100 } } }
      : {}),
  },
  architecture: {
    input_modalities: id === "tiny" ? ["text", "image"] : ["text"],
    output_modalities: id === "judge" ? ["decisions"] : ["text"],
  },
  can_remove: id.includes("/"),
  context_length: 131_072,
});

const propertiesOf = (model: string | null) =>
  model === null
    ? { role: "router", default_generation_settings: { n_ctx: 0 } }
    : {
        total_slots: 2,
        endpoint_slots: true,
        default_generation_settings: { n_ctx: windows[model] ?? 0 },
        ...(model === "tiny" ? tinyTemplate : {}),
      };

const wrongModel = { error: { code: 400, message: "model 'none' not found", type: "invalid_request_error" } };

/**
 * `states` of its models at the start, which a test may change. One that loads is loaded when the list was requested twice,
 * unless it is `heavy`; `slow` keeps loading.
 */
export async function startRouter(states: Record<string, RouterState>) {
  const requests: string[] = [];
  const prompts: unknown[] = [];
  const listeners: ServerResponse[] = [];
  /** Their processes end after the answer to the unload. */
  const ending = new Set<string>();
  let downloads: Promise<unknown> = Promise.resolve();
  let reading = 0;
  let atOnce = 0;
  const answers: Readonly<Record<string, (model: string) => object>> = {
    "GET /v1/models": () => {
      const data = Object.entries(states).map(entryOf);
      for (const id of ending) states[id] = "unloaded";
      ending.clear();
      for (const [id, state] of Object.entries(states))
        if (state === "loading" && id !== "slow") states[id] = id === "heavy" ? "failed" : "loaded";
      return { data };
    },
    "GET /slots": () => [
      { id: 0, is_processing: true },
      { id: 1, is_processing: false },
    ],
    "GET /tools": () => [{ tool: "read_file" }, { tool: "exec_shell_command", permissions: { write: true } }],
    "POST /models": (model) => {
      states[model] = "downloading";
      return { success: true };
    },
    "DELETE /models": (model) => {
      delete states[model];
      return { success: true };
    },
    "POST /models/load": (model) => {
      if (!(model in states)) return wrongModel;
      states[model] = "loading";
      return { success: true };
    },
    "POST /models/unload": (model) => {
      if (!(model in states)) return wrongModel;
      if (states[model] === "downloading") delete states[model];
      else ending.add(model);
      return { success: true };
    },
  };
  const baseUrl = await startWireServer(async (request, body, response) => {
    const path = request.url ?? "";
    requests.push(`${request.method} ${path}`);
    const url = new URL(path, "http://server");
    if (path === "/v1/chat/completions") {
      prompts.push(JSON.parse(body));
      response.writeHead(200, { "content-type": "text/event-stream" });
      const event = { choices: [{ index: 0, delta: { content: "Hello." }, finish_reason: "stop" }] };
      return void response.end(`data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`);
    }
    if (path === "/models/sse") {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      return void listeners.push(response);
    }
    if (url.pathname === "/props") {
      reading += 1;
      atOnce = Math.max(atOnce, reading);
      await new Promise((resolve) => setImmediate(resolve));
      reading -= 1;
    }
    if (request.method === "POST" && path === "/models") await downloads;
    const model = body === "" ? url.searchParams.get("model") : String(JSON.parse(body).model);
    const answer =
      url.pathname === "/props" ? propertiesOf(model) : answers[`${request.method} ${url.pathname}`]?.(model ?? "");
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? { error: { message: "not found" } }));
  });
  const rig = await makeModelRig();
  const saved = rig.access.connections.save({ name: "Own", preset: "llamacpp", baseUrl, model: "", numCtx: 0 });
  if (!saved.ok) throw new Error(saved.error.code);
  const { id } = saved.value;
  await rig.access.connections.ready(id);
  const live = rig.access.connections.live().get(id) ?? expect.fail();
  const page = async (): Promise<readonly ModelInfo[]> => {
    const list = await rig.access.connections.models({ id });
    return list.ok ? list.value : expect.fail(list.error.code);
  };
  return {
    rig,
    id,
    live,
    states,
    requests,
    prompts,
    /** The list as the page gets it. */
    page,
    find: (name: string): ModelInfo | undefined => live.lastList()?.find((model) => model.name === name),
    /** States of downloads, as they were pushed. */
    pulls: (): readonly PullState[] => rig.pushes.flatMap((push) => (push.type === "pull" ? [push.pull] : [])),
    /** Sends an event to those that listen. */
    tell(event: object): void {
      for (const listener of listeners) listener.write(`data: ${JSON.stringify(event)}\n\n`);
    },
    /** A download begins when the returned function has been called: the server checks the name first. */
    holdDownloads(): () => void {
      let release = (): void => {};
      downloads = new Promise<void>((resolve) => {
        release = resolve;
      });
      return release;
    },
    isFollowed: (): boolean => listeners.some((listener) => !listener.closed),
    propsAtOnce: () => atOnce,
  };
}
