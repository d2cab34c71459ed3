// @vitest-environment happy-dom
import { act, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { EngineState, ModelPreview, SuggestedModel } from "@/lib/models/engine";
import type { ModelServerState } from "@/lib/models/models";
import { type ConnectedClient, connectClient, renderForUser } from "../../shell/frame/test-dom";
import { ModelsTab } from "./models-tab";

const suggestion: SuggestedModel = {
  name: "Large 300B",
  reference: "hf:u/Large-GGUF:Q4_K_M",
  bytes: 180e9,
  memoryBytes: 182e9,
  license: "MIT",
  activeParameters: 1e9,
  contextLength: 32_768,
  capabilities: ["tools"],
  fit: "too_large",
};
const engine: EngineState = {
  program: { path: "/usr/bin/llama-server", version: "42", isInstalled: false },
  models: [],
  suggestions: [suggestion],
  downloads: [],
  hub: "hub.example",
  memory: { ram: 16e9, graphics: 0, isShared: false },
  threads: 8,
  downloadRate: 0,
  run: { status: "stopped" },
};
const unreachable: ModelServerState = {
  status: "unreachable",
  host: "http://127.0.0.1:11434",
  models: [],
  loaded: [],
  canStart: false,
};

async function openTab(models: ModelServerState, preview: unknown = undefined) {
  const server: ConnectedClient = await connectClient((name) => {
    if (name === "engine.state") return { ok: true, value: engine };
    if (name === "engine.find") return { ok: true, value: { models: [] } };
    if (name === "config.read_models") return { ok: true, value: { path: "", text: "", problems: [] } };
    return name === "engine.preview" ? preview : undefined;
  });
  server.client.serverState.merge({ models });
  const user = await renderForUser(server.client, <ModelsTab />);
  await screen.findByText("Large 300B");
  return { server, user };
}

const titles = (): readonly (string | null)[] =>
  screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);

test("without Ollama the engine comes first, and nothing is shown of Ollama's models", async () => {
  const { server } = await openTab(unreachable);
  expect(titles().slice(0, 3)).toEqual(["Built-in engine", "Program and downloads of the engine", "Model server"]);
  expect(screen.queryByRole("region", { name: "Installed models" })).toBeNull();
  act(() => server.client.serverState.merge({ models: { ...unreachable, status: "ready" } }));
  expect(screen.getByRole("region", { name: "Installed models" })).toBeDefined();
  expect(titles()[0]).toBe("Built-in engine");
});

test("an installed Ollama comes first, also while it is stopped", async () => {
  await openTab({ ...unreachable, canStart: true });
  expect(titles().slice(0, 3)).toEqual(["Model server", "Installed models", "Built-in engine"]);
});

test("a model that does not fit is downloaded only after a question", async () => {
  const { server, user } = await openTab(unreachable);
  await user.click(screen.getByRole("button", { name: "Download Large 300B" }));
  const dialog = within(screen.getByRole("dialog"));
  expect(dialog.getByText(/^Needs 182\sGB of memory; this machine has 16\sGB\./)).toBeDefined();
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  expect(server.inputsOf("engine.download")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Download Large 300B" }));
  await user.click(screen.getByRole("button", { name: "Download anyway" }));
  await expect.poll(() => server.inputsOf("engine.download")).toEqual([{ model: suggestion.reference }]);
});

const typed = "hf:u/Typed-GGUF";
const preview: ModelPreview = { reference: typed, name: "Typed-Q4_K_M", bytes: 5e9, memoryBytes: 6.5e9, fit: "fits" };
const typeAndAdd = (user: Awaited<ReturnType<typeof openTab>>["user"]): Promise<void> =>
  user.type(screen.getByRole("textbox", { name: /^Hugging Face name, or path/ }), `${typed}{Enter}`);

test.each([
  ["fits", preview, /^5\sGB · needs 6\.5\sGB of memory · fits$/],
  ["is slow", { ...preview, fit: "slow" }, /^5\sGB · needs 6\.5\sGB of memory · slow, partly or wholly on the CPU$/],
  ["has no readable header", { ...preview, fit: undefined }, /^5\sGB · needs at least 6\.5\sGB of memory; /],
])("a typed model that %s shows its size and its need before its download", async (_, value, facts) => {
  const { server, user } = await openTab(unreachable, { ok: true, value });
  await typeAndAdd(user);
  expect(await screen.findByText(facts)).toBeDefined();
  expect(server.inputsOf("engine.preview")).toEqual([{ model: typed }]);
  expect(server.inputsOf("engine.download")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Download Typed-Q4_K_M" }));
  await expect.poll(() => server.inputsOf("engine.download")).toEqual([{ model: typed }]);
});

test("a typed model that does not fit is downloaded only after a question", async () => {
  const value = { ...preview, memoryBytes: 40e9, fit: "too_large" };
  const { server, user } = await openTab(unreachable, { ok: true, value });
  await typeAndAdd(user);
  await user.click(await screen.findByRole("button", { name: "Download Typed-Q4_K_M" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/^Needs 40\sGB of memory; this machine has 16\sGB\./)).toBeDefined();
  expect(server.inputsOf("engine.download")).toEqual([]);
  await user.click(dialog.getByRole("button", { name: "Download anyway" }));
  await expect.poll(() => server.inputsOf("engine.download")).toEqual([{ model: typed }]);
});

test("what was found for a typed name is closed, or goes when the name changes", async () => {
  const { user } = await openTab(unreachable, { ok: true, value: preview });
  await typeAndAdd(user);
  await user.click(await screen.findByRole("button", { name: "Cancel: Typed-Q4_K_M" }));
  expect(screen.queryByText("Typed-Q4_K_M")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Add" }));
  await screen.findByText("Typed-Q4_K_M");
  await user.type(screen.getByRole("textbox", { name: /^Hugging Face name, or path/ }), "x");
  expect(screen.queryByText("Typed-Q4_K_M")).toBeNull();
});

test("a suggestion that was tested here says how, and is not offered again", async () => {
  const { server } = await openTab(unreachable);
  const file = "/m/u--Large-GGUF/Large-Q4_K_M.gguf";
  const models = [{ name: "Large-Q4_K_M", file, isOwned: true }];
  const state = { ...engine, models, suggestions: [{ ...suggestion, verdict: "unusable" as const }] };
  act(() => server.push({ type: "engine", state }));
  const list = within(await screen.findByRole("list", { name: "Models to download" }));
  expect(await list.findByText("Not usable")).toBeDefined();
  expect(list.getByText("On this machine")).toBeDefined();
  expect(list.queryByRole("button")).toBeNull();
});

test("why a typed name is refused is beside its field until the name changes", async () => {
  const { user } = await openTab(unreachable, { ok: false, error: { code: "not_found" } });
  const field = screen.getByRole("textbox", { name: /^Hugging Face name, or path/ });
  await user.type(field, "hf:u/none{Enter}");
  const problem = await screen.findByRole("alert");
  expect(problem.textContent).toBe("hub.example has no public repository with this name.");
  expect(document.getElementById(field.getAttribute("aria-describedby") ?? "")?.contains(problem)).toBe(true);
  await user.type(field, "x");
  expect(screen.queryByRole("alert")).toBeNull();
});
