import type { ownRuns as english } from "../../en/conversation/own-runs";

export const ownRuns: typeof english = {
  sandbox: {
    run: "在沙箱外运行一次",
    ran: "你已在沙箱外运行",
    queued: "本次运行结束后在沙箱外运行",
    title: "在沙箱外运行？",
    note: "这条命令会作为你自己的命令，以你的权限运行一次。它在项目之外所做的更改无法撤销。输出会随你的下一条消息发给模型。",
  },
  name: {
    run: "自己运行",
    ran: "你已运行",
    queued: "本次运行结束后运行",
    title: "自己运行这条命令？",
    note: "这条命令会作为你自己的命令，以你的权限、不经沙箱运行一次。它在项目之外所做的更改无法撤销。输出会随你的下一条消息发给模型。",
  },
};
