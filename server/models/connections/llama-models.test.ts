import { expect, test } from "vitest";
import { fail, ok } from "@/lib/events/error";
import type { ModelInfo } from "@/lib/models/models";
import { makeLlamaModels } from "./llama-models";

const never = new AbortController().signal;
const loading: readonly ModelInfo[] = [{ name: "m", capabilities: [], cloud: false, load: { state: "loading" } }];
const provider = {
  properties: async () => ({ template: {} }),
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
  const changing = { ...provider, properties: async () => ({ window: windows.shift(), template: {} }) };
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
