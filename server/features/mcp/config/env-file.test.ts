import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseEnvFile, readEnvFile } from "./env-file";

test.each<readonly [string, { readonly [name: string]: string }]>([
  ["A=1\nexport B = two words # a comment\n# C=3\n", { A: "1", B: "two words" }],
  ["A=\nB=a#b\r\nC='x # y' # z", { A: "", B: "a#b", C: "x # y" }],
  ['A="one\\ntwo \\"three\\""\nB=`q"\'`\nC=\'a\\n\'', { A: 'one\ntwo "three"', B: "q\"'", C: "a\\n" }],
  ['KEY="-----BEGIN\nabc\n-----END"\nB=2', { KEY: "-----BEGIN\nabc\n-----END", B: "2" }],
  ['A="open\nB=2', { A: '"open', B: "2" }],
  ["no assignment\n=x\n1A=2\nA=1\nA=2", { A: "2" }],
  ["\uFEFFA=1", { A: "1" }],
  ["", {}],
])("the variables of %j", (text, expected) => {
  expect(parseEnvFile(text)).toEqual(expected);
});

test("a file is read within its limit; one in an untrusted folder is not, also behind a link", async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "env-file-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const root = join(folder, "project");
  mkdirSync(root);
  writeFileSync(join(root, ".env"), "A=1");
  symlinkSync(join(root, ".env"), join(folder, "link"));
  writeFileSync(join(folder, "large"), "A=1\n".repeat(20_000));
  expect(await readEnvFile(join(root, ".env"), null)).toEqual({ ok: true, value: { A: "1" } });
  for (const name of ["project/.env", "link"])
    expect(await readEnvFile(join(folder, name), root)).toMatchObject({ error: { facts: { reason: "untrusted" } } });
  for (const name of ["missing", "large", "project"]) {
    const path = join(folder, name);
    expect(await readEnvFile(path, null)).toMatchObject({
      error: { code: "bad_input", facts: { reason: "env_file", path } },
    });
  }
});
