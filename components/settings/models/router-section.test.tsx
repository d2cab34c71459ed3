// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Connection, ModelInfo } from "@/lib/models/models";
import { connectClient, renderForUser } from "../../shell/frame/test-dom";
import { RouterSections } from "./router-section";

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
  const user = await renderForUser(client, <RouterSections />);
  const section = within(await screen.findByRole("region", { name: "Rack" }));
  const rows = (): readonly (string | null)[] => section.getAllByRole("listitem").map((row) => row.textContent);
  expect(rows()).toEqual([
    "alphaNot loaded · window known after loadingLoad",
    expect.stringMatching(/^betaIn memory · window of 6.*Unload$/),
    "gammaFailed to load · exit code 137 · window known after loadingLoad",
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
