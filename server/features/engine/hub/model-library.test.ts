/** Fit of the listed models to the memory of this machine. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ok } from "@/lib/events/error";
import { makeEngineModelList } from "../models/model-list";
import { encodeGguf } from "../models/test-gguf";
import { makeModelLibrary } from "./model-library";

/** A cache of 1 KB for each token. */
const withShape = encodeGguf([
  ["general.architecture", "text", "llama"],
  ["llama.block_count", "u32", 1],
  ["llama.attention.head_count_kv", "u32", 2],
  ["llama.attention.key_length", "u32", 128],
  ["llama.attention.value_length", "u32", 128],
]);
const withoutShape = encodeGguf([["general.architecture", "text", "llama"]]);

function makeRig() {
  const folder = mkdtempSync(join(tmpdir(), "gopi-library-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const list = makeEngineModelList(join(folder, "models.json"), join(folder, "models"));
  const options = { folder, environment: {}, hub: () => ok("https://hub.example"), onChange() {}, added() {} };
  const library = makeModelLibrary({ ...options, list });
  onTestFinished(() => library.close());
  return {
    list,
    library,
    async add(name: string, bytes: Buffer): Promise<string> {
      const file = join(folder, `${name}.gguf`);
      writeFileSync(file, bytes);
      await list.add({ name, file });
      return file;
    },
  };
}

test("a model in the list has the need that it had before it was added, once the memory is read", async () => {
  const { list, library, add } = makeRig();
  const file = await add("m", withShape);
  expect(library.state(list.models()).models[0]).not.toHaveProperty("memoryBytes");
  await library.look(null);
  await library.load();
  const size = withShape.length;
  const [before] = await library.measure([{ name: "m", file, from: "ollama", size }]);
  const [model] = library.state(list.models()).models;
  expect(model).toMatchObject({ name: "m", memoryBytes: before?.memoryBytes, fit: before?.fit });
  expect(model?.memoryBytes).toBeGreaterThanOrEqual(size + 1_024 * 16_384 + 1e9);
  expect(model?.fit).toBeDefined();
  expect(model).not.toHaveProperty("shape");
});

test("a model whose file does not state its shape has a lower limit, and one that is gone has none", async () => {
  const { list, library, add } = makeRig();
  const file = await add("m", withoutShape);
  await library.load();
  const [model] = library.state(list.models()).models;
  expect(model?.memoryBytes).toBeGreaterThanOrEqual(withoutShape.length + 1e9);
  expect(model).not.toHaveProperty("fit");
  rmSync(file);
  await list.load();
  expect(library.state(list.models()).models[0]).not.toHaveProperty("memoryBytes");
});
