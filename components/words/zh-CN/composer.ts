import type { composer as english } from "../en/composer";

export const composer: typeof english = {
  label: "消息",
  placeholder: {
    idle: "说说要改什么，或者问个问题",
    running: "按回车调整正在进行的任务",
    waiting: "回车会排队；要改方向请用“拒绝并说明”",
    noModel: "可以先写，模型就绪后再发送",
    offline: "已离线；草稿会保留",
    readOnly: "你正在旁观这个会话",
  },
  refused: {
    noModel: "没有发送：还没有可用的模型。文字已保留。",
    offline: "没有发送：连接已断开。文字已保留。",
  },
  send: "发送",
  stop: "停止",
  mode: "模式",
  modes: {
    ask: { name: "询问", note: "改文件或运行命令前先问你" },
    edits: { name: "接受编辑", note: "自动改文件，运行命令前先问你" },
    plan: { name: "计划", note: "只读取，然后给出计划" },
    full: { name: "完全访问", note: "一切操作都不再询问，仅限本会话" },
  },
  fullWarning: "完全访问：运行命令不再询问。本会话结束或重启后失效。",
  leaveFull: "改回询问",
  model: "模型",
  noModel: "没有模型",
  noTools: "不支持工具调用",
  context: (percent, window) => `${window} 上下文窗口已用 ${percent}`,
  contextUnknown: "第一次回答之后才知道上下文用量",
  queued: { steer: "下一步处理", followUp: "本次运行后处理", idle: "在下一条消息之后处理" },
  queue: "等待中的消息",
  editQueued: "编辑这条消息",
  removeQueued: "移除这条消息",
  tooLong: (excess) => `超出 ${excess} 个字符`,
};
