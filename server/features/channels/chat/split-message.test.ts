import fc from "fast-check";
import { expect, test } from "vitest";
import { splitMessage } from "./split-message";

const word = fc.stringMatching(/^[a-z]{1,12}$/);
const plainLine = fc.array(word, { maxLength: 30 }).map((words) => words.join(" "));
const codeBlock = fc
  .tuple(fc.constantFrom("```", "```js", "~~~~ text"), fc.array(plainLine, { maxLength: 20 }))
  .map(([fence, lines]) => [fence, ...lines, fence.startsWith("~") ? "~~~~" : "```"].join("\n"));
const anyText = fc.string({ unit: "grapheme", maxLength: 3_000 });
const document = fc
  .array(fc.oneof(plainLine, codeBlock, anyText), { maxLength: 12 })
  .map((parts) => parts.join("\n\n"));

const isBalanced = (message: string): boolean => {
  let marker = "";
  for (const line of message.split("\n")) {
    const found = /^ {0,3}(`{3,12}|~{3,12})([^`\n]{0,60})$/.exec(line);
    if (marker === "") marker = found?.[1] ?? "";
    else if (line.trim().length >= marker.length && new Set(line.trim()).size === 1 && line.trim()[0] === marker[0])
      marker = "";
  }
  return marker === "";
};

/** The characters of the text without white space and without lines that only begin or end code blocks. */
const content = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !/^ {0,3}(?:`{3,}|~{3,})(?:js| text)?\s*$/.test(line))
    .join("")
    .replace(/\s/g, "");

test("every message fits, has something to show and closes its code blocks", () => {
  fc.assert(
    fc.property(document, fc.integer({ min: 200, max: 800 }), (text, max) => {
      for (const message of splitMessage(text, max)) {
        expect(message.length).toBeLessThanOrEqual(max);
        expect(message.trim()).not.toBe("");
        expect(isBalanced(message)).toBe(true);
        expect(/\p{Surrogate}/u.test(message)).toBe(false);
      }
    }),
  );
});

test("nothing of a text of words and code blocks is lost, repeated or reordered", () => {
  const words = fc.array(fc.oneof(plainLine, codeBlock), { maxLength: 12 }).map((parts) => parts.join("\n\n"));
  fc.assert(
    fc.property(words, fc.integer({ min: 200, max: 800 }), (text, max) => {
      expect(content(splitMessage(text, max).join("\n"))).toBe(content(text));
    }),
  );
});

test("a text that fits is one message", () => {
  expect(splitMessage("  One.\n\nTwo.\n", 200)).toEqual(["One.\n\nTwo."]);
  expect(splitMessage(" \n ", 200)).toEqual([]);
});

test("a border is between paragraphs, otherwise between lines, otherwise between words", () => {
  const line = "word ".repeat(20).trim();
  expect(splitMessage(`${line}\n${line}\n\n${line}`, 240)).toEqual([`${line}\n${line}`, line]);
  expect(splitMessage(`${line}\n${line}\n${line}`, 240)).toEqual([`${line}\n${line}`, line]);
  expect(splitMessage("x".repeat(500), 200).join("")).toBe("x".repeat(500));
});

test("a code block that does not fit is closed, and opened again with its language", () => {
  const code = Array.from({ length: 40 }, (_, index) => `const value${index} = ${index};`).join("\n");
  const messages = splitMessage(`Look:\n\n\`\`\`ts\n${code}\n\`\`\`\n\nDone.`, 300);
  expect(messages.length).toBeGreaterThan(2);
  expect(messages.slice(1, -1).every((one) => one.startsWith("```ts\n") && one.endsWith("\n```"))).toBe(true);
  expect(messages.at(-1)?.endsWith("Done.")).toBe(true);
});
