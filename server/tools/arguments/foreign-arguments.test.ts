import { describe, expect, test } from "vitest";
import type { Json } from "@/lib/events/content";
import { builtInSource } from "../core/built-in-source";

/** Returns the tool's parsed arguments, or its refusal. */
function parseForeignCall(name: string, input: { readonly [name: string]: Json }): unknown {
  const parsed = builtInSource
    .tools()
    .find((tool) => tool.name === name)
    ?.parse(input);
  return parsed?.ok === true ? parsed.input : parsed?.messageForModel;
}

const whole = { path: "a", content: "x" };
const part = { path: "a", old_string: "x", new_string: "y" };

describe("foreign arguments that are honoured", () => {
  test.each<readonly [string, { readonly [name: string]: Json }, Json]>([
    ["write", { ...whole, append: true }, { ...whole, append: true }],
    ["write", { ...whole, mode: "append" }, { ...whole, append: true }],
    ["write", { ...whole, mode: "A+" }, { ...whole, append: true }],
    ["write", { ...whole, action: "append" }, { ...whole, append: true }],
    ["write", { ...whole, mode: "w" }, whole],
    ["write", { ...whole, append: true, overwrite: false }, { ...whole, append: true }],
    ["write", { ...whole, mode: "overwrite", encoding: "utf-8", create_dirs: true }, whole],
    ["edit", { ...part, all: true }, { ...part, replace_all: true }],
    ["edit", { ...part, expected_replacements: 2, count: 1 }, part],
    ["delete", { path: "a", recursive: false }, { path: "a", recursive: false }],
    ["delete", { path: "a", force: true }, { path: "a" }],
    ["read", { path: "a", start_line: 3, end_line: 5 }, { path: "a", offset: 3, limit: 3 }],
    ["read", { path: "a", view_range: [3, -1] }, { path: "a", offset: 3 }],
    ["read", { path: "a", head: 20 }, { path: "a", limit: 20 }],
    ["ls", { path: "src", recursive: true }, { path: "src", depth: 5 }],
    ["ls", { path: "src", "-R": true }, { path: "src", depth: 5 }],
    ["grep", { pattern: "x", "-i": true }, { pattern: "x", ignore_case: true }],
    ["grep", { pattern: "x", "-C": 3 }, { pattern: "x", context: 3 }],
    ["grep", { pattern: "x", "-A": 2, "-B": 4 }, { pattern: "x", context: 4 }],
    ["grep", { pattern: "x", case_sensitive: false }, { pattern: "x", ignore_case: true }],
    ["grep", { pattern: "x", case_sensitive: true }, { pattern: "x" }],
    ["grep", { query: "a.b", is_regexp: false }, { pattern: "a.b", literal: true }],
    ["grep", { pattern: "x", include: "*.ts", output_mode: "content" }, { pattern: "x", glob: "*.ts" }],
    ["bash", { command: "ls", cwd: "src" }, { command: "(cd src || exit\nls\n)" }],
    ["bash", { command: "ls", cwd: "src", workdir: "src" }, { command: "(cd src || exit\nls\n)" }],
    ["bash", { command: "ls", workdir: "." }, { command: "ls" }],
    ["bash", { command: "ls", timeout: 120_000 }, { command: "ls", timeout: 120 }],
    ["bash", { command: "ls", timeout: "9500ms" }, { command: "ls", timeout: 10 }],
    ["bash", { command: "ls", timeout: "500 ms" }, { command: "ls", timeout: 1 }],
    ["bash", { command: "ls", timeout: "2 min" }, { command: "ls", timeout: 120 }],
    ["bash", { command: "ls", timeout: 60, run_in_background: false }, { command: "ls", timeout: 60 }],
    ["bash", { command: "ls", description: "lists", shell: "/bin/bash" }, { command: "ls" }],
    ["find", { pattern: "*.ts", type: "file" }, { pattern: "*.ts" }],
  ])("%s %j", (name, input, right) => {
    expect(parseForeignCall(name, input)).toEqual(right);
  });
});

describe("foreign arguments that are refused with advice", () => {
  test.each<readonly [string, { readonly [name: string]: Json }, string]>([
    ["write", { ...whole, mode: "prepend" }, "append:true"],
    ["write", { ...whole, mode: "0755" }, "bash"],
    ["write", { ...whole, prepend: true }, "use edit"],
    ["write", { ...whole, start_line: 3, end_line: 5 }, "use edit"],
    ["write", { ...whole, insert_line: 2 }, "use edit"],
    ["write", { ...whole, overwrite: false }, "Look with ls"],
    ["write", { ...whole, encoding: "latin1" }, "iconv"],
    ["write", { ...whole, dry_run: true }, "no dry run"],
    ["write", { ...whole, only_if_missing: true }, "Leave it out"],
    ["edit", { ...part, regex: true }, "looks for text"],
    ["edit", { ...part, insert_line: 3 }, "Leave it out"],
    ["edit", { ...part, dryRun: true }, "no dry run"],
    ["delete", { path: "a", pattern: "*.ts" }, "Leave it out"],
    ["bash", { command: "npm start", run_in_background: true }, "terminal"],
    ["bash", { command: "npm start", blocking: false }, "terminal"],
    ["bash", { command: "ls", cwd: ["src"] }, "must be text"],
    ["bash", { command: "ls", cwd: "src", directory: "lib" }, "two folders"],
    ["bash", { command: "ls", env: { A: "1" } }, "NAME=value"],
    ["bash", { command: "ls", stdin: "y\n" }, "here-document"],
    ["bash", { command: "ls", shell: "/usr/bin/fish" }, "bash only"],
    ["grep", { pattern: "x", multiline: true }, "line by line"],
    ["grep", { pattern: "x", exclude: "*.md" }, "Narrow"],
    ["grep", { pattern: "x", "-v": true }, "grep -v"],
    ["grep", { pattern: "x", "-w": true }, "\\b"],
    ["grep", { pattern: "x", type: "ts" }, "glob"],
    ["find", { pattern: "src", type: "directory" }, "Use ls"],
    ["find", { pattern: "*", extension: "ts" }, "**/*.ts"],
    ["read", { path: "a", tail: 20 }, "offset"],
  ])("%s %j", (name, input, step) => {
    const message = parseForeignCall(name, input);
    expect(message).toMatch(new RegExp(`^${name} did nothing: it has no argument "\\w+"\\. [^\\n]+$`));
    expect(message).toContain(step);
  });
});
