// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import type { EngineState } from "@/lib/models/engine";
import { connectClient, renderForUser } from "../frame/test-dom";
import { RunHereCard } from "./run-here-card";

const reference = "hf:u/tiny:Q4_K_M";
const state: EngineState = {
  program: null,
  offer: { tag: "b1", from: "github.example", builds: [{ kind: "cpu", bytes: 17_000_000 }] },
  models: [],
  suggestions: [],
  downloads: [{ reference, name: "tiny", status: "paused", completed: 1_000, bytes: 2_000 }],
  hub: "hub.example",
  memory: { ram: 16e9, graphics: 0, isShared: false },
  run: { status: "stopped" },
};

test("after a pause the card continues the download of the engine as well as that of the model", async () => {
  const { client, inputsOf } = await connectClient((name) =>
    name === "engine.state" ? { ok: true, value: state } : undefined,
  );
  const user = await renderForUser(client, <RunHereCard />);
  const card = within(await screen.findByRole("region", { name: "Run a model on this machine" }));
  await user.click(card.getByRole("button", { name: "Download (17 MB)" }));
  await expect.poll(() => inputsOf("engine.install")).toEqual([{ build: "cpu" }]);
  expect(card.getByRole("button", { name: "Resume" })).toBeDefined();
});
