import { expect, test } from "vitest";
import { limits } from "@/lib/settings/settings";
import { parseScriptLine } from "./script-line";

test.each([
  { type: "prompt", text: "Say 你好" },
  { type: "steer", text: "not so fast" },
  { type: "follow_up", text: "x".repeat(limits.promptMaxChars) },
  { type: "answer", approvalId: "a1", option: "once" },
  { type: "answer", approvalId: "a1", option: "deny", reason: "too risky" },
  { type: "abort" },
])("a valid line is returned as it is: %j", (line) => {
  expect(parseScriptLine(JSON.stringify(line))).toEqual(line);
});

const types = "prompt, steer, follow_up, answer, abort";
test.each<[line: string, message: string]>([
  ["fix it", "the line is not JSON"],
  ['{"type":"prompt"', "the line is not JSON"],
  ["[".repeat(200_000), "the line is not JSON"],
  ["null", `the line has to be an object whose type is one of ${types}`],
  ["7", `the line has to be an object whose type is one of ${types}`],
  ["[]", `the line has to be an object whose type is one of ${types}`],
  ["{}", `the line has to be an object whose type is one of ${types}`],
  ['{"type":["prompt"],"text":"x"}', `the line has to be an object whose type is one of ${types}`],
  ['{"type":"\\u001b[2J"}', `the line has to be an object whose type is one of ${types}, not \\u{1b}[2J`],
  ['{"type":"toString"}', `the line has to be an object whose type is one of ${types}, not toString`],
  ['{"type":"prompt"}', "text has to be a text that is not blank, of at most 200000 characters"],
  ['{"type":"steer","text":5}', "text has to be a text that is not blank, of at most 200000 characters"],
  ['{"type":"follow_up","text":" \\n"}', "text has to be a text that is not blank, of at most 200000 characters"],
  [
    '{"type":"answer","approvalId":"../x","option":"once"}',
    "approvalId has to be the approvalId of an approval_request",
  ],
  ['{"type":"answer","approvalId":"a1","option":"always"}', "option has to be once or deny"],
  [
    JSON.stringify({ type: "answer", approvalId: "a1", option: "deny", reason: "x".repeat(2_001) }),
    "reason has to be a text of at most 2000 characters",
  ],
])("a wrong line is explained: %.60s", (line, message) => {
  expect(parseScriptLine(line)).toEqual({ code: "bad_input", message });
});
