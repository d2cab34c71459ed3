import { PassThrough } from "node:stream";
import { expect, onTestFinished, test, vi } from "vitest";
import { listenForEnter } from "./link-key";

function makeTerminal() {
  const input = new PassThrough();
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  const state = { isForeground: true, looks: 0, entered: 0 };
  const look = (): Promise<boolean> => {
    state.looks += 1;
    return Promise.resolve(state.isForeground);
  };
  const begin = () => listenForEnter(input, look, () => (state.entered += 1), closing.signal);
  return { input, state, begin, close: () => closing.abort() };
}

/** Resolves when what was written before has been read, if anything reads it. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

test("each Enter calls back, until the server closes", async () => {
  const { input, state, begin, close } = makeTerminal();
  expect(await begin()).toBe(true);
  input.write("\n");
  await vi.waitUntil(() => state.entered === 1);
  input.write("text before Enter\n");
  await vi.waitUntil(() => state.entered === 2);
  close();
  input.write("\n");
  await settle();
  expect(state.entered).toBe(2);
});

test("a process in the background never reads its terminal", async () => {
  const { input, state, begin } = makeTerminal();
  state.isForeground = false;
  expect(await begin()).toBe(false);
  input.write("\n");
  await settle();
  expect([state.entered, input.readableLength]).toEqual([0, 1]);
});

test.skipIf(process.platform === "win32")(
  "one that is moved to the background stops reading, and begins again in the foreground",
  async () => {
    const { input, state, begin } = makeTerminal();
    await begin();
    state.isForeground = false;
    process.kill(process.pid, "SIGCONT");
    await vi.waitUntil(() => state.looks === 2);
    input.write("\n");
    await settle();
    expect(state.entered).toBe(0);
    state.isForeground = true;
    process.kill(process.pid, "SIGCONT");
    await vi.waitUntil(() => state.entered === 1);
  },
);
