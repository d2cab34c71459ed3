import { expect, test } from "vitest";
import { en } from "../../messages/en";
import { zhCN } from "../../messages/zh-CN";
import type { Connection, ModelInfo, ModelServerState } from "@/lib/models/models";
import { groupModels, readsCallsFromText } from "./model-groups";

const info = (name: string, capabilities: readonly string[] = []): ModelInfo => ({ name, capabilities, cloud: false });
const connection = (id: string, model: string): Connection => ({
  id,
  name: `Server ${id}`,
  preset: "custom",
  baseUrl: "http://127.0.0.1:1",
  model,
  numCtx: 0,
  key: { from: "none" },
  local: true,
});
const installed = [info("qwen3:8b"), info("gemma2:2b")];
const connections = [connection("a", "big"), connection("b", "")];
const groupRows = (query: string, listed = {}) =>
  groupModels({ installed, connections, listed, query }, en).map((group) => [
    group.connection?.id ?? "ollama",
    group.models.map((model) => model.name).join(" "),
    group.isComplete,
  ]);

test("installed models come first, then each connection with its own model until its list is loaded", () => {
  expect(groupRows("")).toEqual([
    ["ollama", "qwen3:8b gemma2:2b", true],
    ["a", "big", false],
    ["b", "", false],
  ]);
});

test("a loaded list replaces the connection's model, which stays even if it is not listed", () => {
  expect(groupRows("", { a: [info("small"), info("tiny")] })[1]).toEqual(["a", "big small tiny", true]);
  expect(groupRows("", { a: [info("small"), info("big")] })[1]).toEqual(["a", "small big", true]);
});

test("models of an Ollama connection need no loading and stay listed while it is offline", () => {
  const server = (status: ModelServerState["status"], models: readonly ModelInfo[]): Connection => ({
    ...connection("attic", "qwen3"),
    preset: "ollama",
    server: { status, host: "http://attic:11434", models, loaded: [], canStart: false },
  });
  const rows = (one: Connection, listed = {}) =>
    groupModels({ installed: [info("qwen3:latest")], connections: [one], listed, query: "" }, en).map((group) => [
      group.connection?.id ?? "ollama",
      group.models.map((model) => model.name).join(" "),
      group.isComplete,
    ]);
  const models = [info("qwen3:latest"), info("embed", ["embedding"])];
  for (const status of ["ready", "unreachable"] as const)
    expect(rows(server(status, models))).toEqual([
      ["ollama", "qwen3:latest", true],
      ["attic", "qwen3:latest", true],
    ]);
  expect(rows(server("unknown", []))[1]).toEqual(["attic", "qwen3", false]);
  expect(rows(server("unknown", []), { attic: models.slice(0, 1) })[1]).toEqual(["attic", "qwen3:latest", true]);
});

test("every word of the query must match the model's or its server's name", () => {
  expect(groupRows("QWEN 8b")).toEqual([["ollama", "qwen3:8b", true]]);
  expect(groupRows("server a")).toEqual([["a", "big", false]]);
  expect(groupRows("nothing")).toEqual([]);
});

test("the environment's connection matches by its display name", () => {
  const found = (query: string) =>
    groupModels({ installed, connections: [connection("environment", "big")], listed: {}, query }, zhCN).map(
      (group) => group.connection?.id,
    );
  expect(found("环境变量")).toEqual(["environment"]);
  expect(found("server")).toEqual([]);
});

test("without installed models there is no Ollama group", () => {
  expect(
    groupModels({ installed: [], connections, listed: {}, query: "" }, en).map((group) => group.connection?.id),
  ).toEqual(["a", "b"]);
});

test("a model counts as without tools only if its capabilities are reported", () => {
  expect(readsCallsFromText(info("m", ["completion"]))).toBe(true);
  expect(readsCallsFromText(info("m", ["completion", "tools"]))).toBe(false);
  expect(readsCallsFromText(info("m"))).toBe(false);
});
