/** Messages of notices that the server opens, in Chinese. */
import type { notices as english } from "../../en/late/notices";

export const notices: typeof english = {
  paused: (name) => `自动任务“${name}”连续多次失败，已暂停。`,
  sessions: {
    waiting: "正在等待你的批准",
    done: "运行已完成",
    limit: "达到限制，运行已暂停",
    failed: "运行出错",
    interrupted: "运行被中断",
  },
  open: "查看",
};
