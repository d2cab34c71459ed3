import { describe, expect, it } from "vitest";
import { makeHostQueue } from "./queue";

const idle = (): AbortSignal => new AbortController().signal;
/** Whether a promise is settled once everything that is due has run. */
const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
  let settled = false;
  const settle = (): boolean => (settled = true);
  promise.then(settle, settle);
  await new Promise(setImmediate);
  return settled;
};

describe("the queue of a model server", () => {
  it("lets one request in and the others after it, in the order they came", async () => {
    const queue = makeHostQueue(1);
    const first = await queue.enter("a", idle());
    const order: string[] = [];
    const enter = async (name: string): Promise<void> => {
      const release = await queue.enter("a", idle());
      order.push(name);
      release();
    };
    const others = Promise.all([enter("second"), enter("third"), enter("fourth")]);
    expect(await isSettled(others)).toBe(false);
    expect(order).toEqual([]);
    first();
    await others;
    expect(order).toEqual(["second", "third", "fourth"]);
  });

  it("keeps servers apart", async () => {
    const queue = makeHostQueue(1);
    await queue.enter("a", idle());
    expect(await isSettled(queue.enter("b", idle()))).toBe(true);
  });

  it("lets in as many at once as it was told", async () => {
    const queue = makeHostQueue(2);
    await queue.enter("a", idle());
    const release = await queue.enter("a", idle());
    const third = queue.enter("a", idle());
    expect(await isSettled(third)).toBe(false);
    release();
    expect(await isSettled(third)).toBe(true);
  });

  it("tells each how many are ahead, and again when that changes", async () => {
    const queue = makeHostQueue(1);
    const told: Record<string, number[]> = { first: [], second: [], third: [] };
    const enter = (name: string): Promise<() => void> =>
      queue.enter("a", idle(), (ahead) => void told[name]?.push(ahead));
    const first = await enter("first");
    const second = enter("second");
    const third = enter("third");
    first();
    (await second)();
    (await third)();
    expect(told).toEqual({ first: [], second: [1], third: [2, 1] });
  });

  it("lets an aborted one go at once and moves the others up", async () => {
    const queue = makeHostQueue(1);
    const release = await queue.enter("a", idle());
    const stop = new AbortController();
    const leaving = queue.enter("a", stop.signal);
    const ahead: number[] = [];
    const staying = queue.enter("a", idle(), (count) => void ahead.push(count));
    stop.abort(new Error("stopped"));
    await expect(leaving).rejects.toThrow("stopped");
    expect(ahead).toEqual([2, 1]);
    release();
    expect(await isSettled(staying)).toBe(true);
  });

  it("does not even begin for a request that was aborted before", async () => {
    const queue = makeHostQueue(1);
    await expect(queue.enter("a", AbortSignal.abort(new Error("stopped")))).rejects.toThrow("stopped");
    expect(await isSettled(queue.enter("a", idle()))).toBe(true);
  });

  it("gives a place away once, however often it is released, and an abort after the turn came changes nothing", async () => {
    const queue = makeHostQueue(1);
    const stop = new AbortController();
    const first = await queue.enter("a", stop.signal);
    const second = queue.enter("a", idle());
    const third = queue.enter("a", idle());
    stop.abort();
    expect(await isSettled(second)).toBe(false);
    first();
    first();
    await second;
    expect(await isSettled(third)).toBe(false);
  });
});
