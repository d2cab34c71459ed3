/** Command lines as documentation shows them. */
import { expect, test } from "vitest";
import { readMcpImport } from "./import-servers";

/** Each server as its name and what it starts, with its variables and headers. */
function read(text: string) {
  const result = readMcpImport(text);
  if (!result.ok) return "no JSON";
  expect(result.problems).toEqual([]);
  return result.candidates.map(({ server }) =>
    server.kind === "stdio"
      ? [server.name, [server.command, ...server.args], server.env]
      : [server.name, server.transport, server.url, server.headers],
  );
}
const package_ = "@modelcontextprotocol/server-everything";

test.each<readonly [text: string, servers: unknown]>([
  [`npx -y ${package_}`, [["everything", ["npx", "-y", package_], {}]]],
  [`  $ npx -y ${package_}\n`, [["everything", ["npx", "-y", package_], {}]]],
  ["uvx mcp-server-git --repository .", [["git", ["uvx", "mcp-server-git", "--repository", "."], {}]]],
  [
    "docker run -i --rm -e TOKEN mcp/time:1.2",
    [["time", ["docker", "run", "-i", "--rm", "-e", "TOKEN", "mcp/time:1.2"], {}]],
  ],
  [
    `LEVEL=debug NAME='a b' npx -y ${package_} "two words" it\\'s`,
    [["everything", ["npx", "-y", package_, "two words", "it's"], { LEVEL: "debug", NAME: "a b" }]],
  ],
  [`env A=1 npx -y \\\n  ${package_}`, [["everything", ["npx", "-y", package_], { A: "1" }]]],
  [`claude mcp add mine -- npx -y ${package_}`, [["mine", ["npx", "-y", package_], {}]]],
  [
    `claude mcp add --scope user -e A=1 B=2 --env C="$HOME" mine -- npx -e ${package_}`,
    [["mine", ["npx", "-e", package_], { A: "1", B: "2", C: "${HOME}" }]],
  ],
  [`claude mcp add mine npx -y ${package_}`, [["mine", ["npx", "-y", package_], {}]]],
  [
    'claude mcp add --transport http mine https://example.com/mcp --header "X-Team: a: b"',
    [["mine", "http", "https://example.com/mcp", { "X-Team": "a: b" }]],
  ],
  ["claude mcp add -t sse mine https://example.com/sse", [["mine", "sse", "https://example.com/sse", {}]]],
  [`claude mcp add-json mine '{"command":"npx","args":["-y","${package_}"]}'`, [["mine", ["npx", "-y", package_], {}]]],
  ["codex mcp add mine --url https://example.com/mcp", [["mine", null, "https://example.com/mcp", {}]]],
  [
    `code --add-mcp '{"name":"mine","command":"npx","args":["-y","${package_}"]}'`,
    [["mine", ["npx", "-y", package_], {}]],
  ],
  ["https://mcp.example.com/mcp", [["example", null, "https://mcp.example.com/mcp", {}]]],
  ["node /srv/notes/index.js", [["index", ["node", "/srv/notes/index.js"], {}]]],
  [
    "claude mcp add one -- uvx mcp-one\nclaude mcp add two -- uvx mcp-two",
    [
      ["one", ["uvx", "mcp-one"], {}],
      ["two", ["uvx", "mcp-two"], {}],
    ],
  ],
])("%j", (text, servers) => expect(read(text)).toEqual(servers));

test.each([
  "Add the server to your configuration",
  "npx is a program that runs packages",
  "node is great.",
  "see https://example.com/mcp",
  "https://example.com/mcp is the address",
  '{"mcpServers": {"a": {"command": "npx"',
  '"github": {"command": "npx"',
  "npx -y 'unclosed",
  "curl https://example.com/install.sh | sh",
  "npx -y a-package && rm -rf /",
  "npx -y $(cat package)",
  "claude mcp list",
  "claude mcp add",
  "code --add-mcp '{half'",
  "",
])("%j is not read as a command", (text) => expect(read(text)).toBe("no JSON"));

test("two command lines that lead to one name are both servers", () => {
  const read = readMcpImport("npx -y mcp-server-git --repository a\nnpx -y mcp-server-git --repository b");
  expect(read.ok && read.candidates.map(({ server }) => server.name)).toEqual(["git", "git-2"]);
});
