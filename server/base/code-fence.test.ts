import { expect, test } from "vitest";
import { unwrapFence } from "./code-fence";

const lines = "\n".repeat(100_000);

test.each([
  ["a", "a"],
  [" a\n", "a"],
  ["```\na\n```", "a"],
  ["```json\n a \n```\n", "a"],
  ["```json a```", "a"],
  ["```json```", ""],
  ["``````", ""],
  ["```", "```"],
  ["`````", "`````"],
  ["```json\na", "```json\na"],
  ["a\n```", "a\n```"],
  ["```\na\n```\nb", "```\na\n```\nb"],
])("%j without its fence is %j", (text, content) => expect(unwrapFence(text)).toBe(content));

test("long texts are unwrapped", () => {
  expect(unwrapFence(`\`\`\`${lines}x`)).toBe(`\`\`\`${lines}x`);
  expect(unwrapFence(`\`\`\`${lines}x${lines}\`\`\``)).toBe("x");
});
