import { expect, test } from "vitest";
import { en } from "@/components/words/en";
import { zhCN } from "@/components/words/zh-CN";
import type { Connection, ModelInfo, ModelServerState } from "@/lib/models";
import { groupsOf, readsCallsFromText } from "./model-groups";

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
const told = (query: string, listed = {}) =>
  groupsOf({ installed, connections, listed, query }, en).map((group) => [
    group.connection?.id ?? "ollama",
    group.models.map((model) => model.name).join(" "),
    group.isWhole,
  ]);

test("the installed ones come first, then each connection with its own model until its server was asked", () => {
  expect(told("")).toEqual([
    ["ollama", "qwen3:8b gemma2:2b", true],
    ["a", "big", false],
    ["b", "", false],
  ]);
});

test("a list of the server takes the place of the one model, which stays even when it is not listed", () => {
  expect(told("", { a: [info("small"), info("tiny")] })[1]).toEqual(["a", "big small tiny", true]);
  expect(told("", { a: [info("small"), info("big")] })[1]).toEqual(["a", "small big", true]);
});

test("an Ollama's models are known without asking, by the server they are on, and stay while it is offline", () => {
  const server = (status: ModelServerState["status"], models: readonly ModelInfo[]): Connection => ({
    ...connection("attic", "qwen3"),
    preset: "ollama",
    server: { status, host: "http://attic:11434", models, loaded: [], canStart: false },
  });
  const rows = (one: Connection, listed = {}) =>
    groupsOf({ installed: [info("qwen3:latest")], connections: [one], listed, query: "" }, en).map((group) => [
      group.connection?.id ?? "ollama",
      group.models.map((model) => model.name).join(" "),
      group.isWhole,
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

test("every word of what is looked for has to stand in the model's or its server's name", () => {
  expect(told("QWEN 8b")).toEqual([["ollama", "qwen3:8b", true]]);
  expect(told("server a")).toEqual([["a", "big", false]]);
  expect(told("nothing")).toEqual([]);
});

test("the environment's connection is found by the name it has on screen", () => {
  const found = (query: string) =>
    groupsOf({ installed, connections: [connection("environment", "big")], listed: {}, query }, zhCN).map(
      (group) => group.connection?.id,
    );
  expect(found("环境变量")).toEqual(["environment"]);
  expect(found("server")).toEqual([]);
});

test("without any model there is no group of Ollama", () => {
  expect(
    groupsOf({ installed: [], connections, listed: {}, query: "" }, en).map((group) => group.connection?.id),
  ).toEqual(["a", "b"]);
});

test("only a server that tells what a model can do says that it has no tools", () => {
  expect(readsCallsFromText(info("m", ["completion"]))).toBe(true);
  expect(readsCallsFromText(info("m", ["completion", "tools"]))).toBe(false);
  expect(readsCallsFromText(info("m"))).toBe(false);
});
