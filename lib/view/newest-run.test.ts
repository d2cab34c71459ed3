import { expect, test } from "vitest";
import { asId, type RunId } from "../events/id";
import { isRunOf } from "./newest-run";

const run = { kind: "run_start", seq: 1, at: 0, runId: asId<RunId>("r"), from: 0 } as const;
const current = { model: "m", provider: "box" };

test.each([
  ["the same model", { model: "m", provider: "box" }, true],
  ["a model of that name on another server", { model: "m", provider: "ollama" }, false],
  ["another model", { model: "n", provider: "box" }, false],
  ["a run of which no server is stored", { model: "m" }, true],
])("a run is one of the current model: %s", (_name, began, is) => {
  expect(isRunOf({ ...run, ...began }, current)).toBe(is);
});
