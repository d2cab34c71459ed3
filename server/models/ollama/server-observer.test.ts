/** A failed query affects only itself: the next one is answered, and polling continues. */
import { expect, test } from "vitest";
import type { ModelServerState } from "@/lib/models/models";
import { makeServerObserver, type ServerObserverOptions } from "./server-observer";

const options = (change: Partial<ServerObserverOptions>): ServerObserverOptions => ({
  provider: { version: async () => "1.0", models: async () => [], loaded: async () => [] },
  host: () => "http://127.0.0.1:1",
  onState: () => {},
  canStart: async () => false,
  complete: (model) => model,
  pollMs: 1,
  searchMs: 1,
  ...change,
});

test.each([1, 2, 3])("the query after %i concurrent failed ones succeeds", async (count) => {
  const closing = new AbortController();
  let broken = true;
  const observer = makeServerObserver(
    options({
      onState() {
        if (broken) throw new Error("nobody can be told");
      },
    }),
    closing.signal,
  );
  const results = await Promise.allSettled(Array.from({ length: count }, () => observer.ask()));
  expect(results.some(({ status }) => status === "rejected")).toBe(true);
  broken = false;
  expect((await observer.ask()).status).toBe("ready");
  expect((await Promise.all([observer.ask(), observer.ask(), observer.ask()])).map(({ status }) => status)).toEqual([
    "ready",
    "ready",
    "ready",
  ]);
  closing.abort();
});

test("a failing canStart counts as not startable", async () => {
  const closing = new AbortController();
  const observer = makeServerObserver(
    options({
      provider: { version: () => Promise.reject(new Error("no")), models: async () => [], loaded: async () => [] },
      canStart: () => Promise.reject(new Error("PATH cannot be read")),
    }),
    closing.signal,
  );
  expect(await observer.ask()).toMatchObject({ status: "unreachable", canStart: false });
  closing.abort();
});

test("polling continues after a failed query", async () => {
  const closing = new AbortController();
  const ready = new Promise<ModelServerState>((resolve) => {
    let requests = 0;
    const observer = makeServerObserver(
      options({
        // The first call is that of the initial state.
        host() {
          requests += 1;
          if (requests > 1 && requests < 4) throw new Error("the setting cannot be read");
          return "http://127.0.0.1:1";
        },
        onState: resolve,
      }),
      closing.signal,
    );
    observer.watch();
  });
  expect((await ready).status).toBe("ready");
  closing.abort();
});
