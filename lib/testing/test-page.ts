/** Runs before each test file: a worker runs many of them, and those with a page share the page. */
import { afterAll } from "vitest";

if (typeof window === "object") {
  const original = window.addEventListener;
  const added: Parameters<typeof original>[] = [];
  window.addEventListener = (...listener: Parameters<typeof original>): void => {
    added.push(listener);
    original.apply(window, listener);
  };
  globalThis.addEventListener = window.addEventListener;
  afterAll(() => {
    for (const [type, listener, options] of added) window.removeEventListener(type, listener, options);
    window.addEventListener = original;
    globalThis.addEventListener = original;
    document.body.replaceChildren();
    localStorage.clear();
    sessionStorage.clear();
    history.replaceState(null, "", "/");
  });
}
