/** Sentences with the figures of an error, more specific than the one of its code. `call` = the repeated one. */
import type { ErrorSentences } from "@/lib/events/error-sentences";
import type { SentenceFigures } from "../../sentence-figures";

export const errorFacts: ErrorSentences<SentenceFigures> = {
  prompt_cut: ({ sent, read }, { tokens }) =>
    sent && read
      ? `The server cut the prompt: it read ${tokens(read)} of ${tokens(sent)} tokens. The model hasn't seen the beginning.`
      : undefined,
  loop_detected: ({ times, period = 1, same }, { call }) => {
    if (!times || call === "") return undefined;
    if (same === false) return `It called ${call} ${times} times in a row, with a different result each time.`;
    return period === 1
      ? `It called ${call} ${times} times with the same result.`
      : `It repeated the same ${period} calls ${times} times with the same results, most recently ${call}.`;
  },
  think_limit: ({ tokens }, context) =>
    tokens ? `It thought for ${context.tokens(tokens)} tokens, past the limit.` : undefined,
  step_limit: ({ steps }, { chat }) => (steps ? chat.limit(steps) : undefined),
  window_full: ({ tokens, window }, context) =>
    tokens && window
      ? `The conversation needs ${context.tokens(tokens)} tokens, but the window holds ${context.tokens(window)}.`
      : undefined,
  message_too_large: ({ tokens, window }, context) =>
    tokens && window
      ? `This message alone takes ${context.tokens(tokens)} tokens, but the window holds ${context.tokens(window)}. Shorten it, or raise the window if the model allows it.`
      : undefined,
  wrong_scheme: ({ host, speaks }) =>
    host &&
    `The port of ${host} speaks ${speaks}. Let the address begin with ${speaks}:// in the connection's settings.`,
  server_unreachable: ({ proxy }, { host }) =>
    host &&
    (proxy
      ? `${host} can't be reached through the proxy ${proxy}. Check HTTPS_PROXY, HTTP_PROXY and NO_PROXY, then restart gopi-web.`
      : `No model server at ${host}. Start it or check the address.`),
  // The fact `provider` is set only if no connection with that id exists any more.
  model_missing: ({ provider, model }, { chat }) =>
    provider
      ? "This session's connection was removed. Choose another model to continue."
      : model && chat.missing(model),
};
