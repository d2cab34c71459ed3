import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Linter } from "eslint";
import typescript from "typescript-eslint";
import { afterEach, beforeEach, expect, it } from "vitest";
import { circles, valueImports } from "./circles.mjs";

let root;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "gopi-circles-"));
});

afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function lint(files, path) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const config = {
    files: ["**/*.ts"],
    languageOptions: { parser: typescript.parser },
    plugins: { gopi: { rules: { circles } } },
    rules: { "gopi/circles": "error" },
  };
  return new Linter({ cwd: root }).verify(files[path], config, join(root, path)).map(({ message }) => message);
}

it.each([
  ['import { a } from "./a";', ["./a"]],
  ['import a, { type B } from "./a";', ["./a"]],
  ['import { type A, b } from "./a";', ["./a"]],
  ['import * as a from "./a";', ["./a"]],
  ['import "./a";', ["./a"]],
  ['import {\n  a,\n  b,\n} from "./a";\nimport { c } from "./c";', ["./a", "./c"]],
  ['export { a } from "./a";', ["./a"]],
  ['export * from "./a";', ["./a"]],
  ['import type { A } from "./a";', []],
  ['import { type A, type B } from "./a";', []],
  ['import {\n  type A,\n  type B as C,\n} from "./a";', []],
  ['export type { A } from "./a";', []],
  ['const a = await import("./a");', []],
  ['export const from = "./a";', []],
  ['export function f() {}\nconst x = { from: "./a" };', []],
])("reads the value imports of %j", (text, sources) => {
  expect(valueImports(text)).toEqual(sources);
});

it("names the whole cycle, through the alias and folders", () => {
  const files = {
    "a.ts": 'import { b } from "./x/b";',
    "x/b.ts": 'import { c } from "@/c";',
    "c.ts": 'import { a } from "./a";',
  };
  const message = "This import closes a cycle: a.ts → x/b.ts → c.ts → a.ts.";
  expect(lint(files, "a.ts")).toEqual([message]);
});

it("finds a file that imports itself", () => {
  expect(lint({ "a.ts": 'import { a } from "./a";' }, "a.ts")).toHaveLength(1);
});

it("allows a cycle that is closed by a type import or a dynamic import", () => {
  const files = {
    "a.ts": 'import { b } from "./b";',
    "b.ts": 'import type { A } from "./a";\nconst late = () => import("./a");',
  };
  expect(lint(files, "a.ts")).toEqual([]);
  expect(lint(files, "b.ts")).toEqual([]);
});

it("does not report a file that only imports a cycle", () => {
  const files = {
    "a.ts": 'import { b } from "./b";',
    "b.ts": 'import { c } from "./c";',
    "c.ts": 'import { b } from "./b";',
  };
  expect(lint(files, "a.ts")).toEqual([]);
});
