// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { ModelServerState } from "@/lib/models/models";
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

test.each<[name: string, models: ModelServerState]>([
  ["a model server", server],
  ["a model", { ...server, status: "ready" }],
])("without %s the first page names the commands that start the tour", async (_name, models) => {
  const { client } = await connectClient(() => undefined);
  client.serverState.merge({ models, settings: settingsDefaults });
  await renderForUser(client, <StartState choice={{ model: "", connection: null }} />);
  expect(await screen.findByText("npm start -- --demo")).toBeDefined();
  expect(screen.getByText("gopi-web --demo")).toBeDefined();
});
