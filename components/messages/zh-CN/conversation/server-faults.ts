import type { serverFaults as english } from "../../en/conversation/server-faults";

export const serverFaults: typeof english = {
  textCalls: "模型服务器连续两次无法解析这个模型的回答。本会话之后的工具调用改为从文字中读取。",
};
