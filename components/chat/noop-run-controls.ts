/** No-op conversation actions for tests. */
import type { RunControls } from "./actions";

export const noop = (): void => undefined;
export const resolveFalse = () => Promise.resolve(false);
export const noopRunControls: RunControls = {
  stop: noop,
  runFirst: noop,
  answerNow: noop,
  endCommand: noop,
  editSummary: resolveFalse,
  compact: resolveFalse,
  loadWindowPlan: () => Promise.resolve(null),
  setWindow: resolveFalse,
  readCallsFromText: resolveFalse,
  pullModel: noop,
  cancelPull: noop,
  probeServer: resolveFalse,
  startServer: resolveFalse,
  sendContinue: noop,
  carryOutPlan: noop,
  decideCall: resolveFalse,
  allowNetwork: resolveFalse,
  runCommand: resolveFalse,
  focusComposer: noop,
};
