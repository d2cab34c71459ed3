/** Reports of a changing state: at once, or a while later, with all changes until then. */

export interface ProgressReport {
  now(): void;
  soon(): void;
}

/** Progress is reported this long after it changed, ms. */
const intervalMs = 250;

export function makeProgressReport(onChange: () => void): ProgressReport {
  let timer: NodeJS.Timeout | null = null;
  const now = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    onChange();
  };
  return { now, soon: () => void (timer ??= setTimeout(now, intervalMs)) };
}
