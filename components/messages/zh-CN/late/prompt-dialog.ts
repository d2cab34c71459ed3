import type { promptDialog as english } from "../../en/late/prompt-dialog";

export const promptDialog: typeof english = {
  title: "下一次请求",
  note: "下一次请求发给模型的全部原文。系统说明和工具在整个会话中保持不变，方便模型服务缓存。",
  isNew: "新增",
  unchanged: "自上次请求以来没有新增内容。",
  added: (added, before) => `自上次请求以来新增 ${added} 词元；之前的 ${before} 没有变化。`,
  sections: {
    start: "会话开头",
    history: "对话历史",
    pending: "待发送的提示",
  },
  pieces: {
    owner: () => "关于你和助手",
    toolbox: () => "其他程序的工具",
    guide: () => "项目说明",
    memory: () => "记忆中的笔记",
    environment: () => "环境",
    tree: () => "文件树",
    summary: () => "总结",
    message: () => "你的消息",
    answer: () => "回答",
    result: (tool) => `${tool} 的结果`,
    notice: () => "提示",
    file: (name) => name,
    pending: () => "随下一个结果发送",
    pendingFile: (name) => `${name}，随下一条消息发送`,
  },
};
