import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type ExtensionCaches, findExtensions } from "./find-extensions";
import { writeExtension } from "./test-extensions";

test("a definition that was written after it was hashed is not used, and is read again", async () => {
  const path = mkdtempSync(join(tmpdir(), "gopi-extensions-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const file = join(
    writeExtension(path, "probe", { "extension.yaml": "commands: [{name: x, prompt: y}]" }),
    "extension.yaml",
  );
  const caches: ExtensionCaches = { hashes: new Map(), definitions: new Map() };
  const find = async () => {
    const { extensions } = await findExtensions(
      { kind: "data", path, within: null },
      caches,
      new AbortController().signal,
    );
    return extensions.map(({ definition, problems }) => [definition.commands.length, problems.map(({ kind }) => kind)]);
  };
  expect(await find()).toEqual([[1, []]]);
  const hashed = caches.hashes.get(file);
  if (hashed === undefined) throw new Error("no hash");
  // As if the text that was hashed was another one.
  caches.hashes.set(file, { ...hashed, hash: "other" });
  expect(await find()).toEqual([[0, ["unreadable"]]]);
  caches.hashes.set(file, hashed);
  expect(await find()).toEqual([[1, []]]);
});
