/** Determines which models can hold a conversation. */
import type { ModelInfo } from "./models";

/**
 * True if the model supports completion. Without reported capabilities, only names of embedding and reranking models
 * are excluded.
 */
export const canChat = ({ name, capabilities }: ModelInfo): boolean =>
  capabilities.length > 0 ? capabilities.includes("completion") : !/embed|\bbge-|minilm|rerank/i.test(name);
