import { expect, test } from "vitest";
import type { ModelInfo, PullState } from "@/lib/models/models";
import { en } from "../../messages/en";
import * as enLate from "../../messages/en-late";
import { sortByName, modelFactTexts, memoryLocationText, visiblePulls } from "./model-facts";

const messages = { ...en, ...enLate };
const model = (name: string, more: Partial<ModelInfo> = {}): ModelInfo => ({
  name,
  capabilities: [],
  cloud: false,
  ...more,
});
const pull = (name: string, status: PullState["status"], completedBytes = 0): PullState => ({
  name,
  status,
  completedBytes,
  totalBytes: 10,
  bytesPerSecond: 0,
});

test("models are sorted by name with numeric order", () => {
  const names = ["qwen3:14b", "qwen3:4b", "llama3.1:8b"].map((name) => model(name));
  expect(sortByName(names).map((one) => one.name)).toEqual(["llama3.1:8b", "qwen3:4b", "qwen3:14b"]);
});

test("a model's facts omit missing values and the text capability; unknown capabilities keep their name", () => {
  const whole = model("a", {
    parameters: "7.6B",
    quantization: "",
    size: 4_700_000_000,
    contextLength: 32_768,
    capabilities: ["completion", "tools", "telepathy"],
  });
  expect(modelFactTexts(messages, whole)).toEqual(["7.6B", "4.7\u00a0GB", "up to 32k", "tools", "telepathy"]);
  expect(modelFactTexts(messages, model("b", { size: 0 }))).toEqual([]);
});

test("the memory location is stated only if part of the model is not on the GPU", () => {
  const locationText = (vramShare: number): string | null =>
    memoryLocationText(messages, { name: "a", size: 1, vramShare });
  expect([locationText(1), locationText(0.62), locationText(0)]).toEqual([null, "62% on the GPU", "on the CPU"]);
});

test("a download is shown while it runs or can be resumed, unless its model is installed", () => {
  const pulls = [
    pull("on", "downloading"),
    pull("checking", "verifying", 10),
    pull("done", "done", 10),
    pull("failed", "failed"),
    pull("stopped", "cancelled", 4),
    pull("stopped at once", "cancelled"),
    pull("here", "failed", 3),
    pull("here too", "starting"),
  ];
  expect(visiblePulls(pulls, [model("here"), model("here too")]).map((one) => one.name)).toEqual([
    "on",
    "checking",
    "failed",
    "stopped",
    "here too",
  ]);
});

test("a failed download of a model that is installed with the tag latest is not shown", () => {
  expect(visiblePulls([pull("qwen3", "failed")], [model("qwen3:latest")])).toEqual([]);
});
