/** Joins many changes into one call per animation frame. Used by the session store. */

/** A hidden tab has no frames; this long after the first change the call comes anyway. */
const hiddenMs = 100;

export interface Frame {
  /** Calls soon; further requests before that are the same one. */
  readonly request: () => void;
  readonly cancel: () => void;
}

export function createFrame(run: () => void): Frame {
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
      timer = setTimeout(fire, hiddenMs);
      if (typeof requestAnimationFrame === "function") animation = requestAnimationFrame(fire);
    },
  };
}
