/** Messages of the overview of all running work, in Chinese. */
import type { overview as english } from "../../en/late/overview";

export const overview: typeof english = {
  waiting: "等待你的决定",
  running: "正在运行",
  failed: "最近三天内未正常结束",
  next: "即将运行的自动任务",
  quiet: "目前没有任务在运行",
  quietNote: "所有项目中正在运行、等待你决定或失败的会话都会显示在这里。",
  plan: (done, total) => `已完成 ${done}/${total}`,
  subagent: (title) => `子代理：${title}`,
  opensIn: "请到会话中处理。",
  moreWaiting: (count) => `还有 ${count} 个在等待，处理完上面的就会显示。`,
  removedProject: "已移除的项目",
};
