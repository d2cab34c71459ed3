import type { subagent as english } from "../../en/conversation/subagent";

export const subagent: typeof english = {
  waiting: "正在等待模型服务器",
  step: (step, limit) => `第 ${step} 步，最多 ${limit} 步`,
  steps: (count) => `${count} 步`,
  tokens: (count) => `${count} 个词元`,
  unfinished: {
    limit: "达到上限，已停止",
    time: "达到时间上限，已停止",
    loop: "不断重复，已停止",
    stopped: "已由你停止",
  },
  readAgain: (count) => `之后本会话重新读取了 ${count} 个词元`,
  readNothingAgain: "之后本会话没有重新读取任何内容",
  open: "打开",
  openNamed: (task) => `打开子代理：${task}`,
  stop: "停止",
  stopNamed: (task) => `停止子代理：${task}`,
  asks: "子代理需要你的决定",
  bar: "这是一个子代理。",
  toParent: "返回启动它的会话",
};
