// @vitest-environment happy-dom
/** The list of models: the facts of each row, and the entry that opens the models page. */
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { engineConnectionId } from "@/lib/models/engine";
import type { Connection, DoctorReport, ModelInfo } from "@/lib/models/models";
import { renderForUser } from "../../shell/frame/test-dom";
import { testClient } from "../../shell/frame/test-render";
import { testModelMenu } from "../composer/test-composer-props";
import type { ModelMenuProps } from "./model-menu";
import { ModelPanel } from "./model-panel";

const model = (name: string, facts: Partial<ModelInfo> = {}): ModelInfo => ({
  name,
  capabilities: ["completion", "tools"],
  cloud: false,
  ...facts,
});
const models = [
  model("qwen3:8b", { parameters: "8B", size: 5_200_000_000, window: 16_384, note: { writePerSecond: 31 } }),
  model("small:1b", { parameters: "1B", window: 4_096 }),
  model("new:4b", { parameters: "4B" }),
];

const renderPanel = () =>
  renderForUser(testClient(), <ModelPanel {...testModelMenu} models={models} onClose={() => undefined} />);

test("each row has the window and the measured speed; what is not available is left out", async () => {
  await renderPanel();
  expect(screen.getAllByRole("menuitemradio").map((row) => row.textContent)).toEqual([
    "qwen3:8b8B · 5.2\u00a0GB · 16k window · 31 tok/s",
    "small:1b1B · 4k window",
    "new:4b4B",
  ]);
});

test("the built-in engine's models are listed at once, with the doctor's verdict", async () => {
  const connection = {
    id: engineConnectionId,
    name: "Built-in engine",
    preset: engineConnectionId,
    baseUrl: "http://engine.localhost/v1",
    model: "one",
    numCtx: 0,
    key: { from: "none" },
    local: true,
  } as const;
  const doctor: DoctorReport = {
    model: "two",
    at: 1,
    tookMs: 1,
    steps: [],
    verdict: "helper",
    toolMode: "native",
    readPerSecond: 0,
    writePerSecond: 0,
    numCtx: 8_192,
  };
  const loadModels = (id: string): Promise<readonly ModelInfo[]> =>
    Promise.resolve(id === engineConnectionId ? [model("one"), model("two", { note: { doctor } })] : []);
  const menu = { ...testModelMenu, models: [], connections: [connection], loadModels };
  await renderForUser(testClient(), <ModelPanel {...menu} onClose={() => undefined} />);
  const row = await screen.findByRole("menuitemradio", { name: /^two/ });
  expect(row.querySelector("[data-verdict=helper]")).not.toBeNull();
  expect(screen.getAllByRole("menuitemradio")).toHaveLength(2);
  expect(screen.queryByRole("menuitem")).toBeNull();
});

test("the models of own servers are listed at once; a link lists those of an online one, and of one that is down", async () => {
  const connection = (id: string, local: boolean): Connection => ({
    id,
    name: id,
    preset: "custom",
    baseUrl: `http://${id}/v1`,
    model: "",
    numCtx: 0,
    key: { from: "none" },
    local,
  });
  const calls: unknown[] = [];
  const loadModels: ModelMenuProps["loadModels"] = (id, options) => {
    calls.push([id, options?.isQuiet]);
    return Promise.resolve(id === "down" ? null : [model(`model of ${id}`)]);
  };
  const connections = [connection("own", true), connection("down", true), connection("online", false)];
  const menu = { ...testModelMenu, models: [], connections, loadModels };
  await renderForUser(testClient(), <ModelPanel {...menu} onClose={() => undefined} />);
  await screen.findByRole("menuitemradio", { name: /^model of own/ });
  expect(calls).toEqual([
    ["own", true],
    ["down", true],
  ]);
  const links = screen.getAllByRole("menuitem", { name: "List all models" });
  expect(links.map((link) => link.closest("[role=group]")?.getAttribute("aria-label"))).toEqual(["down", "online"]);
});

test("the last entry opens the models page and is reached by arrow keys", async () => {
  const user = await renderPanel();
  const manage = screen.getByRole("link", { name: "Manage models…" });
  expect(manage.getAttribute("href")).toBe("/settings/model");
  await user.keyboard("{ArrowUp}");
  expect(document.activeElement).toBe(manage);
});
