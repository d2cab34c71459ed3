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
  readAgain: "重新读取",
  servedBy: "处理主机",
  movesOften:
    "模型服务器已至少三次重新读取本会话的内容。如果多台主机前有路由器，说明它没有让会话固定在一台主机上。请让它按会话请求头选择主机（见该连接设置中的“高级”）。",
  prefixUnknown: "未知",
  prefixAbout: (percent) => `约 ${percent}`,
};
