import { expect, test } from "vitest";
import { makeEngineHost } from "./engine-host";

const never = new AbortController().signal;

test("a start that throws is a failure, and the next request starts again", async () => {
  let starts = 0;
  const statuses: string[] = [];
  const host = makeEngineHost({
    start() {
      starts += 1;
      return Promise.reject(new Error("spawn ENOMEM"));
    },
    onChange: ({ status }) => statuses.push(status),
  });
  const load = { model: "m", file: "/m.gguf", window: 4_096 };
  for (let request = 1; request <= 2; request += 1) {
    expect(await host.ensure(load, never)).toMatchObject({
      ok: false,
      error: { code: "internal", detail: "spawn ENOMEM" },
    });
    expect(starts).toBe(request);
  }
  expect(statuses).toEqual(["loading", "failed", "loading", "failed"]);
});
