import type { firstRun as english } from "../../en/late/first-run";

export const firstRun: typeof english = {
  title: "配置模型",
  found: (host) => `在 ${host} 找到模型服务（OpenAI 接口）`,
  foundNote: "无需下载模型。",
  useFound: "使用它",
  modelsOf: (server) => `${server} 的模型`,
  ollama: "Ollama",
  address: "使用其他地址",
  otherServer: "其他服务",
  anyServer: "任何兼容 OpenAI 的服务",
  addressLabel: "模型服务的地址",
  useAddress: "使用这个地址",
  addressBad: (text) => `“${text}”不是地址。地址的写法如 localhost:11434。`,
  noModels: "Ollama 已在运行，但还没有模型。选一个开始吧。",
  tour: "先看看它怎么工作",
  tourNote: "一分钟，不需要模型。",
  startTour: "开始导览",
  starters: {
    tests: (command) => `运行 ${command} 并修复失败项`,
    todos: (count, folder) => `${folder} 中有 ${count} 个 TODO：列出来，先做最有用的一个`,
    moreTodos: (count, folder) => `${folder} 中有 ${count} 多个 TODO：列出来，先做最有用的一个`,
    review: (commit) => `评审最近一次提交：${commit}`,
  },
  isTour: "导览：“scripted”的回答是预先写好的，其余都是真实的。",
  leaveTour: "退出导览",
};
