import type { firstRun as english } from "../../en/late/first-run";

export const firstRun: typeof english = {
  title: "配置模型",
  found: (host) => `在 ${host} 找到模型服务（OpenAI 接口）`,
  foundNote: "直接使用这个服务里的模型，无需下载。",
  useFound: "使用它",
  modelsOf: (server) => `${server} 的模型`,
  address: "使用其他地址",
  otherServer: "其他服务",
  otherServerNote: "此电脑、局域网或互联网上的服务。",
  anyServer: "任何兼容 OpenAI 的服务",
  addressLabel: "模型服务的地址",
  useAddress: "使用这个地址",
  addressBad: (text) => `“${text}”不是地址。地址的写法如 localhost:11434。`,
  noModels: "Ollama 已在运行，但还没有模型。选一个开始吧。",
  tour: "不用模型的导览：",
};
