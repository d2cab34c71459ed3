import { describe, expect, test } from "vitest";
import { cpuMsOf } from "@/lib/test-cpu";
import { applyEdit } from "../edit-match";

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
  cpuMsOf(() => applyEdit(code, { oldText: part, newText: "x", replaceAll: false }, "\n")),
  40,
);
/**
 * Maximum multiple of the yardstick. Linear work takes at most a quarter of it; quadratic work would take thousands.
 */
const mostWork = 150;
const same = (unit: string, chars: number): string => unit.repeat(chars / unit.length);

describe("2 MB files and 200 KB old strings", () => {
  test.each<[name: string, file: string, oldText: string, newText: string, result: string, all?: boolean]>([
    ["exact", code, part, `${part}// end\n`, "ok"],
    ["line ends", code.replaceAll("\n", "\r\n"), part, `${part}// end\n`, "ok"],
    ["spaces at line ends", code.replaceAll("\n", "  \n"), part, `${part}// end\n`, "ok"],
    ["quotes", code.replaceAll('"', "\u201d"), part, `${part}// end\n`, "ok"],
    ["shifted", code, shiftedPart, `${shiftedPart}      // end\n`, "ok"],
    ["numbered", code, numberedPart, part.trimEnd(), "no_change"],
    ["one word wrong at the end", code, `${part}other`, "x", "no_match"],
    ["a new string with nothing in common", code, part, same("zebra\n", oldChars), "ok"],
    ["one letter, wrong at the front", same("a", megabytes), `b${same("a", oldChars)}`, "x", "no_match"],
    ["one letter, wrong at the end", same("a", megabytes), `${same("a", oldChars)}b`, "x", "no_match"],
    ["one letter, everywhere", same("a", megabytes), same("a", oldChars), "x", "ambiguous"],
    ["the same line, wrong at the end", same("  }\n", megabytes), `${same("}\n", oldChars)}{\n`, "x", "no_match"],
    ["the same line, wrong at the front", same("  }\n", megabytes), `{\n${same("}\n", oldChars)}`, "x", "no_match"],
    [
      "the same line shifted, everywhere",
      same("  }\n", megabytes),
      same("\t}\n", (oldChars / 4) * 3),
      "x",
      "ambiguous",
    ],
    ["white space alone", same(" \n", megabytes), same(" ", oldChars), "x", "no_match"],
    ["one long line of spaces", `${same(" ", megabytes)}a`, `b${same(" ", oldChars)}`, "x", "no_match"],
    ["accents", same("e\u0301", megabytes), `${same("\u00e9", oldChars)}b`, "x", "no_match"],
    ["entities", same("<a>", megabytes), same("&lt;b&gt;", (oldChars / 9) * 9 - 2), "x", "no_match"],
    ["escapes", same('"a"\n', megabytes), same('\\"b\\"\\n', oldChars), "x", "no_match"],
    ["empty lines", same("a\n", megabytes), `${same("\n", oldChars)}b\n`, "x", "no_match"],
    ["a new line at each place of one line", same("a,", megabytes), ",", ",\n", "ok", true],
    ["each place of a Windows file", same("a\r\nb\r\n", 600_000), "a\nb\n", "a\nc\n", "ok", true],
  ])("%s", (_, file, oldText, newText, result, all = false) => {
    const edit = { oldText, newText, replaceAll: all };
    let outcome = applyEdit("", edit, "\n");
    const work = cpuMsOf(() => {
      outcome = applyEdit(file, edit, "\n");
    });
    expect(work).toBeLessThan(mostWork * yardstick);
    expect(outcome.ok ? "ok" : outcome.code).toBe(result);
    expect(outcome.ok ? "" : outcome.message.slice(3_000)).toBe("");
  });
});
