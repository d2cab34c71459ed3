import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { estimateTokens } from "@/lib/text/estimate-tokens";
import { makeRepeatGuard, makeTokenCounter } from "./stream-guards";

/** Number of characters read when a repetition is detected, pushed in pieces of `size`; null = never. */
function foundAfter(text: string, size = 7, words = true): number | null {
  const guard = makeRepeatGuard({ isProse: words });
  for (let at = 0; at < text.length; at += size)
    if (guard.push(text.slice(at, at + size)) !== null) return Math.min(at + size, text.length);
  return null;
}

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n");

const before = "I read the file and found that the port is set twice. ".concat("It differs in tests. ");

describe("a stream that ended without a finish part", () => {
  const atEnd = (text: string, size = 7) => {
    const guard = makeRepeatGuard({ isProse: true });
    for (let at = 0; at < text.length; at += size) guard.push(text.slice(at, at + size));
    return guard.atEnd();
  };

  test.each([
    ["a word", " no", "no"],
    ["a word with its comma", "no, ", "no,"],
    ["a line of one word", "yes\n", "yes"],
    ["a character", "a", "a"],
    ["a Chinese character", "好", "好"],
    ["a Chinese word", "谢谢", "谢"],
    ["Chinese with its sign", "是的。", "是的。"],
    ["Japanese", "はい、", "はい、"],
    ["Korean", "네 ", "네"],
    ["Arabic", "نعم ", "نعم"],
    ["a number", "42 ", "42"],
    ["zeros", "000", "0"],
    ["a sign", "!", "!"],
    ["a Chinese sign", "！", "！"],
    ["dots", "…", "…"],
    ["a smiley", "🙂", "🙂"],
    ["a bracket", "} ", "}"],
    ["empty lines", "\n", "\n"],
  ])("%s repeated is detected", (_name, token, unit) => {
    for (const size of [1, 7, 4_000])
      expect(atEnd(`Here is what I found: ${token.repeat(31)}`, size)?.unit.trim()).toBe(unit.trim());
    expect(atEnd(`Here is what I found: ${token.repeat(600)}`)?.times).toBeGreaterThanOrEqual(31);
  });

  test.each([
    ["words", "I read the file and then the"],
    ["nothing", ""],
    ["a rule of dashes", `Title\n${"-".repeat(20)}`],
    ["a few equal words", `He said ${"no ".repeat(12)}`],
    ["a repetition that ended", `${"no ".repeat(60)}and then the file was`],
  ])("%s is not a repetition", (_name, text) => {
    expect(atEnd(text)).toBeNull();
  });
});

describe("the repeated unit starts at a word border", () => {
  const shown = (text: string) => {
    const guard = makeRepeatGuard({ isProse: true });
    return guard.push(text)?.unit.trim();
  };
  test.each([
    ["whether it may be so, "],
    ["Now I read the file, then I look at it again. "],
    ["让我再检查一下这个文件。"],
  ])("%s", (sentence) => {
    for (let cut = 0; cut < sentence.length; cut += 1)
      expect(shown(`${sentence.slice(cut)}${sentence.repeat(220)}`)?.startsWith(sentence.slice(0, 3))).toBe(true);
  });
});

describe("repeated text", () => {
  test.each([
    ["one sentence", "I will now check the configuration file again. ", 1_600],
    [
      "a paragraph",
      `${"Let me think about what the user wants here, and why the test fails. ".repeat(4)}Hm.\n\n`,
      2_100,
    ],
    ["short words of thinking", "Wait, no. Let me see. ", 1_600],
    ["a Chinese sentence", "让我再检查一下这个文件。", 1_600],
    ["Japanese", "これはただしいですか。", 1_600],
    ["two lines in turn", "Now I read the file.\nNow I look at the folder.\n", 1_600],
    ["one character", "a", 4_608],
    ["dashes without end", "-", 4_608],
    ["empty lines without end", "\n", 4_608],
    ["a token of two characters", "0,", 4_608],
    ["a line of code without end", "    items.push({ id: 1, name: 'x' });\n", 4_608],
    ["a smiley", "🙂", 4_608],
  ])("%s is detected soon", (_name, unit, most) => {
    const text = before + unit.repeat(Math.ceil(20_000 / unit.length));
    const found = foundAfter(text);
    expect(found).not.toBeNull();
    expect(found).toBeLessThanOrEqual(before.length + most + 256);
    expect(foundAfter(text, 1)).not.toBeNull();
    expect(foundAfter(text, text.length)).not.toBeNull();
  });

  test.each([
    [
      "a Markdown table",
      `| name | size |\n${"|---".repeat(12)}|\n${lines(200, (row) => `| file${row}.ts | ${row * 13} |`)}`,
    ],
    ["a wide empty table", lines(40, () => "|  |  |  |  |  |  |  |")],
    ["rules of dashes, equals and stars", lines(12, (row) => "-=*#~"[row % 5]?.repeat(120) ?? "")],
    ["a long line of dashes", `Results\n${"-".repeat(2_000)}\n`],
    ["deep indentation and empty lines", lines(80, (row) => `${" ".repeat(row)}}\n\n`)],
    ["code with lines that are alike", lines(300, (row) => `  expect(run(${row})).toEqual(${row * row});`)],
    ["equal cells of a board", lines(81, () => '      <div class="cell"></div>')],
    ["rows of a board", lines(9, () => `<tr>${"<td><input></td>".repeat(9)}</tr>`)],
    ["a matrix of zeros", `[${lines(28, () => `[${"0, ".repeat(27)}0],`)}]`],
    ["a JSON list", JSON.stringify(Array.from({ length: 400 }, (_, id) => ({ id, done: false, tags: [] })))],
    ["equal JSON objects", JSON.stringify(Array.from({ length: 60 }, () => ({ done: false, tags: [], note: null })))],
    ["a licence text that stands there twice", `${before.repeat(4)}\n`.repeat(2)],
    ["a numbered list", lines(200, (row) => `${row}. Check the configuration file again.`)],
    ["a sentence that is said seven times", `${before}\n`.repeat(7)],
    ["a hundred greetings that were asked for", "hello world\n".repeat(99)],
    ["a hex dump", lines(200, (row) => `${row.toString(16).padStart(8, "0")}: 0000 0000 0000 0000 ffff ${row}`)],
    ["blank SVG path data", `<path d="${lines(300, (row) => `M${row} 0 L${row} 10 Z`)}"/>`],
  ])("%s is not detected", (_name, text) => {
    expect(foundAfter(text)).toBeNull();
    expect(foundAfter(`${before}${text}${before}`, 1_000)).toBeNull();
  });

  test("random prose is never detected, for any piece size", () => {
    const word = fc.constantFrom("read", "the", "file", "then", "edit", "it", "and", "run", "tests", "\n", "0", "{ }");
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 900, maxLength: 1_500 }),
        fc.integer({ min: 1, max: 3_000 }),
        (words, size) => {
          expect(foundAfter(words.map((one, index) => `${one}${index % 17}`).join(" "), size)).toBeNull();
        },
      ),
      { numRuns: 40 },
    );
  });

  const sentences = "The quick brown fox jumps over the lazy dog. ";
  test("sentences may repeat in file content, but not without limit", () => {
    expect(foundAfter(sentences.repeat(40), 7, false)).toBeNull();
    expect(foundAfter(sentences.repeat(40))).not.toBeNull();
    expect(foundAfter(sentences.repeat(400), 7, false)).not.toBeNull();
    const cards = `<p>${sentences.repeat(4)}</p>\n`;
    expect(foundAfter(cards.repeat(9))).toBeNull();
  });

  test("reports the repeated unit and its count", () => {
    const guard = makeRepeatGuard({ isProse: true });
    const found = guard.push("Let me look at it once more. ".repeat(60));
    expect(found?.unit).toHaveLength("Let me look at it once more. ".length);
    expect(found?.unit).toContain("once more.");
    expect(found?.times).toBeGreaterThanOrEqual(6);
  });
});

describe("token count of streamed text", () => {
  test("approximates the count of the whole text, even one character at a time", () => {
    const text = "The test fails because the port is taken; 端口已被占用。 const a = [1, 2, 3];\n".repeat(100);
    for (const size of [1, 3, 50, 5_000]) {
      const count = makeTokenCounter();
      for (let at = 0; at < text.length; at += size) count.push(text.slice(at, at + size));
      expect(count.tokens / estimateTokens(text)).toBeGreaterThan(0.97);
      expect(count.tokens / estimateTokens(text)).toBeLessThan(1.05);
    }
  });
});
