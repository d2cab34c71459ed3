/** Probes whether a server that fell silent in mid-answer is still alive. */

const maxTries = 2;
/** Time limit of one try, ms; generous, because a machine that is generating answers slowly. */
export const aliveTryMs = 10_000;

/** Returns true as soon as one of two tries succeeds; a try that rejects or exceeds `tryMs` counts as failed. */
export async function probeAlive(
  tryMs: number,
  signal: AbortSignal,
  ask: (bounded: AbortSignal) => Promise<boolean>,
): Promise<boolean> {
  for (let tried = 0; tried < maxTries && !signal.aborted; tried += 1) {
    const isAlive = await ask(AbortSignal.any([signal, AbortSignal.timeout(tryMs)])).catch(() => false);
    if (isAlive) return true;
  }
  return false;
}
