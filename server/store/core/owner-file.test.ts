/** Files with what the owner decided: real files, read and changed. */
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeOwnerFile } from "./owner-file";

function makeRig() {
  const root = mkdtempSync(join(tmpdir(), "gopi-owner-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const path = join(root, "names.json");
  const file = makeOwnerFile<readonly string[]>(path, {
    missing: [],
    parse: (value) => (Array.isArray(value) && value.every((one) => typeof one === "string") ? value : null),
    print: (names) => [...names],
  });
  const add = (name: string) => file.change((before) => [...before, name]);
  const text = (): string => readFileSync(path, "utf8");
  return { path, file, add, text };
}

test("a file that is missing is empty, and is written by the first change", () => {
  const { file, add, text } = makeRig();
  expect(file.read()).toEqual({ ok: true, value: [] });
  expect(add("a")).toMatchObject({ ok: true });
  expect(JSON.parse(text())).toEqual(["a"]);
});

test.each([
  ["cut", '["a'],
  ["empty", ""],
  ["of another form", "{}"],
])("a file that is %s is reported, not overwritten, and read again", (_how, broken) => {
  const { path, file, add, text } = makeRig();
  writeFileSync(path, broken);
  expect(file.read()).toMatchObject({ error: { code: "unreadable_file", facts: { path } } });
  expect(add("b")).toMatchObject({ error: { code: "unreadable_file" } });
  expect(text()).toBe(broken);
  writeFileSync(path, '["a"]');
  expect(file.read()).toEqual({ ok: true, value: ["a"] });
  add("b");
  expect(JSON.parse(text())).toEqual(["a", "b"]);
});

test.each([
  ["a folder", (path: string) => mkdirSync(path), (path: string) => rmdirSync(path)],
  ["a link to itself", (path: string) => symlinkSync(path, path), (path: string) => rmSync(path)],
])("%s in the place of the file is not a missing file", (_what, make, remove) => {
  const { path, file, add } = makeRig();
  make(path);
  expect(file.read()).toMatchObject({ error: { code: "unreadable_file" } });
  expect(add("a")).toMatchObject({ error: { code: "unreadable_file" } });
  remove(path);
  expect(file.read()).toEqual({ ok: true, value: [] });
});
