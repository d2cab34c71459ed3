import { describe, expect, it } from "vitest";
import type { ModelInfo, ModelNote } from "@/lib/models/models";
import type { Settings } from "@/lib/settings/settings";
import type { ModelState } from "@/lib/view/view";
import { asId, type BlobId, type ProjectId } from "@/lib/events/id";
import {
  withToolMode,
  type ModelServerFacts,
  resolveModelChoice,
  resolveProfile,
  resolveToolMode,
  type PromptComposer,
} from "./model-choice";
import { composeStoredPrompt } from "@/server/agent/context/stored-prompt";
import { builtInSource } from "@/server/tools/core/built-in-source";
import { planWindow } from "../notes/window-plan";

const composePrompt: PromptComposer = ({ profile, toolMode }) =>
  composeStoredPrompt(profile, toolMode, [builtInSource]);

const model = (more: Partial<ModelInfo> = {}): ModelInfo => ({
  name: "qwen3:8b",
  digest: "d1",
  size: 5e9,
  parameters: "8.2B",
  contextLength: 40_960,
  capabilities: ["completion", "tools", "thinking"],
  cloud: false,
  ...more,
});
const server = (...models: readonly ModelInfo[]): ModelServerFacts => ({
  provider: "ollama",
  models,
  model: "",
  plan: (one) => planWindow({ model: one, wanted: one.note?.numCtx }),
});

const defaults = { think: true, toolCalling: "auto" } as const;

describe("the tool mode", () => {
  it.each<[string, ModelNote["toolMode"], readonly string[], string]>([
    ["tools are listed", undefined, ["completion", "tools"], "native"],
    ["tools are not listed", undefined, ["completion"], "react"],
    ["no capabilities are listed", undefined, [], "native"],
    ["its server refused", { mode: "react", by: "server" }, ["completion", "tools"], "react"],
    ["its server accepted unlisted tools", { mode: "native", by: "server" }, ["completion"], "native"],
    ["the user chose", { mode: "xml", by: "user" }, ["completion", "tools"], "xml"],
    ["the user insists", { mode: "native", by: "user" }, ["completion"], "native"],
  ])("where %s", (_name, toolMode, capabilities, mode) => {
    expect(resolveToolMode({ capabilities, ...(toolMode === undefined ? {} : { note: { toolMode } }) })).toBe(mode);
  });
});

describe("the tool mode with the setting", () => {
  it.each<[string, Settings["toolCalling"], ModelNote["toolMode"], string]>([
    ["the setting", "react", undefined, "react"],
    ["the setting, although the server refused native tools", "native", { mode: "react", by: "server" }, "native"],
    ["the user's choice for this model", "xml", { mode: "native", by: "user" }, "native"],
    ["what the server did, with auto", "auto", { mode: "react", by: "server" }, "react"],
  ])("%s decides", (_name, toolCalling, toolMode, mode) => {
    const facts = server(model(toolMode === undefined ? {} : { note: { toolMode } }));
    expect(resolveModelChoice(facts, { name: "" }, { think: true, toolCalling }, composePrompt)?.change.toolMode).toBe(
      mode,
    );
  });
});

describe("the prompt profile", () => {
  it.each<[string, Partial<ModelInfo>, number, string]>([
    ["a window of 4k", {}, 4_096, "small"],
    ["a large model in a window of 4k", { parameters: "70B" }, 4_096, "small"],
    ["a model of 8B", {}, 65_536, "default"],
    ["a model of 30.5B in 32k", { parameters: "30.5B" }, 32_768, "full"],
    ["a model of 30.5B in 16k", { parameters: "30.5B" }, 16_384, "default"],
    ["experts that make 47B together", { parameters: "8x7B" }, 32_768, "full"],
    ["a small one with a count in millions", { parameters: "270M", size: 20e9 }, 32_768, "default"],
    ["one of 18 GB without a parameter count", { parameters: "", size: 18e9 }, 32_768, "full"],
    ["one without facts", { parameters: "", size: 0 }, 32_768, "default"],
    ["one the user chose it for", { note: { profile: "small" } }, 65_536, "small"],
  ])("%s", (_name, more, numCtx, profile) => {
    expect(resolveProfile(model(more), numCtx)).toBe(profile);
  });
});

describe("the stored model of a session", () => {
  it("has the model with its window, mode, thinking and prompt", () => {
    const choice = resolveModelChoice(server(model()), { name: "" }, defaults, composePrompt);
    expect(choice?.change).toEqual({
      provider: "ollama",
      model: "qwen3:8b",
      digest: "d1",
      toolMode: "native",
      numCtx: 16_384,
      think: true,
      profile: "default",
    });
    expect(choice?.prompt.tools.map(({ name }) => name)).toContain("edit");
  });

  it("follows the note", () => {
    const note: ModelNote = { numCtx: 4_096, toolMode: { mode: "xml", by: "user" } };
    const choice = resolveModelChoice(
      server(model({ note })),
      { name: "qwen3:8b", think: false },
      defaults,
      composePrompt,
    );
    expect(choice?.change).toMatchObject({ toolMode: "xml", numCtx: 4_096, think: false, profile: "small" });
    expect(choice?.prompt.system).toContain("edit");
  });

  it("is null if the named model is missing, or none is installed", () => {
    expect(resolveModelChoice(server(model()), { name: "mistral" }, defaults, composePrompt)).toBeNull();
    expect(resolveModelChoice(server(), { name: "" }, defaults, composePrompt)).toBeNull();
    expect(
      resolveModelChoice({ ...server(model()), model: "mistral" }, { name: "" }, defaults, composePrompt)?.change.model,
    ).toBe("qwen3:8b");
  });

  it("requests levels from gpt-oss, and thinking from other models only if they can", () => {
    const thinkOf = (more: Partial<ModelInfo>, think: boolean) =>
      resolveModelChoice(server(model(more)), { name: "" }, { think, toolCalling: "auto" }, composePrompt)?.change
        .think;
    expect(thinkOf({ family: "gptoss" }, true)).toBe("medium");
    expect(thinkOf({ family: "gptoss" }, false)).toBe("low");
    expect(thinkOf({ capabilities: ["completion"] }, true)).toBe(false);
  });

  it.each([
    ["qwen3", "high", "high"],
    ["qwen3", "max", "max"],
    ["qwen3", false, false],
    ["gptoss", "low", "low"],
    ["gptoss", "high", "high"],
    ["gptoss", "max", "high"],
    ["gptoss", false, "low"],
  ] as const)("takes the level that was chosen, as far as %s has it: %s", (family, think, expected) => {
    expect(
      resolveModelChoice(server(model({ family })), { name: "qwen3:8b", think }, defaults, composePrompt)?.change.think,
    ).toBe(expected);
  });

  it("keeps the session's thinking level when other things change", () => {
    const first = resolveModelChoice(server(model()), { name: "qwen3:8b", think: "low" }, defaults, composePrompt);
    if (first === null) throw new Error("nothing was chosen");
    const current: ModelState = { ...first.change, prompt: asId<BlobId>("b") };
    const second = resolveModelChoice(
      server(model()),
      { name: "qwen3:8b", profile: "small", current },
      defaults,
      composePrompt,
    );
    expect(second?.change.think).toBe("low");
  });

  it("keeps everything but the mode and its prompt when the server refuses native tools", () => {
    const before: ModelState = {
      provider: "ollama",
      model: "m",
      toolMode: "native",
      numCtx: 8_192,
      think: true,
      profile: "small",
      prompt: asId<BlobId>("b"),
    };
    const { change, prompt } = withToolMode(before, "react", composePrompt, asId<ProjectId>("p"));
    const { prompt: _prompt, ...rest } = before;
    expect(change).toEqual({ ...rest, toolMode: "react" });
    expect(prompt.system).toContain("Action");
  });
});

it("a session's own window stays while its model is named without the tag latest", () => {
  const facts = server(model({ name: "qwen3:latest" }));
  const first = resolveModelChoice(facts, { name: "qwen3" }, defaults, composePrompt)?.change;
  if (first === undefined) throw new Error("no model fits");
  const current = { ...first, model: "qwen3", numCtx: 6_144, prompt: asId<BlobId>("p") };
  expect(resolveModelChoice(facts, { name: "qwen3", current }, defaults, composePrompt)?.change.numCtx).toBe(6_144);
});
