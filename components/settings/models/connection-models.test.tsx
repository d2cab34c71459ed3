// @vitest-environment happy-dom
import { cleanup, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Connection, ModelInfo, PullState } from "@/lib/models/models";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { ConnectionModels } from "./connection-models";
import { ModelsTab } from "./models-tab";

const connection: Connection = {
  id: "rack",
  name: "Rack",
  preset: "llamacpp",
  baseUrl: "http://127.0.0.1:9931/v1",
  model: "",
  numCtx: 0,
  key: { from: "none" },
  local: true,
};
const model = (name: string, more: Partial<ModelInfo>): ModelInfo => ({
  name,
  capabilities: [],
  cloud: false,
  ...more,
});

const showSection = async (
  models: readonly ModelInfo[],
  more: Partial<Connection>,
  pulls: readonly PullState[] = [],
) => {
  const calls: unknown[] = [];
  const { client } = await connectClient((name, input) => {
    if (name === "connections.models") return { ok: true, value: { models } };
    if (!name.startsWith("models.") || name === "models.watch") return undefined;
    calls.push([name, input]);
    return { ok: true, value: null };
  });
  client.serverState.merge({ connections: [{ ...connection, ...more }], pulls });
  const user = await renderForUser(client, <ConnectionModels />);
  return { user, calls, section: within(await screen.findByRole("region", { name: "Rack" })) };
};

test("a model that loads has its stage and share, one in memory its slots, one of another client its bytes", async () => {
  const { section } = await showSection(
    [
      model("alpha", { load: { state: "loading", stage: "mmproj_model", share: 0.25 } }),
      model("beta", { load: { state: "loaded", slots: 4, busySlots: 1 }, contextLength: 6_144 }),
      model("gamma", { load: { state: "downloading", receivedBytes: 5e8, totalBytes: 1e9 } }),
    ],
    {},
  );
  const rows = section.getAllByRole("listitem").map((row) => row.textContent);
  expect(rows[0]).toMatch(/^alphaLoading · image reader 25/);
  expect(rows[1]).toMatch(/· 1 of 4 slots busyUnload$/);
  expect(rows[2]).toMatch(/^gammaDownloading · 500\sMB of 1(?:\.0)?\sGB$/);
  expect(section.getAllByRole("progressbar").map((bar) => bar.getAttribute("aria-valuenow"))).toEqual(["25", "50"]);
  expect(section.queryByRole("button", { name: "Download" })).toBeNull();
});

test("a router without models downloads one by name, and its downloads are shown once", async () => {
  const { user, section, calls } = await showSection([], { downloads: true });
  await user.type(section.getByRole("textbox"), "hf:org/name:Q4");
  await user.click(section.getByRole("button", { name: "Download" }));
  expect(calls).toContainEqual(["models.pull", { name: "hf:org/name:Q4", connection: "rack" }]);
  cleanup();
  const pull: PullState = {
    name: "org/name:Q4",
    connection: "rack",
    status: "downloading",
    completedBytes: 1e8,
    totalBytes: 4e8,
    bytesPerSecond: 0,
  };
  const elsewhere = { ...pull, name: "org/other", connection: "loft" };
  const again = await showSection([model("org/name:Q4", { load: { state: "downloading" } })], { downloads: true }, [
    pull,
    elsewhere,
  ]);
  expect(again.section.getAllByText("org/name:Q4")).toHaveLength(1);
  expect(again.section.queryByText("org/other")).toBeNull();
  await again.user.click(again.section.getByRole("button", { name: "Cancel" }));
  expect(again.calls).toContainEqual(["models.cancel_pull", { name: "org/name:Q4", connection: "rack" }]);
});

test("a server that runs commands for others is warned about", async () => {
  const baseUrl = "http://192.168.1.5:9931/v1";
  await showSection([], { downloads: true, runsCommands: true, baseUrl });
  expect(screen.getByRole("note").textContent).toMatch(/^Rack at 192\.168\.1\.5:9931 runs shell commands/);
  cleanup();
  await showSection([], { downloads: true });
  expect(screen.queryByRole("note")).toBeNull();
});

test("only a model that its server can delete is deleted, after a question", async () => {
  const { user, section, calls } = await showSection(
    [
      model("alpha", { load: { state: "unloaded", canRemove: true }, size: 2e9 }),
      model("beta", { load: { state: "unloaded", canRemove: false } }),
    ],
    { downloads: true },
  );
  expect(section.queryByRole("button", { name: "Delete beta" })).toBeNull();
  await user.click(section.getByRole("button", { name: "Delete alpha" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(calls).toEqual([]);
  await user.click(dialog.getByRole("button", { name: "Delete model" }));
  await expect.poll(() => calls).toEqual([["models.remove", { model: "alpha", connection: "rack" }]]);
});

test("models of a router are shown with their states, and loaded and unloaded", async () => {
  const calls: unknown[] = [];
  let models: readonly ModelInfo[] = [
    model("alpha", { load: { state: "unloaded" }, possibleContext: 32_768 }),
    model("beta", { load: { state: "loaded" }, contextLength: 6_144 }),
    model("gamma", { load: { state: "failed", exitCode: 137 } }),
  ];
  const { client } = await connectClient((name, input) => {
    if (name === "connections.models") return { ok: true, value: { models } };
    if (name !== "models.load" && name !== "models.unload") return undefined;
    calls.push([name, input]);
    models = [model("alpha", { load: { state: "loaded" }, contextLength: 8_192 }), ...models.slice(1)];
    return { ok: true, value: null };
  });
  client.serverState.merge({ connections: [connection, { ...connection, id: "cloud", local: false }] });
  const user = await renderForUser(client, <ConnectionModels />);
  const section = within(await screen.findByRole("region", { name: "Rack" }));
  const rows = (): readonly (string | null)[] => section.getAllByRole("listitem").map((row) => row.textContent);
  expect(rows()).toEqual([
    "alphaNot loaded · window known after loadingLoad",
    expect.stringMatching(/^betaIn memory · window of 6.*Unload$/),
    "gammaFailed to load · exit code 137Load",
  ]);
  await user.click(section.getByRole("button", { name: "Load alpha" }));
  await expect.poll(() => rows()[0]).toMatch(/^alphaIn memory · window of 8/);
  await user.click(section.getByRole("button", { name: "Unload beta" }));
  await expect
    .poll(() => calls)
    .toEqual([
      ["models.load", { model: "alpha", connection: "rack" }],
      ["models.unload", { model: "beta", connection: "rack" }],
    ]);
});

test("a model without states is listed without controls, and its page has its options", async () => {
  const { user, section, calls } = await showSection([model("org/alpha", { contextLength: 8_192 })], {});
  expect(section.getByRole("listitem").textContent).toMatch(/^org\/alphaup to 8/);
  expect(section.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["org/alpha"]);
  await user.click(section.getByRole("button", { name: "org/alpha" }));
  expect(decodeURIComponent(location.hash)).toBe("#rack/org/alpha");
  cleanup();
  const { client } = await connectClient((name, input) => {
    if (name === "connections.models") return { ok: true, value: { models: [model("org/alpha", {})] } };
    if (name !== "models.choose") return undefined;
    calls.push([name, input]);
    return { ok: true, value: null };
  });
  client.serverState.merge({
    connections: [connection],
    models: { status: "unreachable", host: "h", models: [], loaded: [], canStart: false },
  });
  location.hash = "#rack%2Forg%2Falpha";
  await renderForUser(client, <ModelsTab />);
  expect((await screen.findByRole("heading", { name: "org/alpha" })).nextElementSibling?.textContent).toBe("Rack");
  const choices = within(screen.getByRole("radiogroup", { name: "Keep thinking of earlier turns" }));
  await user.click(choices.getByRole("radio", { name: "Off" }));
  await expect
    .poll(() => calls)
    .toEqual([["models.choose", { model: "org/alpha", connection: "rack", keepThinking: false }]]);
  location.hash = "";
});
