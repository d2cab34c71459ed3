/** Files of other programs, as they are found on disk. */
import { expect, test } from "vitest";
import { readMcpImport } from "./import-servers";
import { moveSecrets } from "./literal-secrets";

const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

/** Name, target, and what is noticed about each server. */
function summarize(text: string) {
  const read = readMcpImport(text);
  if (!read.ok) return read.error;
  return {
    format: read.format,
    servers: read.candidates.map(({ server }) =>
      server.kind === "stdio"
        ? [server.name, server.command, ...server.args]
        : [server.name, server.transport, server.url],
    ),
  };
}

test("Claude Desktop", () => {
  const text = `{
  "globalShortcut": "",
  "mcpServers": {
    "filesystem": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/Users/me/Desktop"] },
    "github": {
      "command": "docker",
      "args": ["run", "-i", "--rm", "-e", "GITHUB_PERSONAL_ACCESS_TOKEN", "ghcr.io/github/github-mcp-server"],
      "env": { "GITHUB_PERSONAL_ACCESS_TOKEN": "${token}", "LOG_LEVEL": "debug" }
    }
  }
}`;
  expect(summarize(text)).toMatchObject({
    format: "mcp-servers",
    servers: [
      ["filesystem", "npx", "-y", "@modelcontextprotocol/server-filesystem", "/Users/me/Desktop"],
      [
        "github",
        "docker",
        "run",
        "-i",
        "--rm",
        "-e",
        "GITHUB_PERSONAL_ACCESS_TOKEN",
        "ghcr.io/github/github-mcp-server",
      ],
    ],
  });
  const read = readMcpImport(text);
  const [files, github] = read.ok ? read.candidates : [];
  expect(files?.unpinned).toMatchObject({ registry: "npm", name: "@modelcontextprotocol/server-filesystem" });
  expect(github?.secrets).toEqual([
    { place: "env", name: "GITHUB_PERSONAL_ACCESS_TOKEN", variable: "GITHUB_PERSONAL_ACCESS_TOKEN", value: token },
  ]);
  expect(github && moveSecrets(github.server, github.secrets)).toMatchObject({
    env: { GITHUB_PERSONAL_ACCESS_TOKEN: "${GITHUB_PERSONAL_ACCESS_TOKEN}", LOG_LEVEL: "debug" },
  });
});

test("Claude Code, for the user and for projects", () => {
  const text = `{
  "numStartups": 12,
  "projects": { "/home/me/app": { "allowedTools": [], "mcpServers": { "db": { "type": "stdio", "command": "uvx", "args": ["mcp-server-postgres"], "env": {} } } }, "/home/me/other": {} },
  "mcpServers": { "linear": { "type": "sse", "url": "https://mcp.linear.app/sse" }, "sentry": { "type": "http", "url": "https://mcp.sentry.dev/mcp" } }
}`;
  expect(summarize(text)).toEqual({
    format: "claude-code",
    servers: [
      ["linear", "sse", "https://mcp.linear.app/sse"],
      ["sentry", "http", "https://mcp.sentry.dev/mcp"],
      ["db", "uvx", "mcp-server-postgres"],
    ],
  });
  const read = readMcpImport(text);
  expect(read.ok && read.candidates.map(({ folder }) => folder)).toEqual([null, null, "/home/me/app"]);
});

test("Cursor", () => {
  const text = `{ "mcpServers": {
  "context7": { "url": "https://mcp.context7.com/mcp", "headers": { "Authorization": "Bearer abcdef0123456789", "X-Team": "a" } },
  "local": { "command": "node", "args": ["\${workspaceFolder}/server.js", "--api-key", "k-123456"], "env": { "KEY": "\${env:MY_KEY}" } }
} }`;
  const read = readMcpImport(text);
  const [remote, local] = read.ok ? read.candidates : [];
  expect(remote?.secrets).toEqual([
    { place: "headers", name: "Authorization", variable: "CONTEXT7_AUTHORIZATION", value: "abcdef0123456789" },
  ]);
  expect(remote && moveSecrets(remote.server, remote.secrets)).toMatchObject({
    headers: { Authorization: "Bearer ${CONTEXT7_AUTHORIZATION}", "X-Team": "a" },
  });
  expect(local?.secrets).toEqual([{ place: "args", name: "2", variable: "LOCAL_API_KEY", value: "k-123456" }]);
  expect(local && moveSecrets(local.server, local.secrets)).toMatchObject({
    args: ["${workspaceFolder}/server.js", "--api-key", "${LOCAL_API_KEY}"],
  });
});

test("VS Code, with inputs and comments, and in its settings", () => {
  const servers = `"inputs": [{ "type": "promptString", "id": "perplexity-key", "description": "API Key", "password": true }],
  // started by the editor
  "servers": {
    "perplexity": { "type": "stdio", "command": "npx", "args": ["-y", "server-perplexity-ask"], "env": { "API_KEY": "\${input:perplexity-key}" }, "envFile": "\${workspaceFolder}/.env" },
    "github": { "type": "http", "url": "https://api.githubcopilot.com/mcp/" },
  }`;
  const expected = {
    format: "vscode",
    servers: [
      ["perplexity", "npx", "-y", "server-perplexity-ask"],
      ["github", "http", "https://api.githubcopilot.com/mcp/"],
    ],
  };
  expect(summarize(`{${servers}}`)).toEqual(expected);
  expect(summarize(`{"editor.fontSize": 14, "mcp": {${servers}}}`)).toEqual(expected);
  const read = readMcpImport(`{${servers}}`);
  expect(read.ok && read.inputs).toEqual([{ id: "perplexity-key", description: "API Key", isSecret: true }]);
  expect(read.ok && read.candidates[0]).toMatchObject({
    server: { envFile: "${workspaceFolder}/.env" },
    notes: [],
    secrets: [],
  });
});

test("Gemini CLI, whose trust is ignored", () => {
  const text = `{ "theme": "Default", "mcpServers": {
  "py": { "command": "python", "args": ["-m", "my_server"], "cwd": "./tools", "timeout": 15000, "trust": true, "env": { "API_KEY": "$MY_API_TOKEN" }, "includeTools": ["a"] },
  "stream": { "httpUrl": "http://localhost:3000/mcp" },
  "events": { "url": "http://localhost:8080/sse" } } }`;
  expect(summarize(text)).toEqual({
    format: "gemini",
    servers: [
      ["py", "python", "-m", "my_server"],
      ["stream", "http", "http://localhost:3000/mcp"],
      ["events", "sse", "http://localhost:8080/sse"],
    ],
  });
  const read = readMcpImport(text);
  expect(read.ok && read.candidates[0]).toMatchObject({
    notes: ["trusted"],
    secrets: [],
    server: { timeoutMs: 15_000, includeTools: ["a"] },
  });
});

test.each([
  ["opencode-1", (list: string) => `{ "$schema": "https://opencode.ai/config.json", "mcp": ${list} }`],
  ["opencode-2", (list: string) => `{ "mcp": { "servers": ${list} } }`],
])("%s", (format, wrap) => {
  const text = wrap(`{
    "my-local": { "type": "local", "command": ["bun", "x", "my-mcp", "--flag"], "enabled": false, "environment": { "A_KEY": "{env:A_KEY}" } },
    "my-remote": { "type": "remote", "url": "https://mcp.example.com", "headers": { "Authorization": "Bearer {env:MY_API_KEY}" } } }`);
  expect(summarize(text)).toEqual({
    format,
    servers: [
      ["my-local", "bun", "x", "my-mcp", "--flag"],
      ["my-remote", null, "https://mcp.example.com"],
    ],
  });
  const read = readMcpImport(text);
  expect(read.ok && read.candidates.map(({ server, secrets }) => [server, secrets])).toMatchObject([
    [{ disabled: true, env: { A_KEY: "${A_KEY}" } }, []],
    [{ headers: { Authorization: "Bearer ${MY_API_KEY}" } }, []],
  ]);
});

test.each([
  ['"github": { "command": "npx", "args": ["x"] }', [["github", "npx", "x"]]],
  ['{ "github": { "command": "npx", "args": ["x"] }, "version": 3 }', [["github", "npx", "x"]]],
  [
    '{ "command": "npx", "args": ["-y", "@modelcontextprotocol/server-github@1.0.0"] }',
    [["github", "npx", "-y", "@modelcontextprotocol/server-github@1.0.0"]],
  ],
  ['{ "url": "https://mcp.linear.app/sse" }', [["linear", null, "https://mcp.linear.app/sse"]]],
  ['{ "hello": "there" }', []],
])("a pasted part is understood: %s", (text, servers) => {
  expect(summarize(text)).toEqual({ format: "mcp-servers", servers });
});

test("what is no JSON is reported with its position, a broken server with its line", () => {
  expect(summarize("start the server")).toEqual({ line: 1, column: 1, expected: "a value" });
  const read = readMcpImport('{ "mcpServers": {\n "a": {},\n "b": { "command": "c" } } }');
  expect(read).toMatchObject({
    candidates: [{ server: { name: "b" } }],
    problems: [{ reason: "target", server: "a", line: 2 }],
  });
});

test.each([
  ["a list", '{ "servers": {\n"a": { "command": "x" },\n"a": { "command": "y" } } }', 2],
  ["servers without a list", '{\n\n"a": { "command": "x" },\n"a": { "command": "y" } }', 3],
  ["servers without braces", '"a": { "command": "x" },\n"a": { "command": "y" }', 1],
])("a name that is twice in %s is reported with its line", (_, text, line) => {
  expect(readMcpImport(text)).toMatchObject({
    candidates: [{ server: { name: "a", command: "y" } }],
    problems: [{ reason: "repeated", name: "a", line }],
  });
});
