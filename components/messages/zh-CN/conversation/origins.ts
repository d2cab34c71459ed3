import type { origins as english } from "../../en/conversation/origins";

export const origins: typeof english = {
  cli: () => "来自终端",
  agent: () => "来自启动它的会话的任务",
  channel: (name) => `来自 ${name}`,
  automation: (name) => `自动化“${name}”`,
  workflow: (name) => `工作流“${name}”`,
};
