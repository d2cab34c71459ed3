import { expect, test } from "vitest";
import { measureCpuMs } from "@/lib/testing/test-cpu";
import { cleanCommitMessage } from "./clean-message";

const words = (count: number): string => Array.from({ length: count }, (_, index) => `word${index}`).join(" ");

test.each<[what: string, answer: string, message: string | null]>([
  ["a message", "Fix the parser\n\nIt dropped the last line.", "Fix the parser\n\nIt dropped the last line."],
  ["line ends of Windows", "Fix it\r\n\r\nBecause.\r\n", "Fix it\n\nBecause."],
  ["a fence", "```text\nfix: keep the last line\n\n- a\n- b\n```", "fix: keep the last line\n\n- a\n- b"],
  ["a fence without an end", "```\nfix: keep the line", "fix: keep the line"],
  ["an introduction", "Here is the commit message:\n\nFix the parser", "Fix the parser"],
  ["an introduction and a fence", "Sure! Here's a message:\n```\nFix it\n```\nLet me know if it helps.", "Fix it"],
  ["a Chinese introduction", "以下是提交信息：\n\n修复解析器丢失末行的问题。", "修复解析器丢失末行的问题"],
  ["a closing sentence", "Fix it\n\nWhy not.\n\nLet me know if you want changes!", "Fix it\n\nWhy not."],
  ["thinking", "<think>\nHm.\n</think>\n\nFix the parser", "Fix the parser"],
  ["the end of thinking", "It may be a fix.\n</think>\nFix the parser", "Fix the parser"],
  ["thinking without an end", "<think>It may be a fix", null],
  ["quotation marks", '"Fix the parser."', "Fix the parser"],
  ["quoted words", '"a" becomes "b"', '"a" becomes "b"'],
  ["bold", "**Fix the parser**\n\nText", "Fix the parser\n\nText"],
  ["a label", "Commit message: Fix the parser", "Fix the parser"],
  ["a label in bold", "**Subject:** Fix the parser", "Fix the parser"],
  ["a prefix that is no label", "docs: describe the parser", "docs: describe the parser"],
  ["JSON", '{"subject": "Fix the parser", "body": "It dropped\\na line."}', "Fix the parser\n\nIt dropped\na line."],
  ["JSON in a fence", '```json\n{"title": "Fix it", "description": ["a", "b"]}\n```', "Fix it\n\na\nb"],
  ["JSON without a message", '{"name": "read"}', null],
  ["the command", 'git commit -m "Fix the \\"parser\\""', 'Fix the "parser"'],
  ["a heading", "# Fix the parser", "Fix the parser"],
  ["an ellipsis", "Wait...", "Wait..."],
  ["nothing", "  \n ", null],
  ["control characters", "Fix\u0000 the\u001b[31m parser", "Fix the[31m parser"],
  ["signatures", "Fix it\n\nWhy.\n\nSigned-off-by: Nobody <a@b>\nCo-authored-by: X <x@y>", "Fix it\n\nWhy."],
  ["no empty line", "Fix it\nBecause.", "Fix it\n\nBecause."],
  ["a code fence in the body", "Fix it\n\nRun:\n```sh\nnpm test\n```", "Fix it\n\nRun:\nnpm test"],
  [
    "a long first line",
    "Fix the parser of the settings file, which dropped the last line of files without a final newline",
    "Fix the parser of the settings file\n\nwhich dropped the last line of files without a final newline",
  ],
  ["a long word", "x".repeat(80), `${"x".repeat(72)}\n\n${"x".repeat(8)}`],
  ["a long Chinese line", "修".repeat(60) + "，" + "改".repeat(30), `${"修".repeat(60)}\n\n${"改".repeat(30)}`],
  [
    "long lines of the body",
    `Fix it\n\n- ${words(14)}\nhttps://example.org/${"a".repeat(80)}`,
    `Fix it\n\n- ${words(11)}\n  word11 word12 word13\nhttps://example.org/${"a".repeat(80)}`,
  ],
])("%s", (_what, answer, message) => {
  expect(cleanCommitMessage(answer)).toBe(message);
});

test("an answer of any length has limits", () => {
  const message = cleanCommitMessage(`Fix it\n\n${words(5_000)}`) ?? "";
  expect(message.split("\n")).toHaveLength(42);
  expect(Math.max(...message.split("\n").map((line) => line.length))).toBeLessThanOrEqual(72);
});

test.each([
  ["thinking", "<think>", null],
  ["fences", "```\n", null],
  ["empty lines", "Fix it\n \n \n", "Fix it"],
])("%s that a model repeats without an end are read in a moment", (_what, part, message) => {
  const cleaned: (string | null)[] = [];
  expect(measureCpuMs(() => cleaned.push(cleanCommitMessage(part.repeat(150_000))))).toBeLessThan(1_000);
  expect(cleaned[0]?.split("\n")[0] ?? null).toBe(message);
});
