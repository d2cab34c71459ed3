/** Work that follows a change a while later, once for all changes until then. */

interface DelayedWork {
  /** Does the work soon; it is done once however often this is called until then. */
  soon(): void;
  /** Work that was not done yet is not done any more. */
  cancel(): void;
}

/** The timer does not keep the process alive; there is none while nothing is to be done. */
export function makeDelayedWork(work: () => void, delayMs: number): DelayedWork {
  let timer: NodeJS.Timeout | null = null;
  return {
    soon() {
      timer ??= setTimeout(() => {
        timer = null;
        work();
      }, delayMs).unref();
    },
    cancel() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
    },
  };
}
