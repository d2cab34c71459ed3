import type { sandboxFailures as english } from "../../en/conversation/sandbox-failures";

export const sandboxFailures: typeof english = {
  causes: {
    files: "失败可能是因为沙箱：命令只能写入项目、/tmp 和缓存。",
    network: "失败可能是因为沙箱：其中不能联网。",
    local: "失败可能是因为沙箱：命令只能连接由它自己启动的程序。",
    hidden: "失败可能是因为沙箱：其中看不到密钥和密码，也用不了其他程序的套接字。",
  },
  waitsOffline: "这条命令不能联网。如果它在等待网络，请先允许联网，再结束命令，让模型重新运行。",
  networkAllowed: "本次会话已允许联网",
};
