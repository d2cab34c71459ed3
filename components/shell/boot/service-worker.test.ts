/** The service worker of the page, in a context with the parts of a browser that it uses. */
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { expect, test } from "vitest";

const origin = "https://box.example:4321";

/** Clicks a notification of a session while tabs show these paths; returns what happens to the tabs. */
async function clickWith(paths: readonly string[]): Promise<readonly string[]> {
  const steps: string[] = [];
  const listeners = new Map<string, (event: object) => void>();
  const tabs = paths.map((path) => ({
    url: origin + path,
    focus: async () => void steps.push(`focus ${path}`),
    navigate: async (to: string) => void steps.push(`${path} to ${to}`),
  }));
  const scope = createContext({
    URL,
    registration: { scope: `${origin}/` },
    navigator: { language: "en" },
    addEventListener: (type: string, listener: (event: object) => void) => void listeners.set(type, listener),
    clients: {
      matchAll: async () => tabs,
      openWindow: async (path: string) => void steps.push(`open ${path}`),
    },
  });
  runInContext(readFileSync("public/service-worker.js", "utf8"), scope);
  const waits: Promise<unknown>[] = [];
  listeners.get("notificationclick")?.({
    notification: { data: { address: `${origin}/s/s1` }, close: () => {} },
    waitUntil: (work: Promise<unknown>) => void waits.push(work),
  });
  await Promise.all(waits);
  return steps;
}

test.each([
  ["a tab that shows the session is focused as it is", ["/history", "/s/s1?pin=a"], ["focus /s/s1?pin=a"]],
  ["else another tab shows it", ["/history", "/s/s2"], ["focus /history", `/history to ${origin}/s/s1`]],
  ["without a tab one is opened", [], [`open ${origin}/s/s1`]],
])("a click on a notification: %s", async (_rule, paths, steps) => {
  expect(await clickWith(paths)).toEqual(steps);
});
