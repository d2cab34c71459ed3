/** Reference solutions of the built-in tasks, as the turns of a scripted model. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptedTurn } from "@/e2e/fixtures/scripted-model.mjs";
import { builtInEvalsFolder } from "./eval-task";

const call = (name: string, input: object): ScriptedTurn => ({ text: "", toolCalls: [{ name, arguments: input }] });
const edit = (path: string, from: string, to: string): ScriptedTurn =>
  call("edit", { path, old_string: from, new_string: to });
const write = (path: string, content: string): ScriptedTurn => call("write", { path, content });
const read = (path: string, range: object = {}): ScriptedTurn => call("read", { path, ...range });
const bash = (command: string): ScriptedTurn => call("bash", { command });

const conflict = readFileSync(join(builtInEvalsFolder(), "merge-conflict/cart.js"), "utf8");
const slugTests = `import assert from "node:assert/strict";
import { test } from "node:test";
import { slug } from "./slug.js";

test("upper case and spaces", () => assert.equal(slug("Hello World"), "hello-world"));
test("several separators", () => assert.equal(slug("a -- b"), "a-b"));
test("separators at both ends", () => assert.equal(slug("!a!"), "a"));
`;

export const referenceSolutions: Readonly<Record<string, readonly ScriptedTurn[]>> = {
  "fix-failing-test": [
    read("median.js"),
    edit("median.js", "[...numbers].sort()", "[...numbers].sort((a, b) => a - b)"),
    bash("node --test"),
  ],
  "rename-across-files": [
    edit("src/users.js", "function getUser(", "function findUser("),
    write(
      "src/greeting.js",
      'import { findUser } from "./users.js";\n\nexport const greet = (id) => `Hello, ${findUser(id).name}!`;\n',
    ),
    edit("src/report.js", 'import { getUser } from "./users.js";', 'import { findUser } from "./users.js";'),
    edit("src/report.js", "Uses getUser for each.", "Uses findUser for each."),
    edit("src/report.js", "getUser(id).name", "findUser(id).name"),
    edit("src/index.js", "{ getUser, getUsers }", "{ findUser, getUsers }"),
  ],
  "add-option": [
    edit("greet.js", "  --help  ", "  --shout       prints in upper case\n  --help  "),
    edit("greet.js", 'let name = "World";', 'let name = "World";\nlet isLoud = false;'),
    edit(
      "greet.js",
      '    case "--help":',
      '    case "--shout":\n      isLoud = true;\n      break;\n    case "--help":',
    ),
    edit(
      "greet.js",
      "console.log(`Hello, ${name}!`);",
      "const greeting = `Hello, ${name}!`;\nconsole.log(isLoud ? greeting.toUpperCase() : greeting);",
    ),
  ],
  "explain-with-line": [
    read("src/discount.js"),
    { text: "src/discount.js:12 takes the first step that fits, which is the one from 100." },
  ],
  "add-import": [
    edit("report.js", 'from "./lib/money.js";', 'from "./lib/money.js";\nimport { pad } from "./lib/text.js";'),
  ],
  "off-by-one": [
    edit("pages.js", "page * size", "(page - 1) * size"),
    edit("pages.js", "from + size - 1", "from + size"),
  ],
  "write-test": [read("slug.js"), write("slug.test.js", slugTests)],
  "edit-config": [edit("config/server.ini", "for slow disks\ntimeout = 30", "for slow disks\ntimeout = 45")],
  "windows-line-endings": [
    edit(
      "Limits.cs",
      "        public const int MaxUsers = 50;",
      "        public const int MaxUsers = 80;\n        public const int MaxOrders = 20;",
    ),
  ],
  "chinese-text": [edit("发布说明.md", "## 已知问题\n\n- 导出时偶尔会卡住", "## 已知问题\n\n- 导出大文件时偶尔会卡住")],
  "large-file": [
    read("catalog.js", { offset: 730, limit: 10 }),
    edit("catalog.js", 'id: 1734, name: "garden-734", price: 258', 'id: 1734, name: "garden-734", price: 999'),
  ],
  "delete-dead-code": [
    edit(
      "text.js",
      '/** Reverses the characters of a text. */\nexport function reverse(text) {\n  return [...text].reverse().join("");\n}\n\n',
      "",
    ),
  ],
  "move-function": [
    edit("shapes.js", "\nexport function area({ width, height }) {\n  return width * height;\n}\n", ""),
    edit(
      "geometry.js",
      "export function distance",
      "export function area({ width, height }) {\n  return width * height;\n}\n\nexport function distance",
    ),
    edit(
      "paint.js",
      'import { area, square } from "./shapes.js";',
      'import { area } from "./geometry.js";\nimport { square } from "./shapes.js";',
    ),
    edit("describe.js", "./shapes.js", "./geometry.js"),
  ],
  "find-definition": [call("grep", { pattern: "retryLimit" }), { text: "It is defined in `src/net/limits.js:4`." }],
  "repair-syntax": [
    edit("stack.js", 'throw new Error("the stack is empty");\n', 'throw new Error("the stack is empty");\n    }\n'),
  ],
  "markdown-table": [edit("PORTS.md", "| search  | 9200", "| mail    | 2525 | Kim   |\n| search  | 9200")],
  "edit-json": [
    edit("settings.json", '"telemetry": {\n    "enabled": true', '"telemetry": {\n    "enabled": false'),
    edit("settings.json", '"zh-CN"]', '"zh-CN", "fr"]'),
    edit("settings.json", '  },\n  "legacy": {\n    "enabled": true\n  }\n}', "  }\n}"),
  ],
  "fix-regex": [
    edit(
      "version.js",
      "/[0-9].[0-9].[0-9](-[a-z]*)?/",
      "/^(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)(-[a-zA-Z0-9.]+)?$/",
    ),
  ],
  "merge-conflict": [
    write(
      "cart.js",
      conflict.replace(/<{7}[^]*>{7} rounding/, "  return Math.round(sum * (1 + taxRate) * 100) / 100;"),
    ),
  ],
  "read-then-write": [read("sales.csv"), write("summary.json", '{ "north": 130, "south": 75, "west": 40 }\n')],
};
