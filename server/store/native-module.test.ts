import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { nativeModuleProblem } from "./native-module";

const node20 = { node: "20.20.0", napi: "9" };
const node24 = { node: "24.21.0", napi: "10" };
let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "gopi-native-"));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Creates an installed better-sqlite3 of the version below a folder. */
function moduleIn(owner: string, version: string): string {
  const folder = join(owner, "node_modules", "better-sqlite3");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ version }));
  return folder;
}

const failing = (message: string, code?: string) => (): void => {
  throw Object.assign(new Error(message), code === undefined ? {} : { code });
};
const wrongNode = failing("was compiled against a different Node.js version", "ERR_DLOPEN_FAILED");
const mustNotLoad = failing("a binary that crashes Node was loaded");

describe("an incompatible native module is reported with a repair command", () => {
  test("in a user's own project", () => {
    const module = moduleIn(root, "12.11.1");
    const program = join(root, "node_modules", "gopi-web");
    expect(nativeModuleProblem({ program, module, versions: node24, load: wrongNode })).toBe(
      "gopi-web cannot open its database: better-sqlite3 12.11.1 was built for another version of Node; this is Node 24.21.0. " +
        `Repair it with: npm install --prefix ${root} --no-save --ignore-scripts better-sqlite3@13`,
    );
  });

  test("in a global installation, without its dev dependencies", () => {
    const program = join(root, "lib", "node_modules", "gopi-web");
    const module = moduleIn(program, "12.11.1");
    expect(nativeModuleProblem({ program, module, versions: node24, load: wrongNode })).toContain(
      `npm install --prefix ${program} --no-save --omit=dev --ignore-scripts better-sqlite3@13`,
    );
  });

  test("in a checkout, by npm start", () => {
    const module = moduleIn(root, "12.11.1");
    mkdirSync(join(root, "scripts"));
    writeFileSync(join(root, "scripts", "start.mjs"), "");
    expect(nativeModuleProblem({ program: root, module, versions: node24, load: wrongNode })).toContain(
      `npm start --prefix ${root}`,
    );
  });

  test("a version that would crash an older Node is not loaded", () => {
    const module = moduleIn(root, "13.2.0");
    expect(nativeModuleProblem({ program: root, module, versions: node20, load: mustNotLoad })).toMatch(
      /13\.2\.0 was made for Node 22\.14 and later; this is Node 20\.20\.0\. .* better-sqlite3@12$/,
    );
  });

  test.each([
    ["built for another system", failing("invalid ELF header", "ERR_DLOPEN_FAILED")],
    ["missing", failing("Could not locate the bindings file. Tried:")],
    ["missing a dependency", failing("Cannot find module 'bindings'", "MODULE_NOT_FOUND")],
  ])("a binary that is %s", (_, load) => {
    const module = moduleIn(root, "12.11.1");
    expect(nativeModuleProblem({ program: root, module, versions: node20, load })).toContain("better-sqlite3@12");
  });

  test("a module that could not be installed on Node 20, by a newer Node from npm", () => {
    const program = join(root, "node_modules", "gopi-web");
    expect(nativeModuleProblem({ program, module: null, versions: node20, load: mustNotLoad })).toMatch(
      /could not be installed for Node 20\.20\.0, .* npx --yes --package=node@24 --package=better-sqlite3@13 --package=gopi-web gopi-web$/,
    );
  });

  test("a missing module is reported", () => {
    const program = join(root, "gopi web");
    expect(nativeModuleProblem({ program, module: null, versions: node24, load: mustNotLoad })).toContain(
      `is not installed; this is Node 24.21.0. Repair it with: npm install --prefix "${program}"`,
    );
  });
});

test("a compatible module and the installed one are no problem", () => {
  const module = moduleIn(root, "13.2.0");
  expect(nativeModuleProblem({ program: dirname(root), module, versions: node24, load: () => {} })).toBeNull();
  expect(nativeModuleProblem()).toBeNull();
});
