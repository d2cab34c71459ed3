import type { stoppedAnswer as english } from "../../en/conversation/stopped-answer";

export const stoppedAnswer: typeof english = {
  length: "回答被截断：已达到模型的输出上限。",
  error: "回答失败。",
  aborted: "已停止。",
  interrupted: "已中断。",
};
