/** Reading, expanding and importing configurations. */
import { describe, expect, test } from "vitest";
import { expandServer, type VariableValues } from "./expand-variables";
import { parseJsonWithComments } from "./json-with-comments";
import { findLiteralSecrets, moveSecrets } from "./literal-secrets";
import { findUnpinnedPackage, pinPackage, readFoundVersion, versionQuery } from "./pinned-package";
import { viewLaunch } from "../view-servers";
import { type McpServerConfig, parseMcpConfig } from "./server-config";

const defaults = { disabled: false, timeoutMs: null, includeTools: null, excludeTools: [] };
const stdio = { ...defaults, kind: "stdio", args: [], env: {}, cwd: null };
const http = { ...defaults, kind: "http", headers: {}, oauth: null, transport: null };

describe("mcp.json", () => {
  test("is read with comments, trailing commas and every member", () => {
    const { servers, problems } = parseMcpConfig(`// my servers
{
  "mcpServers": {
    "files": { "command": "npx", "args": ["-y", "x@1.0.0", 7], "env": { "A": 1, "B": true }, "cwd": "\${workspaceFolder}", },
    /* remote */
    "docs": {
      "url": "https://example.com/mcp", "type": "sse", "headers": { "X": "y" }, "disabled": true, "timeout": 30,
      "includeTools": ["a"], "excludeTools": ["b"],
      "oauth": { "clientId": "c", "clientSecret": "s", "scopes": ["r", "w"], "callbackPort": 3000 },
    },
    "one": { "httpUrl": "https://example.com/one" },
    "two": { "serverUrl": "http://localhost:1/two", "timeout": 120000 },
  },
}`);
    expect(problems).toEqual([]);
    expect(servers).toEqual([
      {
        ...stdio,
        name: "files",
        command: "npx",
        args: ["-y", "x@1.0.0", "7"],
        env: { A: "1", B: "true" },
        cwd: "${workspaceFolder}",
      },
      {
        ...http,
        name: "docs",
        url: "https://example.com/mcp",
        transport: "sse",
        headers: { X: "y" },
        disabled: true,
        timeoutMs: 30_000,
        includeTools: ["a"],
        excludeTools: ["b"],
        oauth: { clientId: "c", clientSecret: "s", scopes: ["r", "w"], callbackPort: 3_000 },
      },
      { ...http, name: "one", url: "https://example.com/one", transport: "http" },
      { ...http, name: "two", url: "http://localhost:1/two", timeoutMs: 120_000 },
    ]);
    expect(parseMcpConfig("")).toEqual({ servers: [], problems: [], inputs: [], faultyNames: new Set() });
  });

  test.each([70_000, 1.5, "3000"])("%j is no port", (callbackPort) => {
    const docs = { url: "https://example.com", oauth: { callbackPort } };
    const { servers, problems } = parseMcpConfig(JSON.stringify({ mcpServers: { docs } }));
    expect([servers, problems]).toMatchObject([[], [{ reason: "field", server: "docs" }]]);
  });

  test("a broken server is named with its line, the others work", () => {
    const { servers, problems } = parseMcpConfig(`{"mcpServers": {
"good": {"command": "a"},
"nothing": {},
"number": 5,
"file": {"url": "file:///etc/passwd"},
"GOOD": {"command": "b"},
"args": {"command": "a",
  "args": "one two"},
"": {"command": "a"},
"also": {"command": "b"}}}`);
    expect(servers.map(({ name }) => name)).toEqual(["good", "also"]);
    expect(problems).toEqual([
      { reason: "target", server: "nothing", line: 3 },
      { reason: "target", server: "number", line: 4 },
      { reason: "address", server: "file", line: 5 },
      { reason: "same_name", server: "GOOD", other: "good", line: 6 },
      { reason: "field", server: "args", field: "args", line: 8 },
      { reason: "name", server: "", line: 9 },
    ]);
  });

  test("the 51st server is named, the others work", () => {
    const list = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`s${index}`, { command: "a" }]));
    const { servers, problems } = parseMcpConfig(JSON.stringify({ mcpServers: list }));
    expect([servers.length, problems]).toEqual([50, [{ reason: "too_many", server: "s50", line: 1 }]]);
  });

  test("of many servers with problems the first hundred are named, each with its line", () => {
    const entries = Array.from({ length: 2_500 }, (_, index) => `"s${index}": {"command": "a"}`);
    const { servers, problems } = parseMcpConfig(`{"mcpServers": {\n${entries.join(",\n")}}}`);
    expect([servers.length, problems.length]).toEqual([50, 100]);
    expect([problems.at(0), problems.at(-1)]).toEqual([
      { reason: "too_many", server: "s50", line: 52 },
      { reason: "too_many", server: "s149", line: 151 },
    ]);
  });

  test.each([
    ["{", 1, 2, "}"],
    ['{\n"a": 1,\n\n"b": x\n}', 4, 6, "a value"],
    ["{\n\n", 3, 1, "}"],
    ["{a: 1}", 1, 2, "a name in quotes"],
    ['{"a": "b', 1, 7, "a closing quote"],
    ["{} /* b", 1, 4, "*/"],
    ['{"a": 1\n "b": 2}', 2, 2, ","],
    ['{"a" 1}', 1, 6, ":"],
    ['{"a": tru}', 1, 7, "a value"],
    ["[1 2]", 1, 4, ","],
    ["{} x", 1, 4, "the end"],
    ['{"a": "\\x"}', 1, 7, "a text without invalid escapes"],
    ["[".repeat(200), 1, 101, "at most 100 levels"],
  ])("%s is reported with its position", (text, line, column, expected) => {
    expect(parseJsonWithComments(text)).toEqual({ ok: false, error: { line, column, expected } });
    expect(parseMcpConfig(text).problems).toEqual([{ reason: "syntax", line, column, expected }]);
  });

  test("a line is found in plain JSON too, and its levels are limited", () => {
    const parsed = parseJsonWithComments('{\n"a": {"x": "}]{["},\n"b": 1}');
    expect(parsed.ok && [parsed.lineOf(["a", "x"]), parsed.lineOf(["b", "none"]), parsed.lineOf([])]).toEqual([
      2, 3, 1,
    ]);
    const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    expect([nested(100), nested(101)].map((text) => parseJsonWithComments(text).ok)).toEqual([true, false]);
    expect(parseJsonWithComments(`["${nested(200)}", "\\"${nested(200)}"]`).ok).toBe(true);
  });

  test.each([
    ["plain JSON", ""],
    ["a text with comments", "// mine"],
  ])("in %s, a name that is there twice is named with the line of the one that does not count", (_, comment) => {
    const text = `{ ${comment}
"mcpServers": { "lost": { "command": "x", "args": ["$LOST_KEY"] } },
"mcpServers": {
"a": { "command": "first", "args": ["a"] },
"b": { "command": "b", "env": { "a": "1", "A": "2" } },
"a": { "command": "second" }
} }`;
    const { servers, problems, faultyNames } = parseMcpConfig(text);
    expect(servers.map((server) => server.kind === "stdio" && server.command)).toEqual(["second", "b"]);
    expect(problems).toEqual([
      { reason: "repeated", name: "mcpServers", line: 2 },
      { reason: "repeated", name: "a", line: 4 },
    ]);
    expect(faultyNames.has("LOST_KEY")).toBe(true);
  });

  test("lines are not looked up in large plain JSON, which the built-in parser reads", () => {
    const parsed = parseJsonWithComments(`{"a": "${"x".repeat(1_000_001)}",\n"b": 1}`);
    expect(parsed.ok && parsed.lineOf(["b"])).toBe(1);
  });

  test("null is a value of its own", () => {
    expect(parseJsonWithComments("null")).toMatchObject({ ok: true, value: null });
    expect(parseMcpConfig("null").problems).toEqual([{ reason: "no_servers", line: 1 }]);
  });

  test("JSON without servers is reported", () => {
    expect(parseMcpConfig('{"servers": {}}').problems).toEqual([{ reason: "no_servers", line: 1 }]);
  });
});

describe("variables", () => {
  const set: { readonly [name: string]: string } = { NAME: "value", EMPTY: "", API_KEY: "key-value-123" };
  const values: VariableValues = {
    variable: (name) => set[name] ?? null,
    input: (id) => (id === "token" ? "typed-secret" : null),
    project: "/home/me/project",
    userHome: "/home/me",
  };
  const serverWith = (text: string): McpServerConfig => ({
    ...defaults,
    kind: "stdio",
    name: "s",
    command: "c",
    args: [text],
    env: {},
    cwd: null,
  });
  const expand = (text: string) => {
    const expanded = expandServer(serverWith(text), values);
    return expanded.ok ? (expanded.server.kind === "stdio" ? expanded.server.args[0] : "") : expanded.missing;
  };

  test.each([
    ["${NAME}", "value"],
    ["${env:NAME}", "value"],
    ["a-$NAME-b", "a-value-b"],
    ["${NOT_SET:-x y}", "x y"],
    ["${env:NOT_SET:-}", ""],
    ["${EMPTY:-x}", "x"],
    ["${EMPTY}", ""],
    ["${workspaceFolder}/a", "/home/me/project/a"],
    ["${workspaceFolderBasename}", "project"],
    ["${userHome}${/}b", "/home/me/b"],
    ["${input:token}", "typed-secret"],
    ["costs $5 and ${not a name}", "costs $5 and ${not a name}"],
    ["a $$NAME and $$", "a $NAME and $"],
    ["${NOT_SET} $OTHER ${input:none}", ["NOT_SET", "OTHER", "input:none"]],
  ])("%s", (text, expected) => expect(expand(text)).toEqual(expected));

  test("are replaced everywhere, and secrets among them are returned", () => {
    const expanded = expandServer(
      {
        ...defaults,
        kind: "http",
        name: "s",
        transport: null,
        url: "https://x/${NAME}",
        headers: { A: "Bearer ${API_KEY}" },
        oauth: { clientSecret: "${input:token}" },
      },
      values,
    );
    expect(expanded).toMatchObject({
      ok: true,
      secrets: ["key-value-123", "typed-secret"],
      server: {
        url: "https://x/value",
        headers: { A: "Bearer key-value-123" },
        oauth: { clientSecret: "typed-secret" },
      },
    });
    expect(expandServer(serverWith("${workspaceFolder}"), { ...values, project: null })).toEqual({
      ok: false,
      missing: ["workspaceFolder"],
    });
  });
});

test.each<[string, string, readonly string[]]>([
  ["${API_KEY}", "a plain word of 1", ["a plain word of 1"]],
  ["${ONE_ARGUMENT_1}", "ghp_0123456789abcdefghij0123", ["ghp_0123456789abcdefghij0123"]],
  ["${ONE_URL}", "https://db.example/?token=0123456789", ["0123456789"]],
  ["${HOST}", "team.example.com", []],
  ["${input:pat}", "typed-value", ["typed-value"]],
  ["${input:organization}", "microsoft", []],
  ["https://db.example/?token=0123456789", "", ["0123456789"]],
  ["${DATABASE_URL}", "postgres://postgres:postgres@localhost/app", []],
  ["${DATABASE_URL}", "postgres://Team_2026:team_2026@localhost/app", []],
  ["${DATABASE_URL}", "postgres://me:team_2026@localhost/team_2026?x=1", []],
  ["${DATABASE_URL}", "postgres://me:db-1.example@db-1.example:5432/app", []],
  ["${DATABASE_URL}", "postgres://me:other_2026@localhost/team_2026", ["other_2026"]],
  ["${DATABASE_TOKEN}", "postgres://team_2026:team_2026@localhost/app", []],
])("of %s with the value %j, %j is secret", (url, value, secrets) => {
  const server: McpServerConfig = {
    ...defaults,
    kind: "http",
    name: "one",
    transport: null,
    url,
    headers: {},
    oauth: null,
  };
  const expanded = expandServer(server, {
    variable: () => value,
    input: () => value,
    openInputs: new Set(["organization"]),
    project: null,
    userHome: "/home/me",
  });
  expect(expanded).toMatchObject({ ok: true, secrets });
});

test.each([
  ["--dsn=postgres://team_2026:team_2026@localhost/app", [], "--dsn=postgres://team_2026:team_2026@localhost/app"],
  ["--dsn=postgres://me:other_2026@localhost/app", ["other_2026"], "--dsn=postgres://me:other_2026@localhost/app"],
  ["postgres://team_2026:team_2026@localhost/app", [], "team_2026"],
])("of the argument %s, answers hide %j and the log %j", (word, secrets, logged) => {
  const server: McpServerConfig = {
    ...defaults,
    kind: "stdio",
    name: "s",
    command: "c",
    args: [word],
    env: {},
    cwd: null,
  };
  const values = { variable: () => null, input: () => null, project: null, userHome: "/h" };
  expect(expandServer(server, values)).toMatchObject({ ok: true, secrets, logSecrets: [logged] });
});

describe("a dollar sign in a secret", () => {
  const values: VariableValues = {
    variable: (name) => (name === "TOKEN_NAME" ? "the-token-value" : null),
    input: () => null,
    project: "/p",
    userHome: "/h",
  };
  const serverWith = (...args: readonly string[]): McpServerConfig => ({ ...stdioServer, args });
  const stdioServer = { ...defaults, kind: "stdio", name: "db", command: "srv", args: [], env: {}, cwd: null } as const;

  test.each([
    [["--password", "pa$sword1"], "pa$sword1", "pa$sword1"],
    [["--password=pa$sword1"], "pa$sword1", "--password=pa$sword1"],
    [["--password=pa$$sword1"], "pa$$sword1", "--password=pa$sword1"],
    [["--password", "${sword 1}2"], "${sword 1}2", "${sword 1}2"],
    [
      ["--dsn", "postgres://me:pa$sword1@host/db"],
      "postgres://me:pa$sword1@host/db",
      "postgres://me:pa$sword1@host/db",
    ],
  ])("%j is a secret and starts the server", (args, value, started) => {
    const server = serverWith(...args);
    const secrets = findLiteralSecrets(server);
    expect(secrets.map((one) => one.value)).toEqual([value]);
    expect(JSON.stringify(moveSecrets(server, secrets))).not.toContain(value);
    expect(JSON.stringify(viewLaunch(server))).not.toContain(value);
    const expanded = expandServer(server, values);
    expect(expanded.ok && expanded.server.kind === "stdio" && expanded.server.args.at(-1)).toBe(started);
  });

  test.each([
    ["$TOKEN_NAME", "the-token-value"],
    ["${TOKEN_NAME}:$TOKEN_NAME", "the-token-value:the-token-value"],
    ["session=${TOKEN_NAME}", "session=the-token-value"],
    ["postgres://me:${TOKEN_NAME}@host/db", "postgres://me:the-token-value@host/db"],
  ])("%s is a reference", (text, started) => {
    const server = serverWith("--token", text);
    expect(findLiteralSecrets(server)).toEqual([]);
    const expanded = expandServer(server, values);
    expect(expanded.ok && expanded.server.kind === "stdio" && expanded.server.args.at(-1)).toBe(started);
  });
});

test("a relative folder is one of the project", () => {
  const server: McpServerConfig = {
    ...defaults,
    kind: "stdio",
    name: "s",
    command: "c",
    args: [],
    env: {},
    cwd: "./a",
  };
  const values = { variable: () => null, input: () => null, project: "/p", userHome: "/h" };
  expect(expandServer(server, values)).toMatchObject({ ok: true, server: { cwd: "/p/a" } });
});

describe("unpinned packages", () => {
  test.each<readonly [string, readonly string[], readonly string[] | null]>([
    ["npx", ["-y", "@modelcontextprotocol/server-github"], ["-y", "@modelcontextprotocol/server-github@1.2.3"]],
    ["npx", ["-y", "playwright-mcp@latest", "--headless"], ["-y", "playwright-mcp@1.2.3", "--headless"]],
    ["npx", ["-y", "x@^1.0.0"], ["-y", "x@1.2.3"]],
    ["npx", ["-y", "x@1.0.0"], null],
    ["npx", ["-y", "-p", "@a/b", "run-it"], ["-y", "-p", "@a/b@1.2.3", "run-it"]],
    ["npx", ["--package=b", "run-it"], ["--package=b@1.2.3", "run-it"]],
    ["C:\\Program Files\\nodejs\\npx.cmd", ["x"], ["x@1.2.3"]],
    ["cmd", ["/c", "npx", "-y", "x"], ["/c", "npx", "-y", "x@1.2.3"]],
    ["pnpm", ["dlx", "x"], ["dlx", "x@1.2.3"]],
    ["npm", ["exec", "--", "x"], ["exec", "--", "x@1.2.3"]],
    ["uvx", ["mcp-server-git", "--repository", "."], ["mcp-server-git==1.2.3", "--repository", "."]],
    ["uvx", ["mcp-server-git==2025.1.2"], null],
    ["uvx", ["mcp-server-git@2025.1.2"], null],
    ["uvx", ["--python", "3.12", "--from", "a[cli]", "tool"], ["--python", "3.12", "--from", "a[cli]==1.2.3", "tool"]],
    ["uv", ["tool", "run", "x"], ["tool", "run", "x==1.2.3"]],
    ["uvx", ["--from", "git+https://example.com/a", "a"], null],
    ["npx", ["./local.js"], null],
    ["node", ["server.js"], null],
    ["uv", ["run", "server.py"], null],
  ])("%s %j", (command, args, pinned) => {
    const found = findUnpinnedPackage({ command, args });
    const word = found === null ? null : pinPackage(found, "1.2.3");
    expect(word === null ? null : args.map((one, at) => (at === found?.index ? word : one))).toEqual(pinned);
  });

  const pack = (spec: string): readonly string[] => ["pack", spec, "--dry-run", "--json", "--ignore-scripts"];
  const compile = ["pip", "compile", "-", "--no-deps", "--no-header", "--no-annotate", "--only-binary", ":all:"];
  test.each<readonly [string, readonly string[], string, readonly string[], string | undefined]>([
    ["npx", ["-y", "@a/b"], "npm", pack("@a/b"), undefined],
    ["/opt/node/bin/npx", ["-y", "b@^1"], "/opt/node/bin/npm", pack("b@^1"), undefined],
    ["npx", ["-y", "b@latest"], "npm", pack("b"), undefined],
    ["npx", ["-y", "b@next"], "npm", pack("b@next"), undefined],
    ["/opt/pnpm/pnpm", ["dlx", "b"], "npm", pack("b"), undefined],
    ["/opt/bun/bunx", ["b"], "npm", pack("b"), undefined],
    [
      "npx",
      ["--registry", "https://r.example", "b", "--registry", "of-the-server"],
      "npm",
      [...pack("b"), "--registry", "https://r.example"],
      undefined,
    ],
    ["uvx", ["a-b@latest"], "uv", compile, "a-b\n"],
    ["uvx", ["--python=3.12", "--from", "a[cli]", "a"], "uv", [...compile, "--python=3.12"], "a\n"],
  ])("the version of %s %j is found by %s", (command, args, program, words, input) => {
    const found = findUnpinnedPackage({ command, args });
    expect(found && versionQuery({ command, args }, found)).toEqual({
      program,
      arguments: words,
      ...(input === undefined ? {} : { input }),
    });
  });

  test.each<readonly [string, string, string | null]>([
    ["npx", '[{"id": "a@1.2.3", "version": "1.2.3"}]\n', "1.2.3"],
    ["npx", '[{"version": "--evil"}]', null],
    ["npx", "[]", null],
    ["npx", '{"error": {"code": "E404"}}', null],
    ["npx", '"--evil"', null],
    ["npx", "", null],
    ["uvx", "# a comment\nmy-tool==2.0\n", "2.0"],
    ["uvx", "My.Tool[cli]==2.0.1 ; python_version > '3'\n", "2.0.1"],
    ["uvx", "other==2.0\n", null],
  ])("the answer of %s %j has the version %s", (command, output, version) => {
    const found = findUnpinnedPackage({ command, args: ["my_tool"] });
    expect(found && readFoundVersion(found, output)).toBe(version);
  });
});
