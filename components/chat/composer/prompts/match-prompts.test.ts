import { expect, test } from "vitest";
import type { McpPromptOffer } from "@/lib/tools/mcp";
import { matchPrompts, promptCommand } from "./match-prompts";

const prompt = (server: string, name: string): McpPromptOffer => ({
  server,
  name,
  title: "",
  description: "",
  arguments: [],
});
const prompts = [prompt("github", "review"), prompt("github", "Release notes"), prompt("files", "tidy")];

test.each<readonly [string, readonly string[]]>([
  ["/", ["/github:review", "/github:Release notes", "/files:tidy"]],
  ["/g", ["/github:review", "/github:Release notes"]],
  ["/github:rel", ["/github:Release notes"]],
  ["/github:review", ["/github:review"]],
  ["/github:review now", []],
  ["github:review", []],
  ["/x", []],
])("%j offers %j", (text, expected) => {
  expect(matchPrompts(text, prompts).map(promptCommand)).toEqual(expected);
});
