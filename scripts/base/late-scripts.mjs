// Starts the external scripts of the exported page after its first frame. Started by the parser, they compete with
// that frame for the processor and delay the first paint.

/** Time that the scripts wait for a frame that does not come, ms. */
const frameWaitMs = 3_000;

// Runs in the page and is serialised as text, so it must not use anything from this module.
function startScripts(scripts, waitMs) {
  let isStarted = false;
  const start = () => {
    if (isStarted) return;
    isStarted = true;
    for (const { src, id } of scripts) {
      const element = document.createElement("script");
      element.src = src;
      element.async = true;
      if (id !== undefined) element.id = id;
      document.head.append(element);
    }
  };
  // A hidden tab has no frames.
  if (document.hidden) return start();
  // After the first frame was submitted for painting; the paint entry itself would come one to three frames later.
  requestAnimationFrame(() => setTimeout(start));
  addEventListener("visibilitychange", start, { once: true });
  setTimeout(start, waitMs);
}

const asyncScript = /<script src="([^"]+)"(?: id="([^"]+)")? async=""><\/script>/g;
const scriptPreload = /<link rel="preload" as="script"[^>]*>/g;

/**
 * Returns the page with its async scripts started by an inline script after the first frame. Throws when it has no
 * async scripts.
 */
export function startScriptsAfterFirstFrame(page) {
  const scripts = [...page.matchAll(asyncScript)].map(([, src, id]) => ({ src, id }));
  const end = page.lastIndexOf("</body>");
  if (scripts.length === 0 || end < 0) throw new Error("the exported page has no async scripts or no body");
  const call = `(${startScripts.toString()})(${JSON.stringify(scripts)},${frameWaitMs})`.replaceAll("</", "<\\/");
  const late = `${page.slice(0, end)}<script>${call}</script>${page.slice(end)}`;
  return late.replaceAll(asyncScript, "").replaceAll(scriptPreload, "");
}
