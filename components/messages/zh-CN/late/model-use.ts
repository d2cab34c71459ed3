import type { modelUse as english } from "../../en/late/model-use";

export const modelUse: typeof english = {
  back: "返回模型列表",
  note: (model) => `设置会为 ${model} 保存。更改后，模型要重新读取整个提示词。`,
  auto: "自动",
  toolCalls: "工具调用",
  autoMode: (mode) => `采用对这个模型有效的方式，目前是${mode}。`,
  window: "上下文窗口",
  autoWindow: (window) => `自动（${window}）`,
  windowBy: {
    memory: "内存放得下的大小",
    model: "模型上限",
    default: "稳妥的默认值",
  },
  inUse: "使用中",
  more: (memory) => `约多需 ${memory}`,
  less: (memory) => `约少用 ${memory}`,
  noFit: "内存放不下",
  prompt: "系统说明",
  profiles: { auto: "自动", small: "简短", default: "标准", full: "完整" },
  promptNotes: {
    small: "简短说明，适合 4k 窗口。",
    default: "连同全部工具，约 1,150 个词元。",
    full: "更详细的说明，适合大模型。",
  },
  think: "思考",
  thinkChoices: { false: "关闭", true: "开启", low: "低", medium: "中", high: "高", max: "最高" },
  thinkNote: "难题做得更好，但整体更慢。",
  version: (version) => `Ollama ${version}`,
  parserHangs: (version) =>
    `此版本的 Ollama 在解析出错后会停止响应，${version} 已修复。请重启 Ollama 后继续，并更新它。`,
};
