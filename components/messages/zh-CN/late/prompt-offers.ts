/** Messages of the prompts of MCP servers in the composer. */
import type { promptOffers as english } from "../../en/late/prompt-offers";

export const promptOffers: typeof english = {
  menu: "服务器的提示",
  insert: "插入",
  fetching: (server) => `正在向 ${server} 获取…`,
  cut: (lines) => `提示超出模型窗口的允许长度，已插入前 ${lines} 行。`,
};
