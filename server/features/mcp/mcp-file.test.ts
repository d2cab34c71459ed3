/** The file of servers while it is broken, and its edits. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeMcpFile } from "./mcp-file";

function makeRig(text: string) {
  const home = mkdtempSync(join(tmpdir(), "mcp-file-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const path = join(home, "mcp.json");
  writeFileSync(path, text);
  let now = 0;
  const file = makeMcpFile(path, () => now);
  const look = () => {
    now += 1_000;
    const { servers, problems, error } = file.read();
    return { names: servers.map(({ name }) => name), problems: problems.map(({ reason }) => reason), error };
  };
  return { path, file, look };
}

const whole = '{ "mcpServers": { "a": { "command": "x" }, "b": { "command": "y" } } }';

test.each([
  ["half of it", '{ "mcpServers": { "a": { "command": "x" }, "b": { "comm'],
  ["nothing", ""],
  ["blanks", " \n"],
])("a file that has %s keeps its servers and has a problem, until it is whole or gone", (_, text) => {
  const { path, look } = makeRig(whole);
  expect(look()).toEqual({ names: ["a", "b"], problems: [] });
  for (const broken of [text, `${text} `]) {
    writeFileSync(path, broken);
    expect(look()).toEqual({ names: ["a", "b"], problems: ["syntax"] });
  }
  writeFileSync(path, '{ "mcpServers": { "b": { "command": "y" } } }');
  expect(look()).toEqual({ names: ["b"], problems: [] });
  rmSync(path);
  expect(look()).toEqual({ names: [], problems: [] });
  writeFileSync(path, text);
  expect(look().names).toEqual([]);
});

test("only a file with text counts as read: at the start, after it was missing, and where a folder is", () => {
  const { path, file, look } = makeRig("");
  const hasText = (change: () => void): boolean => {
    change();
    look();
    return file.hasText();
  };
  expect(hasText(() => {})).toBe(false);
  expect(hasText(() => writeFileSync(path, "{}"))).toBe(true);
  expect(hasText(() => rmSync(path))).toBe(false);
  expect(hasText(() => writeFileSync(path, " \n"))).toBe(false);
  expect(hasText(() => writeFileSync(path, whole))).toBe(true);
  expect(hasText(() => writeFileSync(path, `${whole}${" ".repeat(1_000_001)}`))).toBe(false);
  rmSync(path);
  expect(hasText(() => mkdirSync(path))).toBe(false);
});

test("a file that is too large keeps its servers", () => {
  const { path, look } = makeRig(whole);
  look();
  writeFileSync(path, `${whole}${" ".repeat(1_000_001)}`);
  expect(look()).toMatchObject({ names: ["a", "b"], error: { code: "too_large" } });
});

test.each([
  ['{\n  "mcpServers": {\n    "a": { "command": "x" },\n    "b": { "comm', { reason: "syntax", line: 4 }],
  ['{ "mcpServers": null }', { reason: "no_servers", line: 1 }],
  ["[]", { reason: "no_servers", line: 1 }],
])("%s is not edited", async (text, facts) => {
  const { path, file } = makeRig(text);
  const edited = await file.edit([{ path: ["mcpServers", "a"], value: { command: "other" } }]);
  expect(edited).toMatchObject({ ok: false, error: { code: "bad_input", facts: { path, ...facts } } });
  expect(readFileSync(path, "utf8")).toBe(text);
});

test.each(["", "{}", "\uFEFF{ /* mine */ }"])("%j gets its first server", async (text) => {
  const { file, look } = makeRig(text);
  expect((await file.edit([{ path: ["mcpServers", "a"], value: { command: "x" } }])).ok).toBe(true);
  expect(look()).toEqual({ names: ["a"], problems: [] });
});

test.each([
  ["mcpServers", `{ "mcpServers": { "a": { "command": "old" } }, ${whole.slice(2, -2)} }`],
  ["a", '{ "mcpServers": { "a": { "command": "old" }, /* mine */ "a": { "command": "x" }, } }'],
])(
  "a file that has %s twice is not edited, since the edit would change the one that is not used",
  async (name, text) => {
    const { path, file } = makeRig(text);
    const edited = await file.edit([{ path: ["mcpServers", "a", "disabled"], value: true }]);
    expect(edited).toMatchObject({ ok: false, error: { code: "bad_input", facts: { reason: "repeated", name } } });
    expect(readFileSync(path, "utf8")).toBe(text);
  },
);

test.each(["y", undefined])("a word that became %j is not replaced", async (word) => {
  const { path, file } = makeRig(JSON.stringify({ mcpServers: { a: { command: "x", args: [word].filter(Boolean) } } }));
  const text = readFileSync(path, "utf8");
  const edited = await file.edit([{ path: ["mcpServers", "a", "args", 0], value: "x@1", before: "x" }]);
  expect(edited).toMatchObject({ ok: false, error: { code: "changed_meanwhile" } });
  expect(readFileSync(path, "utf8")).toBe(text);
});

test("a name that is elsewhere in the file does not count as a second one", async () => {
  const { path, file } = makeRig('{ "a": 1, "mcpServers": { "a": { "command": "x", "env": { "a": "1" } } } }');
  expect(await file.edit([{ path: ["mcpServers", "a", "disabled"], value: true }])).toEqual({
    ok: true,
    value: undefined,
  });
  expect(readFileSync(path, "utf8")).toContain('"disabled": true');
});
