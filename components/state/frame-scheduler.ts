/** Merges many changes into one callback per animation frame. */

/** Delay for hidden tabs, which have no animation frames. */
const hiddenTabDelayMs = 100;

interface FrameScheduler {
  /** Schedules the callback; further requests before it runs are merged. */
  readonly request: () => void;
  readonly cancel: () => void;
}

export function createFrameScheduler(run: () => void): FrameScheduler {
  let animation: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = (): void => {
    if (animation !== undefined) cancelAnimationFrame(animation);
    clearTimeout(timer);
    animation = undefined;
    timer = undefined;
  };
  const fire = (): void => {
    cancel();
    run();
  };
  return {
    cancel,
    request: () => {
      if (timer !== undefined) return;
      timer = setTimeout(fire, hiddenTabDelayMs);
      if (typeof requestAnimationFrame === "function") animation = requestAnimationFrame(fire);
    },
  };
}
