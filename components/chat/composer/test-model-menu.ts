/** Model menu of a composer in tests: one model, no choice. */
import type { ComposerProps } from "./composer";

export const testModelMenu: ComposerProps["modelMenu"] = {
  model: "qwen3:8b",
  connection: null,
  models: [],
  connections: [],
  loadModels: () => Promise.resolve([]),
  onModel: () => undefined,
  use: null,
  loaded: null,
  isLocked: false,
};
