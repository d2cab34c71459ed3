import type { contextPanel as english } from "../../en/late/context-panel";

export const contextPanel: typeof english = {
  contextUse: (used, window, percent) => `约 ${used} / ${window} 词元，${percent}`,
  contextCounted: (used, window, percent) => `实测 ${used} / ${window} 词元，${percent}`,
  contextFailed: "无法加载上下文明细。",
  parts: {
    system: "系统说明",
    tools: "工具",
    toolbox: "其他程序的工具",
    memory: "记忆",
    snapshot: "项目快照",
    summary: "总结",
    files: "文件",
    messages: "消息",
    results: "工具结果",
  },
  compactsAt: (tokens, percent) => `达到 ${tokens} 词元（${percent}）时，会总结较早的消息。`,
  prefixKept: "上次运行的前缀保留",
  focus: "总结的重点",
  focusHint: "要重点保留什么（可选）",
  compactLater: "运行结束后才能压缩。",
  showPrompt: "查看提示词",
};
