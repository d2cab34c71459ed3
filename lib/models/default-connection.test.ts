import { expect, test } from "vitest";
import { asId, type ProjectId } from "../events/id";
import { defaultConnection } from "./default-connection";
import type { Connection } from "./models";

const connection = (id: string, local = true): Connection => ({
  id,
  name: id,
  preset: "custom",
  baseUrl: "http://127.0.0.1:1/v1",
  model: "",
  numCtx: 0,
  key: { from: "none" },
  local,
});
const down = { status: "unreachable", models: [] } as const;
const nothing = { model: "", connection: "" };
const one = { name: "m", capabilities: [], cloud: false };

test("new sessions never take a service on the internet unasked", () => {
  const online = connection("environment", false);
  expect(defaultConnection(down, nothing, [online])).toBe(undefined);
  expect(defaultConnection(down, nothing, [connection("router", false)])).toBe(undefined);
  expect(defaultConnection(down, nothing, [online, connection("cellar")])?.id).toBe("cellar");
});

test("a connection that belongs to a project is not taken for the others", () => {
  const tour = { ...connection("tour"), projectId: asId<ProjectId>("p1") };
  expect(defaultConnection(down, nothing, [tour])).toBe(undefined);
});

test("of several, the first that answers is taken", () => {
  const attic = { ...connection("attic"), answers: true } as const;
  const online = { ...connection("router", false), answers: true } as const;
  expect(defaultConnection(down, nothing, [online, connection("cellar"), attic])?.id).toBe("attic");
});

test.each([
  ["the only connection if Ollama does not answer", down, nothing, ["cellar"], "cellar"],
  [
    "the connection from the environment before all others",
    down,
    nothing,
    ["cellar", "attic", "environment"],
    "environment",
  ],
  ["none if there are several and none answers", down, nothing, ["cellar", "attic"], undefined],
  ["the only connection if Ollama has no model", { status: "ready", models: [] }, nothing, ["cellar"], "cellar"],
  ["none if Ollama has a model", { status: "ready", models: [one] }, nothing, ["environment"], undefined],
  ["none before Ollama was queried", { status: "unknown", models: [] }, nothing, ["environment"], undefined],
  ["none if the user chose a model", down, { model: "qwen3:8b", connection: "" }, ["environment"], undefined],
] as const)("new sessions take %s", (_name, server, settings, ids, expected) => {
  expect(
    defaultConnection(
      server,
      settings,
      ids.map((id) => connection(id)),
    )?.id,
  ).toBe(expected);
});
