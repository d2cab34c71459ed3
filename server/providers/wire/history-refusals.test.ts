import { expect, test } from "vitest";
import { findHistoryRefusal } from "./history-refusals";

test.each([
  ["Tool call id was c7 but must be a-z, A-Z, 0-9, with a length of 9.", "call_ids"],
  ["Value is not callable: Tool call IDs should be alphanumeric strings with length 9!", "call_ids"],
  [
    "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
    "reasoning_missing",
  ],
  ["thinking is enabled but reasoning is missing in assistant message 2", "reasoning_missing"],
  ["The `reasoning_content` in the thinking mode must be passed back to the API.", "reasoning_missing"],
  ["Missing `reasoning_content` field in the assistant message at message index 3", "reasoning_missing"],
  ['Field required ["body","messages",2,"assistant","reasoning"]', "reasoning_missing"],
  [
    "The reasoning_content is for display and will not be included in the context. Please remove it.",
    "reasoning_unwanted",
  ],
  ["property 'reasoning_content' is unsupported", "reasoning_unwanted"],
  ['Extra inputs are not permitted ["body","messages",1,"assistant","reasoning_content"]', "reasoning_unwanted"],
  ["Unknown parameter: 'messages[1].reasoning'.", "reasoning_unwanted"],
  ["Unsupported value: 'reasoning_effort' does not support 'max' with this model.", undefined],
  ['Unrecognized request argument supplied: "thinking"', undefined],
  ["m does not support thinking", undefined],
  ["maximum context length is 9 tokens, messages have 12", undefined],
])("%s", (words, refusal) => {
  expect(findHistoryRefusal(words)).toBe(refusal);
});
