import type { runDetails as english } from "../../en/conversation/run-details";

export const runDetails: typeof english = {
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
