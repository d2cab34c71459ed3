import type { firstRun as english } from "../../en/late/first-run";

export const firstRun: typeof english = {
  openAiThere: (address) => `${address} 上的服务不是 Ollama，但支持 OpenAI 接口。添加为连接后即可使用其中的模型。`,
  addConnection: "添加连接",
  address: "使用其他地址",
  otherServer: "使用其他服务：",
  anyServer: "任何兼容 OpenAI 的服务",
  addressLabel: "模型服务的地址",
  useAddress: "使用这个地址",
  addressBad: (text) => `“${text}”不是地址。地址的写法如 localhost:11434。`,
  noModels: "Ollama 已在运行，但还没有模型。选一个开始吧。",
  tour: "不用模型的导览：",
  suggested: "推荐的模型",
  notes: {
    balanced: "各方面均衡",
    coding: "同等大小里最擅长代码",
    light: "适合内存较小的电脑",
    strong: "适合内存较大的电脑",
  },
  size: (gigabytes) => `下载 ${gigabytes} GB`,
  memory: (gigabytes) => `需要 ${gigabytes} GB 内存`,
};
