/** The list of models, with real files. */
import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { writeTinyModel } from "@/e2e/fixtures/tiny-model.mjs";
import { makeEngineModelList } from "./model-list";
import { encodeGguf } from "./test-gguf";

function place() {
  const root = mkdtempSync(join(tmpdir(), "gopi-list-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const downloads = join(root, "models");
  mkdirSync(downloads);
  const path = join(root, "models.json");
  const put = (file: string): string => {
    writeTinyModel(join(root, file), { answers: [] });
    return join(root, file);
  };
  const stored = (): readonly string[] => {
    const list: { readonly models: readonly { readonly name: string }[] } = JSON.parse(readFileSync(path, "utf8"));
    return list.models.map(({ name }) => name);
  };
  return { path, put, stored, list: makeEngineModelList(path, downloads) };
}

test("models that are added and removed at once, while the list is read, are all in the list and its file", async () => {
  const { put, stored, list } = place();
  const files = ["a", "b", "c", "d"].map((name) => ({ name, file: put(`${name}.gguf`) }));
  const added = await Promise.all(files.flatMap((file) => [list.add(file), list.load()]));
  expect(added.filter((result) => result !== undefined && !result.ok)).toEqual([]);
  expect(stored()).toEqual(["a", "b", "c", "d"]);
  await Promise.all([list.remove("b"), list.load(), list.remove("c"), list.load()]);
  expect(stored()).toEqual(["a", "d"]);
  expect(list.models().map(({ name }) => name)).toEqual(["a", "d"]);
  const twice = { name: "e", file: put("e.gguf") };
  expect((await Promise.all([list.add(twice), list.add(twice)])).map(({ ok }) => ok)).toEqual([true, false]);
});

test("nothing else waits while the list is read", async () => {
  const { path, list } = place();
  execFileSync("mkfifo", [path]);
  // The pipe gives the list when this process is still at work, else after two seconds.
  const script = `if read -r -t 2 _; then first=yes; else first=no; fi; printf '{"models":[]}' > "$0"; echo $first`;
  const writer = spawn("bash", ["-c", script, path], { stdio: ["pipe", "pipe", "inherit"] });
  const output = text(writer.stdout);
  const loaded = list.load();
  writer.stdin.end("go on\n");
  await loaded;
  expect(await output).toBe("yes\n");
});

test("the size is that of all files which are loaded", async () => {
  const { put, list } = place();
  const file = put("m.gguf");
  const projector = put("mmproj.gguf");
  writeFileSync(projector, encodeGguf([["general.architecture", "text", "clip"]]));
  const { size } = statSync(file);
  await list.add({ name: "blind", file });
  await list.add({ name: "seeing", file, projector });
  await list.add({ name: "wrong", file, projector: file });
  expect(list.models().map(({ info }) => info?.size)).toEqual([size, size + statSync(projector).size, size]);
});

test("a downloaded file is deleted with the last entry that names it", async () => {
  const { put, list } = place();
  const file = put("models/m.gguf");
  for (const name of ["one", "two"]) await list.add({ name, file });
  expect(await list.remove("one")).toMatchObject({ ok: true });
  expect(existsSync(file)).toBe(true);
  expect(await list.remove("two")).toMatchObject({ ok: true });
  expect(existsSync(file)).toBe(false);
});

test("the files of a model are deleted once it is off the list, and what uses them has ended", async () => {
  const { put, list } = place();
  const file = put("models/m.gguf");
  await list.add({ name: "m", file });
  const seen: boolean[] = [];
  const ended = async (): Promise<void> => {
    seen.push(list.models().length === 0, existsSync(file));
  };
  expect(await list.remove("m", ended)).toMatchObject({ ok: true });
  expect(seen).toEqual([true, true]);
  expect(existsSync(file)).toBe(false);
});

test("a model with a part that was cut is refused, and marked in the list", async () => {
  const { put, list } = place();
  const [file, second] = [put("m-00001-of-00002.gguf"), put("m-00002-of-00002.gguf")];
  expect(await list.add({ name: "m", file })).toMatchObject({ ok: true });
  truncateSync(second, 100_000);
  await list.load();
  expect(list.models()).toMatchObject([{ name: "m", error: { code: "model_file_broken" } }]);
  expect(await list.add({ name: "n", file })).toMatchObject({ error: { code: "model_file_broken" } });
  truncateSync(file, 100_000);
  expect(await list.add({ name: "n", file })).toMatchObject({ error: { code: "model_file_broken" } });
});

test("models that get the same name at once are both in the list", async () => {
  const { put, stored, list } = place();
  const files = ["a", "b", "c"].map((name) => ({ name: "m", file: put(`${name}.gguf`) }));
  const added = await Promise.all(files.map((file) => list.addUnderFreeName(file)));
  expect(added.map(({ ok }) => ok)).toEqual([true, true, true]);
  expect(stored()).toEqual(["m", "m-2", "m-3"]);
  expect(list.room()).toBe(97);
});

test("a list that cannot be written is reported, and the model is not in the list", async () => {
  const { path, put, list } = place();
  mkdirSync(path);
  expect(await list.add({ name: "a", file: put("a.gguf") })).toMatchObject({ ok: false });
  expect(list.models()).toEqual([]);
});

test("a list that cannot be read is not overwritten, and an entry of another form costs no other model", async () => {
  const { path, put, stored, list } = place();
  const file = put("a.gguf");
  await list.add({ name: "a", file });
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.slice(0, -5));
  const next = makeEngineModelList(path, join(path, "../models"));
  for (const changing of [list, next]) {
    await changing.load();
    const refused = { error: { code: "unreadable_file", facts: { path } } };
    expect(await changing.add({ name: "b", file })).toMatchObject(refused);
    expect(await changing.remove("a")).toMatchObject(refused);
  }
  expect(list.models().map(({ name }) => name)).toEqual(["a"]);
  expect(readFileSync(path, "utf8")).toBe(text.slice(0, -5));
  writeFileSync(path, JSON.stringify({ models: [{ name: 1 }, { name: "a", file }] }));
  expect(await next.add({ name: "b", file })).toMatchObject({ ok: true });
  expect(next.models().map(({ name }) => name)).toEqual(["a", "b"]);
  expect(stored()).toEqual(["a", "b", 1]);
});
