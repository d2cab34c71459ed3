// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { asId, type ProjectId } from "@/lib/events/id";
import type { Connection, ModelServerState } from "@/lib/models/models";
import { settingsDefaults } from "@/lib/settings/settings";
import { connectClient, renderForUser } from "../frame/test-dom";
import { StartState } from "./start-state";

const server: ModelServerState = {
  status: "unreachable",
  host: "http://127.0.0.1:11434",
  models: [],
  loaded: [],
  canStart: false,
};

const connection: Connection = {
  id: "lab",
  name: "Lab",
  preset: "custom",
  baseUrl: "http://127.0.0.1:8080/v1",
  model: "",
  numCtx: 0,
  key: { from: "none" },
  local: true,
};

test.each<[name: string, models: ModelServerState]>([
  ["a model server", server],
  ["a model", { ...server, status: "ready" }],
])("without %s the first page starts the tour with one click", async (_name, models) => {
  const tour = asId<ProjectId>("tour");
  const { client, inputsOf } = await connectClient((name) =>
    name === "tour.start" ? { ok: true, value: { project: { id: tour } } } : { ok: false, error: { code: "internal" } },
  );
  client.serverState.merge({ models, settings: settingsDefaults });
  client.workbench.showProject(asId<ProjectId>("own"));
  const user = await renderForUser(client, <StartState choice={{ model: "", connection: null }} />);
  await user.click(await screen.findByRole("button", { name: "Start the tour" }));
  await expect.poll(() => client.workbench.get().projectId).toBe(tour);
  expect(inputsOf("tour.start")).toEqual([{ projectId: "own" }]);
});

test("a connection without a model lists those of its server, and a click chooses one", async () => {
  const { client, inputsOf } = await connectClient((name) => {
    const models = ["a", "b"].map((one) => ({ name: one, capabilities: [], cloud: false }));
    if (name === "connections.models") return { ok: true, value: { models } };
    return name === "connections.save" ? { ok: true, value: connection } : undefined;
  });
  client.serverState.merge({ models: server, settings: settingsDefaults, connections: [connection] });
  const user = await renderForUser(client, <StartState choice={{ model: "", connection: connection.id }} />);
  await user.click(await screen.findByRole("button", { name: "b" }));
  await expect.poll(() => inputsOf("connections.save")).toMatchObject([{ id: "lab", name: "Lab", model: "b" }]);
});
