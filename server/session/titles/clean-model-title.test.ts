import { describe, expect, test } from "vitest";
import { cleanModelTitle } from "./clean-model-title";

const prompt = "Why does the parser drop the last line?";

describe("cleanModelTitle", () => {
  test.each([
    ["Parser drops the last line", "Parser drops the last line"],
    ['"Parser drops last line."\n', "Parser drops last line"],
    ["Title: Parser drops last line", "Parser drops last line"],
    ["**Session title:** “Parser drops last line”", "Parser drops last line"],
    ["# Lost line in `parse()`", "Lost line in parse()"],
    ["Here is a title:\n\nLost last line", "Lost last line"],
    ["Lost last line\n\nI chose it because it is short.", "Lost last line"],
    ["标题：《解析器丢失最后一行》。", "解析器丢失最后一行"],
    ["Titre : « Dernière ligne perdue »", "Dernière ligne perdue"],
    ["Lost\u0007 last\tline", "Lost last line"],
  ])("%j is the title %j", (answer, title) => {
    expect(cleanModelTitle(answer, prompt)).toBe(title);
  });

  test("a longer one is cut at 60 characters", () => {
    const title = cleanModelTitle("wörter ".repeat(20), prompt) ?? "";
    expect([...title].length).toBeLessThanOrEqual(60);
    expect(title).toMatch(/^wörter .*…$/);
  });

  test.each([
    ["", "nothing"],
    ["**\n```\n", "marks alone"],
    ["Here is a title:", "a label alone"],
    ["Why does the parser drop the last line", "the message"],
    ["why does the parser", "the start of the message"],
    ["Action: read\nAction Input: {}", "a call in words"],
    ['{"name": "read", "arguments": {}}', "a call in JSON"],
    ["<tool_call>read</tool_call>", "a call in an element"],
    ["<think>The user wants a title", "open thinking"],
    ["I should think.</think>", "the end of thinking"],
  ])("%j is refused: %s", (answer) => {
    expect(cleanModelTitle(answer, prompt)).toBeNull();
  });
});
