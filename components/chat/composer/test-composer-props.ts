/** Properties of a composer in tests. */
import type { ComposerProps } from "./composer";

/** One model, no choice. */
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

const nothing = (): void => undefined;
const accepted = (): Promise<boolean> => Promise.resolve(true);

/** An idle composer with an empty queue that accepts everything. */
export const testComposerProps: Omit<ComposerProps, "draftKey"> = {
  state: "idle",
  mode: "ask",
  sendKey: "enter",
  queue: [],
  history: [],
  onMode: nothing,
  onEditQueued: nothing,
  onRemoveQueued: accepted,
  onSendQueued: nothing,
  onSend: accepted,
  onRunCommand: accepted,
  onStop: nothing,
  modelMenu: testModelMenu,
};
