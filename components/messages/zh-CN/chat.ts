import type { ErrorSentences } from "@/lib/events/error-sentences";
import type { SentenceFigures } from "../sentence-figures";
import type { chat as english } from "../en/chat";

const limit = (steps: number): string => `已运行 ${steps} 步，达到单次运行的上限。需要时可以继续。`;
const missing = (model: string): string => `模型服务上没有安装 ${model}。`;

/** Sentences with the figures of an error, more specific than the one of its code. `call` = the repeated one. */
const errorFacts: ErrorSentences<SentenceFigures> = {
  prompt_cut: ({ sent, read }, { tokens }) =>
    sent && read
      ? `模型服务截断了提示词：发送 ${tokens(sent)} 个词元，只读取了 ${tokens(read)} 个，模型没有看到开头。`
      : undefined,
  loop_detected: ({ times, period = 1, same }, { call }) => {
    if (!times || call === "") return undefined;
    if (same === false) return `它连续调用了 ${call} ${times} 次，每次结果都不同。`;
    return period === 1
      ? `它调用了 ${call} ${times} 次，结果都一样。`
      : `同样的 ${period} 个调用重复了 ${times} 次，结果都一样，最后一个是 ${call}。`;
  },
  think_limit: ({ tokens }, context) =>
    tokens ? `它已经思考了 ${context.tokens(tokens)} 个词元，超出上限。` : undefined,
  step_limit: ({ steps }) => (steps ? limit(steps) : undefined),
  window_full: ({ tokens, window }, context) =>
    tokens && window ? `对话需要 ${context.tokens(tokens)} 个词元，而窗口只有 ${context.tokens(window)}。` : undefined,
  message_too_large: ({ tokens, window }, context) =>
    tokens && window
      ? `仅这条消息就有 ${context.tokens(tokens)} 个词元，而窗口只有 ${context.tokens(window)}。请缩短消息；如果模型支持，也可以调大窗口。`
      : undefined,
  wrong_scheme: ({ host, speaks }) =>
    host && `${host} 的端口使用的是 ${speaks}。请在连接设置中将地址开头改为 ${speaks}://。`,
  server_unreachable: ({ proxy }, { host }) =>
    host &&
    (proxy
      ? `无法通过代理 ${proxy} 连接 ${host}。请检查 HTTPS_PROXY、HTTP_PROXY 和 NO_PROXY，然后重启 gopi-web。`
      : `${host} 上没有模型服务。请启动它，或检查地址。`),
  // The fact `provider` is set only if no connection with that id exists any more.
  model_missing: ({ provider, model }) =>
    provider ? "此会话使用的连接已被移除。请换一个模型继续。" : model && missing(model),
};

export const chat: typeof english = {
  limit,
  missing,
  errorFacts,
  label: "对话",
  jump: "回到最新",
  loadingOlder: "正在加载更早的消息",
  start: "会话开头",
  you: "你",
  copyMessage: "复制消息",
  thinking: (duration) => `思考中… ${duration}`,
  thought: (duration) => `思考了 ${duration}`,
  thoughtBriefly: "稍作思考",
  thoughtSome: "思考过",
  phase: {
    queued: "正在等待另一个会话",
    loading: "正在把模型载入内存",
    reading: "正在读取提示词",
    thinking: "正在思考",
    writing: "正在输出",
    calling: "正在准备工具调用",
  },
  waitingBehind: (count) => `正在等待，前面还有 ${count} 个请求`,
  readingPart: (read, tokens) => `正在读取 ${read} / ${tokens} 个词元`,
  readingTokens: (tokens) => `正在读取 ${tokens} 个词元`,
  about: (expected) => `约需 ${expected}`,
  ofAbout: (elapsed, expected) => `${elapsed}，约需 ${expected}`,
  overAbout: (elapsed, expected) => `${elapsed}，通常约需 ${expected}`,
  thinkingTokens: (tokens) => `正在思考，${tokens} 个词元`,
  writingAt: (speed) => `正在输出，${speed}`,
  preparing: (tool) => `正在准备 ${tool}`,
  tokens: (count) => `${count} 个词元`,
  runFirst: "优先运行",
  answerNow: "直接回答",
  offerNotes: {
    runFirst: "排到其他等待的请求之前，不会打断正在进行的回答。",
    answerNow: "停止思考，要求立即回答。",
  },
  quiet: (duration) => `模型服务已经 ${duration}没有动静，可能很忙，也可能卡住了。可以按“停止”结束等待。`,
  images: (count) => `${count} 张图片`,
  references: (count) => `附 ${count} 项`,
  image: (index) => `图片 ${index}`,
  run: {
    files: (count) => `修改了 ${count} 个文件`,
    commands: (count) => `${count} 条命令`,
    refused: (count) => `${count} 次调用被拒绝`,
    reads: (count) => `读取 ${count} 个文件`,
    review: "审阅",
    undo: "撤销…",
    undone: "已撤销",
    undoRun: "撤销更改…",
    undoRunNote: "包括此后各次运行的更改",
    done: "已完成",
    aborted: "已停止",
    error: "失败",
    limit: "已暂停",
    interrupted: "因重启而中断",
    waited: (duration) => `等待 ${duration}`,
    workedAndWaited: (worked, waited) => `${worked}，等待 ${waited}`,
  },
  pausedBy: {
    step_limit: "已暂停：达到步数上限",
    time_limit: "已暂停：达到时间上限",
    loop_detected: "已暂停：陷入循环",
    repeated_text: "已暂停：内容不断重复",
    think_limit: "已暂停：思考过久",
    output_limit: "已暂停：输出过多",
    window_full: "已暂停：上下文窗口已满",
    message_too_large: "已暂停：消息过长",
  },
  plan: {
    carryOut: "执行这个计划",
    carryOutEdits: "执行并接受编辑",
    text: "请执行这个计划。",
  },
  interrupted: "运行期间 gopi-web 重启了，没有自动恢复任何操作。",
  resume: "继续",
  goOn: "继续",
  goOnText: "请从中断的地方继续。",
  steer: "告诉它该怎么做",
  compactNow: "立即压缩",
  modelSettings: "模型设置",
  connectionSettings: "连接设置",
  pull: (model) => `下载 ${model}`,
  raise: (window) => `把窗口调大到 ${window}`,
  raiseFor: (window, memory) => `把窗口调大到 ${window}（约需 ${memory}）`,
  lower: (window) => `改用 ${window} 窗口`,
  capped: (window) => `模型服务固定分配 ${window} 的窗口。可在它自己的设置中修改（Ollama 为 OLLAMA_CONTEXT_LENGTH）。`,
  windowLater: "运行结束后才能更改窗口。",
  memoryHint: "改用同一模型的更小量化版本（例如 q4_K_M），或换更小的模型，也能节省内存。",
  changed: {
    no_tools: "这个模型不支持原生工具调用。之后会从它的文字中读取调用。",
    think_limit: "思考超出上限，已关闭思考重试。",
    no_thinking: "这个模型不支持思考，已关闭思考重试。",
    no_think_level: "这个模型不支持所选的思考强度，已改为普通思考重试。",
    answer_now: "已按你的要求直接回答，不再思考。",
    output_limit: "回答写满了窗口，正在腾出空间并重试。",
    repeated_text: "思考在原地打转，已关闭思考重试。",
    lost_call: "模型开始了一次工具调用，但没有写完。已重新请求。",
    window_full: "请求过长被模型服务拒绝，正在尝试缩短。",
  },
  retrying: (attempt, max, duration) => `${duration}后重试（第 ${attempt} 次，共 ${max} 次）`,
  retried: (attempt, max) => `已重试（第 ${attempt} 次，共 ${max} 次）`,
  code: { wrap: "自动换行", unwrap: "不换行", copy: "复制代码", plain: "文本" },
  remoteImage: (host) => `${host} 上的图片`,
  remoteImageNote: "网络图片不会加载，点击链接可打开。",
  blockedLink: "此链接已被拦截",
  task: { done: "已完成", open: "待办" },
  find: {
    label: "在对话中查找",
    next: "下一处",
    previous: "上一处",
    count: (index, total) => `${index} / ${total}`,
    more: (total) => `${total}+`,
    none: "无匹配",
  },
  empty: {
    recent: "最近的会话",
    starters: {
      explain: "讲讲这个项目是怎么运作的",
      tests: "运行测试并修复失败项",
      write_tests: "为最重要的代码编写测试",
      types: "为公开接口编写类型",
      tidy: "找出可以简化的代码",
      readme: "为这个项目写一份 README",
      review: "评审最近一次提交",
      summarize: "总结这些文档",
      proofread: "校对这些文档",
    },
  },
  restore: {
    undone: { summary: (count) => `已撤销对 ${count} 个文件的更改`, reverse: "找回…" },
    broughtBack: { summary: (count) => `已找回对 ${count} 个文件的更改`, reverse: "再次撤销…" },
  },
};
