import type { routers as english } from "../../en/late/routers";

export const routers: typeof english = {
  states: {
    unloaded: "未加载",
    loading: "正在加载",
    loaded: "在内存中",
    sleeping: "休眠中",
    downloading: "正在下载",
    failed: "加载失败",
  },
  exitCode: (code) => `退出码 ${code}`,
  window: (tokens) => `窗口 ${tokens}`,
  windowLater: "加载后才知道窗口大小",
  load: "加载",
  loadLabel: (model) => `加载 ${model}`,
  unload: "卸载",
  unloadLabel: (model) => `卸载 ${model}`,
  filter: "筛选模型",
  noMatch: "没有匹配的模型。",
};
