// @vitest-environment happy-dom
import { cleanup, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { EngineModel, EngineState } from "@/lib/models/engine";
import { connectClient, renderForUser } from "../../../shell/frame/test-dom";
import { EngineSection } from "./engine-section";

const model: EngineModel = {
  name: "tiny",
  file: "/models/tiny.gguf",
  isOwned: true,
  info: { name: "tiny", size: 2_000_000_000, contextLength: 32_768, capabilities: ["tools"], cloud: false },
};
const state: EngineState = {
  program: { path: "/p/llama-server", version: "b1", isInstalled: true },
  models: [model],
  suggestions: [],
  downloads: [],
  hub: "hub.example",
  memory: { ram: 16e9, graphics: 0, isShared: false },
  threads: 8,
  downloadRate: 0,
  run: { status: "stopped" },
};

/** Renders the section of an engine in this state. */
async function renderSection(shown: EngineState, answer?: (name: string) => unknown) {
  const connected = await connectClient((name) => {
    if (name === "engine.state") return { ok: true, value: shown };
    return name === "engine.find" ? { ok: true, value: { models: [] } } : answer?.(name);
  });
  const user = await renderForUser(connected.client, <EngineSection />);
  const section = within(await screen.findByRole("region", { name: "Built-in engine" }));
  await section.findByText("Any other model");
  return { ...connected, user, section };
}

test.each([
  ["nothing", "There is no program at this path. Correct it in the settings below."],
  ["folder", "This path is a folder, not a program. Correct it in the settings below."],
  ["file", "This file can't be executed. Enter the path of llama-server in the settings below."],
] as const)("where the chosen program is %s, the section says so", async (place, sentence) => {
  const problem = { code: "engine_missing", facts: { program: "/p", place } } as const;
  const { section } = await renderSection({ ...state, program: null, problem });
  expect(section.getByText(sentence)).toBeDefined();
});

test("after a load that failed for lack of memory, the same window can be tried again", async () => {
  const run = { status: "failed", model: "tiny", window: 16_384, error: { code: "out_of_memory" } } as const;
  const { user, section, inputsOf } = await renderSection({ ...state, run });
  await user.click(section.getByRole("button", { name: "Load tiny" }));
  await expect.poll(() => inputsOf("engine.load")).toEqual([{ model: "tiny" }]);
  expect(inputsOf("models.choose")).toEqual([]);
  await user.click(section.getByRole("button", { name: "Use a window of 8k" }));
  await expect.poll(() => inputsOf("engine.load")).toEqual([{ model: "tiny" }, { model: "tiny" }]);
  expect(inputsOf("models.choose")).toEqual([{ model: "tiny", connection: "engine", numCtx: 8_192 }]);
});

const loaded: EngineState = { ...state, run: { status: "ready", model: "tiny", window: 16_384 } };
const endsAnswer = "tiny is in memory and will be unloaded. If it is answering, the answer ends there.";

test.each([
  ["a model that is in memory", loaded, 1],
  ["a model that is not in memory", state, 0],
])("the question before the deletion of %s says whether it ends an answer", async (_name, shown, count) => {
  const { user, section, inputsOf } = await renderSection(shown, () => ({ ok: true, value: { ...state, models: [] } }));
  await user.click(section.getByRole("button", { name: "Delete tiny" }));
  const dialog = within(screen.getByRole("dialog", { name: "Delete tiny?" }));
  expect(dialog.queryAllByText(endsAnswer)).toHaveLength(count);
  expect(inputsOf("engine.remove")).toEqual([]);
  await user.click(dialog.getByRole("button", { name: "Delete model" }));
  await expect.poll(() => inputsOf("engine.remove")).toEqual([{ model: "tiny" }]);
});

test("the file of another program is removed from the list without a question, except while it is in memory", async () => {
  const models = [{ ...model, isOwned: false }];
  const answer = () => ({ ok: true, value: { ...state, models } });
  const idle = await renderSection({ ...state, models }, answer);
  await idle.user.click(idle.section.getByRole("button", { name: "Remove tiny from the list" }));
  await expect.poll(() => idle.inputsOf("engine.remove")).toEqual([{ model: "tiny" }]);
  cleanup();
  const busy = await renderSection({ ...loaded, models }, answer);
  await busy.user.click(busy.section.getByRole("button", { name: "Remove tiny from the list" }));
  const dialog = within(screen.getByRole("dialog", { name: "Remove tiny from the list?" }));
  expect(dialog.getByText(endsAnswer)).toBeDefined();
  await busy.user.click(dialog.getByRole("button", { name: "Remove" }));
  await expect.poll(() => busy.inputsOf("engine.remove")).toEqual([{ model: "tiny" }]);
});

test("llama.cpp is deleted only after a question, which says whether it ends an answer", async () => {
  const { user, section, inputsOf } = await renderSection(loaded, () => ({ ok: true, value: state }));
  await user.click(section.getByRole("button", { name: "Delete llama.cpp" }));
  const dialog = within(screen.getByRole("dialog", { name: "Delete llama.cpp?" }));
  expect(dialog.getByText(endsAnswer)).toBeDefined();
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  expect(inputsOf("engine.uninstall")).toEqual([]);
  await user.click(section.getByRole("button", { name: "Delete llama.cpp" }));
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Delete llama.cpp" }));
  await expect.poll(() => inputsOf("engine.uninstall")).toEqual([{}]);
  expect(screen.queryByRole("dialog")).toBeNull();
});
