/** No-op conversation actions for tests. */
import type { Driving } from "./actions";

export const nothing = (): void => undefined;
export const no = () => Promise.resolve(false);
export const drive: Driving = {
  stop: nothing,
  runFirst: nothing,
  answerNow: nothing,
  endCommand: nothing,
  editSummary: no,
  compact: no,
  loadWindow: () => Promise.resolve(null),
  setWindow: no,
  pull: nothing,
  cancelPull: nothing,
  findServer: no,
  startServer: no,
  goOn: nothing,
  carryOut: nothing,
  steer: nothing,
};
