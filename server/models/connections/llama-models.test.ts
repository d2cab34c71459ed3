import { expect, test } from "vitest";
import { fail, ok } from "@/lib/events/error";
import type { ModelInfo } from "@/lib/models/models";
import { makeLlamaModels } from "./llama-models";

const never = new AbortController().signal;
const loading: readonly ModelInfo[] = [{ name: "m", capabilities: [], cloud: false, load: { state: "loading" } }];
const provider = {
  properties: async () => ({ template: {}, isSleeping: false }),
  changeLoad: async () => {},
  holdsAnswers: async () => false,
};

test("a server that ends while it loads a model ends the wait for it", async () => {
  const gone = async () => fail("server_unreachable");
  const { loader } = makeLlamaModels(provider, () => loading, gone, gone);
  await expect(loader.load("m", never)).resolves.toBeUndefined();
});

test("a list that hangs is not waited for after a stop", async () => {
  const hangs = () => new Promise<never>(() => {});
  const { loader } = makeLlamaModels(provider, () => loading, hangs, hangs);
  const stop = new AbortController();
  const waits = [loader.needsLoad("m", stop.signal), loader.load("m", stop.signal)];
  stop.abort();
  await Promise.all(waits);
});

test("the properties of a loaded model are read with each list: it may have been loaded again", async () => {
  const windows = [8_192, 4_096];
  const changing = {
    ...provider,
    properties: async () => ({ window: windows.shift(), template: {}, isSleeping: false }),
  };
  const models: readonly ModelInfo[] = [{ name: "m", capabilities: [], cloud: false, load: { state: "loaded" } }];
  const llama = makeLlamaModels(
    changing,
    () => models,
    async () => ok(models),
    async () => ok(models),
  );
  expect(await llama.complete(models, never)).toMatchObject([{ contextLength: 8_192 }]);
  expect(await llama.complete(models, never)).toMatchObject([{ contextLength: 4_096 }]);
});

test("a model counts as awake only in memory, by requests that wake none", async () => {
  const awake = async (models: readonly ModelInfo[], isSleeping: boolean): Promise<boolean> => {
    const own = { ...provider, properties: async () => ({ template: {}, isSleeping }) };
    const list = async () => ok(models);
    return makeLlamaModels(own, () => models, list, list).isAwake("m", never);
  };
  const routed = (state: "loaded" | "sleeping" | "unloaded"): readonly ModelInfo[] => [
    { name: "m", capabilities: [], cloud: false, load: { state } },
  ];
  const single: readonly ModelInfo[] = [{ name: "m", capabilities: [], cloud: false }];
  expect(await Promise.all([awake(single, false), awake(single, true)])).toEqual([true, false]);
  expect(await Promise.all([awake(routed("loaded"), false), awake(routed("sleeping"), false)])).toEqual([true, false]);
  expect(await awake(routed("unloaded"), false)).toBe(false);
});
