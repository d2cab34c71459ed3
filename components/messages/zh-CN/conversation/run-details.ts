import type { runDetails as english } from "../../en/conversation/run-details";

export const runDetails: typeof english = {
  reasoningOnly: "只省去了模型之前的思考，没有总结任何内容。",
  label: "运行详情",
  steps: "步数",
  firstToken: "首个词元用时",
  load: "载入模型",
  read: "读取",
  write: "输出",
  prefix: "前缀保留",
  prefixUnknown: "未知",
  prefixAbout: (percent) => `约 ${percent}`,
};
