import type { queue as english } from "../../en/conversation/queue";

export const queue: typeof english = {
  label: "排队的消息",
  times: {
    steer: "下一步发送",
    followUp: "本次运行后",
    summary: "总结完成后",
    idle: "等待中",
  },
  takeBack: "Alt+↑ 编辑",
  edit: "编辑消息",
  remove: "移除消息",
  send: "立即发送",
};
