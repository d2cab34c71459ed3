import type { pins as english } from "../../en/late/pins";

export const pins: typeof english = {
  title: "固定的文件",
  budget: (tokens, most) => `${tokens} / ${most} 词元`,
  tokens: (tokens) => `${tokens} 词元`,
  states: { new: "待发送", changed: "已改动", evicted: "不再发送" },
  explained: {
    sent: "模型已收到这个文件。",
    new: "随下一条消息发送。",
    changed: "文件已改动，新内容随下一条消息发送。",
    evicted: "固定的文件超出了可占的上下文，这个文件最久未用。请取消固定其他文件。",
  },
  unreadable: { not_found: "已删除", too_large: "太大", binary: "不是文本", other: "无法读取" },
  open: (path) => `打开 ${path}`,
  pin: (path) => `将 ${path} 固定到上下文`,
  unpin: (path) => `取消固定 ${path}`,
  notPinned: (path, reason) => `未固定 ${path}。${reason}`,
  tooLarge: (path, tokens, most) =>
    `未固定 ${path}：它有 ${tokens} 词元，而所有固定的文件合计最多 ${most}。可改用 @ 添加其中几行。`,
  notImported: (done, count, most) => `${done}。一个会话最多固定 ${most} 个文件，有 ${count} 个未导入。`,
  noFile: "请先打开一个文件，或在 /pin 后写上路径。",
  noLongerSent: (count, files) => `上下文已满：${count} 个固定的文件不再发送：${files}`,
};
