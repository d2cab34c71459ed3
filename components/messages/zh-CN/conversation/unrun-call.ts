import type { unrunCall as english } from "../../en/conversation/unrun-call";

export const unrunCall: typeof english = {
  before: "模型写出了对 ",
  after: {
    example: " 的调用，但没有执行：它看起来像是示例。",
    sentence: " 的调用，但没有执行：它只是句子的一部分。",
    explained: " 的调用，但没有执行：后文是对它的说明。",
  },
  run: "执行",
  ran: "你已执行",
  notCall: "不是调用",
};
