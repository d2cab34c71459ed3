import type { userCommand as english } from "../../en/conversation/user-command";

export const userCommand: typeof english = {
  name: "你的命令",
  added: "会随之后的消息发给模型。",
  shown: "不会发给模型。",
};
