import { expect, test } from "vitest";
import { fail, ok } from "@/lib/events/error";
import type { ModelInfo } from "@/lib/models/models";
import { ProviderError } from "@/server/providers/provider";
import { makeLlamaModels } from "./llama-models";

const never = new AbortController().signal;
const loading: readonly ModelInfo[] = [{ name: "m", capabilities: [], cloud: false, load: { state: "loading" } }];
const nothing = { template: {}, isSleeping: false, capabilities: [], isRouter: false, showsSlots: false };
const noEvents = { follow() {}, progressOf: () => undefined };
const router = {
  properties: async () => nothing,
  changeLoad: async () => {},
  slots: async () => ({ all: 1, busy: 0 }),
  runsCommands: async () => true,
  holdsAnswers: async () => false,
};

test("a server that ends while it loads a model ends the wait for it", async () => {
  const gone = async () => fail("server_unreachable");
  const { loader } = makeLlamaModels(router, () => loading, gone, gone, noEvents, false);
  await expect(loader.load("m", 0, never)).resolves.toBe(false);
});

test("a list that hangs is not waited for after a stop", async () => {
  const hangs = () => new Promise<never>(() => {});
  const { loader } = makeLlamaModels(router, () => loading, hangs, hangs, noEvents, false);
  const stop = new AbortController();
  const waits = [loader.needsLoad("m", 0, stop.signal), loader.load("m", 0, stop.signal)];
  stop.abort();
  await Promise.all(waits);
});

test("the properties of a loaded model are read with each list: it may have been loaded again", async () => {
  const windows = [8_192, 4_096];
  const changing = {
    ...router,
    properties: async () => ({ ...nothing, window: windows.shift() }),
  };
  const models: readonly ModelInfo[] = [{ name: "m", capabilities: [], cloud: false, load: { state: "loaded" } }];
  const llama = makeLlamaModels(
    changing,
    () => models,
    async () => ok(models),
    async () => ok(models),
    noEvents,
    false,
  );
  expect(await llama.complete(models, never)).toMatchObject([{ contextLength: 8_192 }]);
  expect(await llama.complete(models, never)).toMatchObject([{ contextLength: 4_096 }]);
});

test("a server that could not be asked whether it runs commands is asked again", async () => {
  const causes = [new ProviderError({ code: "server_busy" }, { retryable: true }), new Error("aborted")];
  const starting = {
    ...router,
    async runsCommands() {
      const cause = causes.shift();
      if (cause !== undefined) throw cause;
      return true;
    },
  };
  const list = async () => ok(loading);
  const llama = makeLlamaModels(starting, () => loading, list, list, noEvents, true);
  for (const facts of [{}, {}, { runsCommands: true }]) {
    await llama.complete(loading, never);
    expect(llama.facts()).toEqual(facts);
  }
});

test("a server without tools is asked for them once", async () => {
  let requests = 0;
  const without = {
    ...router,
    runsCommands() {
      requests += 1;
      return Promise.reject(new ProviderError({ code: "wrong_address", facts: { status: 404 } }));
    },
  };
  const list = async () => ok(loading);
  const llama = makeLlamaModels(without, () => loading, list, list, noEvents, true);
  await llama.complete(loading, never);
  await llama.complete(loading, never);
  expect([llama.facts(), requests]).toEqual([{}, 1]);
});

test.each([
  ["a server that others reach, and that runs commands", true, 1, { runsCommands: true }],
  ["one of this machine alone", false, 0, {}],
])("%s is known as such, after one request", async (_title, isOnNetwork, count, facts) => {
  let requests = 0;
  const counting = { ...router, runsCommands: async () => (requests += 1) > 0 };
  const list = async () => ok(loading);
  const llama = makeLlamaModels(counting, () => loading, list, list, noEvents, isOnNetwork);
  await llama.complete(loading, never);
  await llama.complete(loading, never);
  expect([llama.facts(), requests]).toEqual([facts, count]);
});

test("a model counts as awake only in memory, by requests that wake none", async () => {
  const awake = async (models: readonly ModelInfo[], isSleeping: boolean): Promise<boolean> => {
    const own = { ...router, properties: async () => ({ ...nothing, isSleeping }) };
    const list = async () => ok(models);
    return makeLlamaModels(own, () => models, list, list, noEvents, false).isAwake("m", never);
  };
  const routed = (state: "loaded" | "sleeping" | "unloaded"): readonly ModelInfo[] => [
    { name: "m", capabilities: [], cloud: false, load: { state } },
  ];
  const single: readonly ModelInfo[] = [{ name: "m", capabilities: [], cloud: false }];
  expect(await Promise.all([awake(single, false), awake(single, true)])).toEqual([true, false]);
  expect(await Promise.all([awake(routed("loaded"), false), awake(routed("sleeping"), false)])).toEqual([true, false]);
  expect(await awake(routed("unloaded"), false)).toBe(false);
});
