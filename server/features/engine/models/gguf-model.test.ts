import { expect, test } from "vitest";
import { readModelTraits } from "./gguf-model";

test.each([
  ["qwen35", { "qwen35.full_attention_interval": 4, "qwen35.ssm.state_size": 128 }, true],
  ["granitehybrid", { "granitehybrid.ssm.conv_kernel": 4 }, true],
  ["lfm2", { "lfm2.shortconv.l_cache": 3 }, true],
  ["rwkv7", { "rwkv7.wkv.head_size": 64 }, true],
  ["qwen3", { "qwen3.attention.head_count": 16, "qwen3.attention.sliding_window": 4_096 }, false],
])("a model of %s, of which the file has %j: recurrent is %s", (architecture, members, isRecurrent) => {
  expect(readModelTraits({ metadata: { "general.architecture": architecture, ...members } }).isRecurrent).toBe(
    isRecurrent,
  );
});

test("the chat template in the file shows in which form earlier answers go back", () => {
  const traitsOf = (template: string) => readModelTraits({ metadata: { "tokenizer.chat_template": template } });
  expect(traitsOf("{% if preserve_thinking %}{{ reasoning }}{% endif %}").template).toEqual({ reasoning: "preserve" });
  expect(traitsOf("<|tool_call_argument_begin|>").template).toEqual({ callIds: "kimi" });
  expect(traitsOf("").template).toEqual({});
});
