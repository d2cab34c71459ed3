import { describe, expect, it } from "vitest";
import { makeHostQueue } from "./host-queue";

const idle = (): AbortSignal => new AbortController().signal;
/** Whether a promise is settled after all due callbacks have run. */
const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
  let settled = false;
  const settle = (): boolean => (settled = true);
  promise.then(settle, settle);
  await new Promise(setImmediate);
  return settled;
};

describe("the queue of a model server", () => {
  it("runs one request at a time, first in, first out", async () => {
    const queue = makeHostQueue(() => 1);
    const first = await queue.enter("a", "w", idle());
    const order: string[] = [];
    const enter = async (name: string): Promise<void> => {
      const release = await queue.enter("a", "w", idle());
      order.push(name);
      release();
    };
    const laterEntries = Promise.all([enter("second"), enter("third"), enter("fourth")]);
    expect(await isSettled(laterEntries)).toBe(false);
    expect(order).toEqual([]);
    first();
    await laterEntries;
    expect(order).toEqual(["second", "third", "fourth"]);
  });

  it("is separate for each server", async () => {
    const queue = makeHostQueue(() => 1);
    await queue.enter("a", "w", idle());
    expect(await isSettled(queue.enter("b", "w", idle()))).toBe(true);
  });

  it("runs as many at once as configured", async () => {
    const queue = makeHostQueue(() => 2);
    await queue.enter("a", "w", idle());
    const release = await queue.enter("a", "w", idle());
    const third = queue.enter("a", "w", idle());
    expect(await isSettled(third)).toBe(false);
    release();
    expect(await isSettled(third)).toBe(true);
  });

  it("follows a changed number: with more, those that wait start first; with fewer, those that run end", async () => {
    let atOnce = 1;
    const queue = makeHostQueue(() => atOnce);
    const enter = () => queue.enter("a", "w", idle());
    const first = await enter();
    const [second, third] = [enter(), enter()];
    atOnce = 2;
    const fourth = enter();
    expect(await Promise.all([second, third, fourth].map(isSettled))).toEqual([true, false, false]);
    atOnce = 3;
    first();
    expect(await Promise.all([third, fourth].map(isSettled))).toEqual([true, true]);
    atOnce = 1;
    const fifth = enter();
    for (const running of [second, third]) (await running)();
    expect(await isSettled(fifth)).toBe(false);
    (await fourth)();
    expect(await isSettled(fifth)).toBe(true);
  });

  it("reports how many are ahead, and again when that changes", async () => {
    const queue = makeHostQueue(() => 1);
    const reported: Record<string, number[]> = { first: [], second: [], third: [] };
    const enter = (name: string): Promise<() => void> =>
      queue.enter("a", name, idle(), (ahead) => void reported[name]?.push(ahead));
    const first = await enter("first");
    const second = enter("second");
    const third = enter("third");
    first();
    (await second)();
    (await third)();
    expect(reported).toEqual({ first: [], second: [1], third: [2, 1] });
  });

  it("removes an aborted request at once and moves the others up", async () => {
    const queue = makeHostQueue(() => 1);
    const release = await queue.enter("a", "w", idle());
    const stop = new AbortController();
    const leaving = queue.enter("a", "w", stop.signal);
    const ahead: number[] = [];
    const staying = queue.enter("a", "w", idle(), (count) => void ahead.push(count));
    stop.abort(new Error("stopped"));
    await expect(leaving).rejects.toThrow("stopped");
    expect(ahead).toEqual([2, 1]);
    release();
    expect(await isSettled(staying)).toBe(true);
  });

  it("rejects a request that was aborted before", async () => {
    const queue = makeHostQueue(() => 1);
    await expect(queue.enter("a", "w", AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
    expect(await isSettled(queue.enter("a", "w", idle()))).toBe(true);
  });

  it("frees a slot once, however often it is released, and ignores an abort after the start", async () => {
    const queue = makeHostQueue(() => 1);
    const stop = new AbortController();
    const first = await queue.enter("a", "w", stop.signal);
    const second = queue.enter("a", "w", idle());
    const third = queue.enter("a", "w", idle());
    stop.abort();
    expect(await isSettled(second)).toBe(false);
    first();
    first();
    await second;
    expect(await isSettled(third)).toBe(false);
  });

  it("moves a waiting request to the front, and reports the new positions", async () => {
    const queue = makeHostQueue(() => 1);
    const release = await queue.enter("a", "running", idle());
    const reported: [string, number][] = [];
    const order: string[] = [];
    const enter = async (sessionId: string): Promise<void> => {
      const leave = await queue.enter("a", sessionId, idle(), (ahead) => void reported.push([sessionId, ahead]));
      order.push(sessionId);
      leave();
    };
    const all = Promise.all([enter("x"), enter("y"), enter("z")]);
    reported.length = 0;
    expect(queue.runFirst("z")).toBe(true);
    expect(reported).toEqual([
      ["z", 1],
      ["x", 2],
      ["y", 3],
    ]);
    release();
    await all;
    expect(order).toEqual(["z", "x", "y"]);
  });

  it("moves nothing for a request that does not wait", async () => {
    const queue = makeHostQueue(() => 1);
    await queue.enter("a", "running", idle());
    expect([queue.runFirst("running"), queue.runFirst("nobody")]).toEqual([false, false]);
  });

  it("is busy from the first request to the end of the last", async () => {
    const queue = makeHostQueue(() => 1);
    expect(queue.isBusy("a")).toBe(false);
    const first = await queue.enter("a", "w", idle());
    const second = queue.enter("a", "w", idle());
    first();
    expect([queue.isBusy("a"), queue.isBusy("b")]).toEqual([true, false]);
    (await second)();
    expect(queue.isBusy("a")).toBe(false);
  });
});

describe("requests in the background", () => {
  it("wait for all others, also for those that come later", async () => {
    const queue = makeHostQueue(
      () => 1,
      (owner) => owner === "night",
    );
    const release = await queue.enter("a", "w", idle());
    const order: string[] = [];
    const positions: [string, number][] = [];
    const enter = async (owner: string): Promise<void> => {
      const leave = await queue.enter("a", owner, idle(), (ahead) => void positions.push([owner, ahead]));
      order.push(owner);
      leave();
    };
    const all = Promise.all([enter("night"), enter("x"), enter("night"), enter("y")]);
    expect(positions.slice(0, 3)).toEqual([
      ["night", 1],
      ["x", 1],
      ["night", 2],
    ]);
    release();
    await all;
    expect(order).toEqual(["x", "y", "night", "night"]);
  });
});
