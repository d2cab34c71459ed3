import type { connections as english } from "../en/connections";

export const connections: typeof english = {
  ollama: "Ollama",
  cloud: "数据会离开此电脑",
  offline: "无法连接",
  custom: "OpenAI 兼容服务",
  environment: "来自环境变量",
  engine: "内置引擎",
  engineNote: "发送的内容只留在此电脑中。",
  localNote: "发送的内容只留在此电脑或局域网中。",
  cloudNote: "发送的内容会离开此电脑。",
};
