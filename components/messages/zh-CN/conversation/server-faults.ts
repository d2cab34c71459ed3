import type { serverFaults as english } from "../../en/conversation/server-faults";

export const serverFaults: typeof english = {
  textCalls: "模型服务器连续两次无法解析这个模型的回答。本会话之后的工具调用改为从文字中读取。",
  lostArguments:
    "这个模型的工具调用到达时没有参数，很可能是服务器的解析器把参数弄丢了。改为从模型的文字中读取调用可以避免这个问题。",
  toolsLeftOut: (tools: string) => `模型服务器拒绝了 ${tools} 的定义。本会话将不带它继续。`,
  keyFile: {
    unreadable: (path) => `无法读取密钥文件 ${path}。请确认它存在，且运行 gopi-web 的用户有权读取。`,
    too_large: (path) => `密钥文件 ${path} 过大，其中只应有密钥本身。`,
  },
  noModelHost: (status) => `此地址的路由器连不上模型主机（${status}）。请确认后面有主机在运行，然后重试。`,
  tryAgainAt: (time) => `模型服务器要求等待更长时间。请在 ${time} 重试。`,
  askingAgain: (duration) => `服务器要求等待，${duration}后重试`,
  askingAgainFrom: (duration, position) => `服务器要求等待，排在第 ${position} 位，${duration}后重试`,
  asked: "服务器曾要求等待",
  readText: "从文字中读取调用",
};
