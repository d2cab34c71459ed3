/** Messages of the built-in engine in the settings. */
import type { ErrorSentences } from "@/lib/events/error-sentences";
import type { Figures } from "../../figures";
import type { engine as english } from "../../en/late/engine";

const notRunning = (program: string): string =>
  `${program} 无法在此系统上用作 llama.cpp 服务器。请在模型设置中另选程序，或安装 llama.cpp 或 Ollama。`;

/** Sentences with what is known about an error; `isLatest` = the program cannot be updated, absent = not known. */
const sentences: ErrorSentences<Pick<Figures, "bytes"> & { readonly isLatest?: boolean }> = {
  bad_input: ({ variable }) =>
    variable &&
    `环境变量 ${variable} 的值不是可用的 https 地址。请更正后重启 gopi-web，或在模型设置中填写 Hugging Face 镜像。`,
  disk_full: ({ missingBytes }, { bytes }) =>
    missingBytes === undefined ? undefined : `磁盘空间不足，还需要 ${bytes(missingBytes)}。请清理后重试。`,
  download_failed: ({ host, privateHost, hasOtherFile, status = 0 }) => {
    if (host === undefined) return undefined;
    if (privateHost !== undefined)
      return `${host} 重定向到了内网地址 ${privateHost}。请检查镜像，或直接将 ${privateHost} 设为镜像。`;
    if (hasOtherFile) return `${host} 返回的不是所需的文件。请检查镜像，或需要登录的代理；已下载的部分会保留。`;
    return status >= 400
      ? `${host} 返回状态码 ${status}。请稍后重试，已下载的部分会保留。`
      : `与 ${host} 的连接失败。请检查网络后重试，已下载的部分会保留。`;
  },
  out_of_memory: ({ signal, isMemoryKill }) => {
    if (signal !== "SIGKILL") return undefined;
    return isMemoryKill
      ? "内存耗尽，系统结束了引擎。请换用更小的窗口或模型。"
      : "引擎被强制结束，可能是因为内存耗尽。请重试，或换用更小的窗口或模型。";
  },
  model_missing: ({ model, file }) => file && `${model} 的文件已不存在：${file}。请将它放回原处，或换一个模型。`,
  engine_missing: ({ program, place }) => {
    if (program === undefined) return undefined;
    if (place === "folder") return `${program} 是文件夹，不是程序。请在模型设置中更正路径。`;
    return place === "file"
      ? `文件 ${program} 无法执行。请在模型设置中填写 llama-server 的路径。`
      : `找不到程序：${program}。请在模型设置中更正路径。`;
  },
  engine_incompatible: ({ library, program }) =>
    library === undefined
      ? program && notRunning(program)
      : `llama.cpp 需要 ${library}，而此系统没有。请安装系统自带的 llama.cpp 软件包，或安装 Ollama。`,
  engine_ended: ({ program }) => program && notRunning(program),
  model_unsupported: ({ architecture }, { isLatest }) => {
    if (!architecture) return undefined;
    const kind = `当前的 llama.cpp 不支持 ${architecture} 类模型。`;
    if (isLatest === undefined) return kind;
    return `${kind}${isLatest ? "请更新 gopi-web，之后可在模型设置中更新 llama.cpp。" : "请更新 llama.cpp，然后重新载入模型。"}`;
  },
  too_many: ({ repository }) =>
    repository === undefined ? "模型列表已满。请先移除一个，再重试。" : `${repository} 中的文件太多。请换一个仓库。`,
  tool_missing: "找不到用于解压的 tar 程序。请安装后重试。",
  start_failed: ({ takenPort }) => takenPort && "引擎的端口被其他程序占用，请重试。",
};

export const engine: typeof english = {
  title: "内置引擎",
  about: "用 llama.cpp 在此电脑上运行 GGUF 模型，需要时由 gopi-web 启动。",
  programName: "llama.cpp",
  runs: (version) => `llama.cpp ${version}`,
  missing: "在此电脑上找不到 llama-server。",
  offer: (tag, from) => `可从 ${from} 下载 llama.cpp ${tag}，运行前会校验文件。`,
  build: "llama.cpp 版本",
  builds: {
    cpu: "CPU",
    metal: "Metal",
    vulkan: "显卡（Vulkan）",
    cuda12: "NVIDIA（CUDA 12）",
    cuda13: "NVIDIA（CUDA 13）",
  },
  fallback: "如果无法在此系统上运行，会改为下载 CPU 版本。",
  download: (size) => `下载（${size}）`,
  downloading: (completed, size) => `正在下载 ${completed} / ${size}`,
  retrying: "没有连接，正在重试",
  silent: (time) => `服务器没有发送数据，${time}后重试`,
  unpacking: "正在解压",
  checking: "正在检查能否运行",
  waiting: "正在等待当前回答结束",
  updateOffer: (tag, from) =>
    `可从 ${from} 下载 llama.cpp ${tag}。确认能在此电脑上运行后会替换当前版本，替换前会卸载已载入的模型。`,
  updateFailed: "仍在使用上面的版本。",
  update: (size) => `更新（${size}）`,
  pause: "暂停",
  progress: "llama.cpp 下载进度",
  uninstall: "删除 llama.cpp",
  uninstallTitle: "删除 llama.cpp？",
  uninstallNote: "模型会保留，重新下载 llama.cpp 后可以继续使用。",
  uninstalled: "已删除 llama.cpp，模型仍保留。",
  guide: "安装指南",
  again: "重新检查",
  models: "内置引擎的模型",
  none: "还没有模型。可以下载一个，或添加此电脑上的 GGUF 文件。",
  stopped: "未载入内存",
  loading: "正在载入",
  loaded: (window, place) => `已载入内存，窗口 ${window}${place === "" ? "" : `，${place}`}`,
  onCards: (cards) => `在 ${cards} 上`,
  partlyOnCards: (onCards, all, cards) => `${all} 层中有 ${onCards} 层在 ${cards} 上`,
  useWindow: (window) => `改用 ${window} 窗口`,
  problems: {
    sentences,
    unreachable: (host) => `与 ${host} 的连接失败。请检查网络后重试。`,
    unavailable: (host, status) => `${host} 返回状态码 ${status}。请稍后重试。`,
  },
  load: "载入",
  loadOne: (name) => `载入 ${name}`,
  unload: "卸载",
  remove: (name) => `从列表中移除 ${name}`,
  removeTitle: (name) => `从列表中移除 ${name}？`,
  removeNote: "文件仍保留在原处。",
  removeYes: "移除",
  removed: (name) => `已从列表中移除 ${name}，文件仍保留在原处。`,
  foundTitle: "此电脑上已有的模型",
  from: { ollama: "由 Ollama 下载", lmstudio: "由 LM Studio 下载" },
  use: "使用",
  useOne: (name) => `使用 ${name}`,
  addTitle: "其他模型",
  addExample: "hf:user/repository:Q4_K_M",
  addLabel: "Hugging Face 名称，或运行 gopi-web 的电脑上 GGUF 文件的路径",
  add: "添加",
  added: (name) => `${name} 已就绪，可在模型菜单中选择。`,
  exists: "列表中已有同名模型。",
  noFile: "此路径下没有文件。",
  notAbsolute: "请输入从根目录开始的完整路径。",
  noReference: "请输入 hf:user/repository:Q4_K_M 这样的名称，或文件的完整路径。",
  noRepository: (hub) => `${hub} 上没有这个名称的公开仓库。`,
  noQuantization: (available) => `仓库中没有这个文件。可用的有：${available}。`,
  noGguf: "仓库中没有 GGUF 文件。请找名称中带 GGUF 的仓库。",
  noAccess: (hub) => `这个仓库需要 ${hub} 的账号。请在那里下载文件，然后按路径添加。`,
  suggested: "可下载的模型",
  machine: (ram, graphics) =>
    graphics === null ? `此电脑有 ${ram} 内存。` : `此电脑有 ${ram} 内存，显卡有 ${graphics}。`,
  comeFrom: (hub) => `下载来源：${hub}。`,
  needs: (size) => `需要 ${size} 内存`,
  needsAtLeast: (size) => `至少需要 ${size} 内存，暂时无法确定能否运行`,
  fits: { fits: "可以运行", slow: "较慢，部分或全部由 CPU 运行", too_large: "内存不足" },
  isHere: "已在此电脑上",
  get: "下载",
  getOne: (name) => `下载 ${name}`,
  tooLargeTitle: (name) => `${name} 超出此电脑的内存，仍要下载？`,
  tooLargeNote: "很可能无法载入。",
  tooLargeYes: "仍要下载",
  downloads: "下载",
  verifying: "正在校验文件",
  paused: (completed, size) => `已暂停，${completed} / ${size}`,
  failedAt: (completed, size) => `已停止，${completed} / ${size}`,
  brokenOnServer: "服务器上的文件已损坏或不是模型，下载过程没有出错。请删除后另选一个。",
  deleteFile: "删除文件",
  resume: "继续",
  tryAgain: "重试",
  useMirror: "使用镜像",
  giveUp: "取消",
  actionOn: (action, name) => `${action}：${name}`,
  modelProgress: (name) => `${name} 的下载进度`,
  deleteOne: (name) => `删除 ${name}`,
  deleteTitle: (name) => `删除 ${name}？`,
  deleteFrees: (size) => `将释放 ${size} 磁盘空间。之后可以重新下载这个模型。`,
  deleteYes: "删除模型",
  endsAnswer: (name) => `${name} 已载入内存，将被卸载。如果它正在回答，回答会中断。`,
  deleted: (name) => `已删除 ${name}。`,
  hereTitle: "在此电脑上运行模型",
  hereModel: "模型",
  hereKinds: { quick: "快速开始", best: "效果最好" },
  hereAbout: (figure) => `约 ${figure}`,
  hereMinutesAt: (time, rate) => `约 ${time}（${rate}）`,
  hereMeasured: (speed) => `在此电脑上实测 ${speed}`,
  herePlan: (name, size, hub) => `将从 ${hub} 下载 ${name}（${size}）。`,
  herePlanWithEngine: (engineSize, from, name, size, hub) =>
    `将从 ${from} 下载 llama.cpp（${engineSize}），从 ${hub} 下载 ${name}（${size}）。`,
  hereBothFrom: (engineSize, name, size, host) => `将从 ${host} 下载 llama.cpp（${engineSize}）和 ${name}（${size}）。`,
  hereAlready: (size, from) => `已在此电脑上（${size}），${from}。`,
  hereEngine: (size, host) => `只需从 ${host} 下载 llama.cpp（${size}）。`,
  hereNeeds: (need, ram) => `需要 ${need} 内存；此电脑有 ${ram}。`,
  hereNoneFits: (ram) => `此电脑有 ${ram} 内存，推荐的模型都放不下。可以按名称或文件添加更小的模型。`,
  licensed: (license) => `许可证：${license}。`,
  hereStart: "下载并运行",
  hereMore: "更多模型",
  sources: {
    title: "引擎的程序与下载",
    programPlaces: {
      nothing: "这个路径下没有程序，请在下方的设置中更正。",
      folder: "这个路径是文件夹，不是程序，请在下方的设置中更正。",
      file: "这个文件无法执行，请在下方的设置中填写 llama-server 的路径。",
    },
  },
};
