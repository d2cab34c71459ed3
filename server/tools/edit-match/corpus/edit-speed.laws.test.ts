import { describe, expect, test } from "vitest";
import { measureCpuMs } from "@/lib/testing/test-cpu";
import { applyEdit } from "../apply-edit";

const megabytes = 2_000_000;
const oldChars = 200_000;

const codeLine = (index: number): string => `  const value${index} = compute(${index}, "text ${index % 97}");\n`;
const code = Array.from({ length: megabytes / 45 }, (_, index) => codeLine(index)).join("");
const part = code.slice(code.indexOf(codeLine(20_000)), code.indexOf(codeLine(20_000 + oldChars / 50)));
const shiftedPart = part.replaceAll(/^ {2}/gm, "      ");
const numberedPart = part
  .split("\n")
  .slice(0, -1)
  .map((line, index) => `${index + 20_001}\t${line}`)
  .join("\n");
/** CPU time of an edit that matches at once, ms: independent of other load on the machine. */
const yardstick = Math.max(
  measureCpuMs(() => applyEdit(code, { oldText: part, newText: "x", replaceAll: false }, "\n")),
  40,
);
/**
 * Maximum multiple of the yardstick. Linear work takes at most a quarter of it; quadratic work would take thousands.
 */
const maxWork = 150;
const repeatTo = (unit: string, chars: number): string => unit.repeat(chars / unit.length);

describe("2 MB files and 200 KB old strings", () => {
  test.each<[name: string, file: string, oldText: string, newText: string, result: string, all?: boolean]>([
    ["exact", code, part, `${part}// end\n`, "ok"],
    ["line ends", code.replaceAll("\n", "\r\n"), part, `${part}// end\n`, "ok"],
    ["spaces at line ends", code.replaceAll("\n", "  \n"), part, `${part}// end\n`, "ok"],
    ["quotes", code.replaceAll('"', "\u201d"), part, `${part}// end\n`, "ok"],
    ["shifted", code, shiftedPart, `${shiftedPart}      // end\n`, "ok"],
    ["numbered", code, numberedPart, part.trimEnd(), "no_change"],
    ["one word wrong at the end", code, `${part}other`, "x", "no_match"],
    ["a new string with nothing in common", code, part, repeatTo("zebra\n", oldChars), "ok"],
    ["one letter, wrong at the front", repeatTo("a", megabytes), `b${repeatTo("a", oldChars)}`, "x", "no_match"],
    ["one letter, wrong at the end", repeatTo("a", megabytes), `${repeatTo("a", oldChars)}b`, "x", "no_match"],
    ["one letter, everywhere", repeatTo("a", megabytes), repeatTo("a", oldChars), "x", "ambiguous"],
    [
      "the same line, wrong at the end",
      repeatTo("  }\n", megabytes),
      `${repeatTo("}\n", oldChars)}{\n`,
      "x",
      "no_match",
    ],
    [
      "the same line, wrong at the front",
      repeatTo("  }\n", megabytes),
      `{\n${repeatTo("}\n", oldChars)}`,
      "x",
      "no_match",
    ],
    [
      "the same line shifted, everywhere",
      repeatTo("  }\n", megabytes),
      repeatTo("\t}\n", (oldChars / 4) * 3),
      "x",
      "ambiguous",
    ],
    ["white space alone", repeatTo(" \n", megabytes), repeatTo(" ", oldChars), "x", "no_match"],
    ["one long line of spaces", `${repeatTo(" ", megabytes)}a`, `b${repeatTo(" ", oldChars)}`, "x", "no_match"],
    ["accents", repeatTo("e\u0301", megabytes), `${repeatTo("\u00e9", oldChars)}b`, "x", "no_match"],
    ["entities", repeatTo("<a>", megabytes), repeatTo("&lt;b&gt;", (oldChars / 9) * 9 - 2), "x", "no_match"],
    ["escapes", repeatTo('"a"\n', megabytes), repeatTo('\\"b\\"\\n', oldChars), "x", "no_match"],
    ["empty lines", repeatTo("a\n", megabytes), `${repeatTo("\n", oldChars)}b\n`, "x", "no_match"],
    ["a new line at each place of one line", repeatTo("a,", megabytes), ",", ",\n", "ok", true],
    ["each place of a Windows file", repeatTo("a\r\nb\r\n", 600_000), "a\nb\n", "a\nc\n", "ok", true],
  ])("%s", (_, file, oldText, newText, result, all = false) => {
    const edit = { oldText, newText, replaceAll: all };
    let outcome = applyEdit("", edit, "\n");
    const work = measureCpuMs(() => {
      outcome = applyEdit(file, edit, "\n");
    });
    expect(work).toBeLessThan(maxWork * yardstick);
    expect(outcome.ok ? "ok" : outcome.code).toBe(result);
    expect(outcome.ok ? "" : outcome.message.slice(3_000)).toBe("");
  });
});
