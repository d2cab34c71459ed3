/** Messages of a summary in the conversation. */
import type { compaction as english } from "../../en/conversation/compaction";

export const compaction: typeof english = {
  running: (tokens) => `正在总结较早的部分，共 ${tokens} 个词元…`,
  done: (before, after) => `已压缩 ${before} → ${after} 词元`,
  failed: "较早的部分未能总结",
  summary: "总结",
  why: {
    threshold: "上下文窗口快满了",
    window: "请求过长，被模型服务拒绝",
    user: "应你的要求",
  },
  focus: (text) => `重点保留：${text}。`,
  mechanical: "模型没有给出总结，这是 gopi-web 整理的清单。",
  shortened: (tokens) => `较早的结果已各缩短到 ${tokens} 个词元。`,
  edited: "你已编辑过。",
  edit: "编辑总结",
  editNote: "从下一条消息起，模型读到的是你的文字。",
  editLater: "运行结束后才能编辑总结。",
};
