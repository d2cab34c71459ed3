/** Asks a server that has gone silent within an answer whether it is still there. Used by each provider for its own question. */

const tries = 2;
/** How long one try may take, ms: a machine that writes an answer may be slow to give another. */
export const aliveTryMs = 10_000;

/** True as soon as one try says so; a try that fails or takes longer than `tryMs` says no. */
export async function answersInTime(
  tryMs: number,
  signal: AbortSignal,
  ask: (bounded: AbortSignal) => Promise<boolean>,
): Promise<boolean> {
  for (let tried = 0; tried < tries && !signal.aborted; tried += 1) {
    const isAlive = await ask(AbortSignal.any([signal, AbortSignal.timeout(tryMs)])).catch(() => false);
    if (isAlive) return true;
  }
  return false;
}
