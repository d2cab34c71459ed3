import { readFileSync } from "node:fs";
import fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import { estimateTokens } from "./estimate-tokens";

const file = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8").slice(0, 60_000);
const installed = (path: string): string => file(`../../node_modules/${path}`);

const chinese = `模型服务器没有回答。请检查 Ollama 是否已经启动,然后再试一次。
这个文件比允许的大小还要大,所以只显示了前面五百行;要看其余的内容,请用 offset 和 limit 再读一次。
我们在修改之前总是先读文件,修改之后运行测试,最后用几句话总结做了什么、为什么这样做,以及还有什么没有做完。`;
const python = `def read_lines(path, offset=1, limit=500):
    """Yield at most limit lines of a text file."""
    with open(path, encoding="utf-8") as handle:
        for number, line in enumerate(handle, start=1):
            if number < offset:
                continue
            if number >= offset + limit:
                break
            yield f"{number:>6}\\t{line.rstrip()}"
`;

describe("estimateTokens", () => {
  test.each<[string, string]>([
    ["TypeScript", file("./diff.ts")],
    ["declarations", installed("typescript/lib/lib.dom.d.ts")],
    ["bundled JavaScript", installed("typescript/lib/_tsc.js")],
    ["Python", python],
    ["C", installed("tree-sitter-bash/src/parser.c")],
    ["English prose", installed("typescript/README.md")],
    ["German in JSON", installed("typescript/lib/de/diagnosticMessages.generated.json")],
    ["Chinese prose", chinese],
    ["Chinese in JSON", installed("typescript/lib/zh-cn/diagnosticMessages.generated.json")],
    ["Japanese in JSON", installed("typescript/lib/ja/diagnosticMessages.generated.json")],
    ["Korean in JSON", installed("typescript/lib/ko/diagnosticMessages.generated.json")],
    ["Russian in JSON", installed("typescript/lib/ru/diagnosticMessages.generated.json")],
    ["a lock file with hashes", file("../../package-lock.json")],
  ])("%s is estimated within 20 % of the o200k count", (_, text) => {
    const share = estimateTokens(text) / encode(text).length;
    expect(share).toBeGreaterThan(0.8);
    expect(share).toBeLessThan(1.2);
  });

  test.each<[string, string]>([
    ["line feeds", "\n"],
    ["CR LF pairs", "\r\n"],
    ["control characters", "\u0000"],
    ["spaces", " "],
  ])("a long run of %s is not estimated below the o200k count", (_, unit) => {
    for (const length of [10, 1_000, 20_000]) {
      const text = `x${unit.repeat(length)}y`;
      expect(estimateTokens(text)).toBeGreaterThanOrEqual(encode(text).length * 0.9 - 2);
    }
  });

  test("an empty text has 0 tokens, any other at least 1", () => {
    expect(estimateTokens("")).toBe(0);
    fc.assert(fc.property(fc.string({ minLength: 1, unit: "binary" }), (text) => estimateTokens(text) >= 1));
  });

  test("appending text reduces the estimate by at most 1", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (one, other) => {
        expect(estimateTokens(one + other)).toBeGreaterThanOrEqual(estimateTokens(one) - 1);
      }),
    );
  });
});
