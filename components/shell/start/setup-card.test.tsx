// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { EngineState, SuggestedModel } from "@/lib/models/engine";
import type { ModelInfo, ModelServerState } from "@/lib/models/models";
import { connectClient, renderForUser } from "../frame/test-dom";
import { SetupCard } from "./setup-card";

const suggestion = (name: string, bytes: number): SuggestedModel => ({
  name,
  reference: `hf:u/${name}:Q4_K_M`,
  bytes,
  memoryBytes: 2 * bytes,
  license: "MIT",
  activeParameters: bytes,
  contextLength: 32_768,
  capabilities: ["tools"],
  fit: "fits",
});
const engine: EngineState = {
  program: { path: "/llama-server", version: "b1", isInstalled: true },
  models: [],
  suggestions: [suggestion("large", 12e9), suggestion("middle", 6e9), suggestion("small", 3e9)],
  downloads: [],
  hub: "hub.example",
  memory: { ram: 32e9, graphics: 0, isShared: false },
  threads: 8,
  downloadRate: 0,
  run: { status: "stopped" },
};
const server: ModelServerState = {
  status: "unreachable",
  host: "http://127.0.0.1:11434",
  models: [],
  loaded: [],
  canStart: false,
};
const found: ModelServerState = { ...server, host: "http://127.0.0.1:8080", openAi: "http://127.0.0.1:8080/v1" };
const model = (name: string, more: Partial<ModelInfo> = {}): ModelInfo => ({
  name,
  capabilities: [],
  cloud: false,
  ...more,
});

async function showCard(state: ModelServerState, models: readonly ModelInfo[] = []) {
  const rig = await connectClient((name) => {
    if (name === "engine.state" || name === "engine.download") return { ok: true, value: engine };
    if (name === "engine.find") return { ok: true, value: { models: [] } };
    if (name === "connections.models") return { ok: true, value: { models } };
    if (name === "connections.save") return { ok: true, value: { id: "found" } };
    return name === "settings.write" ? { ok: true, value: null } : undefined;
  });
  const user = await renderForUser(rig.client, <SetupCard server={state} />);
  const card = await screen.findByRole("region", { name: "Set up a model" });
  await within(card).findByRole("radio", { name: /^Start quickly/ });
  return { ...rig, user, card: within(card) };
}

const filledButtons = (): readonly (string | null)[] =>
  [...document.querySelectorAll('button[data-look="primary"]')].map(({ textContent }) => textContent);

test.each([
  ["no server", server, ["Download and run"]],
  ["an installed Ollama", { ...server, canStart: true }, ["Start Ollama"]],
  ["a server of another kind", found, ["Use it"]],
])("with %s the card has one filled button", async (_name, state, names) => {
  await showCard(state);
  expect(filledButtons()).toEqual(names);
});

test("the smallest model is chosen at first, and the best one is a click away, each with size, time and speed", async () => {
  const { card, user, inputsOf } = await showCard(server);
  const quick = card.getByRole("radio", {
    name: /^Start quickly.*small.*3\sGB · about 16 min at 25\sMbit\/s.*about 20\s/,
  });
  expect(quick).toHaveProperty("checked", true);
  await user.click(
    card.getByRole("radio", { name: /^Best that fits.*large.*12\sGB · about 1 h 4 min at 25\sMbit\/s/ }),
  );
  await user.click(card.getByRole("button", { name: "Download and run" }));
  await expect.poll(() => inputsOf("engine.download")).toEqual([{ model: "hf:u/large:Q4_K_M" }]);
});

test.each([
  ["the only one of the server", [model("a")], "a"],
  ["the only one that can chat", [model("nomic-embed-text"), model("a")], "a"],
  ["the only one in memory", [model("a"), model("b", { load: { state: "loaded" } })], "b"],
  ["none of several", [model("a"), model("b")], ""],
])("a found server is used with one click, with its model: %s", async (_name, models, chosen) => {
  const { card, user, inputsOf } = await showCard(found, models);
  expect(card.getByText("Found a server at 127.0.0.1:8080 (OpenAI API)")).toBeDefined();
  expect(card.queryByText(/^No model server/)).toBeNull();
  await user.click(card.getByRole("button", { name: "Use it" }));
  await expect.poll(() => inputsOf("settings.write")).toEqual([{ patch: { connection: "found" } }]);
  expect(inputsOf("connections.save")).toMatchObject([
    { name: "127.0.0.1:8080", preset: "custom", baseUrl: "http://127.0.0.1:8080/v1", model: chosen },
  ]);
});

test("another address is asked for in the row, and is refused if it is none", async () => {
  const { card, user, inputsOf } = await showCard(server);
  await user.click(card.getByRole("button", { name: "Use another address" }));
  const field = card.getByRole("textbox", { name: "Model server address" });
  await user.clear(field);
  await user.type(field, "not a url{Enter}");
  expect(card.getByRole("alert").textContent).toMatch(/^This is not an address: not a url\./);
  await user.clear(field);
  await user.type(field, "127.0.0.1:8080{Enter}");
  await expect.poll(() => inputsOf("settings.write")).toEqual([{ patch: { ollamaHost: "127.0.0.1:8080" } }]);
  await expect.poll(() => card.queryByRole("textbox")).toBeNull();
});
