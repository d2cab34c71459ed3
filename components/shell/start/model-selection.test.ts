import { expect, test } from "vitest";
import { en } from "../../messages/en";
import { asId, type BlobId, type ProjectId } from "@/lib/events/id";
import type { Connection, ModelServerState } from "@/lib/models/models";
import { settingsDefaults } from "@/lib/settings/settings";
import type { ModelState } from "@/lib/view/view";
import { formatGpuShare } from "../../chat/model/format-gpu-share";
import { findLoadedModel, modelForNewSession, toModelSelection } from "./model-selection";

const state: ModelState = {
  provider: "ollama",
  model: "qwen3:8b",
  toolMode: "native",
  numCtx: 16_384,
  think: true,
  profile: "default",
  prompt: asId<BlobId>("b"),
};
const server: ModelServerState = {
  status: "ready",
  host: "h",
  models: [{ name: "qwen3:8b", capabilities: ["completion"], cloud: false }],
  loaded: [],
  canStart: false,
};
const connection: Connection = {
  id: "c1",
  name: "LM Studio",
  preset: "lmstudio",
  baseUrl: "http://127.0.0.1:1234/v1",
  model: "qwen3-30b",
  numCtx: 0,
  key: { from: "none" },
  local: true,
};

test("a session's provider is Ollama or a connection's id", () => {
  expect(toModelSelection(state)).toEqual({ model: "qwen3:8b", connection: null });
  expect(toModelSelection({ ...state, provider: "c1" })).toEqual({ model: "qwen3:8b", connection: "c1" });
  expect(toModelSelection(null)).toEqual({ model: "", connection: null });
});

test("a new session uses the connection of the settings while it exists", () => {
  const settings = { ...settingsDefaults, connection: "c1" };
  const nothing = { model: null, connection: null };
  expect(modelForNewSession(nothing, settings, server, [connection], null)).toEqual({
    model: "qwen3-30b",
    connection: "c1",
  });
  expect(modelForNewSession(nothing, settings, server, [], null)).toEqual({ model: "qwen3:8b", connection: null });
  const picked = { model: "codestral", connection: null };
  expect(modelForNewSession(picked, settings, server, [connection], null)).toEqual(picked);
});

test("a name without a tag is the model with the tag latest", () => {
  const loaded = { name: "qwen3:latest", size: 1, vramShare: 1, contextLength: 8_192 };
  expect(findLoadedModel({ ...server, loaded: [loaded] }, "qwen3")).toEqual(loaded);
  expect(findLoadedModel({ ...server, loaded: [loaded] }, "qwen3:8b")).toBeNull();
});

test.each([
  [1, null],
  [0.996, null],
  [0.41, "41% on the GPU, slow"],
  [0.004, "on the CPU, slow"],
])("a share of %d on the GPU is formatted as %j", (share, text) => expect(formatGpuShare(share, en)).toBe(text));

test("the connection of a project is used in its new sessions only", () => {
  const tour = { ...connection, id: "tour", model: "scripted", projectId: asId<ProjectId>("p1") };
  const choose = (projectId: string) =>
    modelForNewSession({ model: null, connection: null }, settingsDefaults, server, [tour], asId<ProjectId>(projectId));
  expect(choose("p1")).toEqual({ model: "scripted", connection: "tour" });
  expect(choose("p2")).toEqual({ model: "qwen3:8b", connection: null });
});
