import { expect, test } from "vitest";
import type { ModelServerState } from "@/lib/models";
import { phaseOf } from "./status-bar";

const server = (...names: readonly string[]): ModelServerState => ({
  status: "ready",
  host: "h",
  models: names.map((name) => ({ name, capabilities: [], cloud: false })),
  loaded: [],
  canStart: false,
});

test("a model that was deleted from its server is not ready", () => {
  expect(phaseOf(null, server("qwen3:8b"), "qwen3:8b")).toBe("ready");
  expect(phaseOf(null, server("qwen3:8b"), "qwen3:4b")).toBe("notInstalled");
  expect(phaseOf(null, server(), "qwen3:4b")).toBe("noModel");
});

test("a name without a tag is the newest of it", () => {
  expect(phaseOf(null, server("mistral:latest"), "mistral")).toBe("ready");
  expect(phaseOf(null, server("mistral:7b"), "mistral")).toBe("notInstalled");
});
