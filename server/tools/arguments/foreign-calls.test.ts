import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import type { Json } from "@/lib/events/content";
import { mapForeignCall } from "./foreign-calls";
import { findOfferedTool, isForeignToolName } from "./foreign-names";
import { builtInSource } from "../core/built-in-source";

/** Returns the call of the built-in tool, or null. */
function mapToBuiltin(name: string, input: Json): unknown {
  const call = mapForeignCall(name, input);
  if (call === null) return null;
  const parsed = builtInSource
    .tools()
    .find((tool) => tool.name === call.name)
    ?.parse(call.input);
  return parsed?.ok === true ? [call.name, parsed.input] : "misfit";
}

describe("calls with another agent's names", () => {
  const patch = (...lines: readonly string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
  test.each<readonly [string, Json, string, Json]>([
    ["read_file", { path: "a" }, "read", { path: "a" }],
    ["readFile", { filePath: "a" }, "read", { path: "a" }],
    ["Read", { file_path: "a", offset: 3, limit: 2 }, "read", { path: "a", offset: 3, limit: 2 }],
    ["functions.read_file", "a", "read", { path: "a" }],
    ["read_file", { absolute_path: "/p/a" }, "read", { path: "/p/a" }],
    ["read_file", { target_file: "a", start_line: 5, end_line: 9 }, "read", { path: "a", offset: 5, limit: 5 }],
    ["read_many_files", { paths: ["a"] }, "read", { path: "a" }],
    ["list_dir", { path: "src" }, "ls", { path: "src" }],
    ["listDir", { relative_workspace_path: "src" }, "ls", { path: "src" }],
    ["list_files", { path: "src", recursive: true }, "ls", { path: "src", depth: 5 }],
    ["LS", { path: "src" }, "ls", { path: "src" }],
    ["glob", { pattern: "**/*.ts" }, "find", { pattern: "**/*.ts" }],
    [
      "search_files",
      { path: "src", regex: "foo", file_pattern: "*.ts" },
      "grep",
      { pattern: "foo", path: "src", glob: "*.ts" },
    ],
    ["searchFiles", { query: "foo" }, "grep", { pattern: "foo" }],
    ["file", { operation: "read", path: "a.ts" }, "read", { path: "a.ts" }],
    ["file", { action: "write_file", path: "a.ts", content: "x" }, "write", { path: "a.ts", content: "x" }],
    ["file_tool", { op: "append", path: "a", content: "x" }, "write", { path: "a", content: "x", append: true }],
    ["FileTool", { operation: "DELETE", path: "a.ts" }, "delete", { path: "a.ts" }],
    ["file", { operation: "list", path: "src" }, "ls", { path: "src" }],
    ["search_files", { path: "src", pattern: "*.ts" }, "find", { pattern: "*.ts", path: "src" }],
    ["search_file_content", { pattern: "foo", include: "*.ts" }, "grep", { pattern: "foo", glob: "*.ts" }],
    ["str_replace", { path: "a", old_str: "x", new_str: "y" }, "edit", { path: "a", old_string: "x", new_string: "y" }],
    [
      "edit_file",
      { path: "a", edits: [{ oldText: "x", newText: "y" }] },
      "edit",
      { path: "a", old_string: "x", new_string: "y" },
    ],
    [
      "replace",
      { file_path: "a", old_string: "x", new_string: "y", expected_replacements: 2 },
      "edit",
      { path: "a", old_string: "x", new_string: "y" },
    ],
    [
      "replace",
      { file_path: "a", old_string: "x", new_string: "y", replace_all: true },
      "edit",
      { path: "a", old_string: "x", new_string: "y", replace_all: true },
    ],
    ["str_replace_editor", { command: "view", path: "a" }, "read", { path: "a" }],
    [
      "str_replace_editor",
      { command: "view", path: "a", view_range: [2, 4] },
      "read",
      { path: "a", offset: 2, limit: 3 },
    ],
    ["str_replace_editor", { command: "create", path: "a", file_text: "x" }, "write", { path: "a", content: "x" }],
    [
      "str_replace_based_edit_tool",
      { command: "str_replace", path: "a", old_str: "x" },
      "edit",
      { path: "a", old_string: "x", new_string: "" },
    ],
    [
      "replace_in_file",
      { path: "a", diff: "------- SEARCH\nx\ny\n=======\nz\n+++++++ REPLACE" },
      "edit",
      { path: "a", old_string: "x\ny", new_string: "z" },
    ],
    [
      "apply_diff",
      { path: "a", diff: "<<<<<<< SEARCH\n:start_line:3\n-------\nx\n=======\n\n>>>>>>> REPLACE" },
      "edit",
      { path: "a", old_string: "x", new_string: "" },
    ],
    ["apply_patch", { input: patch("*** Add File: a", "+x", "+y") }, "write", { path: "a", content: "x\ny\n" }],
    [
      "apply_patch",
      patch("*** Update File: a", "@@", " k", "-x", "+y"),
      "edit",
      { path: "a", old_string: "k\nx", new_string: "k\ny" },
    ],
    ["apply_patch", { patch: patch("*** Delete File: a") }, "delete", { path: "a" }],
    ["write_file", { file_path: "a", content: "x" }, "write", { path: "a", content: "x" }],
    ["create_file", { filePath: "a", content: "x" }, "write", { path: "a", content: "x" }],
    ["deleteFile", { target_file: "a" }, "delete", { path: "a" }],
    ["exec", { cmd: "ls" }, "bash", { command: "ls" }],
    ["run_command", '{"command": "ls"}', "bash", { command: "ls" }],
    ["execute_command", { command: "ls", requires_approval: false }, "bash", { command: "ls" }],
    [
      "shell",
      { command: ["bash", "-lc", "ls | wc"], workdir: "/p/a b", timeout_ms: 9_500 },
      "bash",
      { command: "(cd '/p/a b' || exit\nls | wc\n)", timeout: 10 },
    ],
    ["shell", { command: ["git", "commit", "-m", "it's done"] }, "bash", { command: "git commit -m 'it'\\''s done'" }],
    ["shell", { command: ["ls -la"] }, "bash", { command: "ls -la" }],
    ["Bash", { command: "ls", timeout: 120_000 }, "bash", { command: "ls", timeout: 120 }],
    ["run_shell_command", { command: "ls", directory: "." }, "bash", { command: "ls" }],
  ])("%s %j runs as %s", (name, input, tool, arguments_) => {
    expect(mapToBuiltin(name, input)).toEqual([tool, arguments_]);
  });

  test.each<readonly [string, Json]>([
    ["fly", {}],
    ["web_search", { query: "x" }],
    ["codebase_search", { query: "where is the port" }],
    ["str_replace_editor", { command: "undo_edit", path: "a" }],
    ["str_replace_editor", { command: "insert", path: "a", insert_line: 3, new_str: "x" }],
    ["edit_file", { target_file: "a", code_edit: "// ... existing code ...\nx" }],
    ["replace_in_file", { path: "a", diff: "-x\n+y" }],
    ["apply_patch", { input: patch("*** Update File: a", "@@ f()", "+x") }],
    ["apply_patch", { input: patch("*** Update File: a", "*** Move to: b", "@@", "-x", "+y") }],
    ["apply_patch", { input: patch("*** Delete File: a", "*** Delete File: b") }],
    ["read_many_files", { paths: ["a", "b"] }],
    ["execute", { code: "print(1)" }],
    ["search_files", { path: "src" }],
    ["file", { operation: "move", path: "a", to: "b" }],
    ["file", { path: "a" }],
  ])("%s %j needs a guess and is not mapped", (name, input) => {
    expect(mapForeignCall(name, input)).toBeNull();
  });

  test.each<readonly [string, Json]>([
    ["write_to_file", { path: "a", content: "x", append: true }],
    ["write_to_file", { path: "a", content: "x", append: "true" }],
    ["write_file", { path: "a", content: "x", mode: "append" }],
    ["write_file", { path: "a", content: "x", mode: "a" }],
    ["Write", { path: "a", content: "x", mode: "append" }],
    ["fs_write", { path: "a", content: "x", command: "append" }],
    ["append_file", { path: "a", content: "x" }],
    ["appendToFile", { path: "a", content: "x" }],
    ["str_replace_editor", { command: "create", path: "a", file_text: "x", mode: "append" }],
  ])("%s %j appends", (name, input) => {
    expect(mapToBuiltin(name, input)).toEqual(["write", { path: "a", content: "x", append: true }]);
  });

  test("a regular expression replacement is not mapped", () => {
    expect(
      mapForeignCall("search_and_replace", { path: "a", search: "x.*", replace: "y", use_regex: true }),
    ).toBeNull();
  });

  test.each<readonly [string, Json]>([
    ["fs_write", { path: "a", content: "x", command: "insert", insert_line: 2 }],
    ["create_file", { path: "a", content: "x", overwrite: false }],
    ["run_shell_command", { command: "npm start", isBackground: true }],
    ["run_terminal_cmd", { command: "npm start", is_background: true }],
    ["Bash", { command: "npm start", run_in_background: true }],
    ["shell", { command: "ls", cwd: ["src"] }],
  ])("%s %j does something else than the tool and is answered", (name, input) => {
    expect(mapToBuiltin(name, input)).toBe("misfit");
  });

  test.each<readonly [string, Json]>([
    ["str_replace_editor", { command: "create", path: "a" }],
    ["str_replace_editor", { command: "create", path: "a", file_text: null }],
    ["write_file", { path: "a" }],
  ])("%s %j without content does not empty the file", (name, input) => {
    expect(mapToBuiltin(name, input)).toBe("misfit");
  });

  test.each<readonly [string, Json, string, Json]>([
    [
      "str_replace_editor",
      { command: "create", path: "a", file_text: { b: 1 } },
      "write",
      { path: "a", content: '{\n  "b": 1\n}\n' },
    ],
    ["str_replace_editor", { command: "create", path: "a", file_text: "" }, "write", { path: "a", content: "" }],
    ["write_file", { path: "a", content: "x", mode: "overwrite" }, "write", { path: "a", content: "x" }],
    ["write_to_file", { path: "a", content: "x", append: false }, "write", { path: "a", content: "x", append: false }],
    [
      "str_replace_editor",
      { command: "str_replace", path: "a", old_str: "x", newStr: "y" },
      "edit",
      { path: "a", old_string: "x", new_string: "y" },
    ],
    ["shell", { command: ["bash", "-euc", "a; b"] }, "bash", { command: "bash -euc 'a; b'" }],
    ["bash", { command: ["sh", "-ec", "a; b"] }, "bash", { command: "sh -ec 'a; b'" }],
    ["shell", { command: "ls", cwd: "-" }, "bash", { command: "(cd ./- || exit\nls\n)" }],
    ["shell", { command: "ls", cwd: "/" }, "bash", { command: "(cd / || exit\nls\n)" }],
    ["run_terminal_cmd", { command: "ls", is_background: false }, "bash", { command: "ls" }],
  ])("%s %j keeps its own effect", (name, input, tool, arguments_) => {
    expect(mapToBuiltin(name, input)).toEqual([tool, arguments_]);
  });

  test.each(["a || touch ran", "a; touch ran", "a\ntouch ran", "a & touch ran", "a # b\ntouch ran"])(
    "%j runs nothing when its folder is missing",
    (command) => {
      const folder = mkdtempSync(join(tmpdir(), "gopi-aliases-"));
      const call = mapToBuiltin("shell", { command, cwd: "missing" });
      const script = z.parse(z.tuple([z.literal("bash"), z.object({ command: z.string() })]), call)[1].command;
      expect(spawnSync("bash", ["-c", script], { cwd: folder }).status).toBe(1);
      expect(readdirSync(folder)).toEqual([]);
      rmSync(folder, { recursive: true });
    },
  );

  test.each([
    "<<<<<<< SEARCH\nTitle\n=====\nx\n=======\ny\n>>>>>>> REPLACE",
    "<<<<<<< SEARCH\nTitle\n=======\nx\n=======\ny\n>>>>>>> REPLACE",
    "<<<<<<< SEARCH\nx\n=======\nTitle\n=======\ny\n>>>>>>> REPLACE",
    "<<<<<<< SEARCH\r\nTitle\r\n=====\r\nx\r\n=======\r\ny\r\n>>>>>>> REPLACE",
    "<<<<<<< SEARCH\nTitle\n============\nx\n=======\ny\n>>>>>>> REPLACE",
    "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n<<<<<<< SEARCH\nT\n=====\nx\n=======\ny\n>>>>>>> REPLACE",
    "<<<<<<< SEARCH\n-----\nx\n=======\ny\n>>>>>>> REPLACE",
    "<<<<<<< SEARCH\na\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE",
    "<<<<<<< SEARCH\nx\n\\=======\nz\n=======\ny\n>>>>>>> REPLACE",
  ])("the blocks %j are unclear", (diff) => {
    expect(mapForeignCall("replace_in_file", { path: "a", diff })).toBeNull();
  });

  test("names of built-in tools are not foreign names", () => {
    for (const { name } of builtInSource.tools())
      expect([isForeignToolName(name), isForeignToolName(name.toUpperCase())]).toEqual([false, false]);
  });
});

test.each([
  ["search", ["grep", "search"], "search"],
  ["search", ["grep"], "grep"],
  ["functions.countLines", ["count_lines"], "count_lines"],
  ["github__create_issue", ["github.createIssue"], "github.createIssue"],
  ["READ", ["read"], "read"],
  ["a-b", ["a_b", "a.b"], undefined],
  ["read_file", ["write"], undefined],
  ["weather", ["read"], undefined],
])("the name %s of the tools %j means %s", (name, offered, tool) => {
  expect(findOfferedTool(name, offered)).toBe(tool);
});
