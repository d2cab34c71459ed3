import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ok } from "@/lib/events/error";
import { type EngineHost, makeEngineHost } from "./engine-host";
import type { EngineProcess } from "./engine-process";

const never = new AbortController().signal;
const load = { model: "m", file: "/m.gguf", window: 4_096 };

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
  for (let request = 1; request <= 2; request += 1) {
    expect(await host.ensure(load, never)).toMatchObject({
      ok: false,
      error: { code: "internal", detail: "spawn ENOMEM" },
    });
    expect(starts).toBe(request);
  }
  expect(statuses).toEqual(["loading", "failed", "loading", "failed"]);
});

const minuteMs = 60_000;

interface IdleRig {
  readonly host: EngineHost;
  /** Process ids in the order of their starts, negative when they are stopped. */
  readonly log: readonly number[];
  /** Begins a request and waits until its model is loaded; the returned function ends it. */
  begin(keepAliveMinutes: number): Promise<() => void>;
  /** A process does not exit before this is called. */
  letStop(): void;
}

function makeIdleRig(): IdleRig {
  const log: number[] = [];
  let letStop = (): void => {};
  const allowed = new Promise<void>((resolve) => (letStop = resolve));
  let starts = 0;
  const host = makeEngineHost({
    async start() {
      starts += 1;
      const pid = starts;
      log.push(pid);
      let exit = (): void => {};
      const ended = new Promise<null>((resolve) => (exit = () => resolve(null)));
      const process: EngineProcess = {
        pid,
        baseUrl: "http://127.0.0.1:1/v1",
        key: "k",
        loadMs: 1,
        device: null,
        ended,
        async stop() {
          await allowed;
          log.push(-pid);
          exit();
        },
      };
      return ok(process);
    },
    onChange() {},
  });
  const begin = async (keepAliveMinutes: number): Promise<() => void> => {
    const release = host.hold(keepAliveMinutes);
    await host.ensure(load, never);
    return release;
  };
  return { host, log, begin, letStop };
}

describe("a process that is not requested", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("ends when the time after its last request has passed", async () => {
    const { host, log, begin, letStop } = makeIdleRig();
    letStop();
    (await begin(30))();
    await vi.advanceTimersByTimeAsync(29 * minuteMs);
    expect(host.run().status).toBe("ready");
    (await begin(10))();
    await vi.advanceTimersByTimeAsync(9 * minuteMs);
    expect(log).toEqual([1]);
    await vi.advanceTimersByTimeAsync(minuteMs);
    expect(host.run()).toEqual({ status: "stopped" });
    expect(log).toEqual([1, -1]);
  });

  test("stays with -1, and ends soon with 0", async () => {
    const { host, begin, letStop } = makeIdleRig();
    letStop();
    (await begin(-1))();
    await vi.advanceTimersByTimeAsync(7 * 24 * 60 * minuteMs);
    expect(host.run().status).toBe("ready");
    (await begin(0))();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(host.run()).toEqual({ status: "stopped" });
  });

  test("is kept while any request has not ended, also one that still loads", async () => {
    const { host, log, begin, letStop } = makeIdleRig();
    letStop();
    const endFirst = await begin(0);
    const endSecond = await begin(0);
    endFirst();
    await vi.advanceTimersByTimeAsync(60 * minuteMs);
    expect(log).toEqual([1]);
    endSecond();
    const endThird = host.hold(0);
    await vi.advanceTimersByTimeAsync(60 * minuteMs);
    expect(log).toEqual([1]);
    endThird();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(log).toEqual([1, -1]);
  });

  test("can be waited for until no request is left", async () => {
    const { host, begin } = makeIdleRig();
    await host.untilIdle();
    const [endFirst, endSecond] = [await begin(-1), await begin(-1)];
    const seen: string[] = [];
    const idle = host.untilIdle().then(() => seen.push("idle"));
    endFirst();
    await vi.advanceTimersByTimeAsync(minuteMs);
    expect(seen).toEqual([]);
    endSecond();
    await idle;
    await host.untilIdle();
  });

  test("is replaced for a request that arrives while it ends", async () => {
    const { host, log, begin, letStop } = makeIdleRig();
    (await begin(0))();
    await vi.advanceTimersByTimeAsync(2_000);
    const release = host.hold(0);
    expect(host.isReady(load)).toBe(false);
    const second = host.ensure(load, never);
    // The first one still ends.
    await vi.advanceTimersByTimeAsync(60 * minuteMs);
    expect(log).toEqual([1]);
    letStop();
    expect(await second).toMatchObject({ ok: true, value: { pid: 2 } });
    expect(log).toEqual([1, -1, 2]);
    await vi.advanceTimersByTimeAsync(60 * minuteMs);
    expect(log).toEqual([1, -1, 2]);
    release();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(log).toEqual([1, -1, 2, -2]);
  });

  test("is not ended by a time that began before an unload", async () => {
    const { host, log, begin, letStop } = makeIdleRig();
    letStop();
    (await begin(1))();
    await host.unload();
    // A request that was stopped by the unload ends after it.
    const late = host.hold(1);
    late();
    const release = await begin(-1);
    await vi.advanceTimersByTimeAsync(60 * minuteMs);
    release();
    await vi.advanceTimersByTimeAsync(60 * minuteMs);
    expect(log).toEqual([1, -1, 2]);
  });
});
