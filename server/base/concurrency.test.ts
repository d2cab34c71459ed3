import { expect, test } from "vitest";
import { joinRunning, makeMutex, makeSlots, oneAtATime } from "./concurrency";

const never = new AbortController().signal;

/** A promise and the handle that settles it. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

test("holders of one key run in request order, other keys do not wait", async () => {
  const mutex = makeMutex();
  const order: string[] = [];
  const first = gate();
  const a = mutex.hold("k", () => first.opened.then(() => order.push("a")), never);
  const b = mutex.hold("k", async () => order.push("b"), never);
  await mutex.hold("other", async () => order.push("other"), never);
  first.open();
  await Promise.all([a, b]);
  expect(order).toEqual(["other", "a", "b"]);
});

test("a failure rejects and releases the key", async () => {
  const mutex = makeMutex();
  const failing = mutex.hold("k", () => Promise.reject(new Error("broken")), never);
  await expect(failing).rejects.toThrow("broken");
  expect(await mutex.hold("k", async () => "free", never)).toBe("free");
});

test("an aborted waiter does not run, and later waiters still wait for the holder", async () => {
  const mutex = makeMutex();
  const order: string[] = [];
  const first = gate();
  const controller = new AbortController();
  const a = mutex.hold("k", () => first.opened.then(() => order.push("a")), never);
  const b = mutex.hold("k", async () => order.push("b"), controller.signal);
  const c = mutex.hold("k", async () => order.push("c"), never);
  controller.abort(new Error("stopped"));
  await expect(b).rejects.toThrow("stopped");
  first.open();
  await Promise.all([a, c]);
  expect(order).toEqual(["a", "c"]);
});

test("one that comes after the last waiter gave up still waits for the holder", async () => {
  const mutex = makeMutex();
  const order: string[] = [];
  const first = gate();
  const controller = new AbortController();
  const a = mutex.hold("k", () => first.opened.then(() => order.push("a")), never);
  const b = mutex.hold("k", async () => order.push("b"), controller.signal);
  controller.abort(new Error("stopped"));
  await expect(b).rejects.toThrow("stopped");
  const c = mutex.hold("k", async () => order.push("c"), never);
  await new Promise(setImmediate);
  expect(order).toEqual([]);
  first.open();
  await Promise.all([a, c]);
  expect(order).toEqual(["a", "c"]);
});

test("an already aborted signal prevents the work, and an abort while holding does not interrupt it", async () => {
  const mutex = makeMutex();
  await expect(mutex.hold("k", async () => "ran", AbortSignal.abort(new Error("before")))).rejects.toThrow("before");
  const controller = new AbortController();
  const held = mutex.hold(
    "k",
    async () => {
      controller.abort();
      await Promise.resolve();
      return "done";
    },
    controller.signal,
  );
  expect(await held).toBe("done");
});

test("slots run at most their number of works at once, started in order", async () => {
  const run = makeSlots(2);
  const gates = [gate(), gate(), gate()];
  const started: number[] = [];
  const works = gates.map(({ opened }, index) =>
    run(async () => {
      started.push(index);
      await opened;
    }),
  );
  expect(started).toEqual([0, 1]);
  gates[1]?.open();
  await works[1];
  await Promise.resolve();
  expect(started).toEqual([0, 1, 2]);
  for (const { open } of gates) open();
  await Promise.all(works);
});

test.each([
  ["joinRunning", joinRunning, [1, 1, 1]],
  ["oneAtATime", oneAtATime, [1, 2, 2]],
])("calls of %s during a run get the expected run", async (_name, limit, runs) => {
  let count = 0;
  const first = gate();
  const call = limit(async () => {
    count += 1;
    const run = count;
    await first.opened;
    return run;
  });
  const results = [call(), call(), call()];
  first.open();
  expect(await Promise.all(results)).toEqual(runs);
  expect(await call()).toBe(Math.max(...runs) + 1);
});
