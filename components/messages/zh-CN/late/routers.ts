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
  stages: { text_model: "语言模型", spec_model: "草稿模型", mmproj_model: "图像组件" },
  slots: (busy, all) => `${all} 个槽位，${busy} 个忙碌`,
  deleteLabel: (model) => `删除 ${model}`,
  downloadName: "名称，例如 hf:ggml-org/gemma-3-4b-it-GGUF",
  downloadNote: "由服务器从 Hugging Face 下载。关闭此页面后下载会继续。",
  runsCommands: (name, address) =>
    `${address} 上的 ${name} 会为任何能访问它的人执行 shell 命令。启动 llama-server 时请不要使用 --tools，或让它只监听 127.0.0.1。`,
};
