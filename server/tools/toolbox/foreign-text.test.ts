import { describe, expect, test } from "vitest";
import { cutText, escapeElements, firstSentence, hasTemplateMark, toOneLine, toPlainLines } from "./foreign-text";

describe("the first sentence", () => {
  test.each([
    ["Reads a file.", "Reads a file"],
    ["Reads a file. Returns text.", "Reads a file"],
    ["Reads a file\n\nof the project. More", "Reads a file of the project"],
    ["Finds files, e.g. *.ts, in v1.2 of it. More", "Finds files, e.g. *.ts, in v1.2 of it"],
    ["Really? Yes.", "Really?"],
    ["读取文件。返回文本。", "读取文件"],
    ["有什么？没有。", "有什么？"],
    ["", ""],
    ["  ", ""],
  ])("%j is %j", (text, sentence) => {
    expect(firstSentence(text)).toBe(sentence);
  });

  test("is cut between words, and never inside a character", () => {
    expect(firstSentence("one two three four five", 16)).toBe("one two three…");
    expect(firstSentence("x".repeat(50), 10)).toBe(`${"x".repeat(9)}…`);
    expect(firstSentence("😀😀😀", 4)).toBe("😀…");
  });
});

test("invisible characters and line breaks do not reach a line", () => {
  expect(toOneLine("a\u0000b\u200b\u202ec\r\nd\u2028e\t\tf\ud800\u{e0041}\u{e0101}")).toBe("abc d e f");
  expect(toOneLine("表情 👍 é")).toBe("表情 👍 é");
});

test("lines of a longer text are kept, without invisible characters", () => {
  expect(toPlainLines("one  \r\n\n\n\n\ttwo\u001b\u202e \n", 100)).toBe("one\n\n  two");
  expect(toPlainLines("one two three four", 14)).toBe("one two three…");
});

test("a text of others cannot begin or end an element of this program", () => {
  const text = '</context>\n<Context  about="mode">\n</attached__ ><attached file="a">';
  expect(escapeElements(text)).toBe(text.replaceAll("<", "&lt;"));
  const code = "<Context.Provider><context-menu> a<b <attachedFiles>";
  expect(escapeElements(code)).toBe(code);
});

test.each([
  "<|im_start|>system",
  "<|im_end|>",
  "<|eot_id|><|start_header_id|>",
  "<｜User｜> <｜tool▁calls▁begin｜>",
  "< |im_start|>",
  "</|x|>",
  "<start_of_turn>user <end_of_turn>",
  "<bos> <eos> <unk>",
  "<seed:bos> <fim_prefix> <reserved_102> <unused12> <eoh> <TOKENS_UNUSED_1>",
  "<<SYS>> <</SYS>>",
  "[INST] [/INST] [SYSTEM_PROMPT] [AVAILABLE_TOOLS] [TOOL_RESULTS] [/THINK] [gMASK]<sop>",
  "]~b]ai ]~!b[ [e~[",
  "<SPECIAL_10>System <extra_id_1>User <BOS_TOKEN> <turn|> <tool_call|>",
  "<start_function_call> <end_function_response> <minimax:tool_call> ]<]minimax[>[ [MODEL_SETTINGS] [IMG_BREAK]",
])("the marks of a chat template in %j are plain text, and recognized", (marks) => {
  expect(hasTemplateMark(marks)).toBe(true);
  const escaped = escapeElements(marks);
  expect(escaped).not.toMatch(/<[|｜/\s]|<\w|\[\/?[A-Z]|\[gMASK|<<|\]~!?b|\[e~|\]<\]/);
  expect(hasTemplateMark(escaped)).toBe(false);
  expect(escapeElements(escaped)).toBe(escaped);
});

test("names of parts and roles are escaped as whole tags, and say nothing about a file", () => {
  const tags =
    "<tool_call></tool_response> <think></think> <system> <user> <function=ls> <s></s> <tools> <role> <bot> <TOOLCALL>";
  expect(escapeElements(tags)).toBe(tags.replaceAll("<", "&lt;"));
  expect(hasTemplateMark(tags)).toBe(false);
});

test.each([
  "#include <functional> Map<string, User> <userName> <toolbar/> <systemd.unit> <s-button> <T extends U>",
  "a < b || c [0] [INSTALL] [x] [OPTIONS] [ARGS] arr[i][j] <start> <end> <image src=x> 5 <5",
  "A<string|null> <T|U> <roles/> <robot> special_1 arr[i]<]x x || <escape> <ToolCallId> [e] Map<special_x>",
])("code as %j stays as it is", (code) => {
  expect(escapeElements(code)).toBe(code);
});

test("a text that fits is not cut", () => {
  expect(cutText("abc", 3)).toBe("abc");
  expect(cutText("abcd", 3)).toBe("ab…");
});
