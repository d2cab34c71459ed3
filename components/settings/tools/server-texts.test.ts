import { expect, test } from "vitest";
import { en } from "../../messages/en";
import * as enLate from "../../messages/en-late";
import { formatItemAddress, parseItemAddress } from "../item-section/open-item";
import { launchText, fileInProject, registryName, toolSumText } from "./server-texts";
import { makeServer, makeTool } from "./test-server";

const messages = { ...en, ...enLate };

test("a command is shown as it can be typed into a shell", () => {
  expect(launchText({ command: ["node", "my server.js", "--name=it's", ""] })).toBe(
    `node 'my server.js' '--name=it'\\''s' ''`,
  );
});

test.each([
  [[], ""],
  [[makeTool("a")], "1 tool · 100 tokens"],
  [[makeTool("a"), makeTool("b", { tokens: 2_200 })], "2 tools · 2.3k tokens"],
  [[makeTool("a"), makeTool("b", { status: "off" }), makeTool("c", { status: "new" })], "1 of 3 tools on · 100 tokens"],
  [[makeTool("a", { status: "off" })], "0 of 1 tools on"],
] as const)("the tools %j are summed up as %j", (tools, text) =>
  expect(toolSumText(makeServer({ tools }), messages)).toBe(text),
);

test.each([
  ["/work/shop/.cursor/mcp.json", ".cursor/mcp.json"],
  ["/work/shop2/.mcp.json", "/work/shop2/.mcp.json"],
])("%s is shown as %s", (file, text) => expect(fileInProject(file, "/work/shop")).toBe(text));

test.each([
  [["npx", "-y", "a"], "npm"],
  [["pnpm", "dlx", "a"], "npm"],
  [["/usr/local/bin/uvx", "a"], "PyPI"],
  [["cmd", "/c", "uvx", "a"], "PyPI"],
])("the packages of %j come from %s", (command, name) => expect(registryName(command)).toBe(name));

test("the address of a server's page is read back, any other is not one", () => {
  expect(parseItemAddress("mcp", formatItemAddress("mcp", "p1", "files"))).toBe("p1/files");
  expect(parseItemAddress("mcp", "tui.theme")).toBeNull();
  expect(parseItemAddress("mcp", null)).toBeNull();
});
