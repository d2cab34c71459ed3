/** Memory in which the engine keeps the prompts of other conversations. Pure. */

const maxBytes = 8 * 2 ** 30;
/** A machine with less has none: a model that is partly on the disk is slower than reading a prompt again. */
const smallestMachineBytes = 8e9;

/** At most this many bytes: an eighth of the machine's memory, less if the machine is small. */
export const promptCacheBytes = (memoryBytes: number): number =>
  Math.max(0, Math.floor(Math.min(maxBytes, memoryBytes / 8, (memoryBytes - smallestMachineBytes) / 4)));
