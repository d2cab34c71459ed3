/** Sentences with the figures of an error, more specific than the one of its code. `call` = the repeated one. */
import type { ErrorSentences } from "@/lib/events/error-sentences";
import type { SentenceFigures } from "../../sentence-figures";

export const errorFacts: ErrorSentences<SentenceFigures> = {
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
  step_limit: ({ steps }, { chat }) => (steps ? chat.limit(steps) : undefined),
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
  model_missing: ({ provider, model }, { chat }) =>
    provider ? "此会话使用的连接已被移除。请换一个模型继续。" : model && chat.missing(model),
};
