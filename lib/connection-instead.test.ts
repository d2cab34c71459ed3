import { expect, test } from "vitest";
import { connectionInstead } from "./connection-instead";
import type { Connection } from "./models";

const connection = (id: string): Connection => ({
  id,
  name: id,
  preset: "custom",
  baseUrl: "http://127.0.0.1:1/v1",
  model: "",
  numCtx: 0,
  key: { from: "none" },
  local: true,
});
const down = { status: "unreachable", models: [] } as const;
const nothing = { model: "", connection: "" };
const one = { name: "m", capabilities: [], cloud: false };

test.each([
  ["the only one, where no Ollama answers", down, nothing, ["cellar"], "cellar"],
  ["that of the environment before all others", down, nothing, ["cellar", "attic", "environment"], "environment"],
  ["none of several", down, nothing, ["cellar", "attic"], undefined],
  ["the only one, where Ollama has no model", { status: "ready", models: [] }, nothing, ["cellar"], "cellar"],
  ["none where Ollama has a model", { status: "ready", models: [one] }, nothing, ["environment"], undefined],
  ["none before Ollama was asked", { status: "unknown", models: [] }, nothing, ["environment"], undefined],
  ["none where the user chose a model", down, { model: "qwen3:8b", connection: "" }, ["environment"], undefined],
] as const)("new sessions take %s", (_name, server, settings, ids, taken) => {
  expect(connectionInstead(server, settings, ids.map(connection))?.id).toBe(taken);
});
